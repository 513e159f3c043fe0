"""Tests of the compression analyses: exponents, saturation, growth, attractors; planted laws; bad input."""

from dataclasses import replace

import numpy as np
import pytest

import bridge
from bridge.compression.saturation import own_position
from empirics.experiments import compression
from theory.compression import Stripes, attractors
from theory.compression.population import fastest

STRIPE = compression.Config(width=30, seeds=6)
LABELS = Stripes((-0.3, 1.18549233272))


@pytest.fixture(scope="module")
def traces():
    sizes = (400, 900, 2000)
    return {f"p={p}": compression.run(replace(STRIPE, points=p), progress=False) for p in sizes}


@pytest.fixture(scope="module")
def neurons():
    config = replace(STRIPE, dimension=2, points=1500, kept=30, width=30, seeds=1, dtype="float64")
    return compression.run(config, progress=False)


def planted(traces, exponent, seed=0):
    """The same traces with another law of the amplification factor."""
    rng = np.random.default_rng(seed)
    found = {}
    for label, trace in traces.items():
        points = compression.Config.from_json(trace.attrs["config"]).points
        values = (
            2.0
            * points**exponent
            * np.exp(0.02 * rng.normal(size=trace["amplification_at"].shape))
        )
        found[label] = trace.assign(
            amplification_at=(trace["amplification_at"].dims, values),
            amplification_max=("seed", 1.5 * values[:, 0]),
        )
    return found


def test_the_exponent_is_that_of_the_theory(traces):
    fit = bridge.compression.amplification_scaling(traces).fit
    assert fit.interval[0] < 0.5 < fit.interval[1]


@pytest.mark.parametrize("exponent", [0.3, 0.5, 0.8])
def test_a_planted_exponent_is_found(traces, exponent):
    found = bridge.compression.amplification_scaling(planted(traces, exponent))
    assert found.fit.exponent == pytest.approx(exponent, abs=0.03)
    assert found.fit_largest.exponent == pytest.approx(exponent, abs=0.03)
    assert found.dropped == 0


def test_an_offset_needs_more_than_three_sizes():
    sizes = np.repeat([100.0, 200.0, 400.0, 800.0, 1600.0], 3)
    scatter = np.array([[0, 1, -1], [1, -1, 0], [-1, 0, 1], [0, -1, 1], [1, 0, -1]])
    factors = (3 + 2 * sizes**0.5) * (1 + 1e-3 * scatter.ravel())
    table = {"size": sizes, "seed": np.tile([0, 1, 2], 5), "amplification": factors}
    found = bridge.compression.amplification_scaling(table).with_offset
    assert (found.exponent, found.offset) == pytest.approx((0.5, 3.0), rel=0.05)
    three = {name: column[:9] for name, column in table.items()}
    assert bridge.compression.amplification_scaling(three).with_offset is None


def test_data_sets_have_their_own_amplification(traces):
    found = bridge.compression.saturation(traces["p=2000"])
    drawn = compression.realisations(replace(STRIPE, points=2000))
    own = bridge.compression.predicted_amplification(
        fastest(LABELS, 5), drawn.inputs.numpy(), drawn.labels.numpy()
    )
    np.testing.assert_allclose(found.predicted, 2 * own)  # the root of d - 1
    assert abs(found.log_ratio) < 0.25
    ratio = np.log(found.measured / found.predicted).std()
    variance = np.log(found.measured / found.predicted).var(ddof=1)
    assert found.explained == pytest.approx(1 - variance / np.log(found.measured).var(ddof=1))
    shuffled = np.log(found.measured / np.roll(found.predicted, 1)).std()
    assert ratio < 0.5 * shuffled  # it is the set's own fluctuation that says it


def test_own_position_of_many_points_is_the_derived_one():
    rng = np.random.default_rng(0)
    x = rng.normal(size=400_000)
    for attractor in attractors(LABELS, 5):
        if attractor.stable:
            place = own_position(attractor, x, LABELS(x).astype(float), 5)
            assert place == pytest.approx(float(attractor.position), abs=0.05)


def test_own_position_of_few_points_is_where_their_force_changes_its_sign(rng):
    attractor = fastest(LABELS, 5)
    x = rng.normal(size=300)
    y = LABELS(x).astype(float)
    place = own_position(attractor, x, y, 5)

    def force(at):
        active = attractor.side * (x - at) > 0
        return np.mean((5 + at * x) * y * active)

    nearby = np.sort(np.abs(x - place))[3]  # beyond the two points on each side
    assert force(place - nearby) * force(place + nearby) < 0
    assert own_position(attractor, x, 0 * y, 5) == float(attractor.position)


def test_predicted_amplification_grows_as_the_root_of_the_points():
    rng = np.random.default_rng(1)
    attractor = fastest(LABELS, 5)
    logs = []
    for points in (500, 8000):
        x = rng.normal(size=(60, points, 5))
        logs.append(
            np.log(
                bridge.compression.predicted_amplification(attractor, x, LABELS(x[..., 0]))
            ).mean()
        )
    assert logs[1] - logs[0] == pytest.approx(np.log(4), abs=0.2)  # standard error 0.07


@pytest.mark.slow
def test_the_law_of_the_characteristic_time():
    config = replace(STRIPE, dimension=2, points=1500, seeds=6)
    scales = [
        compression.run(replace(config, alpha=alpha), progress=False)
        for alpha in (1e-5, 1e-9, 1e-13)
    ]
    law = bridge.compression.time_law(scales, neurons=20)
    assert law.slope.verdict != "disagrees"
    assert float(law.slope.measured) == pytest.approx(law.theory.slope, rel=0.08)
    assert law.bend < 0.1
    assert list(law.alpha) == [1e-5, 1e-9, 1e-13]


def test_neurons_sit_at_attractors(neurons):
    found = bridge.compression.assignment(neurons, within=0.4)
    assert found.settled.mean() > 0.6
    assert found.size.sum() == pytest.approx(1)
    weights = neurons["kept_at"].values[0, 0, :, :2]
    np.testing.assert_allclose(found.amplification, np.abs(weights[:, 0] / weights[:, 1]))
    assert found.size[found.nearest == 0].sum() > 0.9
    side = np.sign(neurons["kept_at"].values[0, 0, :, 0])
    assert all(found.attractors[n].side == s for n, s in zip(found.nearest, side, strict=True))


def test_what_is_refused(traces, neurons):
    values = list(traces.values())
    with pytest.raises(ValueError, match="needs at least 3"):
        bridge.compression.amplification_scaling(values[:2])
    with pytest.raises(ValueError, match="differ in dimension"):
        bridge.compression.amplification_scaling([*values, neurons])
    with pytest.raises(TypeError, match="Dataset"):
        bridge.compression.saturation({"a": 1})
    with pytest.raises(ValueError, match="without"):
        bridge.compression.saturation(values[0].drop_vars("time_at"))
    with pytest.raises(ValueError, match="differ in points"):
        bridge.compression.time_law(values)
    with pytest.raises(ValueError, match="need one first share and different alpha"):
        bridge.compression.time_law([values[0], values[0]])
    with pytest.raises(ValueError, match="has no recorded neurons"):
        bridge.compression.assignment(values[0])
    with pytest.raises(ValueError, match="within"):
        bridge.compression.assignment(neurons, within=0.0)
    shells = compression.run(
        compression.Config(
            labels="shells", dimension=3, points=50, width=5, seeds=1, kept=2, rounds=3
        ),
        progress=False,
    )
    with pytest.raises(ValueError, match=r"shells|never fitted"):
        bridge.compression.assignment(shells)
    with pytest.raises(ValueError, match="inputs, labels"):
        bridge.compression.predicted_amplification(fastest(LABELS, 2), np.ones((3, 2)), np.ones(4))

"""Tests of the studies of image geometry on synthetic traces: correlations, intervals, figures and doubts."""

from __future__ import annotations

import json

import numpy as np
import pytest
import xarray as xr
from scipy import stats

from bridge.plots import style
from bridge.results import analyses
from papers.zavatoneveth2023.studies.images import (
    analysed,
    correlations,
    drawing,
    hypothesis,
    slices,
)
from papers.zavatoneveth2023.studies.images.drawing import origin
from papers.zavatoneveth2023.studies.images.hypothesis import crossings, entropy, prediction
from tests.marks import slow

CLASSES, SEEDS, LINES, POSITIONS, SIDE = 10, 4, 3, 15, 5
EXACT = 1e-12
SUBSET = {
    "train": "CIFAR-10, training split, a subset: 10,000 of 50,000 images, 1,000 of them",
    "test": "CIFAR-10, test split, a subset: 2,000 of 10,000 images, 500 of them",
}


def made(
    follows: float = 1.0, seeds: int = SEEDS, origin: dict[str, str] = SUBSET, draw: int = 3
) -> xr.Dataset:
    """A trace whose trained volume element is ``follows`` times the entropy plus noise; untrained, it is noise."""
    rng = np.random.default_rng(draw)
    logits = rng.normal(size=(seeds, 2, 2 * LINES, POSITIONS, CLASSES))
    position = np.linspace(0, 1, POSITIONS)
    logits[..., 1] += 9 * (1 - position)
    logits[..., 2] += 9 * position
    volume = rng.normal(size=logits.shape[:-1])
    volume[:, 1] = follows * 40 * entropy(logits[:, 1]) + 0.1 * volume[:, 1] - 100
    plane = rng.normal(size=(seeds, 2, 2, SIDE, SIDE, CLASSES)) * 3
    line, flat = (
        ("seed", "snapshot", "line", "position"),
        ("seed", "snapshot", "plane", "row", "column"),
    )
    picture = ("channel", "pixel_row", "pixel_column")
    ends = np.array([[1, 2]] * LINES + [[3, 3]] * LINES)
    return xr.Dataset(
        {
            "line_log_volume": (line, volume),
            "line_logits": ((*line, "class"), logits),
            "line_distance": (line, 1 - entropy(logits)),
            "plane_log_volume": (flat, entropy(plane)),
            "plane_logits": ((*flat, "class"), plane),
            "spectrum": (
                ("seed", "snapshot", "corner", "eigenvalue"),
                np.broadcast_to([4.0, 1.0, 1e-2, 0.0], (seeds, 2, 3, 4)).copy(),
            ),
            "accuracy": (("seed", "snapshot", "split"), np.full((seeds, 2, 2), 0.5)),
            "line_labels": (
                ("seed", "line", "end"),
                np.broadcast_to(ends, (seeds, *ends.shape)).copy(),
            ),
            "plane_labels": (
                ("seed", "plane", "corner"),
                np.tile([[1, 2, 3], [1, 1, 1]], (seeds, 1, 1)),
            ),
            "line_images": (
                ("seed", "line", "end", *picture),
                np.zeros((seeds, 2 * LINES, 2, 3, 4, 4), np.uint8),
            ),
            "plane_images": (
                ("seed", "plane", "corner", *picture),
                np.zeros((seeds, 2, 3, 3, 4, 4), np.uint8),
            ),
            "diverged_at": (("seed",), np.full(seeds, -1)),
        },
        {
            "seed": np.arange(seeds),
            "snapshot": [0, 20],
            "split": ["train", "test"],
            "line": [f"{kind} {i}" for kind in ("different", "same") for i in range(LINES)],
            "plane": ["different", "same"],
            "position": position,
            "row": np.linspace(-0.5, 1.4, SIDE),
            "column": np.linspace(-0.5, 1.5, SIDE),
        },
        {
            "class_names": json.dumps([f"class {c}" for c in range(CLASSES)]),
            "origin": json.dumps(origin),
            "config": json.dumps({"precision": "float64"}),
            "experiment": "geometry.self_supervised",
        },
    )


def test_entropy_of_certainty_and_of_ignorance():
    assert entropy(np.zeros((3, 7))) == pytest.approx(1, rel=EXACT)
    sure = entropy(np.array([[1000.0, 0, 0]]))
    assert sure == pytest.approx(0, abs=EXACT)
    p = np.array([0.5, 0.3, 0.2])
    assert float(entropy(np.log(p) + 5)) == pytest.approx(stats.entropy(p) / np.log(3), rel=EXACT)


def test_crossings_lie_between_different_predictions():
    predicted = prediction(np.eye(4)[[0, 0, 2, 2, 1]])
    np.testing.assert_allclose(crossings(predicted, np.linspace(0, 1, 5)), [0.375, 0.875])


def test_correlations_are_spearmans():
    trace = made()
    found = hypothesis.along_lines(trace, "different", "entropy")
    for seed in range(SEEDS):
        for line in range(LINES):
            at = trace.isel(seed=seed, line=line, snapshot=1)
            expected = stats.spearmanr(
                at.line_log_volume, entropy(at.line_logits.values)
            ).statistic
            assert found.values[seed, line] == pytest.approx(expected, abs=EXACT)
    means = found.values.mean(1)
    low, high = stats.t.interval(0.95, SEEDS - 1, means.mean(), stats.sem(means))
    assert (found.mean, found.low, found.high) == pytest.approx(
        (means.mean(), low, min(high, 1)), rel=1e-9
    )
    assert (found.over_networks.networks, found.over_networks.repetitions) == (SEEDS, SEEDS)
    assert found.verdict == "positive"


@pytest.mark.parametrize(("follows", "verdict"), [(1.0, "positive"), (-1.0, "negative")])
def test_verdicts(follows, verdict):
    assert hypothesis.along_lines(made(follows), "different", "entropy").verdict == verdict
    assert (
        hypothesis.along_lines(made(follows), "different", "nearness", beyond=True).verdict
        == verdict
    )


@pytest.mark.slow
def test_chance_is_mistaken_for_something_as_seldom_as_promised():
    verdicts = [
        hypothesis.along_lines(made(0.0, draw=k), "different", "entropy").verdict
        for k in range(60)
    ]
    wrong = sum(verdict != "not told from zero" for verdict in verdicts)
    assert wrong <= stats.binom.isf(1e-3, 60, 0.05)  # of 3 expected


def test_holding_the_position_fixed_removes_what_position_explains():
    trace = made()
    middle = 0.5 - np.abs(trace.position.values - 0.5)
    noise = np.random.default_rng(0).normal(size=trace.line_log_volume.shape)
    # knows the middle, nothing of the decision
    trace["line_log_volume"][...] = 50 * middle + noise
    assert hypothesis.along_lines(trace, "different", "entropy").mean > 0.7
    assert abs(hypothesis.along_lines(trace, "different", "entropy", beyond=True).mean) < 0.35
    a, b, c = np.random.default_rng(1).normal(size=(3, 40))
    r = np.corrcoef([a, b, c])
    textbook = (r[0, 1] - r[0, 2] * r[1, 2]) / np.sqrt((1 - r[0, 2] ** 2) * (1 - r[1, 2] ** 2))
    assert hypothesis.partial(a, b, c) == pytest.approx(textbook, rel=1e-10)


def test_one_network_diverged_networks_and_flat_lines():
    assert np.isnan(hypothesis.along_lines(made(seeds=1), "different", "entropy").low)
    two = hypothesis.along_lines(made(seeds=2), "different", "entropy")
    assert np.isnan([two.low, two.high]).all()
    assert two.verdict == "too few networks to say"
    assert "[" not in two.shown
    trace = made()
    trace["line_log_volume"][0] = np.nan
    trace["line_log_volume"][1, 1, 0] = -3.0  # constant: nothing to rank
    found = hypothesis.along_lines(trace, "different", "entropy")
    assert np.isnan(found.values[0]).all()
    assert np.isnan(found.values[1, 0])
    assert np.isfinite(found.mean)
    trace["line_log_volume"][...] = np.nan
    assert (
        hypothesis.along_lines(trace, "different", "entropy").verdict == "too few networks to say"
    )


def test_networks_that_agree_by_chance_have_the_error_of_their_lines():
    rng = np.random.default_rng(0)
    lines = rng.normal(size=(3, 8))
    # three networks with the same mean, which do not know it to 0
    lines -= lines.mean(axis=1, keepdims=True)
    found = hypothesis.summarise(0.2 * lines)
    assert found.over_networks.error == pytest.approx(0.2 * np.sqrt((lines**2).sum() / 21 / 24))
    assert found.over_networks.repetitions == 22
    assert found.high > 0.03
    apart = hypothesis.summarise(0.2 * lines + [[-1.0], [0.0], [1.0]])
    assert (apart.over_networks.repetitions, apart.over_networks.error) == (
        3,
        pytest.approx(3**-0.5),
    )


def test_the_metric_of_the_sphere_is_read_where_it_was_measured():
    trace = made()
    assert "sphere" not in correlations.measured(trace)
    trace["line_sphere_log_volume"] = -trace["line_log_volume"]
    cases = correlations.measured(trace)
    assert cases["sphere"].mean == pytest.approx(-cases["trained"].mean)
    analysis = analyses.analyse("geometry-self-supervised", {"one": trace})
    assert "On the unit sphere it is −" in analysis.findings[0]


def test_the_gain_in_accuracy_is_that_over_the_untrained_network():
    trace = made(seeds=3)
    trace["accuracy"].loc[{"split": "test"}] = [[0.2, 0.5], [0.1, 0.5], [0.3, 0.5]]
    table = correlations.table({"one": correlations.measured(trace)}, {"one": trace})
    (row,) = table.rows
    gain = row["gain in test accuracy by training"]
    assert (gain.value, gain.error) == pytest.approx((0.3, 0.1 / 3**0.5), rel=1e-5)
    assert "(test accuracy 50.0%, 20.0% before training)" in analysed.finding(
        "one", trace, correlations.measured(trace)
    )


def test_rises_and_hulls_on_known_volumes():
    trace = made().assign_coords(
        row=np.linspace(0, slices.HEIGHT, SIDE), column=np.linspace(0, 1, SIDE)
    )
    middle = np.abs(trace.position.values - 0.5) < 0.17
    trace["line_log_volume"][:, 1] = 0.0
    trace["line_log_volume"][:, 1, :LINES] = np.log(10) * np.where(middle, 3.0, 1.0)
    assert slices.rise_beyond_one_class(trace).mean == pytest.approx(2)
    np.testing.assert_allclose(slices.rises(trace, "same"), 0)
    volume, third = trace["plane_log_volume"], trace["row"].values / slices.HEIGHT
    second = trace["column"].values[None] - third[:, None] / 2
    inside = (second > -1e-9) & (1 - second - third[:, None] > -1e-9)
    assert inside.sum() == 13  # by hand: 5, 3, 3, 1 and 1 of the five rows
    volume.values[..., ~inside] *= -1  # follows the entropy inside of the triangle only
    assert slices.over_plane(trace, "different", inside=True).mean == pytest.approx(1)
    assert slices.over_plane(trace, "different", inside=False).mean < 0.5


def test_a_metric_without_full_rank_has_zero_eigenvalues():
    trace = made(seeds=3)
    trace["spectrum"].values[:] = 1.0
    assert slices.zero_eigenvalues(trace).mean == 0
    trace["spectrum"][{"snapshot": -1, "seed": 0}].values[..., 0] = 1e-40
    share = 1 / trace.sizes["eigenvalue"] / 3
    assert slices.zero_eigenvalues(trace).mean == pytest.approx(share)
    assert slices.smallest_eigenvalue(trace).mean == pytest.approx(0)  # which leaves them out


def test_a_network_without_a_spectrum_has_no_zero_eigenvalues():
    trace = made(seeds=3)
    trace["spectrum"].values[:] = 1.0
    trace["spectrum"][{"seed": 1}] = np.nan
    for measure in (slices.zero_eigenvalues, slices.lowest_eigenvalue, slices.smallest_eigenvalue):
        assert measure(trace).mean == 0
        assert measure(trace).networks == 2


def test_the_lowest_eigenvalue_counts_what_is_zero_to_rounding():
    trace = made()
    trace["spectrum"][:, -1] = 1.0
    trace["spectrum"][:, -1, :, -1] = 1e-30
    assert slices.smallest_eigenvalue(trace).mean == pytest.approx(0)
    assert slices.lowest_eigenvalue(trace).mean == pytest.approx(-30)
    trace["spectrum"][:, -1, :, -1] = 0.0
    assert slices.lowest_eigenvalue(trace).mean == pytest.approx(np.log10(2.0**-149))


def test_unknown_kinds_are_refused():
    with pytest.raises(ValueError, match="kind: got 'other'"):
        hypothesis.along_lines(made(), "other", "entropy")
    with pytest.raises(ValueError, match="against: got 'loss'"):
        hypothesis.along_lines(made(), "same", "loss")


def test_a_subset_is_called_one():
    assert "12,000-image subset of CIFAR-10" in origin({"a": made()})
    whole = {
        "train": "CIFAR-10, training split, 50,000 images",
        "test": "CIFAR-10, test split, 10,000 images",
    }
    assert "subset" not in origin({"a": made(origin=whole)})


@pytest.mark.parametrize("name", ["geometry-resnet", *slow("geometry-self-supervised")])
def test_every_figure_says_what_it_shows(name):
    analysis = analyses.analyse(
        name, {"one": made().assign_attrs(experiment=name.replace("-", ".", 1)), "two": made(0.0)}
    )
    assert [each.name.removeprefix(name) for each in analysis.pictures] == [
        "-lines", "-planes", "-planes-same", "-hypothesis", "-spectra",
    ]  # fmt: skip
    reads = "the network predicts" if name == "geometry-resnet" else "the linear probe predicts"
    assert reads in analysis.pictures[0].caption
    for picture in analysis.pictures:
        assert "12,000-image subset of CIFAR-10" in picture.caption
        assert "12,000-image subset of CIFAR-10" in picture.figure.get_supxlabel()
    table, slices_table = analysis.tables
    # the entropy itself
    assert all(row["affine hull 1"].value == pytest.approx(1) for row in slices_table.rows)
    first, second = table.rows
    assert first["entropy"].value > 0.9
    assert abs(second["entropy"].value) < 0.4
    assert "positive" in analysis.findings[0]
    text = " ".join(each.text for each in analysis.doubts)
    for part in (
        "a subset of the data set",
        "Test accuracy is 50%",
        "networks only",
        "zero to rounding",
    ):
        assert part in text


def test_eigenvalues_of_rounding_are_none():
    trace = made()
    live = drawing.above_rounding(trace.spectrum.values, drawing.rounding(trace))
    assert live[0, 0, 0].tolist() == [True, True, True, False]
    trace.attrs["config"] = json.dumps({"precision": "model"})
    assert drawing.rounding(trace) == pytest.approx(48 * 2.0**-23)


@pytest.mark.parametrize("labels", [["GELU"], *slow(["GELU", "ReLU"])])
def test_the_labels_of_rows_of_planes_lie_inside_the_figure(labels):
    # panels as wide as there is room
    square = made().assign_coords(row=np.linspace(-0.6, 1.4, SIDE))
    # numbers at the colour bar as wide as real ones
    square["plane_log_volume"] = 20 * square["plane_log_volume"] - 45
    figure = slices.draw_planes(dict.fromkeys(labels, square))
    with style.context():
        figure.draw_without_rendering()
    shown = [axis.yaxis.label for axis in figure.axes if axis.get_ylabel() in labels]
    assert len(shown) == len(labels)
    # what the layout promises on every side
    margin = figure.get_layout_engine().get()["w_pad"] * figure.dpi
    assert all(text.get_window_extent().x0 >= margin for text in shown)

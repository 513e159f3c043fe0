"""Tests of the exponents of synthetic learning curves with known exponents, and of the figures of the studies."""

from __future__ import annotations

import numpy as np
import pytest

from bridge.compression.exponents import learning_curves, predicted_exponent
from bridge.results import analyses
from empirics.experiments.compression.kernel_components import KERNELS
from empirics.experiments.compression.kernel_components import Config as ComponentsConfig
from empirics.experiments.compression.learning_curves import Config
from empirics.runs import trace
from papers.paccolat2021 import quantities as q

SIZES = (100, 200, 400, 800, 1600)


def made(betas, seeds=8, scatter=0.05, offset=0.0):
    """A trace whose errors are power laws with the given exponents."""
    rng = np.random.default_rng(0)
    config = Config(sizes=SIZES, regimes=tuple(betas), realisations=seeds)
    sizes = np.array(SIZES, dtype=float)
    exact = np.stack([offset + 2 * sizes**-beta for beta in betas.values()])
    errors = exact[..., None] * np.exp(scatter * rng.normal(size=(*exact.shape, seeds)))
    cell = ("regime", "size", "seed")
    return trace.dataset(
        {
            "error": (cell, errors, ""),
            "fitted": (cell, np.ones_like(errors), ""),
            "factor": (("size", "seed"), np.ones((len(SIZES), seeds)), ""),
        },
        {
            "regime": (np.array(list(betas), dtype=str), {}),
            "size": (sizes, {}),
            "seed": (np.arange(seeds), {}),
        },
        {"config": config.to_json()},
    )


def components(points=60, seeds=3):
    rng = np.random.default_rng(1)
    config = ComponentsConfig(points=points, realisations=seeds)
    k, c = len(KERNELS), 5
    shape = ("seed", "kernel", "component")
    return trace.dataset(
        {
            "projection": (shape, rng.uniform(0, 0.2, (seeds, k, c)), ""),
            "information": (shape, rng.uniform(0, 0.5, (seeds, k, c)), ""),
            "plane": (
                ("seed", "kernel", "point", "axis"),
                rng.normal(size=(seeds, k, points, 2)),
                "",
            ),
            "label": (("seed", "point"), np.tile([-1.0, 1.0], (seeds, points // 2)), ""),
            "kernel_error": (("seed", "kernel"), rng.uniform(0, 0.5, (seeds, k)), ""),
            "network_error": (("seed",), rng.uniform(0, 0.5, seeds), ""),
            "fitted": (("seed",), np.ones(seeds), ""),
        },
        {
            "seed": (np.arange(seeds), {}),
            "kernel": (np.array(KERNELS, dtype=str), {}),
            "component": (np.arange(1, c + 1), {}),
        },
        {"config": config.to_json()},
    )


def test_predictions_are_the_papers():
    assert predicted_exponent("lazy", 5, 1) == pytest.approx(5 / 13)
    assert predicted_exponent("feature", 5, 1) == pytest.approx(9 / 13)
    assert predicted_exponent("compressed", 3, 2) == pytest.approx(1 / 2)
    # the printed 9/20 is more than data of three dimensions alone have
    assert predicted_exponent("feature", 4, 3) == pytest.approx(3 / 7)
    assert predicted_exponent("lazy", 4, 3) == pytest.approx(4 / 10)


def test_known_exponents_are_found_and_told_from_others():
    # d = 2: 1/2 and 3/4
    lazy, compressed = learning_curves(made({"lazy": 0.5, "compressed": 0.6}))
    assert lazy.interval[0] < 0.5 < lazy.interval[1]
    assert lazy.beta == pytest.approx(0.5, abs=0.04)
    assert lazy.comparison.verdict == "agrees"
    assert compressed.comparison.verdict == "disagrees"
    assert compressed.with_offset is not None


def test_an_offset_is_seen():
    (curve,) = learning_curves(made({"lazy": 0.8}, offset=0.05, scatter=0.01))
    assert curve.beta < 0.7
    assert curve.with_offset.exponent == pytest.approx(-0.8, abs=0.1)


def test_what_is_no_trace_is_refused():
    with pytest.raises(TypeError, match="trace"):
        learning_curves([1, 2])
    with pytest.raises(ValueError, match="without error"):
        learning_curves(components())
    with pytest.raises(ValueError, match="at least 3"):
        learning_curves(made({"lazy": 0.5}, seeds=3).isel(size=slice(2)))
    with pytest.raises(ValueError, match="2 realisations, needs at least 3 and 3"):
        learning_curves(made({"lazy": 0.5}, seeds=2))
    (fewest,) = learning_curves(made({"lazy": 0.5}, seeds=3).isel(size=slice(3)))
    assert fewest.with_offset is None


def test_a_curve_without_errors_is_left_out_and_said():
    data = made({"lazy": 0.5, "compressed": 0.75})
    data["error"].loc[{"regime": "compressed", "size": SIZES[-1]}] = 0.0
    found = analyses.analyse("compression-learning-curves", {"stripe": data})
    assert len(found.compared) == 1
    assert any("no exponent" in doubt.text for doubt in found.doubts)


def test_study_of_learning_curves():
    found = analyses.analyse(
        "compression-learning-curves", {"stripe": made({"lazy": 0.5, "compressed": 0.75})}
    )
    assert [each.verdict for each in found.compared] == ["agrees", "agrees", "agrees"]
    assert found.compared[2].predicted == pytest.approx(1 / 4)  # d = 2: 3/4 - 1/2
    bent = made({"lazy": 0.5}, scatter=1e-3)
    bent["error"].loc[{"size": SIZES[0]}] *= 3
    (last,) = [
        each
        for each in analyses.analyse("compression-learning-curves", {"a": bent}).findings
        if "three" in each
    ]
    assert "lazy 0.50" in last
    (axes,) = found.pictures[0].figure.axes
    assert axes.get_xscale() == axes.get_yscale() == "log"
    assert [row["regime"] for row in found.tables[0].rows] == ["lazy", "lazy, compressed data"]


def test_exponents_of_medians_do_not_see_a_rare_large_error():
    data = made({"lazy": 0.5, "compressed": 0.75}, seeds=9)
    data["error"].loc[{"seed": 8, "size": SIZES[-1]}] *= 30
    found = analyses.analyse("compression-learning-curves-flow", {"stripe": data})
    by_median = {
        each.quantity: each
        for each in found.measured
        if each.quantity in (q.BETA_LAZY_MEDIAN, q.BETA_COMPRESSED_MEDIAN)
    }
    assert by_median[q.BETA_LAZY_MEDIAN].value == pytest.approx(0.5, abs=0.03)
    assert by_median[q.BETA_COMPRESSED_MEDIAN].value == pytest.approx(0.75, abs=0.03)
    assert all(0.003 < each.error < 0.05 and each.n == 9 for each in by_median.values())
    data["error"].loc[{"size": SIZES[-1]}] = np.where(np.arange(9) < 6, 0.0, 0.1)
    assert not {q.BETA_LAZY_MEDIAN, q.BETA_COMPRESSED_MEDIAN} & {
        each.quantity
        for each in analyses.analyse("compression-learning-curves-flow", {"a": data}).measured
    }


def test_what_data_gain_that_were_not_compressed_by_the_root_of_p_is_not_compared():
    data = made({"lazy": 0.5, "compressed": 0.75})
    config = Config.from_json(data.attrs["config"])
    data.attrs["config"] = config.changed(
        regimes=("lazy", "compressed", "feature"), compression=None
    ).to_json()
    found = analyses.analyse("compression-learning-curves", {"stripe": data})
    assert not [each for each in found.measured if each.quantity == q.BETA_GAIN_COMPRESSED]


@pytest.mark.parametrize("name", ["compression-kernel-components", "compression-kernel-learning"])
def test_studies_of_kernels(name):
    found = analyses.analyse(name, {"few": components(), "more": components(120)})
    assert found.findings
    assert all(picture.figure.axes for picture in found.pictures)
    assert len(found.tables[0].rows) == 2 * len(KERNELS)
    with pytest.raises(ValueError, match="without"):
        analyses.analyse(name, {"curves": made({"lazy": 0.5})})


def test_the_floor_is_drawn_and_compared(numbers):
    found = analyses.analyse("compression-kernel-components", {"stripe": components()})
    assert numbers(found)[q.INITIAL_INFORMATION, "stripe"].predicted == pytest.approx(
        0.0686, abs=1e-4
    )
    lines = [line.get_ydata() for line in found.pictures[0].figure.axes[0].lines]
    assert any(np.allclose(y, 0.0686, atol=1e-4) for y in lines)


def test_the_dimension_of_the_last_layer_is_above_that_of_a_line_or_not(numbers):
    trace = components(seeds=2).assign(
        effective_dimension=(
            ("seed", "kernel"),
            [[np.nan, np.nan, 3.0, 2.0 + seed / 10] for seed in range(2)],
        ),
        two_neighbour_dimension=(
            ("seed", "kernel"),
            [[np.nan, np.nan, 3.0, 2.5 + seed / 10] for seed in range(2)],
        ),
        input_dimension=("seed", [7.0, 7.5]),
    )
    found = analyses.analyse("compression-kernel-components", {"MNIST": trace})
    known = numbers(found)
    one = known[q.DIMENSION, "MNIST"]
    assert (one.value, one.relation, one.predicted) == (2.05, ">", 1)
    assert one in found.compared
    assert known[q.INPUT_DIMENSION, "MNIST"].value == 7.25
    assert known[q.TWO_NEIGHBOUR_DIMENSION, "MNIST"].value == 2.55


def test_labels_along_the_first_components_and_the_last_layer_are_compared(numbers):
    held = np.zeros((3, len(KERNELS), 5))
    first, last = KERNELS.index("initial"), KERNELS.index("final")
    held[:, first] = [[0.3, 0.2, 0, 0, 0], [0.3, 0.2, 0, 0, 0], [0.3, 0.1, 0, 0, 0]]
    held[:, last] = [[0.05, 0.1, 0.4, 0.3, 0], [0.05, 0.2, 0.4, 0.2, 0], [0.1, 0.1, 0.4, 0.3, 0]]
    errors = np.full((3, len(KERNELS)), 0.2)
    errors[:, KERNELS.index("final_last_layer")] = [0.21, 0.22, 0.23]
    trace = components().assign(
        projection=(("seed", "kernel", "component"), held), kernel_error=(("seed", "kernel"), errors),
        network_error=("seed", [0.2, 0.2, 0.2]),
    )  # fmt: skip
    found = numbers(analyses.analyse("compression-kernel-components", {"stripe": trace}))
    grown = found[q.SHARE_GAIN, "stripe"]
    assert grown.value == pytest.approx(np.mean([0.35, 0.35, 0.5]))
    assert found[q.TOP_TWO, "stripe, tangent kernel, trained"].value == pytest.approx(
        np.mean([0.15, 0.25, 0.2])
    )
    assert grown.verdict == "agrees"
    compared = numbers(analyses.analyse("compression-kernel-learning", {"few": trace}))
    behind = compared[q.LAST_LAYER_LESS_NETWORK, "all sizes"]
    assert (behind.value, behind.relation) == (pytest.approx(0.02), ">")
    # without a difference in any realisation
    assert compared[q.KERNEL_LESS_NETWORK, "all sizes"].verdict == "agrees"
    # of a bound, no difference at all says nothing
    assert (q.KERNEL_LESS_INITIAL, "all sizes") not in compared

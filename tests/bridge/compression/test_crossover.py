"""Tests of the crossover from feature to lazy learning: planted numbers, limits of small networks, what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from bridge.compression import Crossover, crossover
from bridge.results import analyses
from empirics.experiments import compression
from empirics.experiments.compression.config import Config
from papers.paccolat2021 import quantities as q
from papers.paccolat2021.studies import crossover as study

SMALL = Config(
    dimension=2,
    points=12,
    width=10,
    seeds=3,
    rounds=120,
    test_points=100,
    shares=(0.1,),
    turning=0.5,
    moving=0.4,
)
ALPHAS = (1e3, 1e-3, 30.0, 1e-2)  # not in order


def planted(
    times=(12.0, 9.0, 0.3, 0.03), star=(16.0, 15.0, 1.0, 1.0), errors=(0.05, 0.05, 0.2, 0.2)
):
    """A crossover whose two realisations differ by a few percent."""
    pair = np.array([1.0, 1.03])
    both = {
        name: np.outer(values, pair)
        for name, values in (("times", times), ("star", star), ("errors", errors))
    }
    both["times"] **= np.array([1.0, 1.01])  # so that exponents differ, too
    return Crossover(
        alpha=np.array([1e-4, 1e-2, 10.0, 100.0]), largest=both["star"], start=np.ones(2), fitted=np.ones((4, 2)),
        frozen=np.array([0.2, 0.2]), frozen_fitted=np.ones(2), **both,
    )  # fmt: skip


def test_planted_limits():
    limits = {one.quantity: one for one in study.limits(planted(), "stripe")}
    assert limits[q.LAZY_TIME].value == pytest.approx(-1.005)
    better = limits[q.FEATURE_ERROR]
    assert (better.value, better.relation) == (
        pytest.approx(np.log(0.25) + np.log(1.03) / 2, abs=1e-5),
        "<",
    )
    assert limits[q.LAZY_ERROR].value == pytest.approx(np.log(1.03) / 2, rel=1e-5)
    assert q.FEATURE_AMPLIFICATION not in limits  # of one ratio there is no error
    steep = {
        one.quantity: one.value
        for one in study.limits(planted(times=(12.0, 9.0, 0.3, 0.003)), "stripe")
    }
    assert steep[q.LAZY_TIME] == pytest.approx(-2.01)


def test_numbers_of_the_table_carry_their_scale(numbers):
    found = numbers(study.table({"stripe": planted()}))
    assert found[q.TIME, "stripe, α = 0.0001"].value == pytest.approx(
        12 * (1 + 1.03**1.01 * 12**0.01) / 2, rel=1e-5
    )
    assert found[q.TEST_ERROR, "stripe, α = 10"].value == pytest.approx(0.203)
    assert found[q.FROZEN_ERROR, "stripe"].value == 0.2


def test_turning_point_is_where_the_logarithm_is_half_way():
    assert planted(star=(16.0, 16.0, 1.0, 1.0)).turning_point == pytest.approx(10**-0.5)


@pytest.mark.parametrize(
    ("frozen", "level"), [((0.1, 0.4), 0.2), ((0.0, 0.3), 0.3), ((0.0, 0.0), None)]
)
def test_the_frozen_kernel_is_drawn_at_the_geometric_mean_of_its_errors_above_0(frozen, level):
    one = replace(planted(), frozen=np.array(frozen))
    axes = study.draw({"stripe": one}).axes[0]
    dashed = [line.get_ydata()[0] for line in axes.lines if line.get_label() == "frozen kernel"]
    assert dashed == ([] if level is None else [pytest.approx(level)])
    doubts = [doubt.text for doubt in study._doubts("stripe", one)]
    assert any(
        text.startswith(f"{frozen.count(0.0)} of 10 test errors are 0") for text in doubts
    ) == (0.0 in frozen)


@pytest.fixture(scope="module")
def traces():
    return {
        f"{alpha:g}": compression.run(replace(SMALL, alpha=alpha), progress=False)
        for alpha in ALPHAS
    }


@pytest.mark.slow
def test_large_scales_are_the_frozen_kernel(traces):
    """As α grows, t* falls as 1/α, the weights stay, and the network becomes the flow of its initial kernel."""
    found = crossover({label: traces[label] for label in ("0.001", "30", "1000")})
    assert found.alpha.tolist() == [1e-3, 30, 1e3]
    assert {one.quantity: one for one in study.limits(found, "stripe")}[
        q.LAZY_TIME
    ].value == pytest.approx(-1, abs=0.05)
    np.testing.assert_allclose(found.star[-1], found.start, rtol=1e-2)
    assert np.nanmedian(found.star[0] / found.start) > 1.3
    wide = replace(SMALL, width=100, shares=(1.0,), rounds=2500, seeds=4)
    end = crossover(
        {
            f"{alpha}": compression.run(replace(wide, alpha=alpha), progress=False)
            for alpha in (500.0, 1e3)
        }
    )
    is_done = end.fitted[-1] == 1
    assert is_done.sum() > 1
    np.testing.assert_allclose(end.errors[-1, is_done], end.frozen[is_done], atol=0.02)


@pytest.mark.slow
def test_the_study_says_where_feature_learning_ends(traces):
    analysis = analyses.analyse("compression-crossover", traces)
    assert "half-way" in analysis.findings[0]
    assert {row[r"$\alpha$"] for row in analysis.tables[0].rows} == {"0.001", "0.01", "30", "1000"}
    assert all(axes.lines for axes in analysis.pictures[0].figure.axes)


@pytest.mark.slow
def test_what_is_refused(traces):
    with pytest.raises(ValueError, match="needs at least 2"):
        crossover({"one": traces["30"]})
    with pytest.raises(ValueError, match="need different alpha"):
        crossover([traces["30"], traces["30"]])
    other = compression.run(replace(SMALL, points=14, rounds=5), progress=False)
    with pytest.raises(ValueError, match="all else equal"):
        crossover([traces["30"], other])
    with pytest.raises(ValueError, match="no test error"):
        crossover(
            [
                traces["30"],
                compression.run(replace(SMALL, test_points=0, rounds=5), progress=False),
            ]
        )

"""Tests of rank correlations: scipy's value, the coverage of the intervals under any dependence, bad input."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bridge.statistics.rank_correlation import (
    fisher,
    has_repeated,
    rank_correlation,
    spearman,
    standard_error,
)

KINDS = {
    "independent": lambda a, e: e,
    "linear": lambda a, e: 0.9 * a + 0.44 * e,
    "bent": lambda a, e: a**2 + 0.3 * e,  # uncorrelated ranks, and yet far from independent
    "fan": lambda a, e: 0.3 * a + np.abs(a) * e,
}


def pair(kind, points, rng):
    a, e = rng.normal(size=(2, points))
    return a, KINDS[kind](a, e)


def test_value_is_spearmans(rng):
    for kind in KINDS:
        a, b = pair(kind, 30, rng)
        assert rank_correlation(a, b).rho == pytest.approx(stats.spearmanr(a, b).statistic)
    a, b = rng.integers(0, 4, size=(2, 40))
    assert rank_correlation(a, b).rho == pytest.approx(stats.spearmanr(a, b).statistic)


def test_standard_error_is_that_of_a_jackknife(rng):
    a, b = pair("fan", 300, rng)
    left_out = [stats.spearmanr(np.delete(a, i), np.delete(b, i)).statistic for i in range(300)]
    assert standard_error(a, b) == pytest.approx(np.std(left_out) * np.sqrt(299), rel=0.03)


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[pytest.mark.slow] * (kind != "fan")) for kind in KINDS],
)
def test_interval_covers(kind):
    rng = np.random.default_rng(0)
    truth = np.mean([stats.spearmanr(*pair(kind, 20_000, rng)).statistic for _ in range(4)])
    intervals = np.array(
        [rank_correlation(*pair(kind, 40, rng), level=0.6827).interval for _ in range(400)]
    )
    share = np.mean((intervals[:, 0] <= truth) & (truth <= intervals[:, 1]))
    assert share == pytest.approx(0.683, abs=3 * np.sqrt(0.683 * 0.317 / 400))


def test_ends():
    x = np.arange(10.0)
    found = rank_correlation(x, x**3)
    assert found.rho == pytest.approx(1.0)
    assert 0.9 < found.interval[0] < 0.98
    assert found.interval[1] == found.rho
    assert np.tanh(fisher(1.0, 10)) == pytest.approx(1 - 6 / 990)
    assert rank_correlation(x, np.ones(10)).interval == (-1.0, 1.0)


def above(x, weights):
    """The mean of the weights of points with larger ``x``, equal ones by half, point by point."""
    return np.array([np.mean(weights * ((x > value) + (x == value) / 2)) for value in x])


def test_interval_and_standard_error_of_few_points_with_ties():
    """The delta method and Fisher's transformation, written out point by point."""
    x, y = np.array([1.0, 1.0, 2.0, 5.0, 4.0, 3.0]), np.array([2.0, 1.0, 2.0, 4.0, 6.0, 3.0])
    f, g = ((stats.rankdata(row) - 0.5) / 6 for row in (x, y))
    spread = (f * g + above(x, g) + above(y, f)).std(ddof=1)
    error = spread / f.std() / g.std() / 6**0.5
    assert standard_error(x, y) == pytest.approx(error)
    rho = stats.spearmanr(x, y).statistic
    half = stats.t.ppf(0.95, 4) * error / (1 - rho**2)
    low, high = rank_correlation(x, y, level=0.9).interval
    assert (low, high) == pytest.approx(np.tanh(np.arctanh(rho) + half * np.array([-1, 1])))


def test_equal_numbers_are_found_up_to_rounding():
    assert not has_repeated([3.0, 1.0, 2.0])
    assert not has_repeated([2.0, -1e20, 1.0])
    assert has_repeated([3.0, 1.0, 3.0])
    assert has_repeated([0.3, 1.0, 0.1 + 0.2])


def test_a_constant_has_no_rank_correlation():
    x = np.arange(5.0)
    for constant in (np.zeros(5), np.ones(5)):
        assert np.isnan(spearman(x, constant))
        assert np.isnan(spearman(constant, x))
        assert rank_correlation(x, constant).interval == (-1.0, 1.0)

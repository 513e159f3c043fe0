"""Tests of rank correlations: scipy's value, the coverage of the intervals under any dependence, bad input."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bridge.statistics.rank_correlation import fisher, rank_correlation, standard_error

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


def test_interval_of_independent_rows_is_the_textbook_one(rng):
    """There the standard error of Spearman's correlation is 1/sqrt(n - 1)."""
    errors = [standard_error(*rng.normal(size=(2, 200))) for _ in range(100)]
    assert np.mean(errors) == pytest.approx(1 / np.sqrt(199), rel=0.03)


def test_standard_error_is_that_of_a_jackknife(rng):
    a, b = pair("fan", 300, rng)
    left_out = [stats.spearmanr(np.delete(a, i), np.delete(b, i)).statistic for i in range(300)]
    assert standard_error(a, b) == pytest.approx(np.std(left_out) * np.sqrt(299), rel=0.03)


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=[pytest.mark.slow] * (kind in ("independent", "linear")))
        for kind in KINDS
    ],
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


def test_bad_input(rng):
    x = rng.normal(size=10)
    with pytest.raises(ValueError, match="at least 4"):
        rank_correlation(x[:3], x[:3])
    with pytest.raises(ValueError, match="second: got shape"):
        rank_correlation(x, x[:5])
    with pytest.raises(ValueError, match="NaN or infinity"):
        rank_correlation(x, [*x[:9], np.inf])
    for level in (0, 1, True, "all"):
        with pytest.raises((TypeError, ValueError), match="level: got"):
            rank_correlation(x, x, level=level)

"""Intervals that hold at all times, against integrals and counts by hand (their levels: tests/calibration)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, stats

from bridge.statistics.anytime import mean_interval, share_of_equals, shows
from bridge.statistics.bounded_mean import bounded_interval

FREE = (-math.inf, math.inf)


def test_the_interval_is_that_of_the_likelihood_ratio():
    apart = np.array([0.02, 0.05, 0.11, 0.25])
    values = 0.35 + np.concatenate([apart, -apart])  # without skew
    low, high = mean_interval(values, 0.05)
    assert low + high == pytest.approx(2 * values.mean())
    prior, count = 0.1, len(values)
    t2 = (values.mean() - low) ** 2 / values.var(ddof=1) * count
    shrunk = 1 + t2 * prior / (prior + count) / (count - 1)
    log_ratio = (
        math.log(prior / (prior + count)) + count * math.log((1 + t2 / (count - 1)) / shrunk)
    ) / 2
    assert log_ratio == pytest.approx(math.log(1 / 0.05))


def test_skew_widens_the_side_of_the_long_tail_alone(rng):
    values = rng.exponential(size=40)
    mean, error = values.mean(), values.std(ddof=1) / math.sqrt(40)
    low, high = mean_interval(values, 0.01)
    t = (mean - low) / error
    assert high - mean == pytest.approx(
        error * (t + 0.25 * stats.skew(values) * (2 * t**2 + 1) / (6 * math.sqrt(40)))
    )
    mirrored = mean_interval(-values, 0.01)
    assert mirrored == pytest.approx((-high, -low))


@pytest.mark.parametrize(
    "values",
    [[1.0], [1.0, 2.0], [1.0] * 64, [3.0] * 9 + [4.0, 5.0, 6.0], [0.1 + 0.2, 0.3, 0.3, 0.4, 0.3]],
)
def test_few_numbers_and_equal_numbers_exclude_nothing(values):
    assert mean_interval(np.array(values), 0.01) == FREE


def test_half_of_the_numbers_may_be_equal(rng):
    values = np.concatenate([np.full(20, 2.0), rng.normal(size=20)])
    assert share_of_equals(values) == 0.5
    assert share_of_equals(np.array([1.0, 1.0, 1.0, 2.0])) == 0.75
    assert math.isfinite(mean_interval(values, 0.01)[0])
    assert share_of_equals(np.array([1e300, 1e300, -1e300])) == pytest.approx(2 / 3)


def test_all_intervals_of_a_sequence_hold_the_mean_together(rng):
    missed = 0
    for _ in range(100):
        values = rng.normal(size=40)
        intervals = [mean_interval(values[:count], 0.1) for count in range(2, 41, 2)]
        missed += not all(low <= 0 <= high for low, high in intervals)
    assert missed <= 10


@pytest.mark.parametrize("rare", [0.1, 0.3])
def test_a_share_would_have_been_seen_but_for_the_level(rare):
    count = shows(rare, 0.003)
    assert (1 - rare) ** count <= 0.003 < (1 - rare) ** (count - 1)


@pytest.mark.parametrize(("limits", "count"), [((0.0, 1.0), 30), ((-3.0, 5.0), 300)])
def test_an_end_of_a_bounded_interval_is_where_the_fortune_is_what_the_level_allows(
    rng, limits, count
):
    low, high = limits
    values = low + (high - low) * rng.beta(2, 1, size=count)
    found = bounded_interval(values, limits, 0.02)
    shares = (values - low) / (high - low)
    for end, own in ((found[0], shares), (low + high - found[1], 1 - shares)):
        mean = (end - low) / (high - low)
        fortune, _ = integrate.quad(
            lambda bet, mean=mean, own=own: np.prod(1 + bet * (own / mean - 1)), 0, 1
        )
        assert fortune == pytest.approx(1 / 0.01, rel=1e-3)


def test_bounded_numbers_hold_their_mean_at_all_times_whatever_they_are(rng):
    """One of ten, alternately with all their mass at the ends or near one of them."""
    missed = 0
    for number in range(60):
        mean = (0.9, 0.03, 0.5)[number % 3]
        values = (rng.random(60) < mean).astype(float)
        intervals = [bounded_interval(values[:n], (0.0, 1.0), 0.1) for n in range(4, 61, 8)]
        missed += not all(low <= mean <= high for low, high in intervals)
    assert missed <= 6


def test_equal_numbers_within_limits_have_a_narrow_interval():
    low, high = bounded_interval(np.ones(64), (0.0, 1.0), 0.006)
    assert high == 1.0
    assert 0.85 < low < 0.95
    assert bounded_interval(np.ones(400), (0.0, 1.0), 0.006)[0] > 0.97
    with pytest.raises(ValueError, match="bounds: got numbers from 1 to 1, needs them within 0"):
        bounded_interval(np.ones(3), (0.0, 0.5), 0.01)

"""Tests of the power analysis: simulated detection rates at the number of repetitions found, and its text."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import bridge

TRIALS = 4000
TINY = 1e-6  # resolution, so that what is significant disagrees


def with_scatter(scatter, repetitions, rng):
    """Repetitions with mean 1 and exactly this standard deviation."""
    raw = rng.normal(size=repetitions)
    return 1 + scatter * (raw - raw.mean()) / raw.std(ddof=1)


@pytest.mark.parametrize(
    ("scatter", "deviation"), [(0.1, 0.1), (0.1, 0.05), (0.2, 0.1), (0.02, 0.1)]
)
def test_what_is_promised_shows(rng, scatter, deviation):
    asked = bridge.power(bridge.compare(1.0, with_scatter(scatter, 3, rng)), deviation)
    needed = int(asked.needed)
    shares = []
    for count in (needed, needed - 1):
        if count < 2:
            continue
        samples = 1 + deviation + scatter * rng.normal(size=(TRIALS, count))
        shares.append(
            np.mean(
                bridge.compare(np.ones(TRIALS), samples, resolution=TINY).verdict == "disagrees"
            )
        )
    assert shares[0] > 0.8 - 3 * np.sqrt(0.16 / TRIALS)
    if len(shares) > 1 and asked.more > 0:
        assert shares[1] < 0.8 + 3 * np.sqrt(0.16 / TRIALS)


def test_chance_with_what_there_is(rng):
    samples = with_scatter(0.1, 5, rng)
    asked = bridge.power(bridge.compare(1.0, samples), 0.1)
    drawn = 1.1 + 0.1 * rng.normal(size=(TRIALS, 5))
    found = np.mean(bridge.compare(np.ones(TRIALS), drawn, resolution=TINY).verdict == "disagrees")
    assert asked.chance_now == pytest.approx(found, abs=3 * np.sqrt(0.25 / TRIALS))
    limit = stats.t.isf(stats.norm.sf(2), 4)
    exact = stats.nct.sf(limit, 4, np.sqrt(5)) + stats.nct.cdf(-limit, 4, np.sqrt(5))
    # the noncentral t, which fails for larger arguments
    assert asked.chance_now == pytest.approx(exact, abs=1e-3)


def test_the_default_is_the_resolution(rng):
    one = bridge.compare(2.0, 2 * with_scatter(0.3, 4, rng), resolution=0.5)
    assert bridge.power(one).needed == bridge.power(one, 0.5).needed
    assert bridge.power(one).deviation == 0.5


def test_a_known_error_counts_as_one_measurement():
    """Two sigma limit and 80 %: (2 + 0.84)^2 sigma^2 / D^2 measurements."""
    asked = bridge.power(bridge.compare(1.0, 1.0, error=0.2))
    assert asked.now == 1
    assert asked.needed == np.ceil((2 + stats.norm.ppf(0.8)) ** 2 * 4)
    assert "32 more measurements like it (33 in all)" in asked.summary()


def test_the_error_of_the_prediction_is_a_floor(rng):
    samples = with_scatter(0.1, 4, rng)
    free = bridge.power(bridge.compare(1.0, samples), 0.1)
    floored = bridge.power(bridge.compare(1.0, samples, prediction_error=0.03), 0.1)
    hidden = bridge.power(bridge.compare(1.0, samples, prediction_error=0.05), 0.1)
    assert free.needed < floored.needed < np.inf
    assert hidden.needed == np.inf
    assert hidden.summary().startswith("no number of repetitions")


def test_the_range_is_that_of_a_poorly_known_scatter(rng):
    few, many = (bridge.power(bridge.compare(1.0, with_scatter(0.3, n, rng))) for n in (3, 100))
    assert few.between[0] < few.needed < few.between[1]
    assert few.between[1] / few.between[0] > 5
    assert many.between[1] / many.between[0] < 1.4


def test_words(rng):
    two = bridge.compare(
        [1.0, 1.0], np.stack([with_scatter(s, 5, rng) for s in (0.15, 0.01)]), names=["a", "b"]
    )
    asked = bridge.power(two)
    blunt, sharp = asked.summary().splitlines()
    more, total = int(asked.more[0]), int(asked.needed[0])
    assert more == total - 5 > 0
    low, high = asked.between[:, 0]
    assert blunt == (
        f"a: with {more} more repetitions ({total} in all, 68 % interval {low:.0f} to {high:.0f}), a deviation of 0.1 "
        "(10 % of the prediction) would be detected with a probability of 80%"
    )
    assert asked.more[1] == 0
    assert sharp == (
        "b: a deviation of 0.1 (10 % of the prediction) would already be detected with a probability of 100%"
    )


def test_a_known_error_may_need_no_more_and_has_no_range():
    asked = bridge.power(bridge.compare([1.0, 1.0], [1.0, 1.0], error=[0.01, 0.2]))
    assert asked.needed.tolist() == [1, 33]
    assert asked.between.tolist() == [[1, 33], [1, 33]]


@pytest.mark.parametrize("deviation", [0.1, 0.5, 3.0])
def test_a_deviation_shows_on_both_sides(deviation):
    one = bridge.compare(1.0, 1.0, error=1.0)
    expected = stats.norm.sf(2 - deviation) + stats.norm.cdf(-2 - deviation)
    assert bridge.power(one, deviation).chance_now == pytest.approx(expected)

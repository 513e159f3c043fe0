"""Tests of the verdicts: agreement needs precision, disagreement needs significance, and the rest is undecided."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import bridge

numbers = st.floats(-1e6, 1e6).filter(lambda value: abs(value) > 1e-6)


def test_numbers():
    one = bridge.compare(2.0, 2.3, error=0.3, prediction_error=0.4)
    assert (one.predicted, one.measured, one.error, one.z) == pytest.approx((2.0, 2.3, 0.5, 0.6))
    assert one.largest == pytest.approx(0.3 + 2 * 0.5)
    assert isinstance(one.z, float)
    assert isinstance(one.verdict, str)


@given(predicted=numbers, error=st.floats(1e-6, 1e3), deviation=st.floats(-1.9, 1.9))
def test_agreement_needs_the_whole_interval_within_the_resolution(predicted, error, deviation):
    measured = predicted + deviation * error
    needed = (abs(deviation) + 2) * error
    rounding = 1e-6 * error + 1e-15 * abs(predicted)
    assert (
        bridge.compare(predicted, measured, error=error, resolution=needed - rounding).verdict
        == "too blunt to say"
    )
    assert (
        bridge.compare(predicted, measured, error=error, resolution=needed + rounding).verdict
        == "agrees"
    )


@settings(max_examples=15)
@given(predicted=numbers, measured=numbers, error=st.floats(1e-3, 1e3), scale=st.floats(1e-3, 1e3))
def test_units_do_not_matter(predicted, measured, error, scale):
    one = bridge.compare(predicted, measured, error=error)
    other = bridge.compare(scale * predicted, scale * measured, error=scale * error)
    assert other.z == pytest.approx(one.z, rel=1e-9)
    if abs(abs(one.z) - 2) > 1e-6 and abs(one.largest / (0.1 * abs(predicted)) - 1) > 1e-6:
        assert other.verdict == one.verdict


def test_repetitions_give_the_error_and_few_of_them_a_wider_limit(rng):
    samples = 1 + 0.01 * rng.normal(size=5)
    one = bridge.compare(1.0, samples)
    assert one.measured == pytest.approx(samples.mean())
    assert one.error == pytest.approx(samples.std(ddof=1) / np.sqrt(5))
    assert one.limit == pytest.approx(stats.t.ppf(stats.norm.cdf(2), 4))  # 2.87
    assert one.of("a.rate", "x").n == 5
    assert bridge.compare(1.0, 1.1, error=0.2).of("a.rate", "x").n is None
    many = bridge.compare([1.0, 2.0], 1 + 0.01 * rng.normal(size=(2, 400)))
    assert many.limit == pytest.approx(2, abs=0.02)
    assert list(many.verdict) == ["agrees", "disagrees"]


def share_within(share, nominal, trials):
    return abs(share - nominal) < 3 * np.sqrt(nominal * (1 - nominal) / trials)


@pytest.mark.parametrize("repetitions", [2, 3, 5, 10])
def test_right_predictions_are_rejected_as_rarely_as_stated(rng, repetitions):
    samples = 1 + rng.normal(size=(4000, repetitions))
    verdicts = bridge.compare(np.ones(4000), samples).verdict
    assert share_within(np.mean(verdicts == "disagrees"), 0.0455, 4000)


@pytest.mark.parametrize("repetitions", [2, 3, 5, 10])
def test_an_error_stated_with_its_repetitions_is_one_from_repetitions(rng, repetitions):
    samples = 1 + 0.01 * rng.normal(size=(4, repetitions))
    counted = bridge.compare(np.ones(4), samples)
    error = samples.std(axis=-1, ddof=1) / np.sqrt(repetitions)
    stated = bridge.compare(
        np.ones(4), samples.mean(axis=-1), error=error, repetitions=repetitions
    )
    assert stated.limit == pytest.approx(counted.limit)
    assert (stated.verdict == counted.verdict).all()
    assert list(
        bridge.compare([1.0, 1.0], [1.0, 1.0], error=0.1, repetitions=[np.inf, 2]).limit
    ) == pytest.approx([2.0, stats.t.isf(stats.norm.sf(2), 1)])


@pytest.mark.parametrize("ratio", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("repetitions", [2, 3])
def test_a_known_error_of_the_prediction_lowers_the_limit_but_not_the_honesty(
    rng, ratio, repetitions
):
    """Quantiles added in quadrature are on the safe side (Welch and Satterthwaite's degrees of freedom: 12 %)."""
    spread = 1 / np.sqrt(repetitions)
    truth = rng.normal(size=4000) * ratio * spread
    samples = truth[:, None] + rng.normal(size=(4000, repetitions))
    one = bridge.compare(np.zeros(4000), samples, prediction_error=ratio * spread, resolution=1.0)
    assert (np.asarray(one.limit) < stats.t.isf(stats.norm.sf(2), repetitions - 1)).all()
    assert 0.005 < np.mean(one.verdict == "disagrees") < 0.0455 + 3 * np.sqrt(0.0455 / 4000)


def test_a_prediction_wrong_by_the_resolution_is_hardly_ever_agreed_with(rng):
    samples = 1.1 + rng.choice([0.01, 0.03, 0.1], size=(4000, 1)) * rng.normal(size=(4000, 5))
    verdicts = bridge.compare(np.ones(4000), samples).verdict
    assert np.mean(verdicts == "agrees") < 0.0228 + 3 * np.sqrt(0.0228 / 4000)
    assert np.mean(verdicts == "disagrees") > 0.3


@pytest.mark.sampled(2)
@pytest.mark.parametrize("repetitions", [2, 5])
@pytest.mark.parametrize("shared", [0.0, 0.9])
def test_together_chance_keeps_its_share(rng, repetitions, shared):
    """Twenty right predictions: independent ones disagree in 4.6 % of cases, those that share their seeds in fewer."""
    own, common = rng.normal(size=(200, 20, repetitions)), rng.normal(size=(200, 1, repetitions))
    samples = 1 + np.sqrt(1 - shared) * own + np.sqrt(shared) * common
    share = np.mean([bridge.compare(np.ones(20), each).overall == "disagrees" for each in samples])
    assert share < 0.0455 + 3 * np.sqrt(0.0455 / 200)
    assert shared or share_within(share, 0.0455, 200)


def test_together():
    assert bridge.compare([1.0, 1.0], [1.0, 1.5], error=0.01).overall == "disagrees"
    assert bridge.compare([1.0, 1.0], [1.0, 1.01], error=[0.01, 1.0]).overall == "too blunt to say"
    assert bridge.compare([1.0, 1.0], [1.0, 1.01], error=0.01).overall == "agrees"
    # one of twenty beyond its own limit of 2, as chance has it, but not beyond the 3.1 of the largest of twenty
    one_far = bridge.compare(np.ones(20), [1.025, *np.ones(19)], error=0.01)
    assert list(one_far.verdict[:2]) == ["differs by less than matters", "agrees"]
    assert one_far.overall == "agrees"


def test_summary():
    many = bridge.compare(
        [1.0, 2.0, 3.0],
        [1.01, 2.5, 3.0],
        error=0.02,
        names=["slope of the thing", "offset", "end"],
    )
    lines = many.summary().splitlines()
    assert max(map(len, lines)) <= 100
    assert "agrees" in lines[1]
    assert "disagrees" in lines[2]
    assert lines[4] == "joint verdict: disagrees (1 of 3 beyond their own limit)"
    assert [each.names for each in many] == [("slope of the thing",), ("offset",), ("end",)]


def test_every_verdict_says_what_it_follows_from():
    few = bridge.compare(1.0, [0.5, 0.6])
    row, *why = few.summary().splitlines()[1:]
    assert max(map(len, why)) <= 100
    assert row.split()[4:7] == ["13.97", "2", "0.1"]  # limit, repetitions, resolution
    assert " ".join(map(str.strip, why)) == (
        "too blunt to say: off by -0.45 (z = -9.0, limit 14.0 for 2 repetitions), at most by 1.1: beyond the "
        "resolution of 0.1"
    )
    assert (
        bridge.compare(1.0, 1.3, error=0.02).why == "disagrees: off by +0.3 (z = 15.0, limit 2.0)"
    )
    small = bridge.compare([1.0, 1.0], [1.05, 1.01], error=0.01).why
    # disagrees, though it hardly matters
    assert small[0].endswith("at most by 0.07: within the resolution of 0.1")
    assert small[1].startswith(
        "agrees: off by +0.01 (z = 1.0, limit 2.0), at most by 0.03: within"
    )


def test_skewed_repetitions_are_pointed_out(rng):
    steady, wild = 1 + 0.1 * rng.normal(size=5), np.exp(rng.normal(size=5))
    assert "may be skewed" not in bridge.compare(1.0, steady).summary()
    assert "may be skewed" in bridge.compare(1.0, wild).summary()
    assert "may be skewed" not in bridge.compare(1.0, np.log(wild)).summary()

"""Verdicts: agreement has to be earned, disagreement has to be significant, and the rest is said to be unknown."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import bridge

numbers = st.floats(-1e6, 1e6).filter(lambda value: abs(value) > 1e-6)


def test_the_three_verdicts():
    assert bridge.compare(1.0, 1.02, error=0.02).verdict == "agrees"
    assert bridge.compare(1.0, 1.20, error=0.02).verdict == "disagrees"
    assert bridge.compare(1.0, 1.02, error=0.50).verdict == "too blunt to say"
    assert bridge.compare(1.0, 3.00, error=0.50).verdict == "disagrees"  # blunt, but not that blunt


def test_numbers():
    one = bridge.compare(2.0, 2.3, error=0.3, prediction_error=0.4)
    assert (one.predicted, one.measured, one.error, one.z) == pytest.approx((2.0, 2.3, 0.5, 0.6))
    assert isinstance(one.z, float)
    assert isinstance(one.verdict, str)


@given(predicted=numbers, error=st.floats(1e-6, 1e3), deviation=st.floats(-1.9, 1.9))
def test_an_error_as_large_as_the_resolution_is_never_agreement(predicted, error, deviation):
    measured = predicted + deviation * error
    assert bridge.compare(predicted, measured, error=error, resolution=error).verdict == "too blunt to say"
    assert bridge.compare(predicted, measured, error=error, resolution=2.01 * error).verdict == "agrees"


@given(predicted=numbers, measured=numbers, error=st.floats(1e-3, 1e3), scale=st.floats(1e-3, 1e3))
def test_units_do_not_matter(predicted, measured, error, scale):
    one = bridge.compare(predicted, measured, error=error)
    other = bridge.compare(scale * predicted, scale * measured, error=scale * error)
    assert other.z == pytest.approx(one.z, rel=1e-9)
    if abs(abs(one.z) - 2) > 1e-6 and abs(2 * error / (0.1 * abs(predicted)) - 1) > 1e-6:
        assert other.verdict == one.verdict


def test_repetitions_give_the_error_and_few_of_them_a_wider_limit(rng):
    samples = 1 + 0.01 * rng.normal(size=5)
    one = bridge.compare(1.0, samples)
    assert one.measured == pytest.approx(samples.mean())
    assert one.error == pytest.approx(samples.std(ddof=1) / np.sqrt(5))
    assert one.limit == pytest.approx(stats.t.ppf(stats.norm.cdf(2), 4))  # 2.87
    many = bridge.compare([1.0, 2.0], 1 + 0.01 * rng.normal(size=(2, 400)))
    assert many.limit == pytest.approx(2, abs=0.02)
    assert list(many.verdict) == ["agrees", "disagrees"]


def test_right_predictions_are_rejected_as_rarely_as_stated():
    """Three repetitions each: a limit of 2 standard errors means 4.6 %, not the 18 % of a normal limit."""
    samples = 1 + np.random.default_rng(0).normal(size=(4000, 3))
    verdicts = bridge.compare(np.ones(4000), samples).verdict
    assert np.mean(verdicts == "disagrees") == pytest.approx(0.0455, abs=3 * np.sqrt(0.0455 / 4000))


def test_together_chance_keeps_its_share():
    rng = np.random.default_rng(1)
    fits = [bridge.compare(np.ones(50), 1 + 0.01 * rng.normal(size=50), error=0.01, resolution=0.1) for _ in range(400)]
    assert np.mean([fit.overall == "disagrees" for fit in fits]) == pytest.approx(0.0455, abs=0.032)
    assert bridge.compare([1.0, 1.0], [1.0, 1.5], error=0.01).overall == "disagrees"
    assert bridge.compare([1.0, 1.0], [1.0, 1.01], error=[0.01, 1.0]).overall == "too blunt to say"
    assert bridge.compare([1.0, 1.0], [1.0, 1.01], error=0.01).overall == "agrees"


def test_summary():
    many = bridge.compare([1.0, 2.0], [1.01, 2.5], error=0.02, names=["slope of the thing", "offset"])
    lines = many.summary().splitlines()
    assert max(map(len, lines)) <= 100
    assert "agrees" in lines[1]
    assert "disagrees" in lines[2]
    assert lines[3] == "all together: disagrees"
    assert [each.names for each in many] == [("slope of the thing",), ("offset",)]


def refused(match, *arguments, kind=ValueError, **options):
    with pytest.raises(kind, match=match):
        bridge.compare(*arguments, **options)


@given(bad=st.sampled_from([np.nan, np.inf, -np.inf]))
def test_not_finite(bad):
    refused("prediction: ", bad, 1.0, error=0.1)
    refused("measurement: ", 1.0, bad, error=0.1)
    refused("error: ", 1.0, 1.0, error=bad)
    refused("prediction_error: ", 1.0, 1.0, error=0.1, prediction_error=bad)
    refused("resolution: ", 1.0, 1.0, error=0.1, resolution=bad)


@given(bad=st.floats(max_value=0, allow_nan=False, allow_infinity=False))
def test_not_positive(bad):
    refused("error: got", 1.0, 1.0, error=bad)
    refused("resolution: got", 1.0, 1.0, error=0.1, resolution=bad)
    refused("threshold: got", 1.0, 1.0, error=0.1, threshold=bad)


@given(bad=st.sampled_from(["1", None, 1j, True, {}]))
def test_no_numbers(bad):
    refused("prediction: needs real numbers", bad, 1.0, error=0.1, kind=TypeError)
    refused("measurement: needs real numbers", 1.0, bad, error=0.1, kind=TypeError)


@given(value=numbers)
def test_a_measurement_without_an_error(value):
    refused("cannot be compared", value, value)
    refused("one repetition", value, [value])
    refused("without any scatter", value, [value] * 3)


@given(length=st.integers(3, 6))
def test_shapes(length):
    refused("measurement: got shape", [1.0, 2.0], np.ones(length), error=0.1)
    refused("error: got shape", [1.0, 2.0], [1.0, 2.0], error=np.ones(length))
    refused("measurement: got shape", [1.0, 2.0], np.ones((length, 2)))
    refused("names: got", [1.0, 2.0], [1.0, 2.0], error=0.1, names=["x"] * length)


def test_a_prediction_of_zero_has_no_scale():
    refused("sets no scale", 0.0, 0.01, error=0.1)
    assert bridge.compare(0.0, 0.01, error=0.01, resolution=0.1).verdict == "agrees"


def test_empty():
    refused("is empty", [], [], error=0.1)

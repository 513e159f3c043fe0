"""Statistics of repetitions, against formulas by hand and an exact theorem."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from bridge.statistics.resampled import CAUTION, GROUPS, resampled
from closedform.verdicts import BLUNT, DISAGREES
from tests.calibration.theorem import THEOREM, deviation, kurtosis, spread, verdicts


def test_the_mean_has_its_usual_error(rng):
    values = rng.normal(size=50)
    found = resampled(values, lambda rows: float(rows.mean()), scale="plain")
    assert found.value == pytest.approx(values.mean())
    assert found.error == pytest.approx(values.std(ddof=1) / math.sqrt(50))
    assert found.repetitions == 50


def test_the_bias_of_a_square_is_taken_away(rng):
    """The square of a mean exceeds that of the truth by the variance of the mean."""
    values = rng.normal(size=20)
    found = resampled(values, lambda rows: float(rows.mean() ** 2), scale="plain")
    assert found.value == pytest.approx(values.mean() ** 2 - values.var(ddof=1) / 20)
    assert found.plain == pytest.approx(values.mean() ** 2)


def test_the_logarithm_is_the_scale_of_a_ratio(rng):
    values = rng.lognormal(sigma=0.3, size=100)
    found = resampled(values, lambda rows: float(rows.mean()))
    number = found.of("q", "l", predicted=math.exp(0.045))
    assert number.value == pytest.approx(math.log(found.value), rel=1e-4)
    assert number.predicted == pytest.approx(0.045)
    assert number.error == pytest.approx(found.error / found.value, rel=1e-4)
    assert number.smallest_relevant == pytest.approx(math.log(1.1))
    assert number.n == found.degrees + 1
    own = found.in_unit("q", "l")
    assert (own.value, own.n) == (pytest.approx(found.value, rel=1e-4), found.degrees + 1)


def test_degrees_follow_the_kurtosis_of_the_influences(rng):
    signs = np.tile(
        [-1.0, 1.0], GROUPS // 2
    )  # influences of kurtosis 1 have an error that is well known
    found = resampled(5 + signs, lambda rows: float(rows.mean()))
    assert found.degrees == GROUPS - 1
    normal = resampled(5 + rng.normal(size=4000), spread)
    assert 40 < normal.degrees < GROUPS
    for number in (normal.of("q", "l"), normal.in_unit("q", "l")):
        assert (number.repetitions, number.counted) == (4000, 4000)
        assert number.n == normal.degrees + 1
    even = resampled(np.tile([-1.0, 1.0], 10), lambda rows: float(rows.mean()), scale="plain")
    assert (even.in_unit("q", "l").repetitions, even.in_unit("q", "l").counted) == (None, 20)


def test_what_a_few_repetitions_carry_has_no_error(rng):
    values = np.append(rng.normal(size=2000), 40.0)
    found = resampled(values, kurtosis)
    assert math.isinf(found.error)
    assert "a few of 2,001 repetitions carry the statistic" in found.doubt
    number = found.of("q", "l", 3.0)
    assert (number.verdict, number.error) == (BLUNT, None)
    assert number.why == f"{BLUNT}: {found.doubt}"
    assert resampled(values[:-1], kurtosis).doubt == ""


def test_what_bends_within_the_scatter_has_a_larger_error():
    """The bias of a standard deviation of 150 normal numbers is 0.06 errors, of a mean none, at every number.

    That is above 150/400 of the limit of 0.1, and below all of it.
    """
    values = stats.norm.ppf((np.arange(150) + 0.5) / 150)
    bent = resampled(values, deviation)
    left_out = [np.log(np.delete(values, i).std(ddof=1)) for i in range(150)]
    error = np.std(left_out) * math.sqrt(149)
    assert bent.error / bent.value == pytest.approx(CAUTION * error)
    assert "bends within the scatter of 150 repetitions (bias of 0.057 errors)" in bent.doubt
    enough = resampled(values, deviation, seen=150)
    assert (enough.doubt, enough.error / enough.value) == ("", pytest.approx(error))
    assert resampled(values, lambda rows: float(rows.mean()), scale="plain").doubt == ""


@pytest.mark.parametrize("count", [12, 50, 100])
def test_few_repetitions_of_heavy_tails_rarely_disagree(rng, count):
    """Kurtosis 6 of Laplace's distribution; without the caution, a fifth to a third of studies disagree."""
    words = [
        resampled(rng.laplace(size=count), kurtosis).of("q", "l", 6.0).verdict for _ in range(40)
    ]
    assert words.count("disagrees") <= 6


@pytest.mark.parametrize(
    ("samples", "statistic", "message"),
    [
        ([1.0, 2.0], np.mean, "samples: got 2 repetitions, needs at least 3"),
        ([1.0, np.nan, 2.0], np.mean, "samples: "),
        ([1.0, 1.0, 1.0], np.mean, "without scatter"),
        ([-1.0, -2.0, -1.0], np.mean, "statistic: got"),
    ],
)
def test_bad_input(samples, statistic, message):
    with pytest.raises(ValueError, match=message):
        resampled(samples, statistic)


@pytest.mark.parametrize("factor", [1e-300, 1e-150, 1e150, 1e300])
def test_numbers_of_any_size_have_the_same_error(rng, factor):
    """Squares of tiny numbers are 0: without a scale of their own, their error was, and nothing said so."""
    values = 10 + rng.normal(size=40)
    usual, extreme = (
        resampled(times * values, lambda rows: float(rows.mean()), scale="plain")
        for times in (1.0, factor)
    )
    assert extreme.error / factor == pytest.approx(usual.error)
    assert (extreme.degrees, extreme.kurtosis) == pytest.approx((usual.degrees, usual.kurtosis))
    assert extreme.doubt == usual.doubt == ""


@pytest.mark.parametrize("returned", [1 + 1j, np.complex128(1 + 1j), "3", None, np.ones(2)])
@pytest.mark.parametrize("scale", ["plain", "logarithm"])
def test_a_statistic_that_is_no_real_number_is_refused(returned, scale):
    with pytest.raises(TypeError, match="statistic: got"):
        resampled([1.0, 2.0, 4.0], lambda rows: returned, scale=scale)


@pytest.mark.slow
@pytest.mark.parametrize("known", THEOREM, ids=lambda known: known.name)
def test_an_exact_theorem_rarely_disagrees(rng, known):
    """5 %, and two standard errors of 200 studies."""
    assert verdicts(known, 4000, 200, rng).get(DISAGREES, 0.0) <= 0.08

"""Tests of exponents and the coverage of their intervals, with and without an offset, and of a straight line."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from scipy import stats
from scipy.optimize import curve_fit

import bridge
from bridge.plots import style
from bridge.scaling import power_law, profile
from bridge.scaling.power_law import FLOOR

X = np.geomspace(100, 10_000, 7)
TRUTH = {"p": -0.5, "A": 3.0}
TRIALS = 200
SHARE = (0.58, 0.79)  # 0.683 +- 3 standard errors of 0.033 for 200 trials


def curve(offset):
    return TRUTH["A"] * X ** TRUTH["p"] + offset


def covered(fits):
    return np.mean([fit.interval[0] <= TRUTH["p"] <= fit.interval[1] for fit in fits])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("p", [-2.3, -0.5, 0.37, 1.0, 4.0])
@pytest.mark.parametrize(("A", "c"), [(3.0, 0.0), (3.0, 0.7), (-2.0, 5.0)])
def test_exact_laws_are_recovered(p, A, c):
    x = np.geomspace(0.5, 40, 9)
    fit = bridge.scaling.fit(x, A * x**p + c)
    assert (fit.exponent, fit.prefactor, fit.offset) == pytest.approx(
        (p, A, c), rel=1e-6, abs=1e-6
    )
    assert fit.predict(x) == pytest.approx(A * x**p + c)
    held = bridge.scaling.fit(x, A * x**p + c, offset=c)
    assert held.exponent == pytest.approx(p, rel=1e-7)
    assert (held.offset, held.offset_error) == (c, 0.0)
    # Without stated errors, each point weighs by its distance from the offset.
    distances = np.abs(A * x**p)
    shares = held.errors / np.maximum(distances, FLOOR * distances.max())
    assert shares / shares[0] == pytest.approx(np.ones(9), rel=1e-5)


def test_same_minimum_as_a_general_least_squares(rng):
    errors = 0.02 * curve(0.05)
    y = curve(0.05) + errors * rng.normal(size=7)
    fit = bridge.scaling.fit(X, y, errors)
    law = lambda x, A, p, c: A * x**p + c  # noqa: E731
    found, covariance = curve_fit(
        law, X, y, [3, -0.5, 0], sigma=errors, absolute_sigma=True, xtol=1e-14, ftol=1e-14
    )
    assert (fit.prefactor, fit.exponent, fit.offset) == pytest.approx(found, rel=1e-5)
    # the profile is not quite a parabola
    assert fit.error == pytest.approx(np.sqrt(covariance[1, 1]), rel=0.05)
    assert fit.offset_error == pytest.approx(np.sqrt(covariance[2, 2]), rel=0.05)
    assert fit.chi2 == pytest.approx((((law(X, *found) - y) / errors) ** 2).sum(), rel=1e-6)


@pytest.mark.parametrize("offset", [None, pytest.param(0.0, marks=pytest.mark.slow)])
def test_interval_from_stated_errors_covers(offset):
    true = 0.05 if offset is None else 0.0
    errors = 0.03 * (curve(true) - true)
    draws = curve(true) + errors * np.random.default_rng(1).normal(size=(TRIALS, 7))
    fits = [bridge.scaling.fit(X, y, errors, offset=offset) for y in draws]
    assert SHARE[0] < covered(fits) < SHARE[1]
    assert np.mean([abs(fit.exponent - TRUTH["p"]) < 3 * fit.error for fit in fits]) > 0.97


@pytest.mark.slow
@pytest.mark.parametrize("offset", [None, 0.0])
def test_interval_from_the_scatter_covers(offset):
    true = 0.05 if offset is None else 0.0
    noise = np.random.default_rng(2).normal(size=(TRIALS, 7))
    fits = [
        bridge.scaling.fit(X, curve(true) * (1 + 0.01 * each), offset=offset) for each in noise
    ]
    assert SHARE[0] < covered(fits) < SHARE[1]


@pytest.mark.parametrize("average", ["mean", "geometric"])
def test_error_from_repetitions_is_that_of_their_averages(rng, average):
    """With many repetitions, their scatter and stated errors of the averages say the same."""
    samples = curve(0.05)[:, None] * (1 + 0.1 * rng.normal(size=(7, 300)))
    stated = bridge.scaling.fit(
        X, samples.mean(axis=1), samples.std(axis=1, ddof=1) / np.sqrt(300)
    )
    drawn = bridge.scaling.fit(X, samples, average=average)
    assert drawn.exponent == pytest.approx(stated.exponent, abs=stated.error)
    # 300 columns tell their scatter to 4 %
    assert drawn.error == pytest.approx(stated.error, rel=0.15)
    assert drawn.offset_error == pytest.approx(stated.offset_error, rel=0.15)
    assert np.diff(drawn.interval) == pytest.approx(np.diff(stated.interval), rel=0.15)
    assert (drawn.repetitions, stated.repetitions) == (300, np.inf)


@pytest.mark.parametrize("shared", [pytest.param(0, marks=pytest.mark.slow), 0.5])
@pytest.mark.parametrize(
    ("repetitions", "offset", "true"),
    [
        pytest.param(3, 0.0, 0, marks=pytest.mark.slow),
        pytest.param(5, 0.0, 0, marks=pytest.mark.slow),
        (3, None, 0.05),
        pytest.param(10, None, 0.05, marks=pytest.mark.slow),
    ],
)
def test_interval_and_error_from_repetitions_cover(repetitions, shared, offset, true):
    """Also where every repetition is a seed that all points share, and for as few as three of them."""
    rng = np.random.default_rng(3)
    fits = []
    for _ in range(TRIALS):
        noise = rng.normal(size=(7, repetitions)) + shared * np.log(X)[:, None] * rng.normal(
            size=repetitions
        )
        samples = curve(true)[:, None] + 0.05 * (curve(true) - true)[:, None] * noise
        fits.append(bridge.scaling.fit(X, samples, offset=offset))
    assert SHARE[0] < covered(fits) < SHARE[1]
    compared = [
        bridge.compare(
            -0.5, fit.exponent, error=fit.error, repetitions=fit.repetitions, threshold=1.0
        )
        for fit in fits
    ]
    assert SHARE[0] < np.mean([abs(one.z) <= one.limit for one in compared]) < SHARE[1]


# an end within one of the exponent, and beyond
@pytest.mark.parametrize(("noise", "reach"), [(0.1, 0), (0.4, 3)])
def test_the_interval_is_a_test_of_every_exponent(noise, reach):
    """Fieller: at the ends of the interval the contrast is Student's limit away from zero; from columns, by hand."""
    samples = curve(0.05)[:, None] * (1 + noise * np.random.default_rng(4).normal(size=(7, 4)))
    fit = bridge.scaling.fit(X, samples, level=0.9)
    assert np.isfinite(fit.interval).all()
    assert max(abs(end - fit.exponent) for end in fit.interval) > reach
    for p in fit.interval:
        design = np.stack([np.ones(7), X**p, X**p * np.log(X)], axis=1) / fit.errors[:, None]
        q, _ = np.linalg.qr(design)
        seen = (samples / fit.errors[:, None]).T @ q[:, 2]
        assert abs(seen.mean()) / (seen.std(ddof=1) / 2) == pytest.approx(
            stats.t.ppf(0.95, 3), rel=1e-6
        )


def test_the_errors_of_few_repetitions_are_not_too_small():
    """The scatter of three, smoothed through its logarithms, would come out a quarter too small."""
    rng = np.random.default_rng(5)
    errors = [
        bridge.scaling.fit(
            X, curve(0)[:, None] + rng.normal(size=(7, 3)) * 0.01, offset=0.0
        ).errors.mean()
        for _ in range(TRIALS)
    ]
    assert np.mean(np.log(errors)) == pytest.approx(np.log(0.01 / np.sqrt(3)), abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("repetitions", [3, 10])
def test_a_right_law_is_hardly_ever_said_not_to_describe(repetitions):
    rng = np.random.default_rng(6)
    said = 0
    for _ in range(TRIALS):
        samples = curve(0.05)[:, None] * (1 + 0.03 * rng.normal(size=(7, repetitions)))
        said += any(
            "does not describe" in each for each in bridge.scaling.fit(X, samples).warnings
        )
    assert said <= 2  # 0.2 expected


@pytest.mark.parametrize(
    ("samples", "ratio"), [(None, stats.chi2(4)), (np.ones((7, 5)), stats.f(4, 28))]
)
def test_the_chance_of_a_misfit_is_that_of_chi_squared_or_of_its_ratio(samples, ratio):
    expected = ratio.sf(9.0 if samples is None else 9.0 / 4)
    assert power_law._chance(9.0, 4, samples) == pytest.approx(expected, rel=1e-14)


def test_heavy_tails_ask_for_another_average(rng):
    samples = curve(0.0)[:, None] * np.exp(1.5 * rng.standard_cauchy(size=(7, 60)).clip(-6, 6))
    for average in ("median", "geometric"):
        fit = bridge.scaling.fit(X, samples, offset=0.0, average=average)
        assert abs(fit.exponent - TRUTH["p"]) < 4 * fit.error


def test_warnings(rng):
    assert bridge.scaling.fit(X, curve(0.1), 0.01 * curve(0.1)).warnings == ()
    short = np.linspace(2, 6, 6)
    assert any(
        "factor of 3" in each
        for each in bridge.scaling.fit(short, short**-0.5, 0.01 * short).warnings
    )
    wavy = curve(0.0) * (1 + 0.3 * np.sin(3 * np.log(X)))
    assert any(
        "does not describe" in each
        for each in bridge.scaling.fit(X, wavy, 0.01 * wavy, offset=0.0).warnings
    )
    noise = 1 + 0.1 * rng.normal(size=7)
    assert any(
        "do not bound" in each for each in bridge.scaling.fit(X, noise, np.full(7, 0.3)).warnings
    )
    assert any(
        "edge" in each
        for each in bridge.scaling.fit(
            np.arange(1.0, 7), np.exp(9 * np.arange(6.0)), offset=0
        ).warnings
    )


def test_summary_and_figure(rng):
    samples = curve(0.05)[:, None] * (1 + 0.1 * rng.normal(size=(7, 8)))
    fit = bridge.scaling.fit(X, samples)
    assert max(map(len, fit.summary().splitlines())) <= 100
    assert f"{fit.exponent:.4f}" in fit.summary()
    assert f"c = {fit.offset:.4g} +- {fit.offset_error:.2g}, 7 points" in fit.summary()
    assert "c = 0.05 (fixed), 7 points" in bridge.scaling.fit(X, samples, offset=0.05).summary()
    axes = fit.plot()
    assert axes.get_xscale() == axes.get_yscale() == "log"
    # as in the reports
    assert {line.get_color() for line in axes.lines} == {style.BLUE, style.INK}
    assert fit.plot(axes) is axes


def test_errors_from_the_scatter_have_the_chi_squared_of_their_degrees_of_freedom(rng):
    y = curve(0.05) * (1 + 0.01 * rng.normal(size=7))
    for offset, free in ((None, 3), (0.05, 2)):
        fit = bridge.scaling.fit(X, y, offset=offset)
        assert np.isnan(fit.chi2)
        assert (((y - fit.predict(X)) / fit.errors) ** 2).sum() == pytest.approx(
            7 - free, rel=1e-3
        )
        stated = bridge.scaling.fit(X, y, fit.errors, offset=offset)
        assert stated.chi2 == pytest.approx(7 - free, rel=1e-3)
        # white noise, so that no correlation makes the error larger
        assert fit.error == pytest.approx(stated.error, rel=1e-3)


@pytest.mark.parametrize(
    ("A", "c", "label"), [(3.0, 0.0, "$y$"), (3.0, 0.7, "$y - 0.7$"), (-2.0, -5.0, "$-(y + 5)$")]
)
def test_a_figure_shows_the_distance_from_the_offset(A, c, label, rng):
    samples = A * (X**-0.5)[:, None] * (1 + 0.01 * rng.normal(size=(7, 3))) + c
    fit = bridge.scaling.fit(X, samples, offset=c)
    axes = fit.plot()
    *points, bars, line = axes.lines
    np.testing.assert_allclose([column.get_ydata() for column in points], abs(samples.T - c))
    np.testing.assert_allclose(bars.get_ydata(), abs(fit.y - c))
    fitted = abs(fit.prefactor) * line.get_xdata() ** fit.exponent
    np.testing.assert_allclose(line.get_ydata(), fitted)
    assert line.get_xdata()[0] < X[0] < X[-1] < line.get_xdata()[-1]
    assert axes.get_ylabel() == label


def test_few_repetitions_say_what_a_standard_error_covers(rng):
    samples = curve(0.05)[:, None] * (1 + 0.01 * rng.normal(size=(7, 3)))
    text = bridge.scaling.fit(X, samples).summary()
    assert "errors from 3 repetitions: one standard error on either side covers 58%" in text


@pytest.mark.parametrize("z", [[-30.0, -2.0, 1.5, 20.0], [-1e-3, 0.0, 1e-8, 0.4]])
def test_remainders_of_the_exponential_are_right(z):
    with mpmath.workdps(40):
        exact = [[mpmath.nsum(lambda n, x=x, k=k: mpmath.mpf(x) ** n / mpmath.factorial(n + k), [0, mpmath.inf])
                  for x in z] for k in (1, 2)]  # fmt: skip
    for function, expected in zip((profile._phi1, profile._phi2), exact, strict=True):
        np.testing.assert_allclose(function(np.array(z)), np.array(expected, float), rtol=1e-8)

"""Noise along a curve: its shape, steps of rounded values, and what both do to the errors of a fit."""

from __future__ import annotations

import numpy as np
import pytest

import bridge
from bridge.fit.estimate import Estimate
from bridge.fit.noise_profile import (
    IN_STRETCHES,
    SHAPES,
    SHARE,
    profile,
    runs,
    steps,
    without_runs,
)
from bridge.fit.noise_words import cut_at
from tests.calibration import noises

T = np.linspace(0, 10, 300)
CURVE = 2 / (1 + np.exp(5 - T))  # from 0.013 to 1.99


def of(sizes, rng, correlation_time=1.0):
    return profile(CURVE, sizes * rng.normal(size=T.size), T, correlation_time)


def test_constant_noise_has_no_shape(rng):
    """The limit is what one white curve in 1,000 exceeds."""
    found = [of(np.full(T.size, 0.1), rng) for _ in range(300)]
    assert sum(bool(one.shape) for one in found) <= 3
    steady = [one for one in found if not one.share]
    assert len(steady) > 240  # it is hardly ever expected to grow with the curve
    np.testing.assert_array_equal(steady[0].sizes, 1.0)
    np.testing.assert_array_equal(steady[0].later(np.array([5.0])), 1.0)


def test_a_share_of_the_curve_above_a_floor_is_found_with_both(rng):
    found = [of(np.hypot(0.05 * CURVE, 0.004), rng) for _ in range(40)]
    assert {one.shape for one in found} == {SHARE}
    power = 0.05**2 * (CURVE**2).mean() + 0.004**2
    share = np.median([one.share for one in found]) * power
    floor = np.median([one.floor for one in found]) * power
    assert np.sqrt(share) == pytest.approx(0.05, rel=0.1)
    assert np.sqrt(floor) == pytest.approx(0.004, rel=0.4)
    expected = np.hypot(0.05 * 4.0, 0.004) / np.sqrt(power)
    later = np.median([one.later(np.array([4.0]))[0] for one in found])
    assert later == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize(
    ("sizes", "shape"),
    [
        (np.sqrt(CURVE), SHAPES[1]),
        (np.where(np.abs(T - 5) < 1, 1.0, 0.1), IN_STRETCHES),
        (np.exp(-T), IN_STRETCHES),
    ],
)
def test_other_shapes_are_found_and_have_the_right_sizes(sizes, shape, rng):
    found = of(sizes, rng)
    assert found.shape == shape
    true = sizes / np.sqrt((sizes**2).mean())
    rough = np.log(found.sizes[50:-50:25] / true[50:-50:25])
    assert np.abs(np.median(rough)) < 0.5


def test_correlated_residuals_count_for_less(rng):
    sizes = np.sqrt(0.3 + CURVE)
    assert of(sizes, np.random.default_rng(1)).shape
    assert of(sizes, np.random.default_rng(1), correlation_time=10.0).shape == ""


def test_no_residuals_have_no_shape():
    assert profile(CURVE, np.zeros(T.size), T, 1.0).shape == ""


def test_steps_are_those_of_the_rounding():
    rounded = np.round(CURVE / 0.05) * 0.05
    np.testing.assert_allclose(steps(rounded[None])[0], 0.05)
    digits = np.array([float(f"{value:.2g}") for value in CURVE])
    found = steps(digits[None])[0]
    assert found[-1] == pytest.approx(0.1)
    assert found[0] <= 0.001 + 1e-9
    assert not steps(CURVE[None]).any()
    assert not steps(np.full((1, 50), 3.0)).any()
    settled = np.minimum(CURVE, CURVE[100])  # equal from there on
    assert not steps(np.stack([settled, np.float32(1 + settled)])).any()


def test_equal_rounded_values_share_one_error(rng):
    """The mean of a plateau errs by a uniform error, however many points it has; a slope averages it away."""
    step, offsets = 0.1, rng.uniform(-0.5, 0.5, 4000)
    for slope, expected in ((0.0, step**2 / 12), (2.0, 0.0)):
        errors = []
        for offset in offsets:
            curve = 3 + step * offset + slope * step * np.linspace(0, 1, 50, endpoint=False)
            errors.append((np.round(curve / step) * step - curve).mean())
        assert np.var(errors) == pytest.approx(expected, abs=0.1 * step**2 / 12)
    ones = np.full((1, 1, 50), 1 / 50)
    values, widths = np.full((1, 50), 3.0), np.full((1, 50), step)
    assert runs(values, values, widths, ones)[0, 0] == pytest.approx(step**2 / 12)
    moving = 3 + step * np.linspace(-0.5, 0.5, 50)[None]
    assert runs(values, moving, widths, ones)[0, 0] == pytest.approx(0.0, abs=1e-6)
    apart = without_runs(values - moving, values, widths)
    np.testing.assert_allclose(apart, values - moving, atol=1e-12)  # its mean is zero
    np.testing.assert_allclose(without_runs(values + 1, values, widths), 0.0)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "two"),
    [("rounded to 1 % of the largest", 0.8), ("3 % of the curve, logarithmic times", 0.75)],
)
def test_intervals_of_rounded_and_proportional_values_hold_the_truth(name, two):
    """Before, 20 % and 80 % of rounded and proportional ones were within two errors."""
    inside, _ = noises.covered(name, 12, seed=1)
    assert inside[:, 1].mean() >= two


def test_a_fit_says_what_the_noise_is():
    case, columns = noises.drawn("3 % of the curve", 0, seed=1)
    fit = bridge.two_point.fit(columns, **case.data)
    assert "% of the curve, above" in fit.noise["dh2"]
    assert "noise of dh2: " in fit.summary()
    assert fit.to_dict()["noise"] == fit.noise
    case, columns = noises.drawn("rounded to 5 %", 0, seed=1)
    assert "rounded to steps of" in bridge.two_point.fit(columns, **case.data).noise["dy2"]


def test_a_floor_at_which_values_are_cut_is_said(rng):
    case, columns = noises.drawn("cut at 3 %", 2, seed=1)
    fit = bridge.two_point.fit(columns, **case.data)
    assert any("many values are equal to the lowest" in warning for warning in fit.warnings)
    values = CURVE + 0.02 * rng.normal(size=T.size)
    assert cut_at(values) is None
    assert cut_at(np.maximum(values, 0.1)) == 0.1
    assert cut_at(np.round(values / 0.1) * 0.1) is None


def scaled_curve(observed):
    """The least-squares estimate of the factor of a known curve."""
    factor = float(observed @ CURVE / (CURVE @ CURVE))
    return Estimate(
        parameters=np.array([factor]),
        times=T,
        observed=observed[None],
        residuals=(factor * CURVE - observed)[None],
        jacobian=CURVE[None, :, None],
        lower=np.array([-10.0]),
        upper=np.array([10.0]),
        converged=True,
        step=1e-7,
    )


def test_errors_follow_noise_that_is_a_share_of_the_curve(rng):
    """Constant noise of the same mean square would give an error that is 1.25 times too small."""
    fits = [scaled_curve(CURVE * (1 + 0.05 * rng.normal(size=T.size))) for _ in range(40)]
    errors = np.sqrt([fit.covariance[0, 0] for fit in fits])
    exact = 0.05 * np.sqrt((CURVE**4).sum()) / (CURVE**2).sum()
    constant = 0.05 * np.sqrt((CURVE**2).mean() / (CURVE**2).sum())
    assert exact > 1.2 * constant
    assert np.median(errors) == pytest.approx(exact, rel=0.07)


def test_errors_of_rounded_values_are_those_of_their_plateaus(rng):
    """Half of the values lie on one plateau, so that few errors are independent; they are up to twice too large."""
    factors = rng.uniform(1, 1.3, 120)
    fits = [scaled_curve(np.round(factor * CURVE / 0.2) * 0.2) for factor in factors]
    scatter = np.std(
        [fit.parameters[0] - factor for fit, factor in zip(fits, factors, strict=True)]
    )
    typical = np.sqrt(np.mean([fit.covariance[0, 0] for fit in fits]))
    assert 0.9 * scatter < typical < 2.2 * scatter

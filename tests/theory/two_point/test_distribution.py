"""Tests of the distribution of the final distance against Monte Carlo and quadrature."""

from __future__ import annotations

from itertools import pairwise

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad

from theory import two_point

# gain, tau_h, tau_y
SETTINGS = [(0.4, 1.0, 1.0), (1.0, 2.0, 1.0), (0.7, 1.0, 3.0), (0.05, 1.0, 1.0)]
DX2, TARGET2 = 0.7, 1.3
SAMPLES = 400_000
# Two-sided, per comparison; 4 settings, 5 levels: a false alarm once in a thousand runs (the seed is fixed besides).
Z = 4.1


def simulate(gain: float, tau_h: float, tau_y: float, rng: np.random.Generator) -> np.ndarray:
    """Final distances of random initial weights, through the roots of the stationarity condition."""
    encoder, decoder = rng.normal(gain, gain, (2, SAMPLES))
    high = DX2 * (encoder - tau_y / tau_h * decoder)
    return high / 2 + np.sqrt(high**2 / 4 + tau_y / tau_h * DX2 * TARGET2)


@pytest.mark.parametrize(("gain", "tau_h", "tau_y"), SETTINGS)
def test_against_monte_carlo(
    gain: float, tau_h: float, tau_y: float, rng: np.random.Generator
) -> None:
    found = two_point.final_distance_distribution()
    setting = {"gain": gain, "tau_h": tau_h, "tau_y": tau_y, "dx2": DX2, "target2": TARGET2}
    sample = simulate(gain, tau_h, tau_y, rng)
    for level in np.quantile(sample, [0.05, 0.25, 0.5, 0.75, 0.95]):
        expected = found.cdf(h=level, **setting)
        error = np.sqrt(expected * (1 - expected) / SAMPLES)
        assert abs((sample < level).mean() - expected) < Z * error
    assert abs(sample.mean() - found.mean(**setting)) < Z * sample.std() / np.sqrt(SAMPLES)
    assert found.cdf(h=found.median(**setting), **setting) == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize(("gain", "tau_h", "tau_y"), SETTINGS)
def test_the_density_integrates_to_one_and_to_the_mean(
    gain: float, tau_h: float, tau_y: float
) -> None:
    found = two_point.final_distance_distribution()
    setting = {"gain": gain, "tau_h": tau_h, "tau_y": tau_y, "dx2": DX2, "target2": TARGET2}
    median = float(found.median(**setting))
    pieces = [0.02 * median, 0.5 * median, median, 2 * median, 8 * median, 60 * median]
    for power, expected in ((0, 1.0), (1, found.mean(**setting))):
        total = sum(
            quad(
                lambda h, power=power: h**power * found.density(h=h, **setting),
                low,
                high,
                epsabs=1e-13,
                epsrel=1e-11,
            )[0]
            for low, high in pairwise(pieces)
        )
        assert total == pytest.approx(expected, rel=1e-8)


def test_both_tails_keep_their_digits() -> None:
    """Against the Gaussian of A_high in 60 digits, at probabilities from 1e-300 to 1 - 1e-16."""
    form = two_point.final_distance_distribution().cdf
    setting = {"gain": 0.3, "tau_h": 1.7, "tau_y": 2.3, "dx2": 0.7, "target2": 1.3}
    with mpmath.workdps(60):
        gain, tau_h, tau_y, dx2, target2 = map(mpmath.mpf, setting.values())
        for h in np.geomspace(0.1, 4, 40):
            high = mpmath.mpf(h) - tau_y / tau_h * dx2 * target2 / mpmath.mpf(h)
            mean, deviation = (
                dx2 * gain * (1 - tau_y / tau_h),
                dx2 * gain * mpmath.hypot(1, tau_y / tau_h),
            )
            assert form(h=h, **setting) == pytest.approx(
                float(mpmath.ncdf((high - mean) / deviation)), rel=1e-11
            )

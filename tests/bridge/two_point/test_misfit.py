"""Tests of what counts as a systematic residual: white noise hardly ever does, and a wave below the noise does."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from bridge.two_point import applicability

FITS, POINTS = 2000, 300
CURVE = 10 * np.tanh(np.linspace(-3, 3, POINTS))


def shares(residuals):
    """Return the unexplained share ``[fit]`` of fits of one curve whose parameters are known."""
    estimate = SimpleNamespace(
        residuals=residuals, jacobian=np.zeros((len(residuals), 1, 1)), noise=None
    )
    return applicability.unexplained(
        estimate, np.broadcast_to(CURVE, residuals.shape), np.zeros(len(residuals))
    )


@pytest.fixture
def white():
    return np.random.default_rng(0).normal(size=(FITS, POINTS))


def test_white_noise_is_hardly_ever_significant(white):
    """At most one curve in 1,000 is expected; at two standard errors, 1 in 44 for each range of neighbours."""
    # more than 10 have a chance of 1e-5 where 2 are expected
    assert (shares(white) > 0).sum() <= 10


def test_correlated_noise_explains_what_it_is_rough_enough_for(white):
    """The share of the curves that have such noise is 0; what the theory leaves of them is not."""
    seen = white[:100] + np.sin(np.linspace(0, 20, POINTS))
    rough = np.arange(100) < 40
    estimate = SimpleNamespace(
        residuals=seen, jacobian=np.zeros((100, 1, 1)), noise=SimpleNamespace(rough=rough)
    )
    arguments = estimate, np.broadcast_to(CURVE, seen.shape), np.zeros(100)
    whole = applicability.systematic(*arguments)
    assert (whole > 0).all()
    np.testing.assert_array_equal(
        applicability.unexplained(*arguments), np.where(rough, 0.0, whole)
    )


@pytest.mark.parametrize(("periods", "power", "distances"), [(10, 0.5, 1), (1, 0.2, POINTS // 30)])
def test_a_wave_below_the_noise_is_seen(white, periods, power, distances):
    """The wave correlates neighbours by its share of the power; the error is one over the root of their number."""
    wave = np.sqrt(2 * power) * np.sin(2 * np.pi * periods * np.arange(POINTS) / POINTS)
    deviation = power / (1 + power) * np.sqrt(distances * POINTS)  # in standard errors
    assert 5 < deviation < 10
    found = shares(white + wave)
    assert (found > 0).mean() > 0.9
    assert np.median(found[found > 0]) == pytest.approx(power / CURVE.var(), rel=0.1)

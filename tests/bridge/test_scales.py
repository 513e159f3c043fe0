"""Fits and comparisons are the same for numbers of any size."""

from __future__ import annotations

import numpy as np
import pytest

import bridge
from theory import compression

SCALES = [1e-300, 1e-200, 1e-120, 1e30, 1e120, 1e200, 1e300]
ROUNDING = 1e-9
X = np.array([10.0, 20.0, 40.0, 80.0, 160.0])
LABELS = np.arange(30) % 3


@pytest.mark.parametrize("scale", SCALES)
def test_numbers_of_any_size(scale, rng):
    y = (0.3 / X)[:, None] * (1 + 0.05 * rng.normal(size=(5, 6)))
    base, moved = (
        bridge.scaling.fit(X, y, offset=0.0),
        bridge.scaling.fit(X, scale * y, offset=0.0),
    )
    assert (moved.exponent, *moved.interval) == pytest.approx(
        (base.exponent, *base.interval), rel=ROUNDING
    )
    assert moved.prefactor == pytest.approx(scale * base.prefactor, rel=ROUNDING)
    np.testing.assert_allclose(moved.samples, scale * y, rtol=ROUNDING)
    mean = y.mean(axis=1) + 0.001
    compared = bridge.compare(mean, y).z
    np.testing.assert_allclose(bridge.compare(scale * mean, scale * y).z, compared, rtol=ROUNDING)
    x = rng.normal(size=(30, 4)) + LABELS[:, None]
    halves = LABELS > 0
    assert compression.label_information(scale * x, halves) == pytest.approx(
        compression.label_information(x, halves), rel=ROUNDING
    )

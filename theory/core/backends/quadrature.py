"""Integrals for the numpy backend; scipy is imported when one is first computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

# The promise for integrals is 1e-10 relative; the quadrature is asked for more, since its estimate is an estimate.
QUADRATURE_TOLERANCE = 1e-12
QUADRATURE_PROMISE = 1e-10
_POINTS_AT_ONCE = 4096  # bounds the memory of one quadrature: points times nodes


def integral(
    integrand: Callable[..., Any], low: Callable[..., Any], high: Callable[..., Any], dtype: type = np.float64
) -> Callable[..., Any]:
    """Double-exponential quadrature at all points at once, each with its own error estimate.

    Raises ArithmeticError where the estimate does not reach the promise of 1e-10 relative.
    """

    def evaluate(*inputs: Any) -> Any:
        from scipy.integrate import tanhsinh

        arrays = np.broadcast_arrays(*inputs) if inputs else [np.zeros(())]
        points = [np.ravel(array).astype(np.float64) for array in arrays]
        value = np.empty(points[0].size)
        for start in range(0, value.size, _POINTS_AT_ONCE):
            part = tuple(p[start : start + _POINTS_AT_ONCE] for p in points)
            given = part if inputs else ()
            found = tanhsinh(
                lambda z, *rest: integrand(z, *rest) + 0 * z,
                low(*given) + 0 * part[0],
                high(*given) + 0 * part[0],
                args=given,
                rtol=QUADRATURE_TOLERANCE,
                atol=0,
                maxlevel=14,
            )
            missed = ~(found.error <= QUADRATURE_PROMISE * np.abs(found.integral))
            if missed.any() or not np.isfinite(found.integral).all():
                raise ArithmeticError(f"quadrature does not reach {QUADRATURE_PROMISE:g} at {missed.sum()} points")
            value[start : start + _POINTS_AT_ONCE] = found.integral
        return value.reshape(arrays[0].shape).astype(dtype)[()]

    return evaluate

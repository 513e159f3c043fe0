"""Double integrals for the numpy backend: double-exponential rules in both variables at once.

An integral inside an integral would have to reach its own relative accuracy at every node of the outer one, also where
it passes through zero. Here both variables are refined together, and only the whole must be accurate.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from theory.core.backends.quadrature import QUADRATURE_PROMISE, nodes

_COARSEST = 8  # nodes per unit of the transformed variable; doubled until two sums agree
_DOUBLINGS = 6
_REACH = 3.1  # beyond it the nodes are at 1e7 or their weights below 1e-14 of the largest
_REACH_TO_AN_END = 3.8  # on a half-line: exp(-pi/2 sinh t) is how close to its end the nodes come, and below 1e-15
_NEGLIGIBLE = 1e-17
_NODES_AT_ONCE = 2_000_000  # bounds the memory

Limit = Callable[..., Any]


def double_integral(
    integrand: Callable[..., Any], inner: tuple[Limit, Limit], outer: tuple[Limit, Limit], dtype: type = np.float64
) -> Callable[..., Any]:
    """``integrand(y, x, *inputs)`` over ``y`` between the inner limits, which may depend on x, and ``x``.

    Raises ArithmeticError where halving the distance of the nodes does not settle the sum to 1e-10 relative.
    """

    def total(per_unit: int, point: tuple[Any, ...]) -> Any:
        low, high = (np.asarray(limit(*point), dtype=float) for limit in outer)
        x, weight = nodes(_grid(per_unit, low, high), low, high, 1.0, np)
        t = _grid(per_unit, *(limit(x, *point) for limit in inner))
        step = max(1, _NODES_AT_ONCE // t.size)
        result, any_finite = 0.0, False
        for start in range(0, t.size, step):
            far = x[start : start + step]
            below, above = (limit(far, *point) + 0 * far for limit in inner)
            y, near_weight = nodes(t[:, None], below, above, 1.0, np)
            terms = integrand(y, far, *point) * near_weight * weight[start : start + step]
            any_finite = any_finite or bool(np.isfinite(terms).any())
            terms = _without_overflow(terms)
            # y and -y together: what is odd cancels exactly, so that an integral that vanishes is 0, not rounding.
            result += ((terms + terms[::-1]) / 2).sum()
        return result / per_unit**2 if any_finite else np.nan

    def evaluate(*inputs: Any) -> Any:
        arrays = np.broadcast_arrays(*inputs) if inputs else [np.zeros(())]
        columns = [np.ravel(array).astype(np.float64) for array in arrays]
        value = np.empty(columns[0].size)
        for index in range(value.size):
            point = tuple(column[index] for column in columns) if inputs else ()
            value[index] = _settled(partial(total, point=point))
        return value.reshape(arrays[0].shape).astype(dtype)[()]

    return evaluate


def _settled(total: Callable[[int], float]) -> float:
    before = total(_COARSEST)
    for doubling in range(1, _DOUBLINGS + 1):
        value = total(_COARSEST * 2**doubling)
        error = abs(value - before)
        # The difference is the error of the coarser sum; that of the finer one is far below.
        if error <= QUADRATURE_PROMISE * abs(value):
            return value
        before = value
    raise ArithmeticError(f"quadrature does not reach {QUADRATURE_PROMISE:g}")


def _without_overflow(terms: np.ndarray) -> np.ndarray:
    """Terms that are inf * 0 far out count as 0 if those next to them are negligible; else NaN, which never settles."""
    lost = ~np.isfinite(terms)
    if not lost.any():
        return terms
    beside = lost.copy()
    for axis in (0, 1):
        for shift in (-1, 1):
            beside |= np.roll(lost, shift, axis)
    kept = np.where(lost, 0, terms)
    negligible = np.abs(kept[beside]).max() <= _NEGLIGIBLE * np.abs(kept).max()
    return kept if negligible or lost.all() else np.full_like(terms, np.nan)


def _grid(per_unit: int, low: Any, high: Any) -> np.ndarray:
    """The transformed variable: further to the side on which a half-line ends."""
    half_line = bool(np.isfinite(low).all()) != bool(np.isfinite(high).all())
    below = int((_REACH_TO_AN_END if half_line else _REACH) * per_unit)
    return np.arange(-below, int(_REACH * per_unit) + 1) / per_unit

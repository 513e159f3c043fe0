"""Double integrals of the numpy backend, by a double-exponential rule in both variables together.

A nested quadrature would require the inner integral to be accurate relative to its own value at every node of the outer
one, even where it passes through zero. This rule refines both variables together, so that only the double integral has
to be accurate.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from theory.core.numbers.backends.quadrature import QUADRATURE_PROMISE, nodes

_COARSEST = 8  # nodes per unit of the transformed variable; doubled until two sums agree
_DOUBLINGS = 6
_REACH = 3.1  # of the transformed variable; nodes beyond it exceed 1e7, or their weights are below 1e-14 of the largest
_REACH_TO_AN_END = 3.8  # at the end of a half-line, which the nodes approach to exp(-pi/2 sinh t), below 1e-15
_NEGLIGIBLE = 1e-17
_NODES_AT_ONCE = 2_000_000  # bounds the memory

Limit = Callable[..., Any]


def double_integral(
    integrand: Callable[..., Any], inner: tuple[Limit, Limit], outer: tuple[Limit, Limit], dtype: type = np.float64
) -> Callable[..., Any]:
    """Return a function of the inputs that integrates ``integrand(y, x, *inputs)``; ``inner`` depends on x as well.

    It raises ArithmeticError where the sum does not converge to a relative error of 1e-10.
    """

    def total(per_unit: int, point: tuple[Any, ...]) -> Any:
        low, high = (np.asarray(limit(*point), dtype=float) for limit in outer)
        x, weight = nodes(_grid(per_unit, low, high), low, high, 1.0, np)
        t = _grid(per_unit, *(limit(x, *point) for limit in inner))
        step = max(1, _NODES_AT_ONCE // t.size)
        result, any_finite = 0.0, False
        for start in range(0, t.size, step):
            block = x[start : start + step]
            below, above = (limit(block, *point) + 0 * block for limit in inner)
            y, inner_weight = nodes(t[:, None], below, above, 1.0, np)
            terms = integrand(y, block, *point) * inner_weight * weight[start : start + step]
            any_finite = any_finite or bool(np.isfinite(terms).any())
            terms = _without_overflow(terms)
            # Adding the terms at y and -y cancels odd integrands exactly, so that a vanishing integral is exactly 0.
            result += ((terms + terms[::-1]) / 2).sum()
        return result / per_unit**2 if any_finite else np.nan

    def evaluate(*inputs: Any) -> Any:
        arrays = np.broadcast_arrays(*inputs) if inputs else [np.zeros(())]
        columns = [np.ravel(array).astype(np.float64) for array in arrays]
        value = np.empty(columns[0].size)
        for index in range(value.size):
            point = tuple(column[index] for column in columns) if inputs else ()
            value[index] = _converged(partial(total, point=point))
        return value.reshape(arrays[0].shape).astype(dtype)[()]

    return evaluate


def _converged(total: Callable[[int], float]) -> float:
    before = total(_COARSEST)
    for doubling in range(1, _DOUBLINGS + 1):
        value = total(_COARSEST * 2**doubling)
        error = abs(value - before)
        # The difference estimates the error of the coarser sum; the error of the finer one is far smaller.
        if error <= QUADRATURE_PROMISE * abs(value):
            return value
        before = value
    raise ArithmeticError(f"quadrature does not reach a relative error of {QUADRATURE_PROMISE:g}")


def _without_overflow(terms: np.ndarray) -> np.ndarray:
    """Replace terms that are not finite by 0 if their neighbours are negligible, and otherwise all terms by NaN."""
    lost = ~np.isfinite(terms)
    if not lost.any():
        return terms
    neighbours = lost.copy()
    for axis in (0, 1):
        for shift in (-1, 1):
            neighbours |= np.roll(lost, shift, axis)
    finite = np.where(lost, 0, terms)
    is_negligible = np.abs(finite[neighbours]).max() <= _NEGLIGIBLE * np.abs(finite).max()
    return finite if is_negligible or lost.all() else np.full_like(terms, np.nan)


def _grid(per_unit: int, low: Any, high: Any) -> np.ndarray:
    """Return the values of the transformed variable, which reach further toward the finite end of a half-line."""
    half_line = bool(np.isfinite(low).all()) != bool(np.isfinite(high).all())
    below = int((_REACH_TO_AN_END if half_line else _REACH) * per_unit)
    return np.arange(-below, int(_REACH * per_unit) + 1) / per_unit

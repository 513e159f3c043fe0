"""Integrals of the numpy and torch backends: the double-exponential rule for many parameter values at once.

The distance of the nodes is halved until two sums agree. Their difference estimates the error of the coarser sum; the
finer sum is accurate to about twice as many digits. A double integral of the numpy backend is refined in both variables
together: a nested rule would need an inner integral that is accurate relative to its own value, even where that is 0.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

# The relative error promised for integrals. Two sums must agree better than that; at the finest nodes, as well as that.
QUADRATURE_PROMISE = 1e-10
_AGREEMENT = 1e-11
_COARSEST = 8  # nodes per unit of the transformed variable
_HALVINGS = 10
_REACH = 5  # of the transformed variable: the nodes reach 1e50 on a line, and come within 1e-50 of a finite end
_NEGLIGIBLE = 1e-17
_PROBES = 2.0 ** (np.arange(-640, 641) / 8)
_DOUBLINGS = 6
_REACH_OF_BOTH = 3.1  # in a double integral; nodes beyond it exceed 1e7, or have weights below 1e-14 of the largest
# at the end of a half-line, which the nodes approach to exp(-pi/2 sinh t), below 1e-15
_REACH_TO_AN_END = 3.8
_NODES_AT_ONCE = 2_000_000  # bounds the memory
_POINTS_AT_ONCE = 64  # number of points that share their nodes; bounds the memory

Limit = Callable[..., Any]


def nodes(t: Any, low: Any, high: Any, scale: Any, library: Any) -> tuple[Any, Any]:
    """Return the nodes between limits, all finite or all infinite, and the derivative of the map from ``t`` to them.

    ``scale`` is the typical distance from the finite end, or from 0, at which most of the integral is.
    """
    u, slope = math.pi / 2 * library.sinh(t), math.pi / 2 * library.cosh(t)
    has_low, has_high = (bool(library.isfinite(end).all()) for end in (low, high))
    if has_low and has_high:
        # distance from the nearer end, which is not a difference
        share = 1 / (1 + library.exp(2 * abs(u)))
        x = library.where(u < 0, low + (high - low) * share, high - (high - low) * share)
        return x, (high - low) * 2 * slope * share * (1 - share)
    if has_low:
        return low + scale * library.exp(u), scale * slope * library.exp(u)
    if has_high:
        return high - scale * library.exp(u), scale * slope * library.exp(u)
    return scale * library.sinh(u), scale * slope * library.cosh(u)


def settled(
    integrand: Callable[..., Any],
    limits: tuple[Limit, Limit],
    columns: Sequence[Any],
    grid: Any,
    library: Any,
) -> Any:
    """Return the integral at every point, ``[point]``, for inputs ``[point, 1]``; the limits are functions of them.

    ArithmeticError if halving the distance of the nodes does not make the sum converge to a relative error of 1e-10,
    and if two infinite halves of a line cancel, as those of a density over its variable.
    """
    low, high = (limit(*columns) + 0 * columns[0] for limit in limits)
    whole_line = bool((low == -math.inf).all() and (high == math.inf).all())
    low = 0 * columns[0] if whole_line else low

    def value(x: Any) -> Any:
        # The line is folded to a half-line, whose nodes resolve every scale near 0, and odd parts cancel exactly.
        return integrand(x, *columns) + 0 * x + (integrand(-x, *columns) if whole_line else 0)

    scale = _scale(value, low, high, grid, library)

    def require_finite_halves() -> None:
        steps = np.arange(-_REACH * _COARSEST, _REACH * _COARSEST + 1)
        x, weight = nodes(grid(steps / _COARSEST), low, high, scale, library)
        halves = abs(integrand(x, *columns) + 0 * x) + abs(integrand(-x, *columns))
        size = library.nan_to_num(halves * weight, 0, 0, 0)
        is_infinite = size[..., 0] + size[..., -1] > QUADRATURE_PROMISE * size.sum(-1)
        if is_infinite.any():
            raise ArithmeticError(
                f"an integral diverges at {int(is_infinite.sum())} points: its integrand grows too fast at 0 or "
                "at infinity"
            )

    def terms(steps: np.ndarray, per_unit: int) -> Any:
        x, weight = nodes(grid(steps / per_unit), low, high, scale, library)
        return _without_overflow(value(x) * weight, library) / per_unit

    def vanishes_at_nodes(sum_: Any, per_unit: int) -> Any:
        """Return where all terms are 0, and not only their sum, since the nodes may have missed the integrand."""
        if (sum_ != 0).all():
            return sum_ != sum_
        x, _ = nodes(
            grid(np.arange(-_REACH * per_unit, _REACH * per_unit + 1) / per_unit),
            low,
            high,
            scale,
            library,
        )
        return (sum_ == 0) & ((integrand(x, *columns) + 0 * x) == 0).all(-1)

    if whole_line:
        require_finite_halves()
    first = terms(np.arange(-_REACH * _COARSEST, _REACH * _COARSEST + 1), _COARSEST)
    result, beyond = first.sum(-1), abs(first[..., 0]) + abs(first[..., -1])
    for halving in range(1, _HALVINGS + 1):
        per_unit = _COARSEST * 2**halving
        between = terms(np.arange(1 - _REACH * per_unit, _REACH * per_unit, 2), per_unit)
        before, result = result, result / 2 + between.sum(-1)
        accepted = QUADRATURE_PROMISE if halving == _HALVINGS else _AGREEMENT
        missed = ~(abs(result - before) + beyond <= accepted * abs(result))
        if halving < _HALVINGS:
            missed |= vanishes_at_nodes(result, per_unit)
        if not missed.any():
            return result
    raise ArithmeticError(
        f"quadrature does not reach a relative error of {QUADRATURE_PROMISE:g} at {int(missed.sum())} points"
    )


def _scale(integrand: Callable[..., Any], low: Any, high: Any, grid: Any, library: Any) -> Any:
    """Return the distance from the finite end of a half-line at which the integrand contributes most."""
    has_low, has_high = (bool(library.isfinite(end).all()) for end in (low, high))
    if has_low == has_high:
        return 1.0
    distances = grid(_PROBES)
    mass = abs(integrand(low + distances if has_low else high - distances)) * distances
    return distances[library.nan_to_num(mass, 0, 0, 0).argmax(-1)][..., None]


def _without_overflow(terms: Any, library: Any) -> Any:
    """Replace terms that are not finite by 0 if their neighbours are negligible, and otherwise all terms by NaN."""
    lost = ~library.isfinite(terms)
    if not lost.any():
        return terms
    finite = library.where(lost, 0 * library.ones_like(terms), terms)
    neighbours = lost.clone() if hasattr(lost, "clone") else lost.copy()
    neighbours[..., 1:] |= lost[..., :-1]
    neighbours[..., :-1] |= lost[..., 1:]
    size = abs(finite)
    largest = size.max(-1)
    largest = largest[0] if isinstance(largest, tuple) else largest
    matters = (neighbours & (size > _NEGLIGIBLE * largest[..., None])).any(-1) | (
        lost.any(-1) & (largest == 0)
    )
    return finite + library.where(matters, math.nan, 0.0)[..., None]


def integral(
    integrand: Callable[..., Any], low: Limit, high: Limit, dtype: type = np.float64
) -> Callable[..., Any]:
    """Return the integral as a function of the inputs; ArithmeticError if its relative error does not reach 1e-10."""

    def evaluate(*inputs: Any) -> Any:
        arrays = np.broadcast_arrays(*inputs) if inputs else [np.zeros(())]
        points = [np.ravel(array).astype(np.float64) for array in arrays]
        parts = calls(integrand, (low, high), inputs, points)
        value = np.concatenate([settled(*part, np.asarray, np) for part in parts])
        return value.reshape(arrays[0].shape).astype(dtype)[()]

    return evaluate


def calls(
    integrand: Callable[..., Any],
    limits: tuple[Limit, Limit],
    inputs: Sequence[Any],
    points: Sequence[Any],
) -> Iterator[tuple[Callable[..., Any], tuple[Limit, Limit], list[Any]]]:
    """Yield the first three arguments of ``settled`` for a few points at a time, one without inputs."""
    if not inputs:
        without_inputs, (low, high) = integrand, limits
        integrand, limits = lambda z, _: without_inputs(z), (lambda _: low(), lambda _: high())
    for start in range(0, len(points[0]), _POINTS_AT_ONCE):
        yield (
            integrand,
            limits,
            [column[start : start + _POINTS_AT_ONCE, None] for column in points],
        )


def double_integral(
    integrand: Callable[..., Any],
    inner: tuple[Limit, Limit],
    outer: tuple[Limit, Limit],
    dtype: type = np.float64,
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
            terms = _without_overflow_in_both(terms)
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


def _without_overflow_in_both(terms: np.ndarray) -> np.ndarray:
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
    below = int((_REACH_TO_AN_END if half_line else _REACH_OF_BOTH) * per_unit)
    return np.arange(-below, int(_REACH_OF_BOTH * per_unit) + 1) / per_unit

"""Values by balls at the points where the terms of a watched sum cancel in float64, for the numpy backend.

Floats come first. A point of which too few digits are right is marked by NaN, which goes through the rest of the
formula, and the whole formula is computed there again, right to the last digit.
"""

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import cache
from typing import Any

import flint
import numpy as np
import sympy as sp

from theory.core.formula.rounding import watched as watched_sum
from theory.core.numbers.backends import ball_backend, cancellation
from theory.core.numbers.backends.mpmath_backend import LOCK
from theory.core.numbers.backends.numpy_functions import least
from theory.core.numbers.backends.source import compile_expression

_IS_MARKED = ContextVar("is_marked", default=False)


def watched(terms: Callable[..., Sequence[Any]], dtype: type = np.float64) -> Callable[..., Any]:
    """Return a sum with NaN where it is far below the magnitudes of its terms, or with a warning if nothing settles it.

    Args:
        terms: function that returns the terms.
        dtype: that of the numbers.
    """
    warns = cancellation.watched(terms)

    def evaluate(*inputs: Any) -> Any:
        if not _IS_MARKED.get():
            return warns(*inputs)
        value, size = cancellation.sums(terms(*inputs))
        margin = np.abs(value) - cancellation.FEW * size
        return value if least(margin) >= 0 else np.where(margin < 0, np.nan, value)

    return evaluate


def with_balls(
    body: Callable[..., Any],
    expression: sp.Expr,
    symbols: Sequence[sp.Symbol],
    dtype: type = np.float64,
) -> Callable[..., Any]:
    """Return the function of a formula whose digits are right also where a watched sum cancels.

    Args:
        body: the formula as a function of numbers and arrays.
        expression: the formula.
        symbols: its free symbols, in the order of the numbers.
        dtype: that of the numbers. A longdouble keeps its own digits, and warns where these do not suffice.
    """
    if dtype is np.longdouble or not expression.has(watched_sum):
        return body

    @cache
    def by_balls() -> Callable[..., Any] | None:
        try:
            return compile_expression(expression, symbols, ball_backend)
        except NotImplementedError:
            return None

    def value(point: Sequence[float]) -> float | None:
        function = by_balls()
        if function is None:
            return None
        with LOCK:
            return ball_backend.nearest(lambda: flint.arb(function(*map(flint.arb, point))))

    def evaluate(*inputs: Any) -> Any:
        token = _IS_MARKED.set(True)
        try:
            result = body(*inputs)
        finally:
            _IS_MARKED.reset(token)
        smallest = least(result)
        if smallest == smallest:  # nothing is NaN
            return result
        *columns, result = np.broadcast_arrays(*inputs, result)
        result = result.copy()
        for at in map(tuple, np.argwhere(np.isnan(result))):
            point = [float(column[at]) for column in columns]
            exact = value(point)
            # a singular point, or a function without balls; the warning speaks of it
            result[at] = body(*map(np.float64, point)) if exact is None else exact
        return result[()]

    return evaluate

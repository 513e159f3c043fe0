"""Checks the numbers that the two-point functions are called with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from theory.core import Argument
from theory.core.backends import load
from theory.core.backends.compiler import compile_expression
from theory.two_point.symbols import CAUCHY_SCHWARZ, DY2_0, TARGET2, W_0

numpy_backend = load("numpy")


@cache
def _cauchy_schwarz() -> tuple[Callable[..., NDArray[np.float64]], Callable[..., NDArray[np.float64]]]:
    symbols = [DY2_0.symbol, W_0.symbol, TARGET2.symbol]
    return (
        compile_expression(CAUCHY_SCHWARZ.gap, symbols, numpy_backend),
        compile_expression(CAUCHY_SCHWARZ.scale, symbols, numpy_backend),
    )


def checked(arguments: Sequence[Argument], values: Sequence[ArrayLike]) -> list[NDArray[np.float64]]:
    """The values as float64 arrays of one broadcast shape, each within the domain of its argument.

    Raises:
        TypeError: if a value is not a real number or an array of them.
        ValueError: if one is empty, not finite or outside its domain; if the shapes do not broadcast; or if initial
            state and targets violate the Cauchy-Schwarz inequality.
    """
    arrays, _ = numpy_backend.convert([argument.name for argument in arguments], values)
    for argument, array in zip(arguments, arrays, strict=True):
        argument.require(array, numpy_backend)
    named = {argument: np.asarray(array, dtype=np.float64) for argument, array in zip(arguments, arrays, strict=True)}
    if {DY2_0, W_0, TARGET2} <= named.keys():
        gap, scale = _cauchy_schwarz()
        if not numpy_backend.holds(gap, scale, [named[DY2_0], named[W_0], named[TARGET2]], CAUCHY_SCHWARZ):
            raise ValueError(f"{CAUCHY_SCHWARZ.sentence} is required")
    return list(named.values())


def checked_times(time: Argument, t: ArrayLike) -> NDArray[np.float64]:
    """Times as a float64 array [time].

    Raises:
        TypeError, ValueError: as ``checked``, and if there is more than one dimension.
    """
    (times,) = checked((time,), (t,))
    if times.ndim > 1:
        raise ValueError(f"{time.name} must be one time or a sequence of them, got shape {times.shape}")
    return np.atleast_1d(times)

"""The warning of the torch backend, and of numpy where balls do not help, where the digits of a sum cancel."""

import math
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import reduce
from operator import add
from typing import Any

PACKAGE = __name__.partition(".")[0]
FEW = 1e-5  # of the sum of the magnitudes of the terms; ten digits of float64 are right above it
# the same, and the digits that are right above it, by the bytes of a number
_BY_BYTES = {2: (0.1, 2), 4: (1e-4, 3), 8: (FEW, 10), 16: (1e-9, 10)}


def watched(terms: Callable[..., Sequence[Any]], **options: Any) -> Callable[..., Any]:
    """Return the sum of ``terms``, with a warning where it is far below the sum of their magnitudes."""
    return lambda *inputs: _with_warning(*sums(terms(*inputs)))


def sums(terms: Sequence[Any]) -> tuple[Any, Any]:
    """Return the sum of terms and that of their magnitudes."""
    return reduce(add, terms), reduce(add, map(abs, terms))


def _with_warning(value: Any, size: Any) -> Any:
    share, digits = _BY_BYTES[value.dtype.itemsize]
    lost = abs(value) < share * size
    try:
        is_any_lost = bool(lost.any())
    except RuntimeError:  # under torch.func.vmap the points are not known
        return value
    if is_any_lost:
        warnings.warn(
            f"at {int(lost.sum())} of {math.prod(lost.shape)} points the terms of a closed form cancel, and "
            f"fewer than {digits} digits may be right; evaluate() has all of them",
            RuntimeWarning,
            stacklevel=_callers_level(),
        )
    return value


def _callers_level() -> int:
    """Return the stack level, for the caller of this function, of the line outside of the package theory."""
    level, frame = 1, sys._getframe(1)
    while (
        frame.f_back is not None
        and frame.f_globals.get("__name__", PACKAGE).partition(".")[0] == PACKAGE
    ):
        level, frame = level + 1, frame.f_back  # generated code has no name
    return level

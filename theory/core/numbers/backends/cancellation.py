"""The warning of the torch backend, and of numpy where balls do not help, where the digits of a sum cancel."""

import math
import sys
import warnings
from collections.abc import Callable
from typing import Any

PACKAGE = __name__.partition(".")[0]
FEW = 1e-5  # of the sum of the magnitudes of the terms; ten digits of float64 are right above it
LOST = 1e-9  # the same; six digits of float64 are right above it
_LOST_BY_BYTES = {2: 0.1, 4: 1e-4}  # the same for shorter numbers, of which fewer digits are right


def watched(
    plain: Callable[..., Any], size: Callable[..., Any], **options: Any
) -> Callable[..., Any]:
    """Return the sum ``plain``, with a warning where its value is far below ``size``, the magnitudes of its terms."""
    return lambda *inputs: _with_warning(plain(*inputs), size(*inputs))


def _with_warning(value: Any, size: Any) -> Any:
    lost = abs(value) < _LOST_BY_BYTES.get(value.dtype.itemsize, LOST) * size
    try:
        is_any_lost = bool(lost.any())
    except RuntimeError:  # under torch.func.vmap the points are not known
        return value
    if is_any_lost:
        warnings.warn(
            f"at {int(lost.sum())} of {math.prod(lost.shape)} points the terms of a closed form cancel, and few or "
            "none of the digits are right; evaluate() has all of them",
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

"""Closed forms as machine code by numba, the optional extra ``fast``: one loop over the points, tests within it.

The source is that of a single point (``point_source``), whose functions numba puts in line. The loop takes contiguous
columns alone, so that several points are computed at once. Machine code is kept in numba's cache, beside a file with
the source in a folder of the user's; where this folder cannot be written, each process translates anew, which takes
about a second.
"""

from __future__ import annotations

import hashlib
import importlib
import math
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from closedform import atomic_write
from closedform.cache import cache_folder
from closedform.missing import imported
from theory.core.numbers.backends import number_backend
from theory.core.numbers.backends.point_source import point_source

if TYPE_CHECKING:
    from theory.core.formula.form import Form

# below the first, the exponential is that of the sum, divided by that of the second
_SMALL, _SHIFT = (-700.0, 90.0)
_OF_SHIFT = math.exp(-_SHIFT)
_NOWHERE = "<closed form>"
_LOOP = """
def loop({columns}, out):
    bad = 0
    for i in range(out.size):
        value = {point}({values})
        out[i] = value
        bad += not -inf < value < inf
    return bad
"""


def loop_source(form: Form, validate: bool) -> tuple[str, dict[str, Any]]:
    """Return the source of the function ``loop(*columns, out)`` and the names that stand in it.

    It writes the value at each point into ``out`` and returns the number of points without a finite value.

    Args:
        form: the closed form.
        validate: whether there is no value outside of the domains.

    Raises:
        NotImplementedError: if numba lacks a function of the form, or for an integral.
    """
    source, point = point_source(form, validate, functions())
    columns = [f"column_{index}" for index in range(len(form.arguments))]
    loop = _LOOP.format(
        columns=", ".join(columns),
        point=point,
        values=", ".join(f"{column}[i]" for column in columns),
    )
    # numba imports the module of a loop when it loads its machine code in another process
    return source.text + loop, {**source.names, "__name__": __name__}


@cache
def functions() -> dict[str, Any]:
    """Return the functions of numbers, compiled where they are called.

    Those of ``closedform.loops.elementary`` have no branches, so that several numbers are computed at once.
    """
    numba = imported("function('numba')", "numba")
    elementary = importlib.import_module("closedform.loops.elementary")
    part = numba.njit(error_model="numpy", forceinline=True)
    exp_of_normal, logarithm, fma = elementary.exp, elementary.logarithm, elementary.fma

    @part
    def exp(x: float) -> float:
        """Return the exponential, also where it is no normal number."""
        is_small = x < _SMALL
        y = exp_of_normal(x + _SHIFT if is_small else x)  # the sum is exact
        return y * _OF_SHIFT if is_small else y

    @part
    def power(x: float, y: float) -> float:
        """Return a power, also of a negative number and a whole exponent.

        The error is a unit in the last place, and one more for each hundred of the logarithm of the power.
        """
        size = abs(x)
        high, low = logarithm(size)
        exponent = y * high
        rest = fma(y, high, -exponent) + y * low
        value = exp(exponent)
        value += value * rest if value < math.inf and abs(rest) < 1 else 0.0
        at_end = 1.0 if y == 0 else math.inf if (y > 0) == (size > 1) else 0.0
        value = value if 0 < size < math.inf else at_end
        is_odd = np.floor(0.5 * y) != 0.5 * y
        value = -value if x < 0 and is_odd else value
        is_defined = y == y and (x >= 0 or (x < 0 and np.floor(y) == y))
        return value if is_defined else math.nan

    same = ("expm1", "log", "log1p", "asin", "fma")
    own = {
        **{name: getattr(elementary, name) for name in same},
        "floor": np.floor,
        "ceil": np.ceil,
        "exp": exp,
        "pow": power,
    }
    return number_backend.elementary(SimpleNamespace(**{**vars(math), **own}), part)


def machine_code(form: Form, validate: bool) -> Callable[..., np.ndarray | None]:
    """Return the function of float64 arrays of one shape, or None at points without a finite value.

    Args:
        form: the closed form.
        validate: whether there is no value outside of the domains.

    Raises:
        ModuleNotFoundError: if numba is not installed; the message says how to install it.
        NotImplementedError: if numba lacks a function of the form, or for an integral.
    """
    if not form.arguments:
        raise NotImplementedError(
            f"{form.name}: numba computes functions of arguments, and it has none"
        )
    numba = imported("function('numba')", "numba")
    text, scope = loop_source(form, validate)
    path, is_kept = _file(text)
    exec(compile(text, path, "exec"), scope)
    column = numba.types.Array(numba.float64, 1, "C", readonly=True)
    types = (*[column] * len(form.arguments), numba.float64[::1])
    try:
        loop = numba.njit([types], error_model="numpy", cache=is_kept)(scope["loop"])
    except (OSError, RuntimeError, EOFError, ValueError):  # of files of the cache
        loop = numba.njit([types], error_model="numpy")(scope["loop"])

    def values(*arrays: np.ndarray) -> np.ndarray | None:
        shape = arrays[0].shape
        if any(x.shape != shape for x in arrays):
            shape = np.broadcast_shapes(*(x.shape for x in arrays))
        out = np.empty(shape)
        columns = [
            np.ascontiguousarray(x if x.shape == shape else np.broadcast_to(x, shape)).reshape(-1)
            for x in arrays
        ]
        return None if loop(*columns, out.reshape(-1)) else out

    return values


def build(form: Form, validate: bool) -> Callable[[Sequence[Any]], Any]:
    """Return the function of the values of all arguments, in their order: a value, or None where numpy has to decide.

    Numpy gives the error message of an argument outside of its domain, and the value at a point on the boundary of a
    condition, or at arrays of other types.

    Args:
        form: the closed form.
        validate: whether to test arguments and conditions.

    Raises:
        ModuleNotFoundError, NotImplementedError: as :func:`machine_code`.
    """
    code = machine_code(form, validate)

    def value(given: Sequence[Any]) -> Any:
        arrays = []
        for x in given:
            kind = type(x)
            if kind is float or kind is int or kind is np.float64:
                arrays.append(np.array(float(x)))
            elif kind is np.ndarray and x.dtype == np.float64 and x.size:
                arrays.append(x)
            else:
                return None
        try:
            result = code(*arrays)
        # of a large integer, or of shapes that do not broadcast
        except (OverflowError, ValueError):
            return None
        return result if result is None else result[()]

    return value


def _file(text: str) -> tuple[str, bool]:
    """Return the path of a file with the source, named by all that the machine code depends on, and whether it exists.

    numba compares the source of a loop with that of its stored machine code, but not the functions that it calls.
    """
    numba = imported("function('numba')", "numba")
    own = [Path(sys.modules[name].__file__ or "").read_bytes() for name in _CALLED]
    digest = hashlib.sha256(
        b"\0".join([text.encode(), numba.__version__.encode(), *own])
    ).hexdigest()[:32]
    folder = cache_folder()
    if folder is None:
        return _NOWHERE, False
    path = folder / "loops" / f"loop_{digest}.py"
    try:
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic_write.text(path, text)
    except (OSError, ValueError):
        return _NOWHERE, False
    return str(path), True


_CALLED = (
    __name__,
    number_backend.__name__,
    "theory.core.numbers.backends.pairs",
    "closedform.rounding",
    "closedform.loops.elementary",
)

"""numpy: vectorised, in the precision of the input (float32, float64 or longdouble)."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np
import sympy as sp

from theory.core.backends import scipy_functions
from theory.core.backends.double_double import Pair
from theory.core.backends.double_integral import double_integral as double_integral  # part of what a backend offers
from theory.core.backends.quadrature import integral as integral
from theory.core.exact import UNTYPED, as_float

NAME = "numpy"
FOLDS = True  # subexpressions without symbols are computed once, by sympy

_BLOCK = 16384  # long arrays are worked through in pieces whose intermediate results stay in the cache


def power(x: Any, exponent: Any) -> Any:
    """``x**exponent``; half-integer exponents through a square root, ten times faster than pow and as accurate."""
    doubled = 2 * exponent
    if isinstance(doubled, float) and doubled.is_integer() and 0 < abs(doubled) < 32:
        root = integer_power(np.sqrt(x), abs(int(doubled)))
        return root if doubled > 0 else 1 / root
    return np.power(x, exponent)


def integer_power(x: Any, n: int) -> Any:
    """``x**n`` for n > 0 by repeated squaring, which numpy's pow does only for n = 2."""
    result: Any = None
    while n:
        if n & 1:
            result = x if result is None else result * x
        n >>= 1
        if n:
            x = x * x
    return result


def _phi1(x: Any) -> Any:
    x = np.asarray(x)
    zero = x == 0
    return np.where(zero, 1.0, np.expm1(x) / np.where(zero, 1.0, x)).astype(x.dtype, copy=False)[()]


def _quotient(x: Any, y: Any) -> Any:
    zero = (x == 0) & (y == 0)
    return np.where(zero, 0 * x, x / np.where(zero, 1 + 0 * y, y))[()]


def _correlation(c: Any, v: Any, w: Any) -> Any:
    spread = np.sqrt(v * w)
    found = np.clip(c / spread, -1, 1)
    return found if np.all(spread) else np.where(spread == 0, 0 * c, found)[()]


_ELEMENTARY: dict[str, Callable[..., Any]] = {
    **{name: getattr(np, name) for name in ("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{name: getattr(np, "arc" + name[1:]) for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh", "atan2")},
    "cot": lambda x: 1 / np.tan(x),
    "coth": lambda x: 1 / np.tanh(x),
    "sech": lambda x: 1 / np.cosh(x),
    "csch": lambda x: 1 / np.sinh(x),
    "Abs": np.abs,
    "sign": np.sign,
    "floor": np.floor,
    "ceiling": np.ceil,
    "Mod": np.mod,
    "Max": lambda *x: reduce(np.maximum, x),
    "Min": lambda *x: reduce(np.minimum, x),
    "Heaviside": np.heaviside,
    "power": power,
    "logical_not": np.logical_not,
    "integer_power": integer_power,
    "phi1": _phi1,
    "quotient": _quotient,
    "correlation": _correlation,
    "log1p": np.log1p,
}


def functions(dtype: type = np.float64) -> dict[str, Callable[..., Any]]:
    """Name of the sympy function -> callable. scipy computes in double precision, so longdouble goes without it."""
    if dtype is np.longdouble:
        return {**_ELEMENTARY, "longdouble": np.longdouble}
    return {**_ELEMENTARY, **scipy_functions.FUNCTIONS}


def literal(number: sp.Expr, dtype: type = np.float64) -> str | None:
    """A Python float keeps the precision of float32 arrays; only longdouble needs more digits than it has."""
    if number.is_Integer and abs(number) < 2**53:
        return None
    if number.is_infinite:
        return f"float('{'inf' if number.is_extended_positive else '-inf'}')"
    value = number.evalf(25)
    if not value.is_Float and not value.is_Rational:
        raise ValueError(f"the constant {number} must be a real number, got {value}")
    return f"{float(value)!r}" if dtype is not np.longdouble else f"longdouble('{value}')"


def piecewise(
    branches: Sequence[tuple[Callable[..., Any] | None, Callable[..., Any]]], dtype: type = np.float64
) -> Callable[..., Any]:
    """Each branch sees only the points where it is the first to hold; NaN where none holds."""

    def evaluate(*inputs: Any) -> Any:
        arrays = np.broadcast_arrays(*inputs)
        left = np.ones(arrays[0].shape, dtype=bool)
        result: Any = np.full(arrays[0].shape, np.nan, dtype=dtype)
        for holds, value in branches:
            here = left if holds is None else left & holds(*arrays)
            if here.any():
                result[here] = value(*(array[here] for array in arrays))
            left = left & ~here
        return result[()]

    return evaluate


def compensated(plain: Callable[..., Any], doubled: Callable[..., Any]) -> Callable[..., Any]:
    """What ``doubled`` finds with pairs of float64; where these overflow, or in longdouble, what ``plain`` finds."""

    def evaluate(*inputs: Any) -> Any:
        dtype = np.result_type(*inputs)
        if dtype == np.longdouble:
            return plain(*inputs)
        found: Any = math.nan
        if all(np.size(x) == 1 for x in inputs):
            with contextlib.suppress(ArithmeticError):  # Python divides by zero, and overflows, with an exception
                found = doubled(*(Pair(float(np.reshape(x, ()))) for x in inputs)).high
                found = np.reshape(found, np.broadcast_shapes(*map(np.shape, inputs)))
        else:
            found = doubled(*(Pair(np.asarray(x, dtype=np.float64)) for x in inputs)).high
        finite = np.isfinite(found)
        return np.asarray(found if finite.all() else np.where(finite, found, plain(*inputs)), dtype=dtype)[()]

    return evaluate


def default_options() -> dict[str, Any]:
    """What to compile with when nothing is known of the arguments yet."""
    return {"dtype": np.float64}


def quiet() -> Any:
    """Intermediate overflow is no news: the result is checked."""
    return np.errstate(all="ignore")


def convert(names: Sequence[str], values: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Arrays of one floating dtype: float32 or longdouble where all arrays are, else float64.

    Python numbers adopt the dtype of the arrays.
    """
    arrays = [_array(name, value) for name, value in zip(names, values, strict=True)]
    typed = [a.dtype for a, v in zip(arrays, values, strict=True) if not isinstance(v, UNTYPED)]
    common = np.result_type(*typed) if typed else np.dtype(np.float64)
    dtype = common.type if common.type in (np.float32, np.longdouble) else np.float64
    try:
        np.broadcast_shapes(*(a.shape for a in arrays))
    except ValueError:
        shapes = ", ".join(f"{name} {a.shape}" for name, a in zip(names, arrays, strict=True))
        raise ValueError(f"the shapes of the arguments do not broadcast: {shapes}") from None
    return [a.astype(dtype, copy=False)[()] for a in arrays], {"dtype": dtype}


def _array(name: str, value: Any) -> np.ndarray:
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} must not be a masked array; fill or drop the masked entries")
    try:
        array = np.asarray(value)
    except RuntimeError as error:  # a tensor that requires a gradient
        raise TypeError(f"{name} cannot be read as an array: {error}") from None
    except ValueError:
        raise ValueError(f"{name} must be a number or a regular array, got rows of different lengths") from None
    if array.dtype.kind in "OU":  # text, fractions, numbers of sympy: exact, until they are rounded here
        array = np.array([as_float(name, entry) for entry in array.flat], dtype=np.float64).reshape(array.shape)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be a real number or an array of them, got {type(value).__name__} {array.dtype}")
    if not array.size:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    return array


def extremes(value: Any) -> tuple[Any, Any]:
    """Smallest and largest entry; NaN if there is one."""
    return value.min(), value.max()


def whole(value: Any) -> bool:
    """Whether every entry is an integer."""
    return bool(np.all(value == np.floor(value)))


def nonzero(value: Any) -> bool:
    """Whether no entry is zero."""
    return bool(np.all(value))


def holds(gap: Callable[..., Any], scale: Callable[..., Any], values: Sequence[Any], condition: Any) -> bool:
    """Whether the condition holds everywhere, up to the rounding that it forgives."""
    found = finish(gap, values)
    if condition.strict:
        return bool(np.all(found > 0))
    if np.min(found) >= 0:
        return True
    slack = max(condition.slack, 64 * float(np.finfo(np.asarray(found).dtype).eps))
    return bool(np.all(found >= -slack * scale(*values)))


def finish(body: Callable[..., Any], values: Sequence[Any]) -> Any:
    """The result in the broadcast shape and the dtype of the arguments."""
    dtype = values[0].dtype if values else np.dtype(np.float64)
    shape = np.broadcast_shapes(*(np.shape(v) for v in values))
    plain = all(np.ndim(v) == 0 or (v.shape == shape and v.flags.c_contiguous) for v in values)
    if plain and math.prod(shape) > _BLOCK:
        flat = [v if np.ndim(v) == 0 else v.reshape(-1) for v in values]
        result = np.empty(math.prod(shape), dtype)
        for start in range(0, result.size, _BLOCK):
            part = slice(start, start + _BLOCK)
            result[part] = body(*(v if np.ndim(v) == 0 else v[part] for v in flat))
        return result.reshape(shape)
    result = np.asarray(body(*values), dtype=dtype)
    return result[()] if result.shape == shape else np.broadcast_to(result, shape).copy()[()]

"""The elementary functions of the numpy backend under their sympy names."""

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from theory.core.numbers.backends.tape import elementwise, fused_as, opaque


def powers(sqrt: Callable[[Any], Any], power_of: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return ``x**exponent``, for half-integer exponents by a square root: ten times faster than pow, as accurate."""

    def power(x: Any, exponent: Any) -> Any:
        doubled = 2 * exponent
        if isinstance(doubled, float) and doubled.is_integer() and 0 < abs(doubled) < 32:
            root = integer_power(sqrt(x), abs(int(doubled)))
            return root if doubled > 0 else 1 / root
        return power_of(x, exponent)

    return power


def integer_power(x: Any, n: int) -> Any:
    """Return ``x**n`` for n > 0 by repeated squaring, which numpy's pow uses only for n = 2."""
    if n == 2:
        return x * x
    result: Any = None
    while n:
        if n & 1:
            result = x if result is None else result * x
        n >>= 1
        if n:
            x = x * x
    return result


def _phi1(x: Any) -> Any:
    return _with_limit(np.expm1(x) / x, 1.0, x)


def _log_ratio_in_steps(program: Any, x: int, y: int) -> int:
    step, half, two = program.step, program.number(0.5), program.number(2.0)
    ratio = step("fdiv", x, y)
    program.between(ratio, float(np.finfo(float).tiny), np.inf)
    near = step("fmul", step("greater", ratio, half), step("greater", two, ratio))
    change = step("where", near, step("fdiv", step("fsub", x, y), y), program.number(0.0))
    return int(step("where", near, step(np.log1p, change), step(np.log, ratio)))


@opaque
@fused_as(_log_ratio_in_steps)
def _log_ratio(x: Any, y: Any) -> Any:
    ratio = x / y
    near = (ratio > 0.5) & (ratio < 2)
    logs = np.where((ratio > np.finfo(float).tiny) & (ratio < np.inf), np.log(ratio), np.log(x) - np.log(y))
    return np.where(near, np.log1p(np.where(near, (x - y) / y, 0)), logs)[()]


def _quotient(x: Any, y: Any) -> Any:
    return _with_limit(x / y, 0.0, x, y)


def _limit_in_steps(program: Any, ratio: int, limit: int, *parts: int) -> int:
    zero = program.number(0.0)
    at_limit = reduce(lambda a, b: program.step("fmul", a, b), [program.step("equal", x, zero) for x in parts])
    return int(program.step("where", at_limit, limit, ratio))


@elementwise
@fused_as(_limit_in_steps)
def _with_limit(ratio: Any, limit: float, *parts: Any, out: Any = None) -> Any:
    """Return the ratio with the limit at those points where all parts are 0, at which the ratio is NaN."""
    least = ratio if isinstance(ratio, float) else np.minimum.reduce(ratio, axis=None)
    if least == least:
        return _written(ratio, out)
    at_limit = reduce(np.logical_and, [part == 0 for part in parts])  # before a part is overwritten
    return _replaced(_written(ratio, out), at_limit, limit, out)


def _correlation(c: Any, v: Any, w: Any) -> Any:
    spread = np.sqrt(v * w)
    return _clipped(c / spread, spread, c)


def _clipped_in_steps(program: Any, ratio: int, spread: int, c: int) -> int:
    zero = program.number(0.0)
    constant, at_zero = program.step("equal", spread, zero), program.step("fmul", c, zero)
    return int(program.step("where", constant, at_zero, program.step("within one", ratio)))


@elementwise
@fused_as(_clipped_in_steps)
def _clipped(ratio: Any, spread: Any, c: Any, out: Any = None) -> Any:
    """Return the ratio within [-1, 1], and 0 where the spread is 0."""
    if np.min(spread) > 0:
        return np.clip(ratio, -1, 1, out=out)  # numpy's minimum and maximum with a number take twice as long, each
    constant, zero = spread == 0, 0 * c  # before a part is overwritten
    return _replaced(np.clip(ratio, -1, 1, out=out), constant, zero, out)


def _written(values: Any, out: Any) -> Any:
    """Return the values, in ``out`` if it is an array."""
    if out is not None and out is not values:
        np.copyto(out, values)
    return values if out is None else out


def _replaced(values: Any, where: Any, others: Any, out: Any) -> Any:
    """Return the values, or others in some places; ``out`` is None or the array of the values, which is changed."""
    if out is None:
        return np.where(where, others, values)[()]
    np.copyto(out, others, where=where)
    return out


def reciprocals(module: Any) -> dict[str, Callable[..., Any]]:
    """Return the functions that are one over a function of a module."""
    of = {"cot": module.tan, "coth": module.tanh, "sech": module.cosh, "csch": module.sinh}
    return {name: lambda x, f=f: 1 / f(x) for name, f in of.items()}


ELEMENTARY: dict[str, Callable[..., Any]] = {
    **{name: getattr(np, name) for name in ("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{name: getattr(np, "arc" + name[1:]) for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh", "atan2")},
    **reciprocals(np),
    "Abs": np.abs,
    "sign": np.sign,
    "floor": np.floor,
    "ceiling": np.ceil,
    "Mod": np.mod,
    "Max": lambda *x: reduce(np.maximum, x),
    "Min": lambda *x: reduce(np.minimum, x),
    "Heaviside": np.heaviside,
    "power": powers(np.sqrt, np.power),
    "logical_not": np.logical_not,
    "integer_power": integer_power,
    "phi1": _phi1,
    "quotient": _quotient,
    "correlation": _correlation,
    "log1p": np.log1p,
    "log_ratio": _log_ratio,
}

"""The elementary functions of the numpy backend under their sympy names."""

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from theory.core.numbers.backends.code_printer import ROOT_POWERS


def extremes(value: Any) -> tuple[Any, Any]:
    """Return the smallest and the largest entry, and NaN if an entry is NaN."""
    if isinstance(value, float):
        return value, value
    return least(value), value.item(value.argmax())


def least(value: Any) -> Any:
    """Return the smallest entry, and NaN if an entry is NaN."""
    if isinstance(value, float):
        return value
    return value.item(value.argmin())  # half the time of min


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


def _log_ratio(x: Any, y: Any) -> Any:
    gap = x - y
    logs = np.sign(gap) * np.log1p(np.abs(gap) / np.minimum(x, y))
    low, high = extremes(logs)
    if low > -np.inf and high < np.inf:
        return logs
    return np.where(np.isfinite(logs), logs, np.log(x) - np.log(y))[()]  # the ratio overflows


def _quotient(x: Any, y: Any) -> Any:
    return _with_limit(x / y, 0.0, x, y)


def _with_limit(ratio: Any, limit: float, *parts: Any) -> Any:
    """Return the ratio with the limit at those points where all parts are 0, at which the ratio is NaN."""
    smallest = least(ratio)
    if smallest == smallest:
        return ratio
    return np.where(reduce(np.logical_and, [part == 0 for part in parts]), limit, ratio)[()]


def _correlation(c: Any, v: Any, w: Any) -> Any:
    """Return the correlation within [-1, 1], and 0 where a variance is 0."""
    spread = np.sqrt(v * w)
    # the method takes half the time of the function, or of numpy's minimum and maximum with a number
    ratio = (c / spread).clip(-1.0, 1.0)
    return ratio if least(spread) > 0 else np.where(spread == 0, 0 * c, ratio)[()]


def reciprocals(module: Any) -> dict[str, Callable[..., Any]]:
    """Return the functions that are one over a function of a module."""
    of = {"cot": module.tan, "coth": module.tanh, "sech": module.cosh, "csch": module.sinh}
    return {name: lambda x, f=f: 1 / f(x) for name, f in of.items()}


ELEMENTARY: dict[str, Any] = {
    **{
        name: getattr(np, name)
        for name in ("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh")
    },
    **{
        name: getattr(np, "arc" + name[1:])
        for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh", "atan2")
    },
    **reciprocals(np),
    "Abs": np.abs,
    "sign": np.sign,
    "floor": np.floor,
    "ceiling": np.ceil,
    "Mod": np.mod,
    "Max": lambda *x: reduce(np.maximum, x),
    "Min": lambda *x: reduce(np.minimum, x),
    "Heaviside": np.heaviside,
    "power": np.power,
    ROOT_POWERS: True,
    "logical_not": np.logical_not,
    "integer_power": integer_power,
    "phi1": _phi1,
    "quotient": _quotient,
    "correlation": _correlation,
    "log1p": np.log1p,
    "log_ratio": _log_ratio,
}

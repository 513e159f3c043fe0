"""The backend for one number at a time: Python floats by the functions of ``math``, which numba compiles as well.

A function raises an error or returns a number that is not finite where numpy would give an infinity, NaN or a warning;
the caller then leaves the point to the numpy backend. It has no integrals.
"""

import math
import operator
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

from theory.core.numbers.backends import numpy_backend, pairs, scipy_functions
from theory.core.numbers.backends.code_printer import LARGEST_CHAIN, ROOT_POWERS

NAME = "number"
FOLDS = True
OF_NUMBERS = True
literal = numpy_backend.literal

_OF_MATH = (
    *(
        "sqrt",
        "exp",
        "expm1",
        "log",
        "log1p",
        "sin",
        "cos",
        "tan",
        "sinh",
        "cosh",
        "tanh",
        "erf",
        "erfc",
        "gamma",
    ),
    *("asin", "acos", "atan", "asinh", "acosh", "atanh", "atan2"),
)


def elementary(m: Any, part: Callable[..., Any]) -> dict[str, Any]:
    """Return the functions of numbers under their sympy names.

    Args:
        m: namespace with the functions of ``math``, maybe others for some of them.
        part: decorator of each function, that of numba or none.
    """
    sqrt, expm1, log, log1p = m.sqrt, m.expm1, m.log, m.log1p
    cosh, tan, tanh, erfc = m.cosh, m.tan, m.tanh, m.erfc

    @part
    def sign(x: Any) -> Any:
        return 1.0 if x > 0 else -1.0 if x < 0 else x

    @part
    def phi1(x: Any) -> Any:
        return expm1(x) / x if x != 0 else 1.0

    @part
    def log_ratio(x: Any, y: Any) -> Any:
        gap = x - y
        size = log1p(abs(gap) / (x if x < y else y))
        return sign(gap) * size if size < math.inf else log(x) - log(y)

    @part
    def quotient(x: Any, y: Any) -> Any:
        return 0.0 if (x == 0) & (y == 0) else x / y

    @part
    def correlation(c: Any, v: Any, w: Any) -> Any:
        spread = sqrt(v * w)
        if spread == 0:
            return 0.0 * c
        ratio = c / spread  # NaN stays NaN
        return 1.0 if ratio > 1.0 else -1.0 if ratio < -1.0 else ratio

    @part
    def larger(x: Any, y: Any) -> Any:
        return x if x > y or x != x else y

    @part
    def smaller(x: Any, y: Any) -> Any:
        return x if x < y or x != x else y

    @part
    def normal_cdf(x: Any) -> Any:
        return 0.5 * erfc(-x * math.sqrt(0.5))

    @part
    def heaviside(x: Any, at_zero: Any) -> Any:
        return at_zero if x == 0 else 1.0 if x > 0 else 0.0

    def reciprocal(function: Any) -> Any:
        @part
        def value(x: Any) -> Any:
            return 1.0 / function(x)

        return value

    reciprocals = {"cot": tan, "coth": tanh, "sech": cosh, "csch": m.sinh}
    own = (sign, phi1, log_ratio, quotient, correlation, normal_cdf)
    return {
        **{name: getattr(m, name) for name in _OF_MATH},
        **{name: reciprocal(function) for name, function in reciprocals.items()},
        **{function.__name__: function for function in own},
        **{name: part(function) for name, function in _powers().items()},
        **pairs.functions(sqrt, sign, part, getattr(m, "fma", None)),
        "Abs": abs,
        "Max": larger,
        "Min": smaller,
        "Mod": operator.mod,
        "Heaviside": heaviside,
        "logical_not": operator.not_,
        "loggamma": m.lgamma,
        "floor": m.floor,
        "ceiling": m.ceil,
        "power": m.pow,
        "part": part,
        ROOT_POWERS: True,
        "nan": math.nan,
        "inf": math.inf,
    }


def _powers() -> dict[str, Callable[[float], float]]:
    """Return ``power_2``, ``power_3`` ..., each a chain of products without a loop."""
    lines = []
    for exponent in range(2, LARGEST_CHAIN + 1):
        lines += [f"def power_{exponent}(x1):"]
        lines += [
            f"    x{2 << bit} = x{1 << bit} * x{1 << bit}"
            for bit in range(exponent.bit_length() - 1)
        ]
        factors = [f"x{1 << bit}" for bit in range(exponent.bit_length()) if exponent >> bit & 1]
        lines += [f"    return {' * '.join(factors)}"]
    scope: dict[str, Any] = {}
    exec("\n".join(lines), scope)
    return {name: function for name, function in scope.items() if name.startswith("power_")}


def _as_float(function: Callable[..., Any]) -> Callable[..., float]:
    """Return the function with results that are Python floats, whose arithmetic gives no warnings."""
    return lambda *arguments: float(function(*arguments))


@cache
def functions() -> dict[str, Any]:
    """Return the functions of Python floats; those that ``math`` lacks are scipy's."""
    rounded = {"floor": lambda x: float(math.floor(x)), "ceil": lambda x: float(math.ceil(x))}
    of_math = elementary(SimpleNamespace(**{**vars(math), **rounded}), lambda function: function)
    return {
        **{name: _as_float(function) for name, function in scipy_functions.FUNCTIONS.items()},
        **of_math,
    }

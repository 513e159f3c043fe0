"""Functions of Python floats, which the numpy backend uses for single points: without arrays they are ten times faster.

A function raises an error or returns a number that is not finite where numpy would give an infinity, NaN or a warning;
``call`` then leaves the point to the numpy backend. Expressions with integrals are left to it, too.
"""

import math
import operator
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from theory.core.numbers.backends import numpy_backend, numpy_functions, scipy_functions
from theory.core.numbers.backends.cancellation import LOST
from theory.core.numbers.backends.double_double import Pair
from theory.core.numbers.backends.program_code import NAMES, function_of_floats

NAME = "float"
FOLDS = True
literal = numpy_backend.literal
PAIR_FUNCTIONS = {"root": np.sqrt, "sign": np.sign, "log": np.log}  # of pairs whose operations are recorded


def _phi1(x: float) -> float:
    return math.expm1(x) / x if x else 1.0


def _log_ratio(x: float, y: float) -> float:
    if y / 2 < x < 2 * y:
        return math.log1p((x - y) / y)
    ratio = x / y
    return math.log(ratio) if sys.float_info.min < ratio < math.inf else math.log(x) - math.log(y)


def _quotient(x: float, y: float) -> float:
    return x / y if x or y else 0.0


def _correlation(c: float, v: float, w: float) -> float:
    spread = math.sqrt(v * w)
    ratio = c / spread if spread else 0.0
    return math.copysign(1.0, ratio) if abs(ratio) > 1 else ratio


def _unless_nan(pick: Callable[..., float]) -> Callable[..., float]:
    """Return ``max`` or ``min`` of numbers, NaN if one of them is NaN, as numpy does."""
    return lambda *x: math.nan if any(map(math.isnan, x)) else pick(x)


MATH = (
    *("sqrt", "exp", "log", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
    *("asin", "acos", "atan", "asinh", "acosh", "atanh", "atan2"),
)
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **scipy_functions.FUNCTIONS,
    **{name: getattr(math, name) for name in MATH},
    "erf": math.erf,
    "erfc": math.erfc,
    **numpy_functions.reciprocals(math),
    "Abs": abs,
    "sign": NAMES["sign"],
    "floor": lambda x: float(math.floor(x)),
    "ceiling": lambda x: float(math.ceil(x)),
    "Mod": operator.mod,
    "Max": _unless_nan(max),
    "Min": _unless_nan(min),
    "Heaviside": lambda x, half: half if x == 0 else (1 + NAMES["sign"](x)) / 2,
    "power": numpy_functions.powers(math.sqrt, math.pow),
    "logical_not": operator.not_,
    "integer_power": numpy_functions.integer_power,
    "phi1": _phi1,
    "log_ratio": _log_ratio,
    "quotient": _quotient,
    "correlation": _correlation,
}


def functions() -> dict[str, Callable[..., Any]]:
    """Return the map from names of sympy functions to functions of floats."""
    return _FUNCTIONS


def piecewise(
    branches: Sequence[tuple[Callable[..., Any] | None, Callable[..., Any]]], **options: Any
) -> Callable[..., Any]:
    """Return the function of the first branch that holds; it raises ArithmeticError where none does."""

    def evaluate(*inputs: Any) -> Any:
        for holds, value in branches:
            if holds is None or holds(*inputs):
                return value(*inputs)
        raise ArithmeticError("no condition of a piecewise function holds")

    return evaluate


def compensated(plain: Callable[..., Any], doubled: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that computes with ``doubled`` on pairs of floats, or with ``plain`` where they overflow."""
    written_out = function_of_floats(lambda *inputs: doubled(*map(Pair, inputs)).high, doubled.__code__.co_argcount)

    def evaluate(*inputs: float) -> Any:
        try:
            (value,) = written_out(*inputs)
        except ArithmeticError:
            return plain(*inputs)
        return value if math.isfinite(value) else plain(*inputs)

    return evaluate


def watched(plain: Callable[..., Any], size: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that raises ArithmeticError where digits cancel; the numpy backend then gives a warning."""

    def evaluate(*inputs: float) -> Any:
        value = plain(*inputs)
        if abs(value) < LOST * size(*inputs):
            raise ArithmeticError("digits cancel")
        return value

    return evaluate

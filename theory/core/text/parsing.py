"""A parser for mathematical text, which executes nothing and knows exact numbers and a fixed list of functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp

MOST_DIGITS = 4000
"""Largest number of digits of a number written out with its zeros: 1e-4000 is an error."""
MOST_CHARACTERS = 1000
"""Largest length of an expression that is not a single number or ratio."""
_LARGEST_EXPONENT = 1000
_LARGEST_ARGUMENT = 1000
_BITS_PER_DIGIT = 3.33

_DECIMAL = re.compile(r"(?P<whole>\d*)(?:\.(?P<part>\d*))?(?:[eE](?P<exponent>[+-]?\d{1,9}))?")
_RATIO = re.compile(
    r"\s*(?P<sign>[+-]?)\s*(?P<top>[\d.]+(?:[eE][+-]?\d+)?)\s*(?:/\s*(?P<bottom>[\d.]+(?:[eE][+-]?\d+)?))?\s*"
)

CONSTANTS: Mapping[str, sp.Expr] = {"pi": sp.pi, "E": sp.E, "EulerGamma": sp.EulerGamma}
_FAST_GROWING = (
    "exp",
    "sinh",
    "cosh",
    "gamma",
    "loggamma",
    "factorial",
    "factorial2",
    "erfi",
    "besseli",
    "Ei",
    "Shi",
    "Chi",
)
_OTHER_FUNCTIONS = (
    *("sqrt", "cbrt", "log", "Abs", "sign", "Max", "Min", "Heaviside", "floor", "ceiling"),
    *("sin", "cos", "tan", "cot", "sec", "csc", "asin", "acos", "atan", "atan2"),
    *("tanh", "coth", "sech", "csch", "asinh", "acosh", "atanh", "sinc"),
    *("erf", "erfc", "erfinv", "erfcinv", "LambertW", "Si", "Ci", "besselj", "bessely", "besselk"),
)
FUNCTIONS: Mapping[str, Callable[..., sp.Expr]] = {
    **{name: getattr(sp, name) for name in (*_FAST_GROWING, *_OTHER_FUNCTIONS)},
    "abs": sp.Abs,
    "max": sp.Max,
    "min": sp.Min,
    "ln": sp.log,
    "relu": lambda x: sp.Max(0, x),
}
_OPERATORS: Mapping[type, Callable[[Any, Any], sp.Expr]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}


def parse(text: str, symbols: Mapping[str, sp.Symbol] | None = None) -> sp.Expr:
    """Return the expression that a string contains; nothing in the string is executed.

    Args:
        text: expression of numbers, ``+ - * / **``, parentheses, ``pi``, ``E`` and the elementary and special functions
            of sympy.
        symbols: name -> symbol for the symbols that may occur. Default: none, so that the text must be a number.

    Raises:
        ValueError: if the text is not such an expression, is too long, or contains a number with too many digits.
    """
    ratio = _RATIO.fullmatch(text)
    if ratio:
        value = decimal(ratio["top"]) / (decimal(ratio["bottom"]) if ratio["bottom"] else 1)
        return _finite(-value if ratio["sign"] == "-" else value, text)
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"an expression may have at most {MOST_CHARACTERS} characters, got {len(text)}")
    try:
        tree = ast.parse(text.strip(), mode="eval")
        return _finite(_Reader(text.strip(), symbols or {}).read(tree.body), text)
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"got {_shortened(text)!r}, which is not an expression") from None
    except (TypeError, ZeroDivisionError, OverflowError) as error:
        raise ValueError(f"got {_shortened(text)!r}: {error}") from None


def decimal(text: str) -> sp.Rational:
    """Return the exact value of an unsigned decimal: "0.1" is 1/10.

    Raises:
        ValueError: if the text is not a decimal, or has more than ``MOST_DIGITS`` digits when it is written out.
    """
    match = _DECIMAL.fullmatch(text)
    if match is None or not ((match["whole"] or "") + (match["part"] or "")):
        raise ValueError(f"got {_shortened(text)!r}, which is not a decimal number")
    digits = (match["whole"] or "") + (match["part"] or "")
    exponent = int(match["exponent"] or 0) - len(match["part"] or "")
    if len(digits) + abs(exponent) > MOST_DIGITS:
        raise ValueError(f"a number may have at most {MOST_DIGITS} digits with its zeros, got {_shortened(text)}")
    return sp.Integer(int(digits)) * sp.Integer(10) ** exponent


class _Reader:
    """A converter of the syntax tree of one text into an expression."""

    def __init__(self, text: str, symbols: Mapping[str, sp.Symbol]) -> None:
        self._text = text
        self._names = {**CONSTANTS, **symbols}

    def read(self, node: ast.expr) -> sp.Expr:
        """Return the expression of one node; raise ValueError for syntax that is not mathematics."""
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return decimal(ast.get_source_segment(self._text, node) or "")
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
            operand = self.read(node.operand)
            return operand if isinstance(node.op, ast.UAdd) else -operand
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            return _power(self.read(node.left), self.read(node.right))
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return _finite(_OPERATORS[type(node.op)](self.read(node.left), self.read(node.right)), self._text)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            return self._call(node.func.id, [self.read(argument) for argument in node.args])
        raise ValueError(f"{ast.get_source_segment(self._text, node)!r} is not a known number, operation or function")

    def _name(self, name: str) -> sp.Expr:
        if name not in self._names:
            raise ValueError(f"{name!r} is not a known name; the names are {', '.join(self._names)} and functions")
        return self._names[name]

    def _call(self, name: str, arguments: list[sp.Expr]) -> sp.Expr:
        if name not in FUNCTIONS:
            raise ValueError(f"{name!r} is not a known function; the functions are {', '.join(FUNCTIONS)}")
        if name in _FAST_GROWING and any(_exceeds(argument, _LARGEST_ARGUMENT) for argument in arguments):
            raise ValueError(f"{name} takes numbers of magnitude {_LARGEST_ARGUMENT} at most")
        return FUNCTIONS[name](*arguments)


def _power(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
    if _exceeds(exponent, _LARGEST_EXPONENT):
        raise ValueError(f"an exponent may be at most {_LARGEST_EXPONENT}, got {_shortened(str(exponent))}")
    if base.is_Rational and exponent.is_Rational:
        bits = max(int(base.p).bit_length(), int(base.q).bit_length()) * abs(exponent)
        if bits > _BITS_PER_DIGIT * MOST_DIGITS:
            raise ValueError(f"a number may have at most {MOST_DIGITS} digits, got a power that has more")
    return base**exponent


def _exceeds(value: sp.Expr, bound: int) -> bool:
    """Whether a number is larger than a bound in magnitude; False for what has symbols in it."""
    return bool(value.is_number and not abs(value.evalf(5)) <= bound)


def _finite(value: sp.Expr, text: str) -> sp.Expr:
    if value.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
        raise ValueError(f"got {_shortened(text)!r}, which is not finite")
    if value.is_Rational and max(int(value.p).bit_length(), int(value.q).bit_length()) > _BITS_PER_DIGIT * MOST_DIGITS:
        raise ValueError(f"a number may have at most {MOST_DIGITS} digits, got one that has more: {_shortened(text)!r}")
    return value


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."

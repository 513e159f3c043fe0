"""The grammar of mathematical text, such as ``"z*erf(z)"``, which is read in one place and never executed.

A text contains numbers, ``+ - * / **``, parentheses, constants, variables and the functions in :data:`FUNCTIONS`, which
mean what they mean in mathematics: ``erf(z)`` is the error function. What a number, a name or an operation becomes is
up to the caller: theory makes formulas of the same text of which empirics makes functions of tensors.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from closedform.suggestions import unknown

Value = TypeVar("Value")

MOST_DIGITS = 4000
"""Largest number of digits of a number written out with its zeros: 1e-4000 is an error."""
MOST_CHARACTERS = 1000
MOST_LEVELS = 64
"""Largest number of operations inside one another, where a sum of n terms has n - 1: computer algebra takes up to eight
levels of Python's stack for each, of a thousand."""
CONSTANTS = ("pi", "E", "EulerGamma")
OPERATIONS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
NEGATIVE = "negative"

_ONE, _TWO, _SOME = (1, 1), (2, 2), (2, 99)
FUNCTIONS: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(("exp", "sqrt", "cbrt", "Abs", "sign", "floor", "ceiling", "relu"), _ONE),
    **dict.fromkeys(
        ("sin", "cos", "tan", "cot", "sec", "csc", "asin", "acos", "atan", "sinc"), _ONE
    ),
    **dict.fromkeys(
        ("sinh", "cosh", "tanh", "coth", "sech", "csch", "asinh", "acosh", "atanh"), _ONE
    ),
    **dict.fromkeys(
        ("erf", "erfc", "erfi", "erfinv", "erfcinv", "Ei", "Si", "Ci", "Shi", "Chi"), _ONE
    ),
    **dict.fromkeys(("gamma", "loggamma", "factorial", "factorial2"), _ONE),
    **dict.fromkeys(("atan2", "besseli", "besselj", "besselk", "bessely", "He"), _TWO),
    **dict.fromkeys(("log", "Heaviside", "LambertW"), (1, 2)),
    **dict.fromkeys(("Max", "Min"), _SOME),
}
"""Numbers of arguments, least and most, by function; ``He(q, z)`` is the probabilists' Hermite polynomial."""
ALIASES = {"abs": "Abs", "ln": "log", "max": "Max", "min": "Min"}
KINKED = ("Abs", "sign", "floor", "ceiling", "relu", "Heaviside", "Max", "Min")
"""Functions whose value or slope jumps."""

_RATIO = re.compile(
    r"\s*(?P<sign>[+-]?)\s*(?P<top>[\d.]+(?:[eE][+-]?\d+)?)\s*(?:/\s*(?P<bottom>[\d.]+(?:[eE][+-]?\d+)?))?\s*"
)
_DECIMAL = re.compile(r"(?P<whole>\d*)(?:\.(?P<part>\d*))?(?:[eE](?P<exponent>[+-]?\d{1,9}))?")


def read(
    text: str,
    names: Mapping[str, Value],
    number: Callable[[Fraction], Value],
    apply: Callable[[str, Sequence[Value]], Value],
) -> Value:
    """Return what a text means to the caller, whose functions make a value of a number and of an operation.

    A TypeError, ArithmeticError or ValueError of ``apply`` becomes the reason in the ValueError of a text that is
    refused.
    """
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"got {len(text)} characters, needs at most {MOST_CHARACTERS}")
    text = text.strip()

    def value(node: ast.expr, level: int = 0) -> Value:
        if level > MOST_LEVELS:
            raise ValueError(
                f"got {shortened(text)!r}, needs at most {MOST_LEVELS} operations inside one another"
            )
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return number(decimal(ast.get_source_segment(text, node) or ""))
        if isinstance(node, ast.Name):
            if node.id not in names:
                raise ValueError(unknown("name", node.id, names))
            return names[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
            operand = value(node.operand, level + 1)
            return operand if isinstance(node.op, ast.UAdd) else apply(NEGATIVE, [operand])
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
            return apply(
                OPERATIONS[type(node.op)],
                [value(part, level + 1) for part in (node.left, node.right)],
            )
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            return apply(
                _function(node.func.id, len(node.args)),
                [value(part, level + 1) for part in node.args],
            )
        raise ValueError(
            f"got {ast.get_source_segment(text, node)!r}, needs known numbers, operations and functions"
        )

    try:
        if "#" in text:
            raise SyntaxError  # Python would read a comment
        return value(ast.parse(text, mode="eval").body)
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(
            f"got {shortened(text)!r}, needs mathematical text such as 'z*erf(z)'"
        ) from None
    except (TypeError, ArithmeticError) as error:
        raise ValueError(
            f"got {shortened(text)!r} ({error}), needs one that has a value"
        ) from None


def decimal(text: str) -> Fraction:
    """Return the exact value of an unsigned decimal: "0.1" is 1/10. One may have ``MOST_DIGITS`` digits at most."""
    match = _DECIMAL.fullmatch(text)
    digits = (match["whole"] or "") + (match["part"] or "") if match else ""
    if match is None or not digits:
        raise ValueError(f"got {shortened(text)!r}, needs a decimal")
    exponent = int(match["exponent"] or 0) - len(match["part"] or "")
    if len(digits) + abs(exponent) > MOST_DIGITS:
        raise ValueError(
            f"got {shortened(text)}, needs at most {MOST_DIGITS} digits with its zeros"
        )
    return int(digits) * Fraction(10) ** exponent


def ratio(text: str) -> Fraction | None:
    """Return the exact value of a decimal or a ratio of two, with a sign and of any length; None for another text."""
    match = _RATIO.fullmatch(text)
    if match is None:
        return None
    bottom = decimal(match["bottom"]) if match["bottom"] else Fraction(1)
    if not bottom:
        raise ValueError(f"got {shortened(text)!r}, needs a denominator other than 0")
    return (-1 if match["sign"] == "-" else 1) * decimal(match["top"]) / bottom


def has_kink(text: str) -> bool:
    """Return whether a text applies a function whose value or slope jumps, such as ``Abs``, to ``z``."""
    # The value of a part is None if it is constant, and otherwise whether it has a kink.
    names = {**dict.fromkeys(CONSTANTS), "z": False}

    def apply(operation: str, arguments: Sequence[bool | None]) -> bool | None:
        varying = [argument for argument in arguments if argument is not None]
        return (operation in KINKED or any(varying)) if varying else None

    return bool(read(text, names, lambda _: None, apply))


def shortened(text: str) -> str:
    """Return a text for an error message."""
    return text if len(text) <= 40 else f"{text[:37]}..."


def _function(name: str, count: int) -> str:
    name = ALIASES.get(name, name)
    if name not in FUNCTIONS:
        raise ValueError(unknown("function", name, [*FUNCTIONS, *ALIASES]))
    least, most = FUNCTIONS[name]
    if not least <= count <= most:
        needs = (
            str(least)
            if most == least
            else f"{least} to {most}"
            if most < _SOME[1]
            else f"{least} or more"
        )
        raise ValueError(f"{name}: got {count} arguments, needs {needs}")
    return name

r"""Activations as text in ``z``, such as ``"z*erf(z)"``: read without executing anything, evaluated by torch.

The text may contain numbers, ``+ - * / **``, parentheses, ``pi``, ``E``, ``z`` and the functions in :data:`FUNCTIONS`,
which mean what they mean in mathematics: ``erf(z)`` is the error function, whereas the *name* ``"erf"`` of an
activation is :math:`\operatorname{erf}(z/\sqrt 2)`. ``theory`` reads the same text, by code of its own.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

LONGEST = 1000  # characters; a longer text is no activation
CONSTANTS = {"pi": math.pi, "E": math.e}
OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}  # fmt: skip
SMOOTH: Mapping[str, Callable[..., Any]] = {
    "exp": torch.exp, "log": torch.log, "ln": torch.log, "sqrt": torch.sqrt, "erf": torch.erf, "erfc": torch.erfc,
    "sin": torch.sin, "cos": torch.cos, "tan": torch.tan, "asin": torch.asin, "acos": torch.acos, "atan": torch.atan,
    "sinh": torch.sinh, "cosh": torch.cosh, "tanh": torch.tanh, "asinh": torch.asinh, "acosh": torch.acosh,
    "atanh": torch.atanh,
}  # fmt: skip
KINKED: Mapping[str, Callable[..., Any]] = {
    "abs": torch.abs, "Abs": torch.abs, "sign": torch.sign, "relu": torch.relu, "max": torch.maximum,
    "Max": torch.maximum, "min": torch.minimum, "Min": torch.minimum,
    "Heaviside": lambda z: torch.heaviside(z, z.new_full((), 0.5)),
}  # fmt: skip
FUNCTIONS = {**SMOOTH, **KINKED}
TAKES_TWO = ("max", "Max", "min", "Min")

Term = float | Callable[[Tensor], Tensor]


def expression(text: str) -> Callable[[Tensor], Tensor]:
    """Return the elementwise function ``[...] -> [...]`` that a text in ``z`` describes.

    Raises:
        ValueError: if the text is not such an expression; the message says which part is unknown.
    """
    term = _read(_tree(text), text)
    if not callable(term):
        raise ValueError(f"got {text!r}, which does not depend on z")
    return term


def has_kink(text: str) -> bool:
    """Return whether a text in ``z`` calls a function whose value or slope jumps, such as ``abs`` and ``max``."""
    return any(isinstance(node, ast.Name) and node.id in KINKED for node in ast.walk(_tree(text)))


def _tree(text: str) -> ast.expr:
    if len(text) > LONGEST:
        raise ValueError(f"got a text of {len(text)} characters, needs at most {LONGEST}")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        raise ValueError(f"got {text!r}, which is not an expression") from None


def _read(node: ast.expr, text: str) -> Term:
    """Return the number or function of one node of the syntax tree."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return _folded(float, node.value)
    if isinstance(node, ast.Name):
        if node.id == "z":
            return lambda z: z
        if node.id not in CONSTANTS:
            raise ValueError(f"{node.id!r} is not a known name; the names are z, {', '.join(CONSTANTS)}")
        return CONSTANTS[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
        term = _read(node.operand, text)
        return term if isinstance(node.op, ast.UAdd) else _applied(operator.neg, term)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return _applied(OPERATORS[type(node.op)], _read(node.left, text), _read(node.right, text))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _called(node.func.id, [_read(argument, text) for argument in node.args])
    part = ast.get_source_segment(text.strip(), node)
    raise ValueError(f"{part!r} is not a known number, operation or function")


def _called(name: str, terms: list[Term]) -> Term:
    if name not in FUNCTIONS:
        raise ValueError(f"{name!r} is not a known function; the functions are {', '.join(FUNCTIONS)}")
    needed = 2 if name in TAKES_TWO else 1
    if len(terms) != needed:
        raise ValueError(f"{name} got {len(terms)} arguments, needs {needed}")
    function = FUNCTIONS[name]

    def of_numbers_too(*values: Any) -> Any:
        like = next((value for value in values if isinstance(value, Tensor)), torch.tensor(0.0, dtype=torch.float64))
        return function(*(v if isinstance(v, Tensor) else like.new_full((), v) for v in values))

    return _applied(of_numbers_too, *terms)


def _applied(function: Callable[..., Any], *terms: Term) -> Term:
    """Return a function of ``terms``: a number if all of them are."""
    if not any(callable(term) for term in terms):
        return _folded(function, *terms)
    return lambda z: function(*(term(z) if callable(term) else term for term in terms))


def _folded(function: Callable[..., Any], *numbers: Any) -> float:
    try:
        number = float(function(*numbers))
    except (ArithmeticError, TypeError) as error:  # TypeError: a complex number, such as (-1)**0.5
        raise ValueError(f"a constant in it is not a finite number ({error})") from None
    if not math.isfinite(number):
        raise ValueError("a constant in it is not a finite number")
    return number

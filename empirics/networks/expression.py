"""Functions of tensors from expressions such as ``"z*erf(z)"``, by the grammar of ``closedform.expressions``."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

import torch
from torch import Tensor

from closedform import expressions

CONSTANTS = {"pi": math.pi, "E": math.e, "EulerGamma": 0.5772156649015329}
OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "**": operator.pow,
    expressions.NEGATIVE: operator.neg,
}  # fmt: skip


def _hermite(q: Tensor, z: Tensor) -> Tensor:
    before, now = torch.zeros_like(z), 0 * z + 1
    for degree in range(_integer("the degree of He", q)):
        before, now = now, z * now - degree * before
    return now


def _factorial(n: Tensor, step: int = 1) -> Tensor:
    return torch.tensor(float(math.prod(range(_integer("the argument of a factorial", n), 0, -step))))


def _integer(name: str, value: Tensor) -> int:
    if value.ndim or value != value.round() or value < 0:
        raise ValueError(f"{name} must be a number 0, 1, 2, ...")
    return int(value)


FUNCTIONS: Mapping[str, Callable[..., Tensor]] = {
    "exp": torch.exp, "sqrt": torch.sqrt, "cbrt": lambda z: z ** (1 / 3), "erf": torch.erf, "erfc": torch.erfc,
    "log": lambda z, *base: torch.log(z) / torch.log(base[0]) if base else torch.log(z),
    "erfinv": torch.erfinv, "erfcinv": lambda z: torch.erfinv(1 - z),
    "sin": torch.sin, "cos": torch.cos, "tan": torch.tan, "asin": torch.asin, "acos": torch.acos, "atan": torch.atan,
    "cot": lambda z: 1 / torch.tan(z), "atan2": torch.atan2,
    "sinh": torch.sinh, "cosh": torch.cosh, "tanh": torch.tanh, "asinh": torch.asinh, "acosh": torch.acosh,
    "atanh": torch.atanh, "coth": lambda z: 1 / torch.tanh(z), "sech": lambda z: 1 / torch.cosh(z),
    "csch": lambda z: 1 / torch.sinh(z),
    "Abs": torch.abs, "sign": torch.sign, "relu": torch.relu,
    "Max": lambda *parts: reduce(torch.maximum, parts), "Min": lambda *parts: reduce(torch.minimum, parts),
    "Heaviside": lambda z, *half: torch.heaviside(z, half[0] if half else z.new_full((), 0.5)),
    "He": _hermite, "factorial": _factorial, "factorial2": lambda n: _factorial(n, 2),
}  # fmt: skip
"""The functions of the grammar of which torch has values and derivatives; the others are known to theory alone."""

Term = float | Callable[[Tensor], Tensor]


def expression(text: str, numbers: Mapping[str, float] | None = None) -> Callable[[Tensor], Tensor]:
    """Return the elementwise function ``[...] -> [...]`` that a text in ``z`` and ``numbers`` describes."""
    names: dict[str, Term] = {**CONSTANTS, **(numbers or {}), "z": lambda z: z}
    term = expressions.read(text, names, _number, _apply)
    if not callable(term):
        raise ValueError(f"got {text!r}, which does not depend on z")
    return term


def _number(value: Fraction) -> Term:
    return float(value)


def _apply(operation: str, terms: Sequence[Term]) -> Term:
    """Return a function of ``terms``: a number if all of them are."""
    function = OPERATIONS.get(operation) or _of_tensors(operation)
    if any(callable(term) for term in terms):
        return lambda z: function(*(term(z) if callable(term) else term for term in terms))
    try:
        number = float(function(*terms))
    except (ArithmeticError, TypeError) as error:  # TypeError: a complex number, such as (-1)**0.5
        raise ValueError(f"a constant in it is not a finite number ({error})") from None
    if not math.isfinite(number):
        raise ValueError("a constant in it is not a finite number")
    return number


def _of_tensors(name: str) -> Callable[..., Tensor]:
    """Return a function of the grammar, which takes numbers next to tensors."""
    if name not in FUNCTIONS:
        raise ValueError(f"{name} is known to closed forms alone, since no derivative of it is known here")

    def function(*values: Any) -> Tensor:
        like = next((value for value in values if isinstance(value, Tensor)), torch.tensor(0.0, dtype=torch.float64))
        return FUNCTIONS[name](*(v if isinstance(v, Tensor) else like.new_full((), v) for v in values))

    return function

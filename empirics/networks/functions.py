"""Elementwise functions of tensors: from a name, an expression in ``z``, an import path, a torch function or module."""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial, reduce
from typing import Any

import torch
from torch import Tensor, nn

from closedform import checks, expressions
from closedform.activation_names import Named, named, slope_may_jump
from closedform.guests import GuestError, visit
from empirics.user_choice import imported, is_import_path

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
    return torch.tensor(
        float(math.prod(range(_integer("the argument of a factorial", n), 0, -step)))
    )


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

ROUNDING = 1e-12  # relative and absolute, of values of order one in float64
ELEMENTWISE = "a function of a tensor that acts on every entry by itself and returns finite numbers in the same shape"


KERNELS: Mapping[str, Callable[..., Tensor]] = {
    "relu": torch.relu, "leaky_relu": lambda z, slope: nn.functional.leaky_relu(z, slope), "elu": nn.functional.elu,
    "swish": nn.functional.silu, "gelu": nn.functional.gelu, "sigmoid": torch.sigmoid,
    "softplus": nn.functional.softplus, "linear": lambda z: z,
}  # fmt: skip
"""Names for which torch has a function of its own, faster than the expression and accurate where that overflows."""


def is_smooth(text: str) -> bool:
    """Return whether the slope of an activation does not jump; True for an import path, of which nothing is known."""
    return ":" in text or not slope_may_jump(text)


@lru_cache(maxsize=256)
def from_text(name: str, text: str) -> Callable[[Tensor], Tensor]:
    """Return the activation ``[...] -> [...]`` for a name, an expression in ``z``, or a path ``"module:function"``."""
    if is_import_path(name, text):
        return from_callable(name, imported(name, text))
    try:
        known = named(text)
        return from_callable(name, expression(text) if known is None else from_name(known))
    except ValueError as error:
        message = str(error)
        raise ValueError(
            message if message.startswith(f"{name}:") else f"{name}: {message}"
        ) from None


def from_name(one: Named) -> Callable[[Tensor], Tensor]:
    """Return a named activation: torch's own function if it has one, and otherwise that of the expression."""
    numbers = {name: float(number) for name, number in one.numbers.items()}
    if one.name in KERNELS:
        return partial(KERNELS[one.name], **numbers)
    return expression(one.definition.expression, numbers)


def from_callable(name: str, function: Any) -> Callable[[Tensor], Tensor]:
    """Return an activation given as a function, a module without parameters or its class, after a trial on numbers."""
    if isinstance(function, type) and issubclass(function, nn.Module):
        function = function()
    checks.function(name, function, ELEMENTWISE)
    if isinstance(function, nn.Module) and any(True for _ in function.parameters()):
        raise ValueError(
            f"{name}: got {type(function).__name__} with parameters, needs an activation without any"
        )
    try:
        guest = visit(f"{name}: got {shown(function)}, which", str(function.__module__))
        # also where networks are built on the meta device
        with guest, torch.no_grad(), torch.device("cpu"):
            z = torch.linspace(-2.5, 2.5, 10, dtype=torch.float64)
            values, part = function(z.clone()), function(z[:3].clone())
    except GuestError as error:
        raise ValueError(f"{error}, given ten float64 numbers; needs {ELEMENTWISE}") from error
    checks.instance(name, values, Tensor, ELEMENTWISE)
    checks.require(
        values.shape == z.shape,
        name,
        f"the shape {tuple(values.shape)} for {tuple(z.shape)}",
        ELEMENTWISE,
    )
    checks.require(
        bool(values.isfinite().all()),
        name,
        "values that are not finite between -2.5 and 2.5",
        ELEMENTWISE,
    )
    # Instructions for several numbers at a time round differently from those for the few that are left.
    same = torch.allclose(values[:3], part, rtol=ROUNDING, atol=ROUNDING)
    checks.require(same, name, "values that depend on other entries or on chance", ELEMENTWISE)
    chosen: Callable[[Tensor], Tensor] = function
    return chosen


def shown(function: Any) -> str:
    """Return a name for an activation that is given as a callable."""
    return getattr(function, "__name__", type(function).__name__)


def expression(
    text: str, numbers: Mapping[str, float] | None = None
) -> Callable[[Tensor], Tensor]:
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
        raise ValueError(
            f"{name} is known to closed forms alone, since no derivative of it is known here"
        )

    def function(*values: Any) -> Tensor:
        like = next(
            (value for value in values if isinstance(value, Tensor)),
            torch.tensor(0.0, dtype=torch.float64),
        )
        return FUNCTIONS[name](
            *(v if isinstance(v, Tensor) else like.new_full((), v) for v in values)
        )

    return function

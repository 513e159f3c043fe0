"""Elementwise functions of tensors: from a name, an expression in ``z``, an import path, a torch function or module."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

import torch
from torch import Tensor, nn

from closedform import checks
from closedform.activation_names import Named, named, slope_may_jump
from closedform.guests import GuestError, visit
from empirics.networks.expression import expression
from empirics.user_choice import imported, is_import_path

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
        one = named(text)
        return from_callable(name, expression(text) if one is None else from_name(one))
    except ValueError as error:
        message = str(error)
        raise ValueError(message if message.startswith(f"{name}:") else f"{name}: {message}") from None


def from_name(one: Named) -> Callable[[Tensor], Tensor]:
    """Return a named activation: torch's own function if it has one, and otherwise that of the expression."""
    numbers = {name: float(number) for name, number in one.numbers.items()}
    if one.name in KERNELS:
        return partial(KERNELS[one.name], **numbers)
    return expression(one.definition.expression, numbers)


def from_callable(name: str, function: Any) -> Callable[[Tensor], Tensor]:
    """Return an activation given as a function, a module, or a class of modules, after a trial on ten numbers.

    A module must have no parameters, since nothing would train them.
    """
    if isinstance(function, type) and issubclass(function, nn.Module):
        function = function()
    checks.function(name, function, ELEMENTWISE)
    if isinstance(function, nn.Module) and any(True for _ in function.parameters()):
        raise ValueError(f"{name}: got {type(function).__name__} with parameters, needs an activation without any")
    try:
        guest = visit(f"{name}: got {shown(function)}, which", str(function.__module__))
        with guest, torch.no_grad(), torch.device("cpu"):  # also where networks are built on the meta device
            z = torch.linspace(-2.5, 2.5, 10, dtype=torch.float64)
            values, part = function(z.clone()), function(z[:3].clone())
    except GuestError as error:
        raise ValueError(f"{error}, given ten float64 numbers; needs {ELEMENTWISE}") from error
    checks.instance(name, values, Tensor, ELEMENTWISE)
    checks.require(values.shape == z.shape, name, f"the shape {tuple(values.shape)} for {tuple(z.shape)}", ELEMENTWISE)
    checks.require(bool(values.isfinite().all()), name, "values that are not finite between -2.5 and 2.5", ELEMENTWISE)
    # Instructions for several numbers at a time round differently from those for the few that are left.
    same = torch.allclose(values[:3], part, rtol=ROUNDING, atol=ROUNDING)
    checks.require(same, name, "values that depend on other entries or on chance", ELEMENTWISE)
    chosen: Callable[[Tensor], Tensor] = function
    return chosen


def shown(function: Any) -> str:
    """Return a name for an activation that is given as a callable."""
    return getattr(function, "__name__", type(function).__name__)

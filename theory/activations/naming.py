"""Activations from strings: names of ``closedform.activation_names``, and expressions in ``z``."""

from __future__ import annotations

from typing import Any, TypeAlias

import sympy as sp

from closedform.activation_names import named
from theory.activations import families
from theory.activations.activation import Activation, z
from theory.core.text.parsing import parse

ActivationLike: TypeAlias = Activation | str | sp.Expr
"""An activation, its name, or an expression in ``theory.activations.z``."""


def from_text(text: str) -> Activation:
    """Return the activation that a string describes.

    Args:
        text: a name ("erf", "relu_power_3", "leaky_relu", "leaky_relu(1/10)") or an expression in ``z`` ("z*erf(z)").

    Raises:
        TypeError: if ``text`` is not a string.
        ValueError: if ``text`` is neither a name nor an expression; the message suggests similar names.

    >>> from_text("z*erf(z)").expression
    z*erf(z)
    >>> from_text("leaky_relu(0.1)").name
    'leaky_relu'
    """
    if not isinstance(text, str):
        raise TypeError(f"activation: got {type(text).__name__}, needs its name as text")
    one = named(text)
    return families.from_expression(parse(text, {"z": z})) if one is None else families.from_name(one)


def activation(name: str, value: Any) -> Activation:
    """Return an activation, given an activation, its name, or an expression in ``theory.activations.z``.

    Args:
        name: name of the argument in error messages.
        value: the activation, name or expression.

    Raises:
        TypeError, ValueError: if ``value`` is none of these.
    """
    if isinstance(value, Activation):
        return value
    if isinstance(value, sp.Expr):
        return families.from_expression(value)
    if isinstance(value, str):
        try:
            return from_text(value)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    raise TypeError(f"{name}: got {type(value).__name__}, needs an activation, its name or an expression in z")

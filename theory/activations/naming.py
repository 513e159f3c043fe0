"""Activations from strings: names of the literature, names with a parameter, and expressions in ``z``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import sympy as sp

from closedform.suggestions import unknown
from theory.activations import families
from theory.activations.activation import Activation, z
from theory.core.text.parsing import parse

NAMED: Mapping[str, Activation] = {
    value.name: value for value in vars(families).values() if isinstance(value, Activation)
}
"""Activations that need no parameter, by name."""
WITH_PARAMETER: Mapping[str, Callable[[Any], Activation]] = {
    "relu_power": families.relu_power,
    "monomial": families.monomial,
    "hermite": families.hermite,
    "leaky_relu": families.LEAKY_RELU,
}
"""Activations that need a number: "relu_power_3" or "relu_power(3)", "leaky_relu(1/10)"."""
ActivationLike: TypeAlias = Activation | str | sp.Expr
"""An activation, its name, or an expression in ``theory.activations.z``."""
USUAL_SLOPE = "0.01"  # slope of "leaky_relu" without a number, the default of the common libraries
_CALL = re.compile(r"(?P<name>[a-z_]+)(?:_(?P<degree>\d+)|\((?P<number>[^()]*)\))")


def from_text(text: str) -> Activation:
    """Return the activation that a string describes.

    Args:
        text: a name ("erf", "relu_power_3", "leaky_relu", "leaky_relu(1/10)") or an expression in ``z`` ("z*erf(z)").

    Raises:
        TypeError: if ``text`` is not a string.
        ValueError: if ``text`` is neither a name nor an expression; the message suggests similar names.
    """
    if not isinstance(text, str):
        raise TypeError(f"activation: got {type(text).__name__}, needs its name as text")
    text = text.strip()
    if text in NAMED:
        return NAMED[text]
    if text == "leaky_relu":
        return families.LEAKY_RELU(USUAL_SLOPE)
    call = _CALL.fullmatch(text)
    if call and call["name"] in WITH_PARAMETER and not (call["name"] == "leaky_relu" and call["degree"]):
        return WITH_PARAMETER[call["name"]](call["degree"] or call["number"])
    if text.isidentifier() and text != "z":
        names = [*NAMED, "leaky_relu", *(f"{name}_2" for name in WITH_PARAMETER if name != "leaky_relu")]
        raise ValueError(f"{unknown('activation', text, names)} An expression in z does as well, such as 'z*erf(z)'")
    return families.from_expression(parse(text, {"z": z}))


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

"""Activations from names or expressions in ``z``, and functions of an activation that take these and keep results."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

import sympy as sp

from closedform.activation_names import named
from theory.activations import families
from theory.activations.activation import Activation, z
from theory.core.text.parsing import parse

ActivationLike: TypeAlias = Activation | str | sp.Expr
"""An activation, its name, or an expression in ``theory.activations.z``."""
Others = ParamSpec("Others")
Result = TypeVar("Result")
OfActivation = Callable[Concatenate[Activation, Others], Result]
OfActivationLike = Callable[Concatenate[ActivationLike, Others], Result]


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
    """Return an activation, given one, its name, or an expression in ``z``; TypeError or ValueError otherwise."""
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


def cached(maxsize: int) -> Callable[[OfActivation[Others, Result]], OfActivationLike[Others, Result]]:
    """Return a decorator for functions whose first argument is an activation ``act``, which keeps ``maxsize`` results.

    The decorated function also takes the name of an activation or an expression in ``z``, and raises TypeError or
    ValueError for anything else.
    """

    def decorate(function: OfActivation[Others, Result]) -> OfActivationLike[Others, Result]:
        kept: Callable[..., Any] = lru_cache(maxsize)(function)

        @wraps(function)
        def checked(act: ActivationLike, *others: Others.args, **named: Others.kwargs) -> Any:
            for value in (*others, *named.values()):
                if not isinstance(value, Hashable):
                    raise TypeError(
                        f"{function.__name__}: got {type(value).__name__} next to the activation, needs numbers; "
                        "the result's function() takes arrays"
                    )
            return kept(activation("act", act), *others, **named)

        return checked

    return decorate

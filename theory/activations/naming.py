"""Activations from names or expressions in ``z``, and functions of an activation that take these and keep results."""

import inspect
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

import sympy as sp

from closedform.activation_names import DEFINITIONS, LARGEST_DEGREE, Named, named
from closedform.checks.plain import shown
from theory.activations.activation import Activation, z
from theory.core.formula.parsing import parse
from theory.core.numbers.arguments import integer
from theory.core.numbers.exact import exact

ActivationLike: TypeAlias = Activation | str | sp.Expr
"""An activation, its name, or an expression in ``theory.activations.z``."""
_SLOPE_OF = "slope_of_"
Others = ParamSpec("Others")
Result = TypeVar("Result")
OfActivation = Callable[Concatenate[Activation, Others], Result]
OfActivationLike = Callable[Concatenate[ActivationLike, Others], Result]


@lru_cache(maxsize=1024)
def from_name(one: Named) -> Activation:
    """Return a named activation."""
    numbers = {name: exact(name, number) for name, number in one.numbers.items()}
    label = one.name if "slope" in numbers else str(one)
    return Activation(label, parse(one.definition.expression, {"z": z, **numbers}))


ERF = from_name(Named("erf"))
GELU = from_name(Named("gelu"))
SIN = from_name(Named("sin"))
COS = from_name(Named("cos"))
EXP = from_name(Named("exp"))
GAUSSIAN = from_name(Named("gaussian"))
RELU = from_name(Named("relu"))
ELU = from_name(Named("elu"))
LINEAR = from_name(Named("linear"))
TANH = from_name(Named("tanh"))
SIGMOID = from_name(Named("sigmoid"))
SOFTPLUS = from_name(Named("softplus"))
SWISH = from_name(Named("swish"))


def LEAKY_RELU(slope: Any) -> Activation:
    """Return ``z`` for positive and ``slope * z`` for negative ``z``; ``slope`` may be any real number except 1.

    Args:
        slope: slope for negative ``z``, any real number except 1: a number, a ratio or text such as ``"1/10"``.

    Raises:
        TypeError, ValueError: if the slope is no real number, or 1.

    >>> LEAKY_RELU("1/10").expression
    Max(0, z) + Min(0, z)/10
    """
    slope = exact("slope", slope)
    if slope == 1:
        raise ValueError(
            "slope: got 1, at which leaky ReLU is the identity, needs another number; use LINEAR"
        )
    return Activation(
        "leaky_relu", parse(DEFINITIONS["leaky_relu"].expression, {"z": z, "slope": slope})
    )


def relu_power(q: int) -> Activation:
    """Return ``max(0, z)**q``, ``q`` = 1, 2, ..., the activation of the arc-cosine kernel of order ``q``.

    Args:
        q: degree, from 1, dimensionless.

    Raises:
        TypeError, ValueError: if ``q`` is no integer, or out of range.

    >>> relu_power(2).name
    'relu_power_2'
    """
    return _of_degree("relu_power", q)


def monomial(q: int) -> Activation:
    """Return ``z**q / sqrt((2q - 1)!!)``, ``q`` = 1, 2, ... Source: Zavatone-Veth et al., above Eq. (C.29).

    Args:
        q: degree, from 1, dimensionless.

    Raises:
        TypeError, ValueError: if ``q`` is no integer, or out of range.

    >>> monomial(2).expression
    sqrt(3)*z**2/3
    """
    return _of_degree("monomial", q)


def hermite(q: int) -> Activation:
    """Return the probabilists' Hermite polynomial of degree ``q`` = 0, 1, ..., which is monic.

    Args:
        q: degree, from 0.

    Raises:
        TypeError, ValueError: if ``q`` is no integer, or out of range.

    >>> hermite(3).expression
    z**3 - 3*z
    """
    return _of_degree("hermite", q)


def polynomial(coefficients: Sequence[Any], name: str = "polynomial") -> Activation:
    """Return ``coefficients[0] + coefficients[1] z + ...`` for numerical coefficients.

    Args:
        coefficients: real numbers, that of ``z**0`` first.
        name: identifier by which it is called. Default: ``"polynomial"``.

    Raises:
        TypeError, ValueError: if they are no non-empty sequence of real numbers.

    >>> polynomial([0, 1, 2]).expression
    2*z**2 + z
    """
    if isinstance(coefficients, str) or not isinstance(coefficients, Sequence) or not coefficients:
        raise ValueError(
            f"coefficients: got {shown(coefficients)}, needs a non-empty sequence of numbers"
        )
    terms = (exact(f"coefficients[{power}]", c) * z**power for power, c in enumerate(coefficients))
    return Activation(name, sp.Add(*terms))


def from_expression(
    expression: sp.Expr, name: str = "custom", kinks: Sequence[Any] | None = None
) -> Activation:
    """Return the activation with an expression in ``theory.activations.z``, of at most exponential growth.

    Args:
        expression: a sympy expression in ``theory.activations.z``, real for real ``z``.
        name: identifier by which it is called. Default: ``"custom"``.
        kinks: points at which it is not smooth. Default: those that are found.

    Raises:
        TypeError, ValueError: for an expression in other symbols, a name that is no identifier, or a growth beyond
            exponential.

    >>> from_expression(z**2 * sp.exp(-(z**2)), "bump").name
    'bump'
    """
    return Activation(name, expression, *(() if kinks is None else (kinks,)))


def slope_of(act: Activation) -> Activation:
    """Return the slope of an activation away from its kinks, which is called ``slope_of_erf`` for that of erf.

    Args:
        act: the activation.
    """
    return Activation(f"{_SLOPE_OF}{act.name}", act.derivative(1), act.kinks)


def _of_degree(name: str, q: Any) -> Activation:
    parameter = DEFINITIONS[name].parameter
    assert parameter is not None
    return from_name(Named(name, integer("q", q, parameter.least, LARGEST_DEGREE)))


def from_text(text: str) -> Activation:
    """Return the activation of a name, such as "relu_power_3" or "leaky_relu(1/10)", or of an expression in ``z``.

    Args:
        text: the name or the expression.

    Raises:
        TypeError, ValueError: if ``text`` is no string, or neither a name nor an expression.

    >>> from_text("z*erf(z)").expression
    z*erf(z)
    >>> from_text("leaky_relu(0.1)").name
    'leaky_relu'
    """
    if not isinstance(text, str):
        raise TypeError(f"text: got {type(text).__name__}, needs the name of an activation")
    return activation("text", text)


def activation(name: str, value: Any) -> Activation:
    """Return an activation, given one, its name, or an expression in ``z``; TypeError or ValueError otherwise."""
    if isinstance(value, Activation):
        return value
    if isinstance(value, sp.Expr):
        return from_expression(value)
    if isinstance(value, str):
        try:
            known = named(value.removeprefix(_SLOPE_OF))
            if known is None:
                return from_expression(parse(value, {"z": z}))
            return slope_of(from_name(known)) if value.startswith(_SLOPE_OF) else from_name(known)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    raise TypeError(
        f"{name}: got {type(value).__name__}, needs an activation, its name or an expression in z"
    )


def cached(
    maxsize: int,
) -> Callable[[OfActivation[Others, Result]], OfActivationLike[Others, Result]]:
    """Return a decorator for functions of an activation or its text, ``act``, which keeps ``maxsize`` results."""

    def decorate(function: OfActivation[Others, Result]) -> OfActivationLike[Others, Result]:
        kept: Callable[..., Any] = lru_cache(maxsize)(function)
        signature = inspect.signature(function)

        @wraps(function)
        def checked(act: ActivationLike, *others: Others.args, **named: Others.kwargs) -> Any:
            for value in (*others, *named.values()):
                if not isinstance(value, Hashable):
                    raise TypeError(
                        f"{function.__name__}: got {type(value).__name__} next to the activation, needs numbers; "
                        "the result's function() takes arrays"
                    )
            # a default that is given is the same call
            call = signature.bind(activation("act", act), *others, **named)
            call.apply_defaults()
            return kept(*call.args, **call.kwargs)

        return checked

    return decorate

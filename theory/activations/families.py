r"""The activations of the literature on wide networks.

The conventions are as follows. ``ERF`` is :math:`\operatorname{erf}(z/\sqrt 2)`, so that its slope is twice the
standard normal density; GELU is the exact :math:`z \Phi(z)`, not its tanh approximation; monomials are divided by
:math:`\sqrt{(2q-1)!!}`, so that :math:`E[\varphi(z)^2] = 1` for standard normal :math:`z`; Hermite polynomials are the
probabilists', monic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from closedform.checks import sequence
from theory.activations.activation import Activation, z
from theory.core.formula.arguments import integer
from theory.core.numbers.exact import exact

LARGEST_DEGREE = 1000

ERF = Activation("erf", sp.erf(z / sp.sqrt(2)))
GELU = Activation("gelu", z * (1 + sp.erf(z / sp.sqrt(2))) / 2)
SIN = Activation("sin", sp.sin(z))
COS = Activation("cos", sp.cos(z))
EXP = Activation("exp", sp.exp(z))
GAUSSIAN = Activation("gaussian", sp.exp(-(z**2) / 2))
RELU = Activation("relu", sp.Max(0, z))
TANH = Activation("tanh", sp.tanh(z))
# The expression uses tanh, which does not overflow.
SIGMOID = Activation("sigmoid", (1 + sp.tanh(z / 2)) / 2)
SOFTPLUS = Activation("softplus", z / 2 + sp.log(2 * sp.cosh(z / 2)))
SWISH = Activation("swish", z * (1 + sp.tanh(z / 2)) / 2)


def LEAKY_RELU(slope: Any) -> Activation:
    """Return ``z`` for positive and ``slope * z`` for negative ``z``; ``slope`` may be any real number except 1."""
    slope = exact("slope", slope)
    if slope == 1:
        raise ValueError("slope: got 1, at which leaky ReLU is the identity, needs another number; use monomial(1)")
    return Activation("leaky_relu", sp.Max(0, z) + slope * sp.Min(0, z))


def relu_power(q: int) -> Activation:
    """Return ``max(0, z)**q``, ``q`` = 1, 2, ..., the activation of the arc-cosine kernel of order ``q``."""
    q = _degree(q, 1)
    return Activation(f"relu_power_{q}", sp.Max(0, z) ** q)


def monomial(q: int) -> Activation:
    """Return ``z**q / sqrt((2q - 1)!!)``, ``q`` = 1, 2, ... Source: Zavatone-Veth et al., above Eq. (C.29)."""
    q = _degree(q, 1)
    return Activation(f"monomial_{q}", z**q / sp.sqrt(sp.factorial2(2 * q - 1)))


def hermite(q: int) -> Activation:
    """Return the probabilists' Hermite polynomial of degree ``q`` = 0, 1, ..., which is monic."""
    q = _degree(q, 0)
    scale = sp.sqrt(2) ** q
    return Activation(f"hermite_{q}", sp.expand(sp.hermite(q, z / sp.sqrt(2)) / scale))


def polynomial(coefficients: Sequence[Any], name: str = "polynomial") -> Activation:
    """Return ``coefficients[0] + coefficients[1] z + ...`` for numerical coefficients."""
    if isinstance(coefficients, str) or not isinstance(coefficients, Sequence) or not coefficients:
        raise ValueError(f"coefficients: got {coefficients!r}, needs a non-empty sequence of numbers")
    terms = (exact(f"coefficients[{power}]", c) * z**power for power, c in enumerate(coefficients))
    return Activation(name, sp.Add(*terms))


def from_expression(expression: sp.Expr, name: str = "custom", kinks: Sequence[Any] | None = None) -> Activation:
    """Return the activation with a given expression in ``theory.activations.z``.

    Args:
        expression: expression that is real for real ``z``; its Gaussian expectations need at most exponential growth.
        name: an identifier; "custom" by default.
        kinks: points at which the expression is not smooth; by default they are found from the expression.
    """
    if kinks is None:
        return Activation(name, expression)
    return Activation(name, expression, tuple(sorted(exact("kinks", point) for point in sequence("kinks", kinks))))


def _degree(q: Any, least: int) -> int:
    return integer("q", q, least, LARGEST_DEGREE)

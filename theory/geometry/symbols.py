r"""Symbols of the geometry of infinitely wide networks, and the meaning of each.

The conventions are :math:`w_i \sim N(0, \sigma^2)`, *not* :math:`\sigma^2/d`; :math:`b \sim N(0, \zeta^2)`; r is the
squared norm of the input.
"""

import sympy as sp

from theory.core import Argument, Premise
from theory.engine.inputs import D as D
from theory.engine.inputs import R as R
from theory.engine.inputs import d as d
from theory.engine.inputs import r as r

sigma = sp.Symbol("sigma", positive=True)
zeta = sp.Symbol("zeta", nonnegative=True)

SIGMA = Argument(
    sigma,
    "standard deviation of each weight",
    unit="1/input",
    sample=(0.5, 1.5),
    example=1,
    latex=r"\sigma",
)
ZETA = Argument(
    zeta, "standard deviation of each bias", sample=(0.2, 1), example=0.5, latex=r"\zeta"
)

variance = sigma**2 * r + zeta**2
"""Variance of a pre-activation."""

WIDE = "the layer is infinitely wide, its weights and biases independent Gaussians with mean zero"
UNIT = (*sp.symbols("w1:4", real=True), sp.Symbol("b", real=True))
"""Weights and bias of a unit with three inputs."""


def preactivation(place: tuple[sp.Expr, ...]) -> sp.Expr:
    """Return the pre-activation of the unit at an input."""
    return sum((w * a for w, a in zip(UNIT[:3], place, strict=True)), UNIT[3])


WEIGHTS = Premise(
    "z = w.x + b, with independent w_i ~ N(0, sigma^2) and b ~ N(0, zeta^2)",
    preactivation(sp.symbols("x1:4", real=True)),
)

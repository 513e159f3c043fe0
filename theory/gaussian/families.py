"""The families of closed forms of Gaussian means, indexed by activation, and their listed members.

Importing this module imports no computer algebra, since the packages are lazy.
"""

from __future__ import annotations

from closedform.subjects import load
from theory.core.facade.family import Family, Parameter

ACTIVATION = Parameter(
    "activation",
    "an activation of theory.activations, its name (erf, swish, relu_power_3, leaky_relu) or an expression in z",
    lambda name, value: load("theory.activations.naming:activation")(name, value),
)
_OF_LAYERS = ("erf", "gelu", "sin", "cos", "exp", "gaussian", "relu", "relu_power_2")
_POLYNOMIALS = ("monomial_2", "hermite_3")
_SLOPES = tuple(
    f"slope_of_{name}" for name in ("erf", "gelu", "sin", "relu_power_2", "monomial_2")
)


def _family(name: str, meaning: str, *members: str) -> Family:
    return Family(
        f"gaussian.{name}",
        meaning,
        (ACTIVATION,),
        lambda activation: load(f"theory.gaussian:{name}")(activation),
        members,
    )


kernel = _family(
    "kernel",
    "Expected product of an activation at two Gaussian pre-activations.",
    *("erf", "gelu", "relu", "relu_power_2", "sin"),
)
slope_kernel = _family(
    "slope_kernel",
    "Expected product of the slopes of an activation at two Gaussian pre-activations.",
    *(*_OF_LAYERS, *_POLYNOMIALS, *_SLOPES),
)
squared_slope = _family(
    "squared_slope",
    "Expected squared slope of an activation at a Gaussian pre-activation.",
    *(*_OF_LAYERS, *_POLYNOMIALS, "tanh", *_SLOPES),
)

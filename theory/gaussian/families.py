"""The families of closed forms of Gaussian means, indexed by activation, with one member each that is listed.

Importing this module imports no computer algebra, since the packages are lazy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from closedform.subjects import load
from theory.core.facade.family import Family, Parameter

if TYPE_CHECKING:
    from theory.core import ClosedForm

ACTIVATION = Parameter(
    "activation",
    "an activation of theory.activations, its name (erf, swish, relu_power_3, leaky_relu) or an expression in z",
    lambda name, value: load("theory.activations.naming:activation")(name, value),
)


def _family(name: str, meaning: str) -> Family:
    def member(activation: Any) -> ClosedForm:
        form: ClosedForm = load(f"theory.gaussian:{name}")(activation)
        return form

    return Family(f"gaussian.{name}", meaning, (ACTIVATION,), member, ("erf",))


kernel = _family("kernel", "Expected product of an activation at two Gaussian pre-activations.")
slope_kernel = _family(
    "slope_kernel",
    "Expected product of the slopes of an activation at two Gaussian pre-activations.",
)
squared_slope = _family(
    "squared_slope",
    "Expected squared slope of an activation at a Gaussian pre-activation.",
)

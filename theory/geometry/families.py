"""The families of closed forms of this subject, indexed by activation, depth or degree, and their listed members.

Importing this module imports no computer algebra, since the packages are lazy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from closedform.checks import MOST_LAYERS
from closedform.subjects import load
from theory import activations, geometry
from theory.core.facade.family import Family, Parameter, integer_from
from theory.gaussian.families import ACTIVATION

if TYPE_CHECKING:
    from theory.core import ClosedForm

DEPTH = Parameter(
    "depth",
    "number of infinitely wide hidden layers, 1 or more",
    integer_from(1, MOST_LAYERS),
    default=1,
)
LAST_DEPTH = replace(DEPTH, default=None)
DEGREE = Parameter(
    "degree", "degree of the monomial, 1 or more", integer_from(), prefix="monomial_"
)
_LAYER = "an infinitely wide layer"


def _deep(quantity: str) -> Callable[[Any, int], ClosedForm]:
    return lambda activation, depth: load(f"theory.geometry.deep:deep_{quantity}")(
        activation, depth
    )


def _of_degree(quantity: str) -> Callable[[int], ClosedForm]:
    return lambda degree: getattr(geometry.bayesian_volume_correction(degree), quantity)


def _in_closed_form_for_monomials(quantity: str, integrals: str) -> Callable[[Any], ClosedForm]:
    """Return a builder that gives a polynomial for monomials, and integrals for any other activation."""

    def build(activation: Any) -> ClosedForm:
        degree = activation.name.removeprefix("monomial_")
        if degree.isdecimal() and activation == activations.monomial(int(degree)):
            return getattr(geometry.bayesian_volume_correction(int(degree)), quantity)
        return getattr(geometry, integrals)(activation)

    return build


def _family(
    name: str, meaning: str, *members: str, build: Any = None, parameters: tuple[Any, ...] = ()
) -> Family:
    build = build or (lambda *values: load(f"theory.geometry:{name}")(*values))
    return Family(f"geometry.{name}", meaning, parameters or (ACTIVATION,), build, members)


nngp_kernel = _family(
    "nngp_kernel", f"NNGP kernel of {_LAYER}.", "erf", "gelu", "relu", "relu_power_2", "sin"
)
slope_kernel = _family(
    "slope_kernel", f"Expected product of the slopes of {_LAYER} at two inputs.", "gelu"
)
volume_element = _family(
    "volume_element",
    "Factor by which infinitely wide layers magnify volume at an input.",
    *(
        "erf",
        "gelu",
        "sin",
        "cos",
        "exp",
        "gaussian",
        "relu",
        "relu_power_2",
        "monomial_2",
        "hermite_3",
        "tanh",
    ),
    parameters=(ACTIVATION, DEPTH),
)
log_volume_element = _family(
    "log_volume_element", f"Logarithm of the factor by which {_LAYER} magnifies volume."
)
scalar_curvature = _family(
    "scalar_curvature",
    "Ricci scalar of the metric of infinitely wide layers; spheres are positive.",
    *("erf", "gelu", "sin", "exp", "gaussian", "relu_power_2", "monomial_2"),
    parameters=(ACTIVATION, DEPTH),
)
radial_curvature = _family(
    "radial_curvature", f"Curvature of radial planes in the metric of {_LAYER}."
)
tangential_curvature = _family(
    "tangential_curvature", f"Curvature of planes across the radius, for {_LAYER}."
)
ntk_volume_element = _family(
    "ntk_volume_element",
    "Factor by which the tangent kernel of a network with one infinitely wide layer magnifies volume.",
    *("erf", "gelu", "sin", "relu_power_2", "monomial_2"),
)
ntk_log_volume_element = _family(
    "ntk_log_volume_element",
    "Logarithm of the factor by which the tangent kernel of a network with one infinitely wide layer magnifies volume.",
)
ntk_scalar_curvature = _family(
    "ntk_scalar_curvature",
    "Ricci scalar of the metric of the tangent kernel of one infinitely wide layer.",
    "monomial_2",
)
deep_volume_element = _family(
    "deep_volume_element",
    "Factor by which the last of several infinitely wide layers magnifies volume.",
    "erf_2",
    "relu_3",
    build=_deep("volume_element"),
    parameters=(ACTIVATION, LAST_DEPTH),
)
deep_scalar_curvature = _family(
    "deep_scalar_curvature",
    "Ricci scalar of the metric of the last of several infinitely wide layers.",
    build=_deep("scalar_curvature"),
    parameters=(ACTIVATION, LAST_DEPTH),
)
bayesian_factor = _family(
    "bayesian_factor",
    "How much one training example moves the metric of a wide Bayesian network: chi.",
    "monomial_2",
    "monomial_3",
    build=_in_closed_form_for_monomials("factor", "bayesian_factor"),
)
bayesian_fluctuation = _family(
    "bayesian_fluctuation",
    "How much the metric of one unit of a Bayesian network fluctuates: F.",
    "monomial_2",
    build=_in_closed_form_for_monomials("fluctuation", "bayesian_fluctuation"),
)
bayesian_mean_metric_volume = _family(
    "bayesian_mean_metric_volume",
    "Volume element of the mean metric of a Bayesian network, over that of infinite width.",
    "monomial_2",
    build=_of_degree("at_mean_metric"),
    parameters=(DEGREE,),
)
bayesian_volume_correction = _family(
    "bayesian_volume_correction",
    "Mean volume element of a Bayesian network, over that of infinite width.",
    "monomial_2",
    build=_of_degree("mean"),
    parameters=(DEGREE,),
)

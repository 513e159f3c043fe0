"""The families of closed forms of this subject, indexed by activation and depth, and their listed members.

Importing this module imports no computer algebra, since the packages are lazy.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from closedform.checks import MOST_LAYERS
from closedform.subjects import load
from theory.core.facade.family import Family, Parameter, integer_from
from theory.gaussian.families import ACTIVATION

DEPTH = Parameter("depth", "number of hidden layers, 1 or more", integer_from(1, MOST_LAYERS))
LAYERS = Parameter(
    "layers", "number of hidden layers, 1 or more", integer_from(1, MOST_LAYERS), prefix="layers_"
)


def _of_order(name: str, quantity: str) -> Callable[..., Any]:
    return lambda *values: load("theory.finite_width.first_order:first_order")(
        name, quantity, *values
    )


def _of_pair(name: str, *entries: str) -> Callable[..., Any]:
    return lambda *values: load("theory.finite_width.first_order:of_two_inputs")(
        name, entries, *values
    )


def _exact(module: str, name: str) -> Callable[..., Any]:
    return lambda *values: load(f"theory.finite_width.{module}:{name}")(*values)


def _family(
    name: str,
    meaning: str,
    *members: str,
    build: Callable[..., Any],
    parameters: tuple[Parameter, ...],
) -> Family:
    return Family(f"finite_width.{name}", meaning, parameters, build, members)


_deep = partial(_family, parameters=(ACTIVATION, DEPTH))
_wide = partial(_family, parameters=(LAYERS,))
_shallow = partial(_family, parameters=(ACTIVATION,))

kernel_spread = _deep(
    "kernel_spread",
    "Variance of the kernel over its square above layers of one width, to first order in 1/width.",
    *("relu_2", "sin_2"),
    build=_of_order("kernel_spread", "spread"),
)
kernel_variance = _deep(
    "kernel_variance",
    "Variance of the kernel above layers of one width, to first order in 1/width.",
    "relu_1",
    build=_of_order("kernel_variance", "variance"),
)
kernel_shift = _deep(
    "kernel_shift",
    "Mean of the kernel above layers of one width minus that of infinite width, to first order.",
    "sin_2",
    build=_of_order("kernel_shift", "shift"),
)
excess_kurtosis = _deep(
    "excess_kurtosis",
    "Excess kurtosis of a unit above layers of one width, to first order in 1/width.",
    "gelu_1",
    build=_of_order("excess_kurtosis", "kurtosis"),
)
spread_of_widths = _wide(
    "spread_of_widths",
    "Variance over squared mean of the kernel of rectifiers, of any width in each layer.",
    "layers_3",
    build=_exact("rectifiers", "spread_of_widths"),
)
kurtosis_of_widths = _wide(
    "kurtosis_of_widths",
    "Kurtosis of a unit of a network of rectifiers, of any width in each layer.",
    "layers_3",
    build=_exact("rectifiers", "kurtosis_of_widths"),
)
tangent_mean = _shallow(
    "tangent_mean",
    "Mean of the tangent kernel of one hidden layer at an input.",
    *("relu", "erf"),
    build=_exact("tangent", "tangent_mean"),
)
tangent_variance = _shallow(
    "tangent_variance",
    "Variance of the tangent kernel of one hidden layer at an input.",
    "relu",
    build=_exact("tangent", "tangent_variance"),
)
tangent_shift = _deep(
    "tangent_shift",
    "Mean of the tangent kernel above layers of one width minus that of infinite width, to first order.",
    "sin_2",
    build=_of_order("tangent_shift", "shift"),
)
tangent_spread = _deep(
    "tangent_spread",
    "Variance of the tangent kernel over its square above layers of one width, to first order in 1/width.",
    *("relu_3", "sin_2"),
    build=_of_order("tangent_spread", "spread"),
)
pair_covariance_xx_xy = _deep(
    "pair_covariance_xx_xy",
    "Covariance of the kernel of an input and that of two inputs above layers of one width, to first order in 1/width.",
    "sin_2",
    build=_of_pair("pair_covariance_xx_xy", "xx", "xy"),
)
pair_covariance_xy_xy = _deep(
    "pair_covariance_xy_xy",
    "Variance of the kernel of two inputs above layers of one width, to first order in 1/width.",
    "relu_1",
    build=_of_pair("pair_covariance_xy_xy", "xy", "xy"),
)
pair_covariance_xx_yy = _deep(
    "pair_covariance_xx_yy",
    "Covariance of the kernels of either of two inputs above layers of one width, to first order in 1/width.",
    "sin_1",
    build=_of_pair("pair_covariance_xx_yy", "xx", "yy"),
)
pair_shift_xy = _deep(
    "pair_shift_xy",
    "Mean of the kernel of two inputs above layers of one width minus that of infinite width, to first order.",
    "sin_2",
    build=_of_pair("pair_shift_xy", "xy"),
)

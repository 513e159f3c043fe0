"""What can be tested of random networks of finite width: numbers of each seed against the closed forms.

Predictions that do not apply, such as the exact spread of a network that is none of rectifiers, are NaN, and so are
then the measured numbers.
"""

from __future__ import annotations

import math
from functools import cache, partial
from typing import Literal

import numpy as np
import xarray as xr

from bridge import arguments
from bridge.finite_width import quantities as q
from bridge.statistics.arrays import Array
from bridge.validity.prediction import Pair, Prediction
from bridge.validity.recorded import PlannedMap
from empirics.experiments.finite_width import Config
from theory.core import ClosedForm


def config_of(trace: xr.Dataset) -> Config:
    """Return the configuration of a trace of ``experiments.finite_width``.

    Args:
        trace: the trace.
    """
    arguments.dataset(
        trace,
        "the experiment finite_width",
        ("kernel", "output", "tangent"),
        attributes=("config",),
    )
    return Config.from_json(trace.attrs["config"])


def value_of(form: ClosedForm, config: Config) -> float:
    """Return the value of a closed form of this subject at a configuration.

    Args:
        form: the closed form, with arguments among n, L, r, C, C_b and the inner products of two inputs.
        config: the configuration.
    """
    values = {
        "n": config.width, "L": config.depth, "r": config.norm, "C": config.weight_variance,
        "C_b": config.bias_variance, **config.inner_products,
    }  # fmt: skip
    return float(form(**{argument.name: values[argument.name] for argument in form.arguments}))


def first_order(family: str, config: Config) -> float:
    """Return a quantity to first order in 1/width.

    Args:
        family: one of the families by activation and depth, such as "kernel_spread".
        config: the configuration.
    """
    return value_of(_member(family, config.activation, config.depth), config)


@cache
def _member(family: str, activation: str, depth: int) -> ClosedForm:
    import theory

    form: ClosedForm = theory.catalogue()[f"finite_width.{family}"](activation, depth)
    return form


def infinite(config: Config, entry: Literal["xx", "xy"] = "xx") -> float:
    """Return a kernel of infinite width.

    Args:
        config: the configuration.
        entry: "xx" for that of the input, "xy" for that of both inputs. Default: "xx".
    """
    from theory.geometry import kernel_matrix

    sine = math.sqrt(1 - config.cosine**2)
    directions = {"xx": [1.0, 0.0], "xy": [config.cosine, sine]}
    sizes = {"xx": math.sqrt(config.norm), "xy": math.sqrt(config.other_norm or 0)}
    point, other = (np.array([directions[e]]) * sizes[e] for e in ("xx", entry))
    scales = {"sigma": config.weight_variance**0.5, "zeta": config.bias_variance**0.5}
    hidden = kernel_matrix(config.activation, point, other, depth=config.depth, **scales)
    return float(config.weight_variance * hidden[0, 0] + config.bias_variance)


def slopes(config: Config) -> tuple[float, float] | None:
    """Return the slopes above and below zero if the network is one of rectifiers without biases, else None.

    Args:
        config: the configuration.
    """
    from theory.activations.naming import activation

    points = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    values = activation("activation", config.activation).function()(points)
    is_homogeneous = values[2] == 0 and np.allclose(values[[0, 4]], 2 * values[[1, 3]], rtol=1e-12)
    if config.bias_variance or not is_homogeneous or not values.any():
        return None
    return float(values[3]), float(-values[1])


def none(trace: xr.Dataset) -> Pair:
    """Return what a trace measures of a number that has no prediction there: nothing.

    Args:
        trace: the trace.
    """
    return math.nan, np.full(trace.sizes["seed"], math.nan)


def kernel_spread(trace: xr.Dataset) -> Pair:
    """Return the variance of the kernel over its squared mean: to first order, and of each seed."""
    kernel = trace["kernel"].values
    measured = kernel.var(axis=1, ddof=1) / kernel.mean(axis=1) ** 2
    return first_order("kernel_spread", config_of(trace)), measured


def kernel_shift(trace: xr.Dataset) -> Pair:
    """Return the mean of the kernel minus that of infinite width: to first order, and of each seed."""
    config = config_of(trace)
    return first_order("kernel_shift", config), trace["kernel"].values.mean(axis=1) - infinite(
        config
    )


def exact_spread(trace: xr.Dataset) -> Pair:
    """Return the variance of the kernel of rectifiers over its squared mean: exact, and of each seed.

    The mean is the exact one, so that the number of a seed has no bias however few its networks are.
    """
    import theory

    config = config_of(trace)
    sides = slopes(config)
    if sides is None:
        return none(trace)
    form = theory.catalogue()["finite_width.rectifier_spread"]
    squares = (trace["kernel"].values / infinite(config)) ** 2
    return float(form(config.width, config.depth, *sides)), squares.mean(axis=1) - 1


def kurtosis(trace: xr.Dataset) -> Pair:
    """Return the kurtosis of an output of rectifiers: exact, and of each seed with the exact variance."""
    import theory

    config = config_of(trace)
    sides = slopes(config)
    if sides is None:
        return none(trace)
    form = theory.catalogue()["finite_width.rectifier_kurtosis"]
    powers = trace["output"].values ** 4 / infinite(config) ** 2
    return float(form(config.width, config.depth, *sides)), powers.mean(axis=1)


def tangent_mean(trace: xr.Dataset) -> Pair:
    """Return the mean of the tangent kernel of one hidden layer: exact, and of each seed."""
    return _of_tangent(trace, "tangent_mean", trace["tangent"].values.mean(axis=1))


def tangent_variance(trace: xr.Dataset) -> Pair:
    """Return the variance of the tangent kernel of one hidden layer: exact, and of each seed."""
    return _of_tangent(trace, "tangent_variance", trace["tangent"].values.var(axis=1, ddof=1))


def tangent_spread(trace: xr.Dataset) -> Pair:
    """Return the variance of the tangent kernel over its squared mean: to first order, and of each seed.

    There is no prediction where the weights were not drawn, which the tangent kernel needs.
    """
    config = config_of(trace)
    if config.draw == "units":
        return none(trace)
    tangent = trace["tangent"].values
    measured = tangent.var(axis=1, ddof=1) / tangent.mean(axis=1) ** 2
    return first_order("tangent_spread", config), measured


def covariance(trace: xr.Dataset, one: str, other: str) -> Pair:
    """Return the covariance of two entries of the kernel matrix of two inputs: to first order, and of each seed.

    Both are a share of the product of the standard deviations of these entries to first order. The prediction is exact
    for one hidden layer.

    Args:
        trace: the trace; there is no prediction for one of a single input.
        one, other: the entries, "xx", "xy" or "yy".
    """
    if "matrix" not in trace:
        return none(trace)
    first, second = (trace["matrix"].sel(entry=entry).values for entry in (one, other))
    centred = (values - values.mean(axis=1, keepdims=True) for values in (first, second))
    measured = math.prod(centred).sum(axis=1) / (trace.sizes["network"] - 1)
    config = config_of(trace)
    scale = math.sqrt(_variance(config, one) * _variance(config, other))
    return first_order(f"pair_covariance_{one}_{other}", config) / scale, measured / scale


def _variance(config: Config, entry: str) -> float:
    """Return the variance of an entry of the kernel matrix, to first order."""
    if entry == "xy":
        return first_order("pair_covariance_xy_xy", config)
    return first_order("kernel_variance", config.changed(norm=config.inner_products[entry]))


def shift_between(trace: xr.Dataset) -> Pair:
    """Return the mean of the kernel of two inputs minus that of infinite width: to first order, and of each seed."""
    if "matrix" not in trace:
        return none(trace)
    config = config_of(trace)
    measured = trace["matrix"].sel(entry="xy").values.mean(axis=1) - infinite(config, "xy")
    return first_order("pair_shift_xy", config), measured


def _of_tangent(trace: xr.Dataset, name: str, measured: Array) -> Pair:
    import theory

    config = config_of(trace)
    if config.depth > 1:
        return none(trace)
    return value_of(
        theory.catalogue()[f"finite_width.{name}"](config.activation), config
    ), measured


# without biases and at C = 2, where the boundary of the map of ReLU is known exactly
RELU = Config(draw="units")
SMOOTH = Config("sin", 10, 2, weight_variance=1.5, bias_variance=0.2, draw="units")
SHALLOW = Config("erf", 30, 1, weight_variance=1.5, bias_variance=0.2)
KERNEL_SPREAD = Prediction(
    "finite_width.kernel_spread",
    "The relative variance of the kernel is that of first order in 1/width.",
    kernel_spread, RELU, quantity=q.KERNEL_SPREAD, forms=("finite_width.kernel_spread",),
)  # fmt: skip
KERNEL_SHIFT = Prediction(
    "finite_width.kernel_shift",
    "The mean of the kernel differs from infinite width as to first order in 1/width.",
    kernel_shift, SMOOTH, quantity=q.KERNEL_SHIFT, forms=("finite_width.kernel_shift",),
)  # fmt: skip
EXACT_SPREAD = Prediction(
    "finite_width.exact_spread",
    "The relative variance of the kernel of rectifiers is the exact product over layers.",
    exact_spread, RELU, quantity=q.EXACT_SPREAD, forms=("finite_width.rectifier_spread",),
)  # fmt: skip
KURTOSIS = Prediction(
    "finite_width.kurtosis",
    "The kurtosis of an output of rectifiers is the exact product over layers.",
    kurtosis, RELU, quantity=q.KURTOSIS, forms=("finite_width.rectifier_kurtosis",),
)  # fmt: skip
TANGENT_MEAN = Prediction(
    "finite_width.tangent_mean",
    "The mean tangent kernel of one hidden layer is that of infinite width.",
    tangent_mean, SHALLOW, quantity=q.TANGENT_MEAN, forms=("finite_width.tangent_mean",),
)  # fmt: skip
TANGENT_VARIANCE = Prediction(
    "finite_width.tangent_variance",
    "The variance of the tangent kernel of one hidden layer is the exact one.",
    tangent_variance, SHALLOW, quantity=q.TANGENT_VARIANCE, forms=("finite_width.tangent_variance",),
)  # fmt: skip
TANGENT_SPREAD = Prediction(
    "finite_width.tangent_spread",
    "The relative variance of the tangent kernel is that of first order in 1/width.",
    tangent_spread, SHALLOW.changed(depth=2), quantity=q.TANGENT_SPREAD, forms=("finite_width.tangent_spread",),
)  # fmt: skip
TWO_INPUTS = SMOOTH.changed(other_norm=2.0)
COVARIANCE_XX_XY = Prediction(
    "finite_width.covariance_xx_xy",
    "The kernels of an input and of two vary together as to first order in 1/width.",
    partial(covariance, one="xx", other="xy"), TWO_INPUTS,
    is_relative=False, quantity=q.COVARIANCE_XX_XY, forms=("finite_width.pair_covariance_xx_xy",),
)  # fmt: skip
COVARIANCE_XY_XY = Prediction(
    "finite_width.covariance_xy_xy",
    "The kernel of two inputs varies as to first order in 1/width.",
    partial(covariance, one="xy", other="xy"), TWO_INPUTS,
    is_relative=False, quantity=q.COVARIANCE_XY_XY, forms=("finite_width.pair_covariance_xy_xy",),
)  # fmt: skip
COVARIANCE_XX_YY = Prediction(
    "finite_width.covariance_xx_yy",
    "The kernels of either of two inputs vary together as to first order in 1/width.",
    partial(covariance, one="xx", other="yy"), TWO_INPUTS,
    is_relative=False, quantity=q.COVARIANCE_XX_YY, forms=("finite_width.pair_covariance_xx_yy",),
)  # fmt: skip
SHIFT_XY = Prediction(
    "finite_width.shift_xy",
    "The mean kernel of two inputs differs from infinite width as to first order in 1/width.",
    shift_between, TWO_INPUTS, quantity=q.SHIFT_XY, forms=("finite_width.pair_shift_xy",),
)  # fmt: skip
FIRST_ORDER_MAP = PlannedMap(
    "finite-width-first-order",
    KERNEL_SPREAD,
    {"width": (10, 400), "depth": (1, 10), "activation": ("relu", "erf", "tanh", "gelu", "sin")},
    5000,
)

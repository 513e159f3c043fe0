"""What can be tested of random networks of finite width: numbers of each seed against the closed forms.

Predictions that do not apply, such as the exact spread of a network that is none of rectifiers, are NaN, and so are
then the measured numbers.
"""

from __future__ import annotations

import math

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
        form: the closed form, with arguments among n, L, r, C and C_b.
        config: the configuration.
    """
    values = {
        "n": config.width, "L": config.depth, "r": config.norm, "C": config.weight_variance, "C_b": config.bias_variance
    }  # fmt: skip
    return float(form(**{argument.name: values[argument.name] for argument in form.arguments}))


def first_order(family: str, config: Config) -> float:
    """Return a quantity to first order in 1/width.

    Args:
        family: one of the families by activation and depth, such as "kernel_spread".
        config: the configuration.
    """
    import theory

    form = theory.catalogue()[f"finite_width.{family}"]
    return value_of(form(activation=config.activation, depth=config.depth), config)


def infinite(config: Config) -> float:
    """Return the kernel of infinite width.

    Args:
        config: the configuration.
    """
    from theory.geometry import kernel_matrix

    point = np.array([[math.sqrt(config.norm)]])
    scales = {"sigma": config.weight_variance**0.5, "zeta": config.bias_variance**0.5}
    hidden = kernel_matrix(config.activation, point, depth=config.depth, **scales)
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
FIRST_ORDER_MAP = PlannedMap(
    "finite-width-first-order",
    KERNEL_SPREAD,
    {"width": (10, 400), "depth": (1, 10), "activation": ("relu", "erf", "tanh", "gelu", "sin")},
    5000,
)

"""What can be tested of geometry: curves over the inputs against their closed forms, by the factor between both."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
import torch
import xarray as xr

from bridge import arguments
from bridge.geometry.convergence import QUANTITIES, at_infinite_width
from bridge.statistics.arrays import Array
from bridge.validity.prediction import Pair, Prediction
from bridge.validity.recorded import PlannedMap
from empirics.experiments.geometry import random_networks, symmetric_units
from empirics.networks.names import ActivationName
from empirics.runs.config import Configuration
from papers.zavatoneveth2023 import quantities as q
from papers.zavatoneveth2023.studies.symmetric_units import closed_form

# 0 to 90 degrees
INPUTS = np.stack([np.cos(np.arange(4) * np.pi / 6), np.sin(np.arange(4) * np.pi / 6)], axis=1)
TENTH = 0.1
EXACT = 1e-6  # smallest relevant deviation where nothing is random, relative


@dataclass(frozen=True)
class DeepNetwork(Configuration):
    """A network at initialisation, whose hidden layers are equally wide; weights of variance 2/width, no biases."""

    experiment: ClassVar[str] = "deep random networks"

    width: int = 100
    depth: int = 2
    activation: ActivationName = "relu"
    first_seed: int = 0

    def __post_init__(self) -> None:
        self.check_integers(width=1, depth=1, first_seed=0)


def kernel_distance(config: DeepNetwork, seed: int) -> tuple[float, float]:
    """Return a tenth, and the distance of a network's kernel of four inputs from infinite width, relative to that."""
    from empirics.networks import Elementwise
    from theory.geometry import kernel_matrix

    draw, activation = (
        np.random.default_rng([seed, config.width, config.depth]),
        Elementwise(config.activation),
    )
    features = torch.from_numpy(INPUTS)
    for _ in range(config.depth):
        weights = torch.from_numpy(draw.normal(0, math.sqrt(2), (features.shape[1], config.width)))
        features = activation(features @ weights) / math.sqrt(config.width)
    wide = kernel_matrix(config.activation, INPUTS, depth=config.depth, sigma=math.sqrt(2))
    return TENTH, float(
        np.linalg.norm((features @ features.T).numpy() - wide) / np.linalg.norm(wide)
    )


def factor(measured: Array, expected: Array) -> Array:
    """Return the factor ``[...]`` by which curves ``[..., input]`` exceed a closed form ``[input]``: least squares."""
    return np.asarray(measured @ expected / (expected @ expected))


def at_least_width(trace: xr.Dataset, quantity: str) -> Pair:
    """Return 1, and the factor of every network of the smallest width over infinite width."""
    import theory.geometry
    from theory import activations

    config = arguments.attribute(trace, "config")
    form = getattr(theory.geometry, QUANTITIES[quantity])(
        activations.from_text(config["activation"])
    )
    narrow = (
        trace[quantity]
        .isel(width=0)
        .mean("direction", skipna=False)
        .transpose("realisation", "input")
        .values
    )
    return 1.0, factor(narrow, at_infinite_width(form, config, trace["input"].values))


def at_equal_angles(trace: xr.Dataset, quantity: str) -> Pair:
    """Return 1, and the factor of three units over their closed form."""
    measured = trace[quantity].transpose("radius", "angle").values
    return 1.0, factor(measured.ravel(), closed_form(trace, quantity).ravel())


def with_width(config: Any, width: int) -> Any:
    """Return networks with this width as the first of their ``widths``, which keep their ratios."""
    return config.changed(
        widths=tuple(round(width * other / config.widths[0]) for other in config.widths)
    )


def _random(name: str, sentence: str, form: str) -> Prediction:
    quantity, base = (
        name.removeprefix("finite_"),
        random_networks.Config(inputs=5, widths=(50, 100, 200)),
    )
    compare: Callable[[xr.Dataset], Pair] = partial(at_least_width, quantity=quantity)
    return Prediction(
        f"geometry.{name}", sentence, compare, base, forms=(f"geometry.{form}.erf",),
        most=512, axes={"width": with_width},
    )  # fmt: skip


VOLUME_ELEMENT = _random(
    "finite_volume_element",
    "The volume element of a random network is that of infinite width.",
    "volume_element",
)
CURVATURE = _random(
    "finite_curvature",
    "The scalar curvature of a random network is that of infinite width.",
    "scalar_curvature",
)
THREE_UNITS_VOLUME = Prediction(
    "geometry.three_units_volume", "Three erf units at equal angles have the volume element of the closed form.",
    partial(at_equal_angles, quantity="volume_element"), symmetric_units.Config(), EXACT,
    quantity=q.SYMMETRIC_VOLUME, forms=("geometry.three_unit_volume_element",), varies=False,
)  # fmt: skip
THREE_UNITS_CURVATURE = Prediction(
    "geometry.three_units_curvature", "Three erf units at equal angles have the curvature of the closed form.",
    partial(at_equal_angles, quantity="curvature"), symmetric_units.Config(), EXACT,
    quantity=q.SYMMETRIC_CURVATURE, forms=("geometry.three_unit_curvature",), varies=False,
)  # fmt: skip
KERNEL = Prediction(
    "geometry.deep_kernel", "The kernel of a deep random network is that of infinite width to a tenth, on average.",
    kernel_distance, DeepNetwork(), TENTH / 2, False, "<",
    forms=tuple(f"geometry.nngp_kernel.{name}" for name in ("erf", "tanh", "relu")),
)  # fmt: skip
WIDTHS = PlannedMap(
    "geometry-widths", VOLUME_ELEMENT, {"width": (5, 300), "activation": ("erf", "tanh")}, 2500
)
DEEP = PlannedMap(
    "geometry-deep-kernels",
    KERNEL,
    {"width": (10, 2000), "depth": (1, 8), "activation": ("erf", "tanh", "relu")},
    6000,
)

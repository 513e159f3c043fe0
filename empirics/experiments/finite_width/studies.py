"""The studies of fluctuations at one input and at two: activations and shapes, each with seeds of its own."""

from collections.abc import Mapping
from itertools import product
from typing import Any

from empirics.experiments.finite_width.config import Config
from empirics.runs.study import Scale, Study

ACTIVATIONS = ("relu", "erf", "tanh", "gelu", "sin")
SHAPES: dict[Scale, tuple[tuple[int, int], ...]] = {
    "smoke": ((10, 1), (20, 2)),
    "laptop": ((10, 1), (10, 2), (30, 1), (30, 3), (100, 2), (100, 6), (300, 1), (300, 10)),
    "paper": ((10, 1), (10, 2), (30, 1), (30, 3), (100, 2), (100, 6), (300, 1), (300, 10)),
}
"""Widths and depths."""
SIZES: dict[Scale, tuple[int, int]] = {
    "smoke": (400, 4),
    "laptop": (2000, 8),
    "paper": (20_000, 32),
}
"""Networks of a seed, and seeds."""
WEIGHTS_AT_MOST = (
    30  # width up to which every weight is drawn; wider layers are drawn unit by unit
)
CRITICAL = {"relu": (2.0, 0.0)}
"""Variances of weights and biases; of the other activations 1.5 and 0.2."""

SHAPES_OF_TWO: dict[Scale, tuple[tuple[int, int], ...]] = {
    "smoke": ((10, 1), (20, 2)),
    "laptop": ((10, 1), (10, 2), (30, 1), (30, 3), (100, 2), (100, 6)),
    "paper": ((10, 1), (10, 2), (30, 1), (30, 3), (100, 2), (100, 6)),
}
SIZES_OF_TWO: dict[Scale, tuple[int, int]] = {
    "smoke": (400, 4),
    "laptop": (10_000, 16),
    "paper": (100_000, 32),
}
COSINES = (0.5, -0.8)
OTHER_NORM = 2.0
SEED_OF_TWO = 100_000
"""The study of two inputs draws from here on, and shares no seed with the other."""


def _config(
    activation: str, shape: tuple[int, int], sizes: tuple[int, int], first_seed: int, **values: Any
) -> Config:
    """Return a configuration with the variances of its activation."""
    (width, depth), (networks, seeds) = shape, sizes
    weight, bias = CRITICAL.get(activation, (1.5, 0.2))
    return Config(
        activation=activation,
        width=width,
        depth=depth,
        weight_variance=weight,
        bias_variance=bias,
        networks=networks,
        seeds=seeds,
        first_seed=first_seed,
        **values,
    )


def fluctuations(scale: Scale) -> Mapping[str, Config]:
    """Return the configurations of a scale, whose seeds do not overlap.

    Args:
        scale: the scale.
    """
    sizes, configs = SIZES[scale], {}
    for number, (activation, shape) in enumerate(product(ACTIVATIONS, SHAPES[scale])):
        has_weights = shape[0] <= WEIGHTS_AT_MOST or shape[1] == 1
        draw = "weights" if has_weights else "units"
        config = _config(activation, shape, sizes, sizes[1] * number, draw=draw)
        configs[config.label] = config
    return configs


FLUCTUATIONS = Study(
    name="finite-width-fluctuations",
    question="Do kernels and outputs of random networks fluctuate as the closed forms say?",
    table=fluctuations,
    label=lambda config: config.label,
    named={"draw": ""},
)


def two_inputs(scale: Scale) -> Mapping[str, Config]:
    """Return the configurations of a scale with two inputs, whose seeds do not overlap.

    Args:
        scale: the scale.
    """
    sizes, configs = SIZES_OF_TWO[scale], {}
    cases = product(ACTIVATIONS, SHAPES_OF_TWO[scale], COSINES)
    for number, (activation, shape, cosine) in enumerate(cases):
        pair = {"draw": "units", "other_norm": OTHER_NORM, "cosine": cosine}
        config = _config(activation, shape, sizes, SEED_OF_TWO + sizes[1] * number, **pair)
        configs[config.label] = config
    return configs


TWO_INPUTS = Study(
    name="finite-width-two-inputs",
    question="Do the kernels of two inputs vary together as the closed forms say?",
    table=two_inputs,
    label=lambda config: config.label,
    named={"draw": "", "other_norm": ""},
)

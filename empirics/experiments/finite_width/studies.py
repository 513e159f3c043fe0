"""The study of fluctuations: activations, widths and depths, each with seeds of its own."""

from collections.abc import Mapping
from itertools import product

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


def fluctuations(scale: Scale) -> Mapping[str, Config]:
    """Return the configurations of a scale, whose seeds do not overlap.

    Args:
        scale: the scale.
    """
    networks, seeds = SIZES[scale]
    configs = {}
    for number, (activation, (width, depth)) in enumerate(product(ACTIVATIONS, SHAPES[scale])):
        weight, bias = CRITICAL.get(activation, (1.5, 0.2))
        has_weights = width <= WEIGHTS_AT_MOST or depth == 1
        config = Config(
            activation=activation,
            width=width,
            depth=depth,
            weight_variance=weight,
            bias_variance=bias,
            networks=networks,
            draw="weights" if has_weights else "units",
            seeds=seeds,
            first_seed=seeds * number,
        )
        configs[config.label] = config
    return configs


FLUCTUATIONS = Study(
    name="finite-width-fluctuations",
    question="Do kernels and outputs of random networks fluctuate as the closed forms say?",
    table=fluctuations,
    label=lambda config: config.label,
    named={"draw": ""},
)

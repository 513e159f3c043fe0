"""Figure 1: do wide random networks approach the closed forms, at the rate 1/width, in volume and in curvature?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from empirics.experiments.geometry.random_networks import Config
from empirics.experiments.study import Scale, Study

# The first two as in the paper. Where biases are large, the other two are almost flat: smaller ones bend them.
NETWORKS = {
    "erf": Config(activation="erf"),
    "quadratic": Config(activation="monomial_2", largest_norm=2.0),
    "GELU": Config(activation="gelu", zeta=0.25, largest_norm=2.0),
    "sine": Config(activation="sin", zeta=0.25, largest_norm=2.0),
}
SIZES: dict[Scale, tuple[tuple[int, ...], int]] = {
    "smoke": ((20, 40, 80, 160), 40),
    "laptop": ((20, 40, 80, 160, 320), 400),
    "paper": ((20, 40, 80, 160, 320, 640, 1280), 4000),
}


def configs(scale: Scale) -> Mapping[str, Config]:
    """Four activations at the widths and with the realisations of a scale."""
    widths, realisations = SIZES[scale]
    return {label: replace(config, widths=widths, realisations=realisations) for label, config in NETWORKS.items()}


STUDY = Study(
    name="geometry-random-networks",
    question="Do volume element and curvature of wide random networks approach the closed forms as 1/width?",
    figure="Figure 1",
    table=configs,
)

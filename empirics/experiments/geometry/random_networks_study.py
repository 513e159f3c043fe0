"""Figure 1: do wide random networks approach the closed forms, at the rate 1/width, in volume and in curvature?"""

from __future__ import annotations

from collections.abc import Mapping

from empirics.experiments.geometry.random_networks import Config
from empirics.experiments.study import Scale, Study

ACTIVATIONS = {"erf": "erf", "GELU": "gelu", "sine": "sin", "quadratic": "monomial_2"}  # the paper has the outer two
SIZES: dict[Scale, tuple[tuple[int, ...], int]] = {
    "smoke": ((12, 24, 48, 96), 60),
    "laptop": ((20, 40, 80, 160, 320), 400),
    "paper": ((20, 40, 80, 160, 320, 640, 1280), 4000),
}


def configs(scale: Scale) -> Mapping[str, Config]:
    """Four activations at the widths and with the realisations of a scale."""
    widths, realisations = SIZES[scale]
    return {
        label: Config(activation=name, widths=widths, realisations=realisations)  # type: ignore[arg-type]
        for label, name in ACTIVATIONS.items()
    }


STUDY = Study(
    name="geometry-random-networks",
    question="Do volume element and curvature of wide random networks approach the closed forms as 1/width?",
    figure="Figure 1",
    table=configs,
)

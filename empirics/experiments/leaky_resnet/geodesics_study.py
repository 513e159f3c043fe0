"""Small networks against geodesics: the closed form where they are linear, the direct solver where they are not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from empirics.experiments.leaky_resnet.geodesics import Config
from empirics.experiments.study import Scale, Study

LINEAR: dict[Scale, Config] = {
    "smoke": Config(layers=(4, 8, 12), seeds=2, adam=150, polishing=150, solving=60),
    "laptop": Config(solving=800),
    "paper": Config(layers=(4, 8, 16, 32, 64), seeds=5),
}


def configs(scale: Scale) -> Mapping[str, Config]:
    """Linear networks, and ReLU networks with bias and without."""
    base = LINEAR[scale]
    relu = replace(base, linear=False, points=2, depth=2.0, gain=0.3)
    if scale == "smoke":
        relu = replace(relu, layers=(4, 8), adam=80, polishing=80)
    return {
        "linear": base,
        "ReLU, with bias": replace(relu, bias=True),
        "ReLU, without bias": relu,
    }


STUDY = Study(
    name="leaky-resnet-geodesics",
    question="Do trained networks lie on geodesics, and how fast do they near those of infinitely many layers?",
    figure="Sections 1.3 and 1.5",
    table=configs,
)

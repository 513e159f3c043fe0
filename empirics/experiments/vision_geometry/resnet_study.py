"""Figures 4 and 5: do ResNets trained to classify magnify volumes near their decision boundaries?"""

from __future__ import annotations

from collections.abc import Mapping

from empirics.experiments.study import Scale, Study
from empirics.experiments.vision_geometry.resnet import Config
from empirics.experiments.vision_geometry.scales import SIZES


def configs(scale: Scale) -> Mapping[str, Config]:
    """GELU and ReLU."""
    sizes = SIZES[scale]
    return {"GELU": Config(activation="gelu", **sizes), "ReLU": Config(activation="relu", **sizes)}


STUDY = Study(
    name="vision-geometry-resnet",
    question="Do ResNets trained to classify images magnify volumes near their decision boundaries?",
    figure="Figures 4, 5 and G.13 to G.25",
    table=configs,
)

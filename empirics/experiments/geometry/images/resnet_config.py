"""The configuration of residual networks that are trained to classify images."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from empirics.experiments.geometry.images.config import VisionConfig


@dataclass(frozen=True)
class Config(VisionConfig):
    """Settings of one run of supervised learning, with random crops and flips.

    The attributes are those of :class:`~empirics.experiments.geometry.images.config.VisionConfig`.
    """

    experiment: ClassVar[str] = "geometry.resnet"

"""Figures 1a and 3: what changes with the effective depth, and what stays bounded. One run, all depths in a batch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from empirics.experiments.leaky_resnet.config import Config
from empirics.experiments.leaky_resnet.scales import BASE, DEPTHS
from empirics.experiments.study import Scale, Study


def configs(scale: Scale) -> Mapping[str, Config]:
    """All effective depths of a scale."""
    return {"default": replace(BASE[scale], depths=DEPTHS[scale])}


STUDY = Study(
    name="leaky-resnet-depths",
    question="How do H, the cost of identity, the path's length and the momenta change with the effective depth?",
    figure="Figures 1a, 3",
    table=configs,
)

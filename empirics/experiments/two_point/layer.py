"""Figure 10: in which layers does the theory hold, and how do its time constants change with depth?

One run that records every hidden layer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from empirics.experiments.study import Scale, Study
from empirics.experiments.two_point.config import Config
from empirics.experiments.two_point.scales import named


def configs(scale: Scale) -> Mapping[str, Config]:
    """The default network, all hidden layers recorded."""
    config = named("default", scale)
    return {"default": replace(config, layers=tuple(range(1, config.depth + 1)))}


STUDY = Study(
    name="two-point-layer",
    question="In which hidden layers does the theory hold, and how do the time constants depend on the layer?",
    figure="Figure 10",
    table=configs,
)

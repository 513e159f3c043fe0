"""Figures 3.1 to 3.4: how NC1 falls with depth and with training, and whether by equal factors from layer to layer."""

from __future__ import annotations

from collections.abc import Mapping

from empirics.experiments.collapse.config import Config
from empirics.experiments.collapse.scales import BASE, scenarios
from empirics.experiments.study import Scale, Study


def configs(scale: Scale) -> Mapping[str, Config]:
    """The scenarios of a scale, without usable information."""
    return scenarios(scale, BASE[scale])


STUDY = Study(
    name="collapse-layers",
    question="Does NC1 fall by equal factors from layer to layer, and does the test set follow the training set?",
    figure="Figures 3.1 to 3.4",
    table=configs,
)

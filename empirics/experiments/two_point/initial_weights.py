"""Figure 3: what do the initial weights change, and from where on does the theory fail?"""

from __future__ import annotations

from collections.abc import Mapping

from empirics.experiments.study import Scale, Study
from empirics.experiments.two_point.config import Config
from empirics.experiments.two_point.scales import named
from empirics.experiments.two_point.table_1 import INITIAL_WEIGHTS


def configs(scale: Scale) -> Mapping[str, Config]:
    """Low, default, intermediate, high and very high initial weights."""
    low, *higher = INITIAL_WEIGHTS
    return {name: named(name, scale) for name in (low, "default", *higher)}


STUDY = Study(
    name="two-point-initial-weights",
    question="How do plateau and final distance depend on the initial weights, and where does the theory fail?",
    figure="Figure 3",
    table=configs,
)

"""Figure 15: the theory assumes gradient descent; how much of it is left under Adam?"""

from __future__ import annotations

from collections.abc import Mapping

from empirics.experiments.study import Scale, Study
from empirics.experiments.two_point.config import Config
from empirics.experiments.two_point.scales import ADAM, named


def configs(scale: Scale) -> Mapping[str, Config]:
    """The default network under Adam."""
    return {ADAM: named(ADAM, scale)}


STUDY = Study(
    name="two-point-adam",
    question="How well does the theory, derived for gradient descent, describe training with Adam?",
    figure="Figure 15",
    table=configs,
)

"""Figure 11: does the fit owe its quality to the form of Eq. 7, or do four altered dynamics (Eq. 51) do as well?"""

from __future__ import annotations

from collections.abc import Mapping

from empirics.experiments.study import Scale, Study
from empirics.experiments.two_point.config import Config
from empirics.experiments.two_point.scales import named


def configs(scale: Scale) -> Mapping[str, Config]:
    """The default network; the alternatives are a matter of fitting."""
    return {"default": named("default", scale)}


STUDY = Study(
    name="two-point-alternatives",
    question="Do four slightly altered dynamics fit the default network as well as the theory does?",
    figure="Figure 11",
    table=configs,
)

"""Figures 2 and 12: does one theory with two fitted constants describe any connectivity and nonlinearity?"""

from __future__ import annotations

from collections.abc import Mapping

from empirics.experiments.study import Scale, Study
from empirics.experiments.two_point.config import Config
from empirics.experiments.two_point.scales import named
from empirics.experiments.two_point.table_1 import ARCHITECTURES, NONLINEARITIES


def configs(scale: Scale) -> Mapping[str, Config]:
    """The default network, five other architectures, five other nonlinearities."""
    return {name: named(name, scale) for name in (*ARCHITECTURES, *NONLINEARITIES)}


STUDY = Study(
    name="two-point-architectures",
    question="Does one theory with two fitted constants describe networks of any connectivity and nonlinearity?",
    figure="Figures 2 and 12",
    table=configs,
)

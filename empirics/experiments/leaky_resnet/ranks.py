"""The control of Figure 1b: teachers of several inner dimensions k*, with and without bias. Does the gap follow k*?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from empirics.experiments.leaky_resnet.config import Config
from empirics.experiments.leaky_resnet.scales import BASE
from empirics.experiments.study import Scale, Study

RANKS = (2, 3, 4)


def configs(scale: Scale) -> Mapping[str, Config]:
    """Every inner dimension, with bias and without."""
    base = BASE[scale]
    d = base.dimensions[0]
    return {
        f"k* = {k}, {'with' if bias else 'without'} bias": replace(base, dimensions=(d, k, d), bias=bias)
        for bias in (True, False)
        for k in RANKS
    }


STUDY = Study(
    name="leaky-resnet-ranks",
    question="Does the gap in the spectrum follow the teacher's inner dimension?",
    figure="control of Figure 1b",
    table=configs,
)

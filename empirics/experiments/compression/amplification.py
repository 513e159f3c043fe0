"""Figure 5, and the top of Figure 7: how does the global amplification factor grow with time and training set?"""

from __future__ import annotations

from collections.abc import Mapping

from empirics.experiments.compression.config import Config
from empirics.experiments.compression.scales import SIZES, stripe
from empirics.experiments.study import Scale, Study

MOST_CYLINDER = 4000  # points at laptop size: the cylinder takes more than twice the time tau


def configs(scale: Scale) -> Mapping[str, Config]:
    """Training sets of every size: the stripe, beside it the cylinder, and in the paper another dimension."""
    found = {f"stripe d=5 p={p}": stripe(scale, points=p) for p in SIZES[scale]}
    if scale == "laptop":
        sizes = [p for p in SIZES[scale] if p <= MOST_CYLINDER]
        found |= {f"cylinder d=3 p={p}": stripe(scale, points=p, dimension=3, labels="shells") for p in sizes}
    if scale == "paper":
        found |= {f"stripe d=10 p={p}": stripe(scale, points=p, dimension=10) for p in SIZES[scale]}
        found |= {f"cylinder d=3 p={p}": stripe(scale, points=p, dimension=3, labels="shells") for p in SIZES[scale]}
    return found


STUDY = Study(
    name="compression-amplification",
    question="Does the global amplification factor grow as the root of the number of training points?",
    figure="Figures 5 and 7 (top)",
    table=configs,
)

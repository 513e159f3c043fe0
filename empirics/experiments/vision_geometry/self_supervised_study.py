"""Figure 6: do self-supervised ResNets magnify volumes near the decision boundaries of a linear probe?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from empirics.experiments.study import Scale, Study
from empirics.experiments.vision_geometry.scales import SIZES
from empirics.experiments.vision_geometry.self_supervised import Config

CHANGES: dict[Scale, dict[str, Any]] = {  # to the sizes of the supervised study
    "smoke": {"projection": 32, "train_size": 200, "batch_size": 20, "epochs": 5},  # two views of an image each time
    "laptop": {"projection": 64, "batch_size": 100},
    "paper": {"projection": 256, "epochs": 1000, "snapshots": (200,)},
}


def configs(scale: Scale) -> Mapping[str, Config]:
    """Barlow Twins and SimCLR."""
    sizes = SIZES[scale] | CHANGES[scale]
    return {"Barlow Twins": Config(method="barlow_twins", **sizes), "SimCLR": Config(method="simclr", **sizes)}


STUDY = Study(
    name="vision-geometry-self-supervised",
    question="Do self-supervised ResNets magnify volumes near the decision boundaries of a linear probe?",
    figure="Figures 6 and G.26 to G.34",
    table=configs,
)

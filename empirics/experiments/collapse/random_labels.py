"""Figure 1.1: the same network on the same images with their own labels and with random ones. What collapses?

Noise takes longer to learn than classes do, so the runs here are longer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from empirics.experiments.collapse.config import Config
from empirics.experiments.collapse.scales import BASE
from empirics.experiments.study import Scale, Study

CHANGES = {
    "smoke": {"train_size": 200, "epochs": 20, "collapse_at": (0, 5, 10, 20)},
    "laptop": {"train_size": 1000, "test_size": 1000, "epochs": 40, "seeds": 2, "collapse_at": (0, 1, 3, 10, 20, 40)},
    "paper": {"stop_loss": 0.02},
}


def configs(scale: Scale) -> Mapping[str, Config]:
    """True and random labels."""
    base = replace(BASE[scale], **CHANGES[scale])  # type: ignore[arg-type]
    return {"own labels": base, "random labels": replace(base, random_labels=1.0)}


STUDY = Study(
    name="collapse-random-labels",
    question="A network that fits random labels perfectly: do its layers collapse onto classes that mean nothing?",
    figure="Figure 1.1",
    table=configs,
)

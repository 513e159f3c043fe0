"""Figures 3.5 to 3.8: how much decoders can read from each layer, of the class and of what tells its members apart.

Every number is a training of its own, so they are taken at a few epochs only, densest at the beginning. The smallest
scale takes an MLP, whose decoders train in a moment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from empirics.experiments.collapse.config import Config
from empirics.experiments.collapse.scales import BASE, scenarios
from empirics.experiments.study import Scale, Study

CHANGES = {
    "smoke": {
        "network": "mlp", "depths": (48, 24, 12), "train_size": 200, "test_size": 200, "epochs": 10, "collapse_at": (),
        "information_at": (0,), "decoder_epochs": 25, "learning_rate": 0.01,
    },
    "laptop": {
        "train_size": 400, "test_size": 400, "information_at": (0, 2), "collapse_at": (0, 2), "epochs": 12,
        "seeds": 2, "decoder_epochs": 20,
    },
    "paper": {"information_at": (0, 1, 2, 4, 8, 16, 32), "seeds": 1},
}  # fmt: skip


def configs(scale: Scale) -> Mapping[str, Config]:
    """The scenarios of a scale, with usable information at some epochs."""
    return scenarios(scale, replace(BASE[scale], **CHANGES[scale]))  # type: ignore[arg-type]


STUDY = Study(
    name="collapse-information",
    question="What can decoders still read from each layer: of the class, and of what the class does not say?",
    figure="Figures 3.5 to 3.8",
    table=configs,
)

"""One named configuration at the three scales."""

from __future__ import annotations

from dataclasses import replace

from empirics.experiments.study import Scale
from empirics.experiments.two_point import laptop, table_1
from empirics.experiments.two_point.config import Config

ADAM = "Adam"
SMOKE_SPEED_UP = {"gd": 4.0, "adam": 20.0}  # larger steps, so that 600 of them teach a network of 4 layers


def named(name: str, scale: Scale) -> Config:
    """The configuration ``name`` of Table 1, or ``"Adam"``, at ``scale``.

    Args:
        name: a label of :data:`empirics.experiments.two_point.table_1.TABLE_1`, or ``"Adam"``.
        scale: "smoke", "laptop" or "paper".
    """
    if scale == "paper":
        return replace(table_1.ADAM if name == ADAM else table_1.TABLE_1[name], seeds=table_1.SEEDS)
    config = laptop.ADAM if name == ADAM else laptop.LAPTOP[name]
    if scale == "laptop":
        return config
    rate = config.learning_rate * SMOKE_SPEED_UP[config.optimiser]
    return replace(
        config, depth=min(config.depth, 4), width=30, epochs=600, seeds=2, layers=None, learning_rate=rate, channels=4,
        kernel=5,
    )  # fmt: skip

"""Figures G.1 to G.4: how the geometry of exclusive or emerges in networks of two to many hidden units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from empirics.experiments.geometry.trained.config import Config
from empirics.experiments.study import Scale, Study

WIDTHS: dict[Scale, tuple[int, ...]] = {"smoke": (2, 10), "laptop": (2, 10, 100), "paper": (2, 10, 100, 250, 500)}
SIZES: dict[Scale, tuple[int, int, int]] = {"smoke": (600, 20, 3), "laptop": (2000, 40, 5), "paper": (2000, 40, 20)}


def configs(scale: Scale) -> Mapping[str, Config]:
    """The paper's optimisation, at the widths of a scale."""
    epochs, grid, seeds = SIZES[scale]
    base = Config(
        task="xor", learning_rate=0.02, weight_decay=1e-4, epochs=epochs,
        checkpoints=tuple(round(epochs * share) for share in (0, 0.1, 0.25, 0.5, 1)), grid=grid, seeds=seeds,
    )  # fmt: skip
    return {f"2 → {width} → 2": replace(base, widths=(width,)) for width in WIDTHS[scale]}


STUDY = Study(
    name="geometry-xor",
    question="Where do volume element and curvature grow while networks learn exclusive or?",
    figure="Figures G.1 to G.4",
    table=configs,
)

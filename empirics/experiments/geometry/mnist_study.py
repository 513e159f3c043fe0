"""Figure 3: volume, and curvature, which the paper did not attempt, at images and between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from empirics.experiments.geometry.mnist.config import Config
from empirics.experiments.study import Scale, Study

SMOKE = Config(
    dataset="digits", train_size=600, test_size=200, batch_size=50, learning_rate=5e-3, epochs=20,
    checkpoints=(0, 3, 20), images=12, lines=4, steps=9, plane=8,
)  # fmt: skip
PAPER = Config(
    train_size=None, test_size=None, batch_size=1000, epochs=200, checkpoints=(0, 1, 10, 50, 200), images=100,
    lines=10, steps=41, curved_lines=2, plane=17, seeds=3, device="cuda",
)  # fmt: skip
BASE: dict[Scale, Config] = {"smoke": SMOKE, "laptop": Config(), "paper": PAPER}
SHAPES: dict[Scale, tuple[tuple[int, ...], ...]] = {
    "smoke": ((96,), (96, 96)),
    "laptop": ((2000,), (1000, 1000)),
    "paper": ((2000,), (1000, 1000, 1000)),
}


def configs(scale: Scale) -> Mapping[str, Config]:
    """The paper's shallow network and a deep one."""
    made = [replace(BASE[scale], widths=widths) for widths in SHAPES[scale]]
    return {config.shape: config for config in made}


STUDY = Study(
    name="geometry-mnist",
    question="How do volume and curvature of networks that classify images change near their decision boundaries?",
    figure="Figures 3 and G.8 to G.12",
    table=configs,
)

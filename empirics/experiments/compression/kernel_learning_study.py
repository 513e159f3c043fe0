"""Figure 8: what the frozen kernels learn from other images, beside the network, against the number of images."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from empirics.experiments.compression.kernel_components_config import Config
from empirics.experiments.compression.kernel_components_study import MNIST, MNIST_PAPER, SMOKE_DIGITS
from empirics.experiments.study import Scale, Study

SIZES: Mapping[Scale, tuple[Config, tuple[int, ...]]] = {
    "smoke": (replace(SMOKE_DIGITS, most_steps=120), (60, 120, 240)),
    "laptop": (replace(MNIST, most_steps=400), (60, 120, 240)),
    "paper": (MNIST_PAPER, (250, 500, 1000, 2000, 4000)),
}


def configs(scale: Scale) -> Mapping[str, Config]:
    """One configuration for each number of images."""
    base, sizes = SIZES[scale]
    return {f"{size:,} images": replace(base, points=size) for size in sizes}


STUDY = Study(
    name="compression-kernel-learning",
    question="Does the kernel after training, frozen, learn from other images as well as the network did?",
    figure="Figure 8",
    table=configs,
)

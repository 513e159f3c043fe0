"""The images of one seed: training and test split, resized, and their normalisation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor
from torch.nn.functional import avg_pool2d, interpolate

from empirics import data
from empirics.experiments.geometry.images.config import VisionConfig
from empirics.vision import transforms

Statistics = tuple[tuple[float, ...], tuple[float, ...]]  # mean and standard deviation of each channel
CIFAR: Statistics = ((0.4914, 0.4822, 0.4465), (0.2023, 0.1994, 0.2010))  # arXiv 2301.11375, Appendix G 3
IMAGENET: Statistics = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))  # arXiv 2301.11375, Appendix G 4
DIGITS: Statistics = ((0.305,), (0.376,))  # of scikit-learn's digits, to three decimal places
NAMES = {
    "cifar10": ("plane", "car", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"),
    "digits": tuple(str(digit) for digit in range(10)),
}


@dataclass(frozen=True, eq=False)
class SeedImages:
    """Images for the training and the measurements of one seed."""

    train: Tensor  # [N, channel, height, width], values in [0, 1], on the device of the run
    train_labels: Tensor  # [N]
    test: Tensor  # as train
    test_labels: Tensor
    statistics: Statistics  # mean and standard deviation of each channel
    origin: dict[str, str]  # {split: text}

    @property
    def device(self) -> torch.device:
        """The device of the images."""
        return self.train.device

    def normalised(self, images: Tensor) -> Tensor:
        """Return ``images`` (values in [0, 1]) minus the mean of each channel, divided by its standard deviation."""
        normalised: Tensor = transforms.functional.normalize(images, *map(list, self.statistics))
        return normalised


def read(config: VisionConfig, seed: int, device: torch.device, statistics: Statistics) -> SeedImages:
    """Return the images of ``seed``, in float32; ``statistics`` normalise three channels, digits have their own."""
    splits: tuple[tuple[Literal["train", "test"], int | None], ...] = (
        ("train", config.train_size), ("test", config.test_size)
    )  # fmt: skip
    parts = {split: data.load(config.dataset, split=split, count=count, seed=seed) for split, count in splits}
    images = {split: resized(part.images, config.side).to(device) for split, part in parts.items()}
    origin: dict[str, str] = {split: part.origin for split, part in parts.items()}
    labels = {split: part.labels.to(device) for split, part in parts.items()}
    own_statistics = DIGITS if config.dataset == "digits" else statistics
    return SeedImages(images["train"], labels["train"], images["test"], labels["test"], own_statistics, origin)


def resized(images: Tensor, side: int) -> Tensor:
    """Return square images with ``side`` pixels per side, a divisor or a multiple, by averaging or repeating pixels."""
    if side <= images.shape[-1]:
        return avg_pool2d(images, images.shape[-1] // side)
    return interpolate(images, size=(side, side), mode="nearest")

"""The images of one seed: both splits, resized, and how they are normalised before a network sees them."""

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
IMAGENET: Statistics = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))  # the same, G 4
DIGITS: Statistics = ((0.305,), (0.376,))  # of scikit-learn's digits, to three digits
NAMES = {
    "cifar10": ("plane", "car", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"),
    "digits": tuple(str(digit) for digit in range(10)),
}


@dataclass(frozen=True, eq=False)
class Images:
    """What one seed trains on and is looked at with.

    Attributes:
        train: ``[N, channel, height, width]``, in [0, 1], on the device of the run.
        train_labels: ``[N]``.
        test: as ``train``.
        test_labels: as ``train_labels``.
        statistics: mean and standard deviation of each channel, for :meth:`normalised`.
        origin: both splits in words, ``{split: text}``.
    """

    train: Tensor
    train_labels: Tensor
    test: Tensor
    test_labels: Tensor
    statistics: Statistics
    origin: dict[str, str]

    @property
    def device(self) -> torch.device:
        """Where the images lie."""
        return self.train.device

    def normalised(self, images: Tensor) -> Tensor:
        """``images`` [0, 1] as the network gets them: each channel less its mean, over its standard deviation."""
        normalised: Tensor = transforms.functional.normalize(images, *map(list, self.statistics))
        return normalised


def read(config: VisionConfig, seed: int, device: torch.device, statistics: Statistics) -> Images:
    """The images of ``seed``, in float32.

    Args:
        config: which images, how many, how large.
        seed: of the draw.
        device: where they shall lie.
        statistics: of the normalisation, for images with three channels; the digits have their own.

    Raises:
        ValueError: if no directory is named or there are not so many images.
        FileNotFoundError: if the files are not there.
        ModuleNotFoundError: if the digits are asked for without scikit-learn.
    """
    splits: tuple[tuple[Literal["train", "test"], int], ...] = (
        ("train", config.train_size), ("test", config.test_size)
    )  # fmt: skip
    parts = {split: data.load(config.dataset, split=split, count=count, seed=seed) for split, count in splits}
    images = {split: resized(part.images, config.side).to(device) for split, part in parts.items()}
    origin: dict[str, str] = {split: part.origin for split, part in parts.items()}
    labels = {split: part.labels.to(device) for split, part in parts.items()}
    used = DIGITS if config.dataset == "digits" else statistics
    return Images(images["train"], labels["train"], images["test"], labels["test"], used, origin)


def resized(images: Tensor, side: int) -> Tensor:
    """Square images ``[N, channel, height, width]`` with ``side`` pixels a side, by averaging or repeating pixels."""
    if side <= images.shape[-1]:
        return avg_pool2d(images, images.shape[-1] // side)
    return interpolate(images, size=(side, side), mode="nearest")

"""Random transforms of torchvision for training images: crops and flips, and the two views of self-supervised learning.

torchvision draws from torch's global random state, and applies the same draw to all images of a batch. Each image is
therefore transformed on its own, or with a few others where that is asked for, after the state was seeded for its
batch; the earlier state is restored. The
transforms run on the CPU for every device, so that a seed gives the same images everywhere; for training on a GPU they
run in one worker process per core. Images with one channel have neither saturation nor hue.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor
from torch.nn.functional import avg_pool2d, interpolate
from torch.utils.data import DataLoader, Dataset

from empirics import data
from empirics.experiments.geometry.images.config import (
    LEAST_BLUR,
    MOST_BLUR,
    SMALLEST_CROP,
    VisionConfig,
)
from empirics.training.partition import Partition

# mean and standard deviation of each channel
Statistics = tuple[tuple[float, ...], tuple[float, ...]]
# arXiv 2301.11375, Appendix G 3
CIFAR: Statistics = ((0.4914, 0.4822, 0.4465), (0.2023, 0.1994, 0.2010))
# arXiv 2301.11375, Appendix G 4
IMAGENET: Statistics = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
DIGITS: Statistics = ((0.305,), (0.376,))  # of scikit-learn's digits, to three decimal places
NAMES = {
    "cifar10": ("plane", "car", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"),
    "digits": tuple(str(digit) for digit in range(10)),
}

Transform = Callable[[Tensor], Tensor]
Batch = tuple[list[Tensor], Tensor]
LARGEST_SEED = 2**62

PADDING = 8  # an eighth of the image on each side: 4 pixels of 32 (arXiv 2301.11375, Appendix G 3)
# Barlow Twins' views (arXiv 2103.03230) with the strengths of 2301.11375, Appendix G 4
JITTER = {"brightness": 0.4, "contrast": 0.4, "saturation": 0.2, "hue": 0.1}
JITTERED, GREY = 0.8, 0.2  # probabilities
BLURRED, SOLARISED = (1.0, 0.1), (0.0, 0.2)  # probabilities in the first and in the second view
REACH = 3  # half the width of the blur's kernel, in units of the largest standard deviation
BRIGHT = 0.5  # solarisation inverts pixel values of at least this


def shifted(side: int, mirror: bool) -> Transform:
    """Return the transform that pads an image with zeros, crops it at random to its size and may mirror it."""
    from empirics.vision import transforms  # takes a second to import

    flips = [transforms.RandomHorizontalFlip()] if mirror else []
    transform: Transform = transforms.Compose(
        [transforms.RandomCrop(side, padding=side // PADDING), *flips]
    )
    return transform


def two_views(
    side: int, mirror: bool, smallest_crop: float = SMALLEST_CROP, largest_blur: float = MOST_BLUR
) -> tuple[Transform, Transform]:
    """Return the transforms of both views; areas are fractions, the blur in pixels. Digits must not be mirrored."""
    from empirics.vision import transforms  # takes a second to import

    taps, deviations = 2 * math.ceil(REACH * largest_blur) + 1, (LEAST_BLUR, largest_blur)
    first, second = (
        transforms.Compose(
            [
                transforms.RandomResizedCrop(side, (smallest_crop, 1.0)),
                *([transforms.RandomHorizontalFlip()] if mirror else []),
                transforms.RandomApply([transforms.ColorJitter(**JITTER)], JITTERED),
                transforms.RandomGrayscale(GREY),
                transforms.RandomApply([transforms.GaussianBlur(taps, deviations)], blurred),
                transforms.RandomSolarize(BRIGHT, solarised),
            ]
        )
        for blurred, solarised in zip(BLURRED, SOLARISED, strict=True)
    )
    return first, second


class Augmented(Dataset[Batch]):
    """Shuffled batches of images, with every image transformed by each of the ``views``; ``together`` share a draw."""

    def __init__(
        self,
        images: Tensor,
        labels: Tensor,
        batch_size: int,
        views: Sequence[Transform],
        together: int = 1,
    ) -> None:
        self._workers = (os.cpu_count() or 1) if images.device.type == "cuda" else 0
        self._images, self._labels, self._views, self._together = (
            images.cpu(),
            labels.cpu(),
            views,
            together,
        )
        self._rows = Partition(torch.arange(len(images)), self._labels, batch_size)

    def __getitem__(self, batch: tuple[Tensor, int]) -> Batch:
        """Return the views ``[batch, channel, height, width]`` and labels of a batch: rows and the seed of draws."""
        rows, seed = batch
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            groups = torch.split(self._images[rows], self._together)
            views = []
            for view in self._views:
                views.append(torch.cat([view(group) for group in groups]))
        return views, self._labels[rows]

    def epoch(self, order: torch.Generator, noise: torch.Generator) -> DataLoader[Batch]:
        """Return a loader of all images, each once, with batches drawn from ``order`` and seeds from ``noise``."""
        batches = [
            (rows, int(torch.randint(LARGEST_SEED, (), generator=noise)))
            for rows, _ in self._rows.epoch(order)
        ]
        # without it the loader would draw from the global random state
        unused_stream = torch.Generator()
        return DataLoader(
            self,
            batch_size=None,
            sampler=batches,
            num_workers=self._workers,
            generator=unused_stream,
        )


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
        from empirics.vision import transforms  # takes a second to import

        normalised: Tensor = transforms.functional.normalize(images, *map(list, self.statistics))
        return normalised


def read(
    config: VisionConfig, seed: int, device: torch.device, statistics: Statistics
) -> SeedImages:
    """Return the images of ``seed``, in float32; ``statistics`` normalise three channels, digits have their own."""
    splits: tuple[tuple[Literal["train", "test"], int | None], ...] = (
        ("train", config.train_size), ("test", config.test_size)
    )  # fmt: skip
    parts = {
        split: data.load(config.dataset, split=split, count=count, seed=seed)
        for split, count in splits
    }
    images = {split: resized(part.images, config.side).to(device) for split, part in parts.items()}
    origin: dict[str, str] = {split: part.origin for split, part in parts.items()}
    labels = {split: part.labels.to(device) for split, part in parts.items()}
    own_statistics = DIGITS if config.dataset == "digits" else statistics
    return SeedImages(
        images["train"], labels["train"], images["test"], labels["test"], own_statistics, origin
    )


def resized(images: Tensor, side: int) -> Tensor:
    """Return square images with ``side`` pixels per side, a divisor or a multiple, by averaging or repeating pixels."""
    if side <= images.shape[-1]:
        return avg_pool2d(images, images.shape[-1] // side)
    return interpolate(images, size=(side, side), mode="nearest")

"""A ResNet trained to classify images, and what its last features do to volumes (arXiv 2301.11375, Figures 4 and 5).

The feature map is what the linear readout sees: the average over positions of the last block. ReLU networks have a
piecewise-constant volume element, measured like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import torch
from torch.nn.functional import cross_entropy

from empirics.experiments.geometry.images.augmentation import Augmented, shifted
from empirics.experiments.geometry.images.config import VisionConfig
from empirics.experiments.geometry.images.record import recorded
from empirics.experiments.geometry.images.splits import CIFAR, Images, Statistics
from empirics.experiments.geometry.images.training import one_seed
from empirics.experiments.session import Record, Session, run_of
from empirics.networks.resnet import ResNet
from empirics.seeding import generator

MIRRORED = ("cifar10",)  # a mirrored digit is no digit


@dataclass(frozen=True)
class Config(VisionConfig):
    """One run of supervised learning, with random crops and flips; minutes on a CPU unless said otherwise.

    Attributes are those of :class:`~empirics.experiments.geometry.images.config.VisionConfig`.
    """

    experiment: ClassVar[str] = "geometry.resnet"


@dataclass(frozen=True)
class Supervised:
    """Cross-entropy by SGD; the readout is the network's own."""

    config: Config
    statistics: Statistics = CIFAR

    def epochs(self, model: ResNet, images: Images, seed: int) -> Iterator[float]:
        """Mean training loss of one epoch after another, in nats."""
        config = self.config
        optimiser = torch.optim.SGD(
            model.parameters(), config.learning_rate, config.momentum, weight_decay=config.weight_decay
        )
        order, noise = generator(seed, "batches"), generator(seed, "augmentation")
        shift = shifted(config.side, mirror=config.dataset in MIRRORED)
        batches = Augmented(images.normalised(images.train), images.train_labels, config.batch_size, [shift])
        while True:
            model.train()
            total = 0.0
            for (inputs,), labels in batches.epoch(order, noise):
                optimiser.zero_grad()
                loss = cross_entropy(model(inputs.to(images.device)), labels.to(images.device))
                loss.backward()  # type: ignore[no-untyped-call]
                optimiser.step()
                total += float(loss.detach()) * len(labels)
            yield total / len(images.train)

    def ready(self, model: ResNet, images: Images) -> None:
        """Nothing: the readout has learned with the features."""


@run_of(Config, dtype="float32")
def run(config: Config, session: Session[Config]) -> Record:
    """Train the networks of ``config`` and measure their geometry along lines and over planes.

    On one CPU the values are the same bit for bit each time (same versions, instruction set and number of threads).

    Returns:
        Dataset with dimensions ``seed``, ``epoch``, ``snapshot`` (epochs after which geometry was measured; 0 is before
        any update), ``line`` ("different 0" ... between classes, "same 0" ... within one), ``position``, ``plane``,
        ``row``, ``column``, ``class``, ``corner``, ``eigenvalue``.

    Raises:
        ValueError: if the data are not there (no directory named, not so many images).
        FileNotFoundError: if the data files are not in the directory.
        ModuleNotFoundError: if the digits are asked for without scikit-learn.
    """
    return recorded(config, session.one_by_one(partial(one_seed, session, Supervised(config))))

"""ResNets trained to classify images, and the volume element of their last features (2301.11375, Figures 4 and 5).

The feature map is the input of the linear readout: the last block averaged over positions. The volume element of ReLU
networks is piecewise constant and measured in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import torch
from torch.nn.functional import cross_entropy

from empirics.experiments.geometry.images.augmentation import (
    CIFAR,
    Augmented,
    SeedImages,
    Statistics,
    shifted,
)
from empirics.experiments.geometry.images.config import ResNetConfig as Config
from empirics.experiments.geometry.images.training import EpochTraining, one_seed, recorded
from empirics.networks.resnet import ResNet
from empirics.runs.session import RunResult, Session, run_of
from empirics.seeding import generator

__all__ = ["Config", "run"]

MIRRORED = ("cifar10",)  # digits must not be mirrored


@dataclass(frozen=True)
class Supervised:
    """Supervised learning: cross-entropy minimised by SGD, with the network's own readout."""

    config: Config
    statistics: Statistics = CIFAR
    on_sphere: bool = False

    def training(self, model: ResNet, images: SeedImages, seed: int) -> EpochTraining:
        """Return the training of ``model``; an epoch returns the mean training loss, in nats."""
        config = self.config
        optimiser = torch.optim.SGD(
            model.parameters(),
            config.learning_rate,
            config.momentum,
            weight_decay=config.weight_decay,
        )
        order, noise = generator(seed, "batches"), generator(seed, "augmentation")
        shift = shifted(config.side, mirror=config.dataset in MIRRORED)
        batches = Augmented(
            images.normalised(images.train), images.train_labels, config.batch_size, [shift]
        )

        def epoch() -> float:
            model.train()
            total = torch.zeros((), dtype=torch.float64, device=images.device)
            for (inputs,), labels in batches.epoch(order, noise):
                optimiser.zero_grad()
                loss = cross_entropy(model(inputs.to(images.device)), labels.to(images.device))
                loss.backward()  # type: ignore[no-untyped-call]
                optimiser.step()
                total += loss.detach().double() * len(labels)
            return float(total) / len(images.train)

        return EpochTraining(
            {"model": model, "optimiser": optimiser, "order": order, "noise": noise}, epoch
        )

    def before_training(self, model: ResNet, images: SeedImages) -> None:
        """Do nothing, since the readout is trained together with the features."""


@run_of(Config, dtype="float32")
def run(config: Config, session: Session[Config]) -> RunResult:
    """Train the networks of ``config`` and measure their geometry along lines and over planes.

    Returns:
        Dataset with dimensions ``seed``, ``epoch``, ``snapshot`` (epochs after which geometry was measured; 0 is before
        any update), ``line`` ("different 0" ... between classes, "same 0" ... within one), ``position``, ``plane``,
        ``row``, ``column``, ``class``, ``corner``, ``eigenvalue``.
    """
    return recorded(config, session.one_by_one(partial(one_seed, session, Supervised(config))))

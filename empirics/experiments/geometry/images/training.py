"""One run: networks of several seeds, one after the other, each looked at while it learns."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
import torch

from empirics.experiments.geometry.images.config import VisionConfig
from empirics.experiments.geometry.images.measured import Geometry, Places
from empirics.experiments.geometry.images.normalisation import settle
from empirics.experiments.geometry.images.splits import Images, Statistics, read
from empirics.experiments.session import NEVER, Outcome, Session
from empirics.networks.resnet import ResNet
from empirics.networks.staged import initialised
from empirics.training.classification import evaluate
from empirics.training.partition import Partition


class Learner(Protocol):
    """How one seed's network learns."""

    @property
    def statistics(self) -> Statistics:
        """Of the normalisation."""
        ...

    def epochs(self, model: ResNet, images: Images, seed: int) -> Iterator[float]:
        """Train for ever, one epoch for every mean training loss that is asked for."""
        ...

    def ready(self, model: ResNet, images: Images) -> None:
        """Called before each look: gives the network the readout that it is to be looked at with."""
        ...


def one_seed(session: Session[Any], learner: Learner, seed: int) -> Outcome:
    """Train and measure one network; NaN where the training diverged before.

    Args:
        session: of a run whose configuration is a :class:`VisionConfig`.
        learner: how the network learns.
        seed: of the images and of the network.
    """
    config: VisionConfig = session.config
    device = session.device
    images = read(config, seed, device, learner.statistics)
    places = Places(config, images)
    geometry = Geometry(config, images, places)
    model = initialised(config.build, seed).to(device)
    assert isinstance(model, ResNet)
    parts = [
        Partition(images.normalised(inputs), labels, config.batch_size)
        for inputs, labels in ((images.train, images.train_labels), (images.test, images.test_labels))
    ]
    losses = np.full(config.epochs + 1, math.nan)
    accuracy = np.full((len(config.measured_at), len(parts)), math.nan)
    looks: list[dict[str, Any]] = []
    diverged = NEVER

    def look() -> None:
        learner.ready(model, images)
        accuracy[len(looks)] = [evaluate(model, part).accuracy for part in parts]
        looks.append(geometry.measure(model))

    with session.bar(f"seed {seed}", config.epochs, "epoch") as shown:
        settle(model, parts[0].inputs, config.batch_size)
        look()
        for epoch, loss in zip(range(1, config.epochs + 1), learner.epochs(model, images, seed), strict=False):
            losses[epoch] = loss
            if not math.isfinite(loss):
                diverged = epoch
                break
            if epoch in config.measured_at:
                look()
            shown.update()
            shown.set_postfix(loss=f"{loss:.3g}")
    blank = {name: np.full_like(values, math.nan) for name, values in looks[0].items()}
    looks += [blank] * (len(config.measured_at) - len(looks))
    pixels = {
        "line_images": images.test[places.ends.to(device)], "plane_images": images.test[places.planes.to(device)]
    }  # fmt: skip
    values = {name: np.stack([look[name] for look in looks]) for name in blank}
    values |= {"training_loss": losses, "accuracy": accuracy}
    values |= {name: (255 * pictures).round().to(torch.uint8).cpu().numpy() for name, pictures in pixels.items()}
    values |= {
        "line_labels": images.test_labels.cpu()[places.ends].numpy(),
        "plane_labels": images.test_labels.cpu()[places.planes].numpy(),
    }
    return Outcome(values, diverged, {"origin": json.dumps(images.origin, ensure_ascii=False)})

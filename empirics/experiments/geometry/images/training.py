"""Training of one network per seed, with measurements of its geometry at several epochs."""

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
    """A method of training one network."""

    @property
    def statistics(self) -> Statistics:
        """Means and standard deviations for the normalisation of images."""
        ...

    @property
    def on_sphere(self) -> bool:
        """Whether the metric of the unit sphere, on which normalised features lie, is measured as well."""
        ...

    def epochs(self, model: ResNet, images: Images, seed: int) -> Iterator[float]:
        """Train without end, and yield the mean training loss of every epoch."""
        ...

    def ready(self, model: ResNet, images: Images) -> None:
        """Prepare the readout of the network; called before every measurement."""
        ...


def one_seed(session: Session[Any], learner: Learner, seed: int) -> Outcome:
    """Train and measure one network; values after a divergence are NaN.

    Args:
        session: session of a run whose configuration is a :class:`VisionConfig`.
        learner: the method of training.
        seed: seed of the images and of the network.
    """
    config: VisionConfig = session.config
    device = session.device
    images = read(config, seed, device, learner.statistics)
    places = Places(config, images)
    geometry = Geometry(config, images, places, learner.on_sphere)
    model = initialised(config.build, seed).to(device)
    assert isinstance(model, ResNet)
    parts = [
        Partition(images.normalised(inputs), labels, config.batch_size)
        for inputs, labels in ((images.train, images.train_labels), (images.test, images.test_labels))
    ]
    losses = np.full(config.epochs + 1, math.nan)
    accuracy = np.full((len(config.measured_at), len(parts)), math.nan)
    snapshots: list[dict[str, Any]] = []
    diverged = NEVER

    def take_snapshot() -> None:
        learner.ready(model, images)
        accuracy[len(snapshots)] = [evaluate(model, part).accuracy for part in parts]
        snapshots.append(geometry.measure(model))

    with session.bar(f"seed {seed}", config.epochs, "epoch") as progress_bar:
        settle(model, parts[0].inputs, config.batch_size)
        take_snapshot()
        for epoch, loss in zip(range(1, config.epochs + 1), learner.epochs(model, images, seed), strict=False):
            losses[epoch] = loss
            if not math.isfinite(loss):
                diverged = epoch
                break
            if epoch in config.measured_at:
                take_snapshot()
            progress_bar.update()
            progress_bar.set_postfix_str(f"loss={loss:.3g}")
    blank = {name: np.full_like(values, math.nan) for name, values in snapshots[0].items()}
    snapshots += [blank] * (len(config.measured_at) - len(snapshots))
    pixels = {
        "line_images": images.test[places.ends.to(device)], "plane_images": images.test[places.planes.to(device)]
    }  # fmt: skip
    values = {name: np.stack([snapshot[name] for snapshot in snapshots]) for name in blank}
    values |= {"training_loss": losses, "accuracy": accuracy}
    values |= {name: (255 * pictures).round().to(torch.uint8).cpu().numpy() for name, pictures in pixels.items()}
    values |= {
        "line_labels": images.test_labels.cpu()[places.ends].numpy(),
        "plane_labels": images.test_labels.cpu()[places.planes].numpy(),
    }
    sizes = {"train_size": len(images.train), "test_size": len(images.test)}
    return Outcome(values, diverged, {"origin": json.dumps(images.origin, ensure_ascii=False)} | sizes)

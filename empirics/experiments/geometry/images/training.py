"""Training of one network per seed, with measurements of its geometry at several epochs.

An interrupted training goes on from the last epoch whose state was stored.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from empirics.experiments.geometry.images.config import VisionConfig
from empirics.experiments.geometry.images.measured import BaseImages, GeometryMeasurements
from empirics.experiments.geometry.images.splits import SeedImages, Statistics, read
from empirics.networks.resnet import ResNet
from empirics.networks.staged import initialised
from empirics.runs.session import NEVER, SeedResult, Session
from empirics.training.classification import evaluate
from empirics.training.partition import Partition
from empirics.training.unfinished import Stateful, restore, state_of, tensors


def refresh_batch_norm(model: nn.Module, inputs: Tensor, batch_size: int) -> None:
    """Set the running statistics of the normalisation layers to those of ``inputs``; the weights do not change.

    In evaluation mode a new network would divide by one whatever its activations are, and its features would be as
    small as 1e-7. With these statistics the untrained network is compared in its normalised form, as trained ones are.
    """
    layers = [layer for layer in model.modules() if isinstance(layer, nn.BatchNorm2d)]
    momenta, training = [layer.momentum for layer in layers], model.training
    for layer in layers:
        layer.reset_running_stats()
    model.train()
    with torch.no_grad():
        for number, batch in enumerate(inputs.tensor_split(-(-len(inputs) // batch_size)), start=1):
            for layer in layers:
                layer.momentum = 1 / number  # the plain average; with None torch reads the number from the device
            model(batch)
    for layer, momentum in zip(layers, momenta, strict=True):
        layer.momentum = momentum
    model.train(training)


@dataclass(frozen=True)
class EpochTraining:
    """The training of one network."""

    changing: Mapping[str, Stateful]  # networks, optimisers and random streams
    epoch: Callable[[], float]  # trains for one epoch and returns the mean training loss


class TrainingMethod(Protocol):
    """A method of training one network."""

    @property
    def statistics(self) -> Statistics:
        """Means and standard deviations for the normalisation of images."""
        ...

    @property
    def on_sphere(self) -> bool:
        """Whether the metric of the unit sphere, on which normalised features lie, is measured as well."""
        ...

    def training(self, model: ResNet, images: SeedImages, seed: int) -> EpochTraining:
        """Return the training of ``model``, before its first epoch."""
        ...

    def before_training(self, model: ResNet, images: SeedImages) -> None:
        """Prepare the readout of the network; called before every measurement."""
        ...


def one_seed(session: Session[Any], learner: TrainingMethod, seed: int) -> SeedResult:
    """Train and measure one network; values after a divergence are NaN."""
    config: VisionConfig = session.config
    device = session.device
    images = read(config, seed, device, learner.statistics)
    places = BaseImages(config, images)
    geometry = GeometryMeasurements(config, images, places, learner.on_sphere)
    model = initialised(config.build, seed).to(device)
    assert isinstance(model, ResNet)
    parts = [
        Partition(images.normalised(inputs), labels, config.batch_size)
        for inputs, labels in ((images.train, images.train_labels), (images.test, images.test_labels))
    ]
    losses = np.full(config.epochs + 1, math.nan)
    accuracy = np.full((len(config.measured_at), len(parts)), math.nan)
    snapshots: list[dict[str, Any]] = []
    diverged, first = NEVER, 1
    training = learner.training(model, images, seed)

    def take_snapshot() -> None:
        learner.before_training(model, images)
        accuracy[len(snapshots)] = [evaluate(model, part).accuracy for part in parts]
        snapshots.append(geometry.measure(model))

    def state() -> dict[str, Any]:
        values = {"losses": losses, "accuracy": accuracy}
        return {
            "epoch": epoch, "training": state_of(training.changing), "values": tensors(values),
            "snapshots": [tensors(snapshot) for snapshot in snapshots],
        }  # fmt: skip

    if (begun := session.unfinished.begun) is None:
        refresh_batch_norm(model, parts[0].inputs, config.batch_size)
        take_snapshot()
    else:
        restore(training.changing, begun["training"])
        first = begun["epoch"] + 1
        losses[:], accuracy[:] = begun["values"]["losses"], begun["values"]["accuracy"]
        snapshots += [{name: value.numpy() for name, value in taken.items()} for taken in begun["snapshots"]]
    with session.bar(f"seed {seed}", config.epochs, "epoch", initial=first - 1) as progress_bar:
        for epoch in range(first, config.epochs + 1):
            losses[epoch] = loss = training.epoch()
            if not math.isfinite(loss):
                diverged = epoch
                break
            if epoch in config.measured_at:
                take_snapshot()
            progress_bar.update()
            progress_bar.set_postfix_str(f"loss={loss:.3g}")
            session.unfinished.keep(state)
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
    return SeedResult(values, diverged, {"origin": json.dumps(images.origin, ensure_ascii=False)} | sizes)

"""Training of one network per seed, with measurements of its geometry at several epochs.

An interrupted training goes on from the last epoch whose state was stored.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from empirics.data.names import CLASSES, SHAPES
from empirics.experiments.geometry.images import measured
from empirics.experiments.geometry.images.augmentation import NAMES, SeedImages, Statistics, read
from empirics.experiments.geometry.images.config import VisionConfig
from empirics.experiments.geometry.images.measured import KINDS, BaseImages, GeometryMeasurements
from empirics.networks.resnet import ResNet
from empirics.networks.staged import initialised
from empirics.runs.parts import Parts
from empirics.runs.session import NEVER, RunResult, SeedResult, Session
from empirics.training.classification import evaluate
from empirics.training.partition import Partition
from empirics.training.unfinished import Stateful, restore, state_of, tensors

SPLITS = ("train", "test")
LINE, PLANE = (
    ("seed", "snapshot", "line", "position"),
    ("seed", "snapshot", "plane", "row", "column"),
)
SPHERE: dict[str, tuple[tuple[str, ...], str]] = {
    "line_sphere_log_volume": (
        LINE,
        "log sqrt(det g) of the features divided by their length, on the sphere",
    )
}
PICTURE = ("channel", "pixel_row", "pixel_column")
VARIABLES = {
    "training_loss": (
        ("seed", "epoch"),
        "mean loss of the batches of the epoch, augmented, in training mode",
    ),
    "accuracy": (("seed", "snapshot", "split"), "accuracy of the readout or the linear probe"),
    "line_log_volume": (LINE, "log sqrt(det g), natural logarithm"),
    "line_distance": (LINE, "distance to the decision boundary to first order (normalised input)"),
    "line_logits": ((*LINE, "class"), "logits"),
    "plane_log_volume": (PLANE, "log sqrt(det g), natural logarithm"),
    "plane_distance": (
        PLANE,
        "distance to the decision boundary to first order (normalised input)",
    ),
    "plane_logits": ((*PLANE, "class"), "logits"),
    "spectrum": (
        ("seed", "snapshot", "corner", "eigenvalue"),
        "eigenvalues of the metric at the first plane's images",
    ),
    "line_labels": (("seed", "line", "end"), "classes of the two images"),
    "plane_labels": (("seed", "plane", "corner"), "classes of the three images"),
    "line_images": (("seed", "line", "end", *PICTURE), "the two images, 0 to 255"),
    "plane_images": (("seed", "plane", "corner", *PICTURE), "the three images, 0 to 255"),
    "diverged_at": (("seed",), "first epoch with a loss that is not finite; -1: none"),
}


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
        for number, batch in enumerate(
            inputs.tensor_split(-(-len(inputs) // batch_size)), start=1
        ):
            for layer in layers:
                # the plain average; with None torch reads the number from the device
                layer.momentum = 1 / number
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
        for inputs, labels in (
            (images.train, images.train_labels),
            (images.test, images.test_labels),
        )
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

    begun = session.unfinished.begun
    if begun is None:
        refresh_batch_norm(model, parts[0].inputs, config.batch_size)
        take_snapshot()
    else:
        restore(training.changing, begun["training"])
        first = begun["epoch"] + 1
        losses[:], accuracy[:] = begun["values"]["losses"], begun["values"]["accuracy"]
        for taken in begun["snapshots"]:
            snapshots.append({name: value.numpy() for name, value in taken.items()})
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
    values: dict[str, Any] = {}
    for name in blank:
        values[name] = np.stack([snapshot[name] for snapshot in snapshots])
    values |= {"training_loss": losses, "accuracy": accuracy}
    values |= {
        name: (255 * pictures).round().to(torch.uint8).cpu().numpy()
        for name, pictures in pixels.items()
    }
    values |= {
        "line_labels": images.test_labels.cpu()[places.ends].numpy(),
        "plane_labels": images.test_labels.cpu()[places.planes].numpy(),
    }
    sizes = {"train_size": len(images.train), "test_size": len(images.test)}
    return SeedResult(
        values, diverged, {"origin": json.dumps(images.origin, ensure_ascii=False)} | sizes
    )


def recorded(config: VisionConfig, parts: Parts, *, on_sphere: bool = False) -> RunResult:
    """Return the record of a run from the values of its seeds, with those on the unit sphere if they were measured."""
    x, y = measured.plane_axes(config.resolution, config.margin)
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "epoch": (np.arange(config.epochs + 1), {"long_name": "epochs of training"}),
        "snapshot": (
            np.asarray(config.measured_at),
            {"long_name": "epoch after which the geometry was measured"},
        ),
        "split": (np.asarray(SPLITS, dtype=str), {}),
        "line": (
            np.asarray(
                [f"{kind} {i}" for kind, i in product(KINDS, range(config.lines))], dtype=str
            ),
            {},
        ),
        "plane": (
            np.asarray(planes(config), dtype=str),
            {"long_name": "classes of the three images"},
        ),
        "position": (
            np.linspace(0, 1, config.positions),
            {"long_name": "weight of the second image"},
        ),
        "row": (
            y,
            {"long_name": "vertical coordinate on the plane, in units of the triangle's side"},
        ),
        "column": (
            x,
            {"long_name": "horizontal coordinate on the plane, in units of the triangle's side"},
        ),
    }
    attributes = {
        "classes": CLASSES,
        "class_names": json.dumps(NAMES[config.dataset]),
        "channels": SHAPES[config.dataset][0],
        "origin": parts.state["origin"],
        "train_size": parts.state["train_size"],
        "test_size": parts.state["test_size"],
    }
    return RunResult(
        parts.stacked({**VARIABLES, **SPHERE} if on_sphere else VARIABLES), coordinates, attributes
    )


def planes(config: VisionConfig) -> tuple[str, ...]:
    """Return the names of the planes: ``different``, ``different 2``, ... through several classes, ``same`` last."""
    different, same = KINDS
    return (different, *(f"{different} {i}" for i in range(2, len(config.triples) + 1)), same)

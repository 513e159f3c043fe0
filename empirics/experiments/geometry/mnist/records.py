"""One seed of a run: its network, its training, and measurements of its geometry between epochs."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from closedform.checks.arrays import Array
from empirics import data, measure
from empirics.data import Dataset
from empirics.data.names import CLASSES, CORNERS
from empirics.experiments.geometry.gaussian_start import gaussian_layers
from empirics.experiments.geometry.mnist.config import Config
from empirics.networks.activations import Elementwise
from empirics.networks.staged import StagedClassifier, initialised
from empirics.runs.device import find
from empirics.seeding import generator
from empirics.training.classification import Epoch, Optimisation, train_classifier
from empirics.training.partition import Partition
from empirics.training.unfinished import Unfinished, WithValues


@dataclass(frozen=True, eq=False)
class Places:
    """Inputs of the measurements, flattened, in float64."""

    images: Tensor  # test images [image, d]
    labels: Tensor  # [image]
    ends: Tensor  # labels of both ends of every segment, [line, 2]
    line: Tensor  # points on the segments [line, position, d]
    weights: Tensor  # barycentric coordinates of the points of a triangle, [vertex, 3]
    planes: Tensor  # points of the triangles [triangle, vertex, d]
    anchors: Tensor  # images at the corners before the enlargement, [triangle, 3, d]


def choose(test: Dataset, config: Config, seed: int) -> Places:
    """Draw segments between classes, and triangles of the first images of their classes, from flattened test images.

    The images at the ends of a first segment whose classes are chosen come before all others.
    """
    order = torch.randperm(len(test), generator=generator(seed, "subset"))
    chosen = [_first(test.labels[order], number) for number in config.first_line]
    others = [position for position in range(len(order)) if position not in chosen]
    order = order[chosen + others]
    x, labels = test.images.double()[order], test.labels[order]
    pairs: list[tuple[int, int]] = []
    first = 0
    while len(pairs) < config.lines:
        second = first + 1
        while labels[second] == labels[first]:
            second += 1
        pairs.append((first, second))
        first = second + 1
    triples = [
        [_first(labels, a), _first(labels, b), _first(labels, c)] for a, b, c in config.corners
    ]
    anchors = x[torch.tensor(triples)]
    positions = torch.linspace(0, 1, config.steps, dtype=torch.float64)[None, :, None]
    ends = torch.tensor(pairs, dtype=torch.long).reshape(-1, 2)
    starts, stops = x[ends[:, 0], None], x[ends[:, 1], None]
    weights = triangle(config.plane, config.overhang)
    return Places(
        images=x[: config.images],
        labels=labels[: config.images],
        ends=labels[ends],
        line=(1 - positions) * starts + positions * stops,
        weights=weights,
        planes=weights @ anchors,
        anchors=anchors,
    )


def triangle(points: int, overhang: float) -> Tensor:
    """Return barycentric coordinates ``[vertex, 3]`` of a triangular lattice of ``points`` per side, enlarged."""
    side = max(points - 1, 1)
    lattice: list[tuple[float, float, float]] = []
    for i in range(points):
        lattice += [(i / side, j / side, 1 - (i + j) / side) for j in range(points - i)]
    hull = torch.tensor(np.array(lattice).reshape(-1, CORNERS))
    return 1 / CORNERS + (1 + overhang) * (hull - 1 / CORNERS)


def _first(labels: Tensor, number: int) -> int:
    positions = torch.nonzero(labels == number)
    if not len(positions):
        raise ValueError(
            f"test_size: got {len(labels)} images, none of class {number}, which is asked for"
        )
    return int(positions[0])


SCORES = ("train_loss", "train_accuracy", "test_loss", "test_accuracy")


@dataclass(frozen=True)
class Penalised(Optimisation):
    """Adam with an L2 penalty of all weights and biases."""

    weight_decay: float = 0.0

    def over(self, parameters: Any) -> torch.optim.Optimizer:
        """Return the optimiser of these parameters."""
        return torch.optim.Adam(parameters, lr=self.learning_rate, weight_decay=self.weight_decay)


class GeometryRecorder:
    """Trains and measures one seed; ``values`` are ``{variable: array}``, NaN where nothing was measured."""

    def __init__(self, config: Config, seed: int) -> None:
        self.config, self.seed, self.device = config, seed, find(config.device)
        train = data.load(
            config.dataset, split="train", count=config.train_size, seed=seed, flatten=True
        )
        test = data.load(
            config.dataset, split="test", count=config.test_size, seed=seed, flatten=True
        )
        self.origin = {"train": train.origin, "test": test.origin}
        self.train_part, self.test_part = (
            Partition(
                split.images.to(self.device), split.labels.to(self.device), config.batch_size, seed
            )
            for split in (train, test)
        )
        self.places = choose(test, config, seed)
        model = initialised(lambda: build(config), seed).to(self.device)
        assert isinstance(model, StagedClassifier)
        self.model = model
        self.values: dict[str, Array] = self._empty() | {
            "constant_pixels": np.array(
                float((train.images.amax(0) == train.images.amin(0)).sum())
            ),
            "image_label": self.places.labels.double().numpy(),
            "line_label": self.places.ends.double().numpy(),
            "anchor_label": np.array(config.corners, dtype=np.float64),
            "line_end": self.places.line[:, [0, -1]].numpy(),
            "anchor": self.places.anchors.numpy(),
            "weight": self.places.weights.numpy(),
        }

    def train(self, unfinished: Unfinished, progress: bool = True) -> None:
        """Train, and measure at the checkpoints; ArithmeticError if the training loss is no longer finite."""
        config = self.config
        optimisation = Penalised(
            "adam",
            config.learning_rate,
            config.batch_size,
            config.checkpoints[-1],
            None,
            config.weight_decay,
        )
        train_classifier(
            self.model, self.train_part, self.test_part, optimisation, seed=self.seed, after_epoch=self._measure,
            progress=progress, label=f"{config.shape}, seed {self.seed}",
            unfinished=WithValues(unfinished, self.values), evaluated=config.checkpoints,
        )  # fmt: skip

    def _empty(self) -> dict[str, Array]:
        config = self.config
        epochs, lines, steps = len(config.checkpoints), config.lines, config.steps
        shapes: dict[str, tuple[int, ...]] = dict.fromkeys(
            (*SCORES, "volume_seconds", "curvature_seconds"), (epochs,)
        )
        for points, shape in (
            ("image", (epochs, config.images)),
            ("line", (epochs, lines, steps)),
        ):
            for quantity in (
                "log_volume",
                "curvature",
                "curvature_error",
                "distance",
                "prediction",
                "entropy",
            ):
                shapes[f"{points}_{quantity}"] = shape
        for quantity in ("log_volume", "prediction", "entropy"):
            shapes[f"plane_{quantity}"] = (epochs, len(config.corners), len(self.places.weights))
        shapes["spectrum"] = (epochs, CORNERS, config.pixels)
        return {name: np.full(shape, math.nan) for name, shape in shapes.items()}

    def _measure(self, epoch: Epoch) -> None:
        """Store all values of a checkpoint."""
        config, values = self.config, self.values
        assert epoch.test is not None
        index = config.checkpoints.index(epoch.number)
        scores = (epoch.train.loss, epoch.train.accuracy, epoch.test.loss, epoch.test.accuracy)
        for name, score in zip(SCORES, scores, strict=True):
            values[name][index] = score
        features = features_of(self.model, config).eval()
        places, curved = self.places, config.curved_lines
        line_points = places.line.reshape(-1, config.pixels)
        points = torch.cat([places.images, line_points]).to(self.device)
        volume, seconds = _timed(lambda: measure.log_volume_element(features, points))
        values["volume_seconds"][index] = seconds / len(points)
        self._put("log_volume", index, volume)
        self._put("distance", index, measure.boundary_distance(self.model, points))
        for quantity, decided in self._decisions(points).items():
            self._put(quantity, index, decided)
        curved_points = points[: config.images + curved * config.steps]
        (curvature, error), seconds = _timed(lambda: self._curvature(features, curved_points))
        values["curvature_seconds"][index] = seconds / len(curved_points)
        not_measured = torch.full(
            (len(points) - len(curved_points),), math.nan, dtype=torch.float64, device=self.device
        )
        self._put("curvature", index, torch.cat([curvature, not_measured]))
        self._put("curvature_error", index, torch.cat([error, not_measured]))
        values["spectrum"][index] = (
            measure.metric_spectrum(features, places.anchors[0].to(self.device)).cpu().numpy()
        )
        if config.plane:
            planes = places.planes.reshape(-1, config.pixels).to(self.device)
            measured = {
                "log_volume": measure.log_volume_element(features, planes)
            } | self._decisions(planes)
            for quantity, decided in measured.items():
                values[f"plane_{quantity}"][index] = (
                    decided.cpu().numpy().reshape(len(config.corners), -1)
                )

    def _curvature(self, features: nn.Module, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return the curvature and its standard error, which is zero where the curvature is exact; both ``[point]``."""
        if not self.config.probes:
            exact = measure.scalar_curvature(features, x)
            return exact, torch.zeros_like(exact)
        return measure.scalar_curvature_estimate(features, x, self.config.probes, seed=self.seed)

    def _put(self, quantity: str, index: int, values: Tensor) -> None:
        """Store values at the images and on the lines, which are measured together."""
        count, array = self.config.images, values.cpu().numpy()
        self.values[f"image_{quantity}"][index] = array[:count]
        self.values[f"line_{quantity}"][index] = array[count:].reshape(
            self.config.lines, self.config.steps
        )

    def _decisions(self, x: Tensor) -> dict[str, Tensor]:
        """Return the predicted classes and the entropies of the probabilities (nats) at ``x``, both ``[point]``."""
        with torch.no_grad():
            log_probabilities = self.model(x.float()).double().log_softmax(dim=1)
        return {
            "prediction": log_probabilities.argmax(dim=1).double(),
            "entropy": -(log_probabilities.exp() * log_probabilities).sum(dim=1),
        }


def build(config: Config) -> StagedClassifier:
    """Create the network, with initial weights from torch's current random state."""
    sizes = (config.pixels, *config.widths, CLASSES)
    if config.start == "gaussian":
        layers = gaussian_layers(sizes, torch.default_generator)
    else:
        layers = [nn.Linear(inputs, outputs) for inputs, outputs in pairwise(sizes)]
    *hidden, readout = layers
    stages = [nn.Sequential(layer, Elementwise(config.activation)) for layer in hidden]
    return StagedClassifier(stages, readout)


def features_of(model: StagedClassifier, config: Config) -> nn.Sequential:
    """Return the map to the last hidden layer, divided by the root of its width so that inner products are averages."""
    layers = len(config.widths)
    last = next(
        part for part in model.encoder(layers)[-1].modules() if isinstance(part, nn.Linear)
    )
    return nn.Sequential(
        model.encoder(layers - 1),
        last,
        Elementwise(config.activation, math.sqrt(config.widths[-1])),
    )


def _timed(call: Callable[[], Any]) -> tuple[Any, float]:
    cuda = torch.cuda.is_available()
    if cuda:
        torch.cuda.synchronize()
    began = time.perf_counter()
    result = call()
    if cuda:
        torch.cuda.synchronize()
    return result, time.perf_counter() - began

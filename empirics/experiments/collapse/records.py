"""One seed of a collapse run: its images, the training of its network and the measurements between epochs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import Any, ClassVar, cast

import numpy as np
import torch
from torch import nn

from closedform.checks.arrays import Array
from empirics import data
from empirics.data.names import CLASSES
from empirics.experiments.collapse.config import Config
from empirics.measure.collapse.layerwise import layerwise_collapse
from empirics.measure.collapse.neural_collapse import neural_collapse
from empirics.measure.collapse.usable import UsableInformation, usable_information
from empirics.networks.staged import StagedClassifier, initialised
from empirics.runs.device import DTYPES, find
from empirics.seeding import generator
from empirics.training.classification import Epoch, Optimisation, train_classifier
from empirics.training.partition import Partition
from empirics.training.unfinished import Unfinished, WithValues

SPLITS = ("train", "test")
MEASURES = (
    "nc1", "nc2_norm", "nc2_angle", "nc2_spread", "simplex_distance", "nc3", "nc4", "rank", "within", "between",
    "nearest_centre_error",
)  # fmt: skip
INFORMATION = ("sufficiency", "minimality", "minimality_per_class")
MOMENTS = ("initial", "final")
PATIENCE = 100  # updates without improvement after which a decoder has converged
# of images and kernels: takes two thirds of the time, with equal results up to rounding
LAYOUT = torch.channels_last


class CollapseRecorder:
    """Trains one seed; ``values`` are ``{variable: array}``, NaN where not measured, ``origin`` those of the data."""

    measures: ClassVar[tuple[str, ...]] = MEASURES

    def __init__(self, config: Config, seed: int) -> None:
        self.config, self.seed = config, seed
        device = find(config.device)
        self.origin: dict[str, str] = {}
        self.parts: dict[str, Partition] = {}
        for split in SPLITS:
            images = self.images_of(split)
            if split == "train" and config.random_labels:
                images = data.random_labels(images, config.random_labels, seed)
            self.origin[split] = images.origin
            pixels = images.images * config.largest_pixel
            inputs = pixels.to(device, DTYPES[config.dtype], memory_format=LAYOUT)
            self.parts[split] = Partition(
                inputs, images.labels.to(device), config.batch_size, seed
            )
        model = initialised(config.build, seed).to(device)
        assert isinstance(model, StagedClassifier)
        self.model = model.to(memory_format=LAYOUT)  # type: ignore[call-overload]
        epochs, splits, layers = config.epochs + 1, len(SPLITS), len(model.layers)
        shapes: dict[str, tuple[int, ...]] = dict.fromkeys(("loss", "accuracy"), (epochs, splits))
        shapes |= dict.fromkeys(self.measures, (epochs, splits, layers))
        if config.information_at:
            names = [
                name + part for name, part in product(INFORMATION, ("", "_entropy", "_converged"))
            ]
            shapes |= dict.fromkeys(names, (epochs, splits, layers + 1))
        shapes |= {
            "input_nc1": (splits,),
            "shuffled_nc1": (len(MOMENTS), splits, layers),
            "features": (layers,),
        }
        self.values: dict[str, Array] = {
            name: np.full(shape, math.nan) for name, shape in shapes.items()
        }
        self.values["last_epoch"] = np.array(0.0)
        self.test_size = len(self.parts["test"].labels)
        self._of_input: dict[str, UsableInformation] = {}
        self._progress = True

    def images_of(self, split: str) -> data.Dataset:
        """Return the images of a split, with their own labels."""
        config = self.config
        count = config.train_size if split == "train" else config.test_size
        balanced = config.balanced and split == "train"
        return data.load(
            config.dataset, split=cast(Any, split), count=count, seed=self.seed, balanced=balanced
        )

    def train(self, unfinished: Unfinished, progress: bool = True) -> Mapping[str, Array]:
        """Train, and measure at the configured epochs, first and last; ArithmeticError for an infinite loss."""
        self._progress = progress
        for s, split in enumerate(SPLITS):
            part = self.parts[split]
            self.values["input_nc1"][s] = neural_collapse(
                part.inputs, part.labels, classes=CLASSES
            ).nc1
        label = f"{self.config.network}, {self.config.dataset}, seed {self.seed}"
        train_classifier(
            self.model, self.parts["train"], self.parts["test"], self.config.optimisation, seed=self.seed,
            after_epoch=self._look, progress=progress, label=label,
            unfinished=WithValues(unfinished, self.values),
        )  # fmt: skip
        return self.values

    def _look(self, epoch: Epoch) -> None:
        config, number = self.config, epoch.number
        assert epoch.test is not None
        for s, scores in enumerate((epoch.train, epoch.test)):
            self.values["loss"][number, s], self.values["accuracy"][number, s] = (
                scores.loss,
                scores.accuracy,
            )
        self.values["last_epoch"] = np.array(float(number))
        last = number == config.epochs or (
            config.stop_loss is not None and epoch.train.loss <= config.stop_loss
        )
        if last or number == 0 or config.collapse_at is None or number in config.collapse_at:
            self._collapse(number)
        if number == 0 or last:
            self._shuffled(MOMENTS.index("initial" if number == 0 else "final"))
        if config.information_at and (last or number in config.information_at):
            self._information(number)

    def _collapse(self, number: int) -> None:
        for s, split in enumerate(SPLITS):
            measured = layerwise_collapse(
                self.model,
                self.model.layers,
                self.parts[split],
                CLASSES,
                classifier=self._classifier(),
            )
            for layer, name in enumerate(self.model.layers):
                for measure in MEASURES:
                    self.values[measure][number, s, layer] = getattr(measured[name], measure)

    def _shuffled(self, moment: int) -> None:
        """Measure NC1 with shuffled labels, as a control for classes that carry no information."""
        for s, split in enumerate(SPLITS):
            part = self.parts[split]
            order = torch.randperm(len(part.labels), generator=generator(self.seed, "labels")).to(
                part.labels.device
            )
            blind = Partition(part.inputs, part.labels[order], part.batch_size, part.seed)
            measured = layerwise_collapse(self.model, self.model.layers, blind, CLASSES)
            self.values["shuffled_nc1"][moment, s] = [
                measured[name].nc1 for name in self.model.layers
            ]
        with torch.no_grad():
            inputs = self.parts["train"].inputs[:2]  # batch statistics need two
            sizes = [
                self.model.encoder(layer)(inputs)[0].numel()
                for layer in range(1, len(self.model.layers) + 1)
            ]
        self.values["features"][:] = sizes

    def _information(self, number: int) -> None:
        """Measure usable information after every layer and on every split; cut 0 is the input.

        As in the thesis there are no held-out images: what tells the members of a class apart can only be memorised.
        """
        config = self.config
        epochs = config.decoder_epochs
        optimisation = Optimisation(
            config.optimiser, config.learning_rate, config.batch_size, epochs,
            *(() if config.early_stopping else (None,)),
        )  # fmt: skip
        minimality: Any = "none" if config.information == "sufficiency" else config.information
        for s, split in enumerate(SPLITS):
            patience = max(
                5, math.ceil(PATIENCE * config.batch_size / len(self.parts[split].labels))
            )
            patience = patience if config.early_stopping else epochs
            for cut in range(len(self.model.layers) + 1):
                # the input does not change during training
                if cut == 0 and split in self._of_input:
                    self._keep(self._of_input[split], (number, s, cut))
                    continue
                information = usable_information(
                    self.model.encoder(cut), lambda cut=cut: config.build().decoder(cut), self.parts[split],  # type: ignore[misc]
                    classes=CLASSES, minimality=minimality, optimisation=optimisation, patience=patience,
                    seed=self.seed, progress=self._progress,
                )  # fmt: skip
                self._keep(information, (number, s, cut))
                if cut == 0:
                    self._of_input[split] = information

    def _keep(self, information: UsableInformation, index: tuple[int, int, int]) -> None:
        for name in INFORMATION:
            estimate = getattr(information, name)
            if estimate is not None:
                self.values[name][index] = estimate.information
                self.values[f"{name}_entropy"][index] = estimate.entropy
                self.values[f"{name}_converged"][index] = estimate.converged

    def _classifier(self) -> str | None:
        """Return the name of the linear map that reads the last layer; None if a pooling comes before it."""
        readout = self.model.readout
        if isinstance(readout, nn.Linear):
            return "readout"
        last = list(readout.children())[-1]
        plain = all(isinstance(module, nn.Linear | nn.Flatten) for module in readout.children())
        return (
            f"readout.{len(list(readout.children())) - 1}"
            if plain and isinstance(last, nn.Linear)
            else None
        )

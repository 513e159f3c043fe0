"""Trained networks with their data and their four kernels, for the stripe (hinge flow) and for images (descent)."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from functools import partial
from typing import Literal

import torch
from torch import Tensor

from empirics import data
from empirics.experiments.compression.kernel_components_config import Config
from empirics.experiments.compression.learning_curves_config import Config as CurveConfig
from empirics.experiments.compression.trained import FRESH, TEST, TRAIN, Trained, draw, train
from empirics.measure.kernels.kernel_components import last_layer_gram
from empirics.measure.kernels.neural_tangent import neural_tangent_gram
from empirics.measure.kernels.shallow_kernel import shallow_last_layer_gram, shallow_tangent_gram
from empirics.networks.classifiers import InvertedCNN
from empirics.networks.staged import initialised
from empirics.networks.tangent_cnn import TangentCNN
from empirics.training.hinge_flow import extended

Points = tuple[Tensor, Tensor]


class Learner(ABC):
    """A trained network with data: ``fresh`` points and labels that it was not trained on, and ``test`` ones."""

    fresh: Points
    test: Points
    fitted: float  # fraction of the training points that the network fits

    @abstractmethod
    def predictor(self, x: Tensor) -> Tensor:
        """Return the predictor *F* ``[N]`` at N points."""

    @abstractmethod
    def gram(self, kernel: str, x: Tensor, z: Tensor | None = None) -> Tensor:
        """Return the Gram matrix ``[N, M]`` of one of the four kernels between ``x`` and ``z`` (default: ``x``)."""

    @abstractmethod
    def last_layer(self, kernel: str, x: Tensor) -> Tensor:
        """Return the activations ``[N, feature]`` that one of the two kernels of the last layer multiplies."""


class Stripe(Learner):
    """The one-hidden-layer network of one realisation of the stripe, number ``row`` among those trained."""

    def __init__(self, trained: Trained, row: int, fresh: Points, test: Points) -> None:
        self.trained, self.row, self.fresh, self.test = trained, row, fresh, test
        self.fitted = float(trained.fitted[row])

    def predictor(self, x: Tensor) -> Tensor:
        """Return the predictor *F* ``[N]`` at points ``[N, d]``."""
        return self.trained.predictor(self.row, x)

    def gram(self, kernel: str, x: Tensor, z: Tensor | None = None) -> Tensor:
        """Return the Gram matrix ``[N, M]`` of a kernel, times the width."""
        hidden, output = self._weights(kernel)
        if kernel.endswith("last_layer"):
            return shallow_last_layer_gram(hidden, x, z)
        return shallow_tangent_gram(hidden, output, x, z)

    def last_layer(self, kernel: str, x: Tensor) -> Tensor:
        """Return the activations ``[N, neuron]`` of the hidden layer."""
        hidden, _ = self._weights(kernel)
        return (extended(x.double()) @ hidden.T).clamp_min_(0)

    def _weights(self, kernel: str) -> tuple[Tensor, ...]:
        """Return the hidden and output weights of the network that a kernel belongs to, in float64."""
        if kernel.startswith("initial"):
            return tuple(weights[self.row].double() for weights in self.trained.flow.initial)
        return self.trained.weights(self.row)


def stripes(config: Config, device: torch.device) -> list[Stripe]:
    """Train the networks of all realisations of the stripe."""
    curve = CurveConfig(
        dimension=config.dimension, sizes=(config.points,), regimes=("feature",), width=config.width,
        alpha=config.alpha, turning=config.turning, moving=config.moving, most_steps=config.most_steps,
        realisations=config.realisations, first_seed=config.first_seed, device=config.device,
    )  # fmt: skip
    trained = train(curve, config.points, TRAIN, device)

    def drawn(count: int, seed: int, stream: int) -> Points:
        x, y = draw("stripe", (count, config.dimension), seed, config.points, stream)
        return x.to(device), y.to(device)

    return [
        Stripe(
            trained, row, drawn(config.points, seed, FRESH), drawn(config.test_points, seed, TEST)
        )
        for row, seed in enumerate(config.seed_numbers)
    ]


class ParityNetwork(Learner):
    """A convolutional network that separates even from odd digits; it is trained when the object is made."""

    def __init__(self, config: Config, seed: int, device: torch.device) -> None:
        task: Literal["mnist", "digits"] = "mnist" if config.task == "mnist" else "digits"
        is_tangent = config.network == "tangent"
        count = 2 * config.points if task == "mnist" else 2 * config.points + config.test_points
        images, digits = data.load(task, count=count, seed=seed, balanced=is_tangent)
        if task == "mnist":
            test_images, test_digits = data.load(
                task, split="test", count=config.test_points, seed=seed, balanced=is_tangent
            )
            images, digits = torch.cat([images, test_images]), torch.cat([digits, test_digits])
        scaled = of_equal_norm(images) if is_tangent else (images - images.mean()) / images.std()
        x = scaled.to(device)
        y = (1 - 2 * (digits % 2)).to(device, x.dtype)
        p = config.points
        training_points, self.fresh, self.test = (
            (x[a:b], y[a:b]) for a, b in ((0, p), (p, 2 * p), (2 * p, len(x)))
        )
        self.alpha = config.alpha
        build = partial(InvertedCNN, x.shape[1], config.width, config.blocks)
        tangent = partial(TangentCNN, x.shape[1], config.width)
        model = initialised(tangent if is_tangent else build, seed)
        assert isinstance(model, InvertedCNN | TangentCNN)
        self.final = model.to(device)
        self.initial = copy.deepcopy(self.final).eval()
        self.fitted = self._train(config, *training_points)
        self.final.eval()

    def _train(self, config: Config, x: Tensor, y: Tensor) -> float:
        """Return the fraction of points fitted by momentum on the hinge loss of ``y alpha (f - f_0)`` over alpha."""
        optimiser = torch.optim.SGD(
            self.final.parameters(), lr=config.learning_rate, momentum=config.momentum
        )
        with torch.no_grad():
            initial_output = self.initial(x)[:, 0]
        margins = torch.zeros_like(y)
        for _ in range(config.most_steps):
            margins = y * config.alpha * (self.final(x)[:, 0] - initial_output)
            if bool((margins >= 1).all()):
                break
            optimiser.zero_grad()
            ((1 - margins).clamp_min(0).mean() / config.alpha).backward()
            optimiser.step()
        return float((margins >= 1).double().mean())

    def predictor(self, x: Tensor) -> Tensor:
        """Return the predictor *F* ``[N]`` at N images."""
        with torch.no_grad():
            values: Tensor = self.alpha * (self.final(x) - self.initial(x))[:, 0]
        return values

    def gram(self, kernel: str, x: Tensor, z: Tensor | None = None) -> Tensor:
        """Return the Gram matrix ``[N, M]`` of a kernel."""
        gram_of = last_layer_gram if kernel.endswith("last_layer") else neural_tangent_gram
        return gram_of(self._network(kernel), x, z, precision="model")

    def last_layer(self, kernel: str, x: Tensor) -> Tensor:
        """Return the input ``[N, feature]`` of the readout."""
        with torch.no_grad():
            return self._network(kernel).features(x)

    def _network(self, kernel: str) -> InvertedCNN | TangentCNN:
        return self.initial if kernel.startswith("initial") else self.final


def of_equal_norm(images: Tensor) -> Tensor:
    """Return images ``[N, ...]`` centred pixel by pixel and scaled to a mean square of one each."""
    centred = images - images.mean(0)
    return centred / centred.flatten(1).square().mean(1).sqrt().view(-1, *(1,) * (images.ndim - 1))

"""A trained network with its data and its four kernels: the stripe's by hinge flow, the images' by gradient descent."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import partial
from typing import Literal, Protocol

import torch
from torch import Tensor, nn

from empirics import data
from empirics.experiments.compression.kernel_components_config import Config
from empirics.experiments.compression.learning_curves_config import Config as CurveConfig
from empirics.experiments.compression.planted import draw
from empirics.experiments.compression.trained import Trained, train
from empirics.measure.kernel_components import last_layer_gram
from empirics.measure.neural_tangent import neural_tangent_gram
from empirics.measure.shallow_kernel import shallow_last_layer_gram, shallow_tangent_gram
from empirics.networks.inverted import InvertedCNN
from empirics.networks.staged import initialised

TRAIN, TEST, FRESH = 0, 1, 2  # streams of a realisation
Points = tuple[Tensor, Tensor]


class Learner(Protocol):
    """What the experiment asks of either network."""

    fresh: Points
    test: Points

    @property
    def fitted(self) -> float:
        """Share of the training points that the network fits."""

    def predictor(self, x: Tensor) -> Tensor:
        """*F* ``[N]`` at points."""

    def gram(self, kernel: str, x: Tensor, z: Tensor | None = None) -> Tensor:
        """Gram matrix ``[N, M]`` of one of the four kernels."""


@dataclass
class Stripe:
    """The one-hidden-layer network of one realisation."""

    trained: Trained
    row: int
    fresh: Points
    test: Points

    @property
    def fitted(self) -> float:
        """Share of fitted training points."""
        return float(self.trained.fitted[self.row])

    def predictor(self, x: Tensor) -> Tensor:
        """*F* ``[N]`` at points ``[N, d]``."""
        return self.trained.predictor(self.row, x)

    def gram(self, kernel: str, x: Tensor, z: Tensor | None = None) -> Tensor:
        """Gram matrix ``[N, M]``, times the width."""
        start = tuple(weights[self.row].double() for weights in self.trained.flow.initial)
        hidden, output = start if kernel.startswith("initial") else self.trained.weights(self.row)
        if kernel.endswith("last_layer"):
            return shallow_last_layer_gram(hidden, x, z)
        return shallow_tangent_gram(hidden, output, x, z)


def stripes(config: Config, device: torch.device) -> list[Stripe]:
    """The networks of all realisations, trained."""
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
        Stripe(trained, row, drawn(config.points, seed, FRESH), drawn(config.test_points, seed, TEST))
        for row, seed in enumerate(config.seed_numbers)
    ]


class Images:
    """A convolutional network that tells even from odd digits, trained at once."""

    def __init__(self, config: Config, seed: int, device: torch.device) -> None:
        task: Literal["mnist", "digits"] = "mnist" if config.task == "mnist" else "digits"
        count = 2 * config.points if task == "mnist" else 2 * config.points + config.test_points
        images, digits = data.load(task, count=count, seed=seed)
        if task == "mnist":
            more, further = data.load(task, split="test", count=config.test_points, seed=seed)
            images, digits = torch.cat([images, more]), torch.cat([digits, further])
        x = ((images - images.mean()) / images.std()).to(device)
        y = (1 - 2 * (digits % 2)).to(device, x.dtype)
        p = config.points
        own, self.fresh, self.test = ((x[a:b], y[a:b]) for a, b in ((0, p), (p, 2 * p), (2 * p, len(x))))
        self.alpha = config.alpha
        made = initialised(partial(InvertedCNN, x.shape[1], config.width, config.blocks), seed)
        self.final: nn.Module = made.to(device)
        self.initial = copy.deepcopy(self.final).eval()
        self.fitted = self._train(config, *own)
        self.final.eval()

    def _train(self, config: Config, x: Tensor, y: Tensor) -> float:
        """Gradient descent with momentum on the hinge loss of ``y alpha (f - f_0)`` over alpha until all are fitted."""
        optimiser = torch.optim.SGD(self.final.parameters(), lr=config.learning_rate, momentum=config.momentum)
        with torch.no_grad():
            before = self.initial(x)[:, 0]
        for _ in range(config.most_steps):
            margins = y * config.alpha * (self.final(x)[:, 0] - before)
            if bool((margins >= 1).all()):
                break
            optimiser.zero_grad()
            ((1 - margins).clamp_min(0).mean() / config.alpha).backward()
            optimiser.step()
        return float((margins >= 1).double().mean())

    def predictor(self, x: Tensor) -> Tensor:
        """*F* ``[N]`` at images."""
        with torch.no_grad():
            values: Tensor = self.alpha * (self.final(x) - self.initial(x))[:, 0]
        return values

    def gram(self, kernel: str, x: Tensor, z: Tensor | None = None) -> Tensor:
        """Gram matrix ``[N, M]``."""
        made = last_layer_gram if kernel.endswith("last_layer") else neural_tangent_gram
        return made(self.initial if kernel.startswith("initial") else self.final, x, z, precision="model")

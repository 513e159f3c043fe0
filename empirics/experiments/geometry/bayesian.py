r"""Metric of Bayesian networks of finite width that interpolate one training example, from exact posterior samples.

The network :math:`f(x) = n^{-1/2} v \cdot \varphi(W x)` has standard Gaussian priors on v and W, no biases, the
activation :math:`\varphi(z) = z^q/\sqrt{(2q - 1)!!}`, and is conditioned on :math:`f(x_a) = y` without noise, with
:math:`\|x_a\| = 1`. Given W, the output at :math:`x_a` is Gaussian with variance :math:`K = \|\varphi(W x_a)\|^2/n`, so
that the posterior of W has the density :math:`K^{-1/2} e^{-y^2/2K}` relative to the prior. This is largest at
:math:`K = y^2`, so that rejection gives independent samples of the exact posterior. The expansion in 1/n with which
they are compared is in ``theory.geometry``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from empirics import check
from empirics.experiments.config import Configuration
from empirics.experiments.following import Rules, above
from empirics.experiments.session import Record, Session, run_of
from empirics.seeding import generator

FEWEST_WIDTHS = 3  # with fewer, the first order in 1/width cannot be told from the second
MOST_DEGREE = 6
LAW = ("width", "realisation", "input")


@dataclass(frozen=True)
class Config(Configuration):
    r"""Settings of one run: networks of several widths that interpolate one example.

    Attributes:
        degree: degree q of the activation, from 1 to 6.
        dimension: dimension of the inputs, d >= 2.
        squared_target: :math:`y^2`, positive; 1 is the variance of the output under the prior.
        widths: at least three numbers of hidden units n, all above d.
        realisations: number of independent batches of networks at each width, at least 3.
        draws: number of networks in a batch, at least 2.
        inputs: number of inputs of norm 1, at equal angles from the training input to a right angle with it.
        first_seed: seed of the first batch at the first width; the others follow.
        device: torch device to compute on, such as "cpu" or "cuda".
    """

    experiment: ClassVar[str] = "geometry.bayesian"
    follows: ClassVar[Rules] = {"widths": above("dimension")}

    degree: int = 2
    dimension: int = 2
    squared_target: float = 4.0
    widths: tuple[int, ...] = (40, 80, 160, 320)
    realisations: int = 100
    draws: int = 4000
    inputs: int = 5
    first_seed: int = 0
    device: str = "cpu"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._whole(degree=1, dimension=2, realisations=3, draws=2, inputs=2, first_seed=0)
        check.require(self.degree <= MOST_DEGREE, "degree", self.degree, f"at most {MOST_DEGREE}")
        self._real("squared_target", positive=True)
        widths = check.whole_numbers("widths", self.widths, self.dimension + 1)
        is_enough = len(widths) >= FEWEST_WIDTHS and sorted(set(widths)) == list(widths)
        check.require(is_enough, "widths", self.widths, f"at least {FEWEST_WIDTHS}, increasing")
        self._put("widths", widths)

    @property
    def described(self) -> str:
        """Return a one-line description of this configuration."""
        return (
            f"degree {self.degree}, d = {self.dimension}, y² = {self.squared_target:g}, widths {self.widths[0]} to "
            f"{self.widths[-1]}, {self.realisations} x {self.draws:,} networks each, {self.device}"
        )

    def activation(self, z: Tensor) -> Tensor:
        """Return the features of preactivations, in their shape."""
        return z**self.degree / self._norm

    def slope(self, z: Tensor) -> Tensor:
        """Return the derivatives of the features in the preactivations, in their shape."""
        return self.degree * z ** (self.degree - 1) / self._norm

    @property
    def _norm(self) -> float:
        return math.sqrt(math.prod(range(1, 2 * self.degree, 2)))


@run_of(Config)
def run(config: Config, session: Session[Config]) -> Record:
    """Draw the networks and average their metric and volume element over every batch, at every input.

    Returns:
        ``metric`` in 1/input^2, ``[width, realisation, input, i, j]``, and ``volume_element`` in 1/input^d,
        ``[width, realisation, input]``, both averages over the networks of a batch.
    """
    angles = np.linspace(0.0, np.pi / 2, config.inputs)
    x = torch.zeros(config.inputs, config.dimension, dtype=torch.float64, device=session.device)
    x[:, 0], x[:, 1] = torch.as_tensor(np.cos(angles)), torch.as_tensor(np.sin(angles))
    shape = (len(config.widths), config.realisations, config.inputs)
    metric, volume = np.empty((*shape, config.dimension, config.dimension)), np.empty(shape)
    with session.bar(config.described, len(config.widths) * config.realisations, "batch") as progress_bar:
        for i, width in enumerate(config.widths):
            for k in range(config.realisations):
                weights = draw(config, width, config.first_seed + i * config.realisations + k).to(session.device)
                for j, point in enumerate(x):
                    g = metrics(config, weights, point)
                    metric[i, k, j] = g.mean(dim=0).cpu().numpy()
                    volume[i, k, j] = torch.linalg.det(g).clamp_min(0).sqrt().mean().item()
                progress_bar.update()
    variables = {
        "metric": ((*LAW, "i", "j"), metric, "posterior mean of the metric (1/input^2)"),
        "volume_element": (LAW, volume, "posterior mean of sqrt(det g) (1/input^d)"),
    }
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "width": (np.array(config.widths), {"long_name": "hidden units"}),
        "realisation": (np.arange(config.realisations), {}),
        "input": (angles, {"long_name": "angle between input and training input (rad)"}),
    }
    return Record(variables, coordinates)


def draw(config: Config, width: int, seed: int) -> Tensor:
    r"""Draw first-layer weights from the posterior, ``[network, unit, d]``, float64; x_a is the first axis.

    Proposals from the prior are accepted with the probability :math:`e^{(1 + \ln u - u)/2}`, :math:`u = y^2/K`.
    """
    stream = generator(seed, "weights")
    accepted: list[Tensor] = []
    while sum(map(len, accepted)) < config.draws:
        weights = torch.randn(config.draws, width, config.dimension, generator=stream, dtype=torch.float64)
        u = config.squared_target / config.activation(weights[..., 0]).square().mean(dim=1)
        chance = torch.exp((1 + u.log() - u) / 2)
        accepted.append(weights[torch.rand(config.draws, generator=stream, dtype=torch.float64) < chance])
    return torch.cat(accepted)[: config.draws]


def metrics(config: Config, weights: Tensor, x: Tensor) -> Tensor:
    """Return the metric of every network at one input, ``[network, d, d]``, from ``weights`` ``[network, unit, d]``."""
    scaled = config.slope(weights @ x)[..., None] * weights
    return scaled.mT @ scaled / weights.shape[1]

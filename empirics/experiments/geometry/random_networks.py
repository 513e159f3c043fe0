r"""Volume element and curvature of many random networks of finite width with Gaussian weights (Figure 1).

The networks have one hidden layer with features :math:`n^{-1/2} \varphi(w_a \cdot x + b_a)`, weights
:math:`w_a \sim N(0, \sigma^2 1)` and biases :math:`b_a \sim N(0, \zeta^2)`. Their distribution is invariant under
rotations of the input, so that several directions of the input count like several networks. All realisations at all
widths are independent. The closed forms at infinite width are in ``theory.geometry``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch import nn

from empirics import check, measure
from empirics.experiments.config import Configuration
from empirics.experiments.following import Rules, above
from empirics.experiments.session import Record, Session, run_of
from empirics.networks.elementwise import Elementwise, SmoothName
from empirics.seeding import generator

LAW = ("width", "realisation", "direction", "input")
FEWEST_WIDTHS = 3  # with fewer, a rate of convergence cannot be distinguished from an offset


@dataclass(frozen=True)
class Config(Configuration):
    r"""Settings of one run: random networks with one activation.

    Attributes:
        activation: name of a smooth activation in ``theory.activations``; a smooth expression in ``z`` such as
            "z*erf(z)", which the analysis compares with the theory too; or an import path "module:function".
        dimension: dimension of the inputs, d >= 2.
        widths: at least three numbers of hidden units n, all above d.
        realisations: number of networks at each width, at least 2.
        inputs: number of inputs in each direction, at equally spaced norms from 0 to ``largest_norm``.
        directions: number of directions of the inputs, at equal angles in the plane of the first two coordinates.
        largest_norm: :math:`\|x\|` of the last input, in units of the inputs.
        sigma: standard deviation of a weight, in inverse units of the inputs.
        zeta: standard deviation of a bias, dimensionless; positive.
        first_seed: seed of the first realisation at the first width; the others follow.
        device: torch device to compute on, such as "cpu" or "cuda".
    """

    experiment: ClassVar[str] = "geometry.random_networks"
    follows: ClassVar[Rules] = {"widths": above("dimension")}

    activation: SmoothName = "erf"
    dimension: int = 2
    widths: tuple[int, ...] = (25, 50, 100, 200, 400)
    realisations: int = 400
    inputs: int = 9
    directions: int = 8
    largest_norm: float = 4.0
    sigma: float = 1.0
    zeta: float = 1.0
    first_seed: int = 0
    device: str = "cpu"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._whole(dimension=2, realisations=2, inputs=2, directions=1, first_seed=0)
        self._real("largest_norm", "sigma", "zeta", positive=True)
        widths = check.whole_numbers("widths", self.widths, self.dimension + 1)
        is_enough = len(widths) >= FEWEST_WIDTHS and sorted(set(widths)) == list(widths)
        check.require(is_enough, "widths", self.widths, f"at least {FEWEST_WIDTHS}, increasing")
        self._put("widths", widths)

    @property
    def described(self) -> str:
        """Return a one-line description of this configuration."""
        return (
            f"{self.activation}, d = {self.dimension}, widths {self.widths[0]} to {self.widths[-1]}, "
            f"{self.realisations} realisations each, {self.device}"
        )


@run_of(Config)
def run(config: Config, session: Session[Config]) -> Record:
    """Draw the networks and measure every network at every input.

    Returns:
        ``volume_element`` in 1/input^d and ``curvature``, dimensionless, both
        ``[width, realisation, direction, input]``; NaN where the metric is singular up to rounding.
    """
    device = session.device
    norms = np.linspace(0.0, config.largest_norm, config.inputs)
    angles = 2 * np.pi * np.arange(config.directions) / config.directions
    x = torch.zeros(config.directions, config.inputs, config.dimension, dtype=torch.float64, device=device)
    x[..., 0], x[..., 1] = (torch.as_tensor(np.outer(side, norms)) for side in (np.cos(angles), np.sin(angles)))
    shape = (config.directions, config.inputs)
    x = x.flatten(0, 1)
    volume, curvature = (np.empty((len(config.widths), config.realisations, *shape)) for _ in range(2))
    total = len(config.widths) * config.realisations
    with session.bar(config.activation, total, "network") as progress_bar:
        for i, width in enumerate(config.widths):
            for k in range(config.realisations):
                network = draw(config, width, config.first_seed + i * config.realisations + k).to(device)
                volume[i, k] = measure.log_volume_element(network, x).exp().reshape(shape).cpu().numpy()
                curvature[i, k] = measure.scalar_curvature(network, x).reshape(shape).cpu().numpy()
                progress_bar.update()
    variables = {
        "volume_element": (LAW, volume, "sqrt(det g) (1/input^d)"),
        "curvature": (LAW, curvature, "scalar curvature (dimensionless)"),
    }
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "width": (np.array(config.widths), {"long_name": "hidden units"}),
        "realisation": (np.arange(config.realisations), {}),
        "direction": (angles, {"long_name": "angle of the input (rad)"}),
        "input": (norms, {"long_name": "norm of the input"}),
    }
    return Record(variables, coordinates)


def draw(config: Config, width: int, seed: int) -> nn.Sequential:
    """Draw one random network of ``width`` units, as the map from inputs to features, in float64."""
    stream = generator(seed, "weights")
    affine: nn.Linear = nn.utils.skip_init(  # type: ignore[no-untyped-call]  # leaves torch's random state alone
        nn.Linear, config.dimension, width, dtype=torch.float64
    )
    with torch.no_grad():
        for parameter, scale in ((affine.weight, config.sigma), (affine.bias, config.zeta)):
            parameter.copy_(scale * torch.randn(parameter.shape, generator=stream, dtype=torch.float64))
    return nn.Sequential(affine, Elementwise(config.activation, math.sqrt(width)))

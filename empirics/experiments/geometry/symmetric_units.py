r"""Volume element and curvature of a few erf units with weights at equal angles on the unit circle (Figure B.1).

The features are :math:`m^{-1/2} \varphi(w_a \cdot x + b)` with :math:`w_a = (\cos 2\pi a/m, \sin 2\pi a/m)` for m
units and one common bias. Inputs lie on a polar grid whose angles the symmetry of the network maps onto each other.
The closed forms for three units are in ``theory.geometry``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch import nn

from empirics import measure
from empirics.experiments.config import Configuration
from empirics.experiments.session import Record, Session, run_of
from empirics.networks.elementwise import Elementwise, SmoothName

LAW = ("radius", "angle")


@dataclass(frozen=True)
class Config(Configuration):
    r"""Settings of one run: one network and its polar grid of inputs.

    Attributes:
        activation: name of a smooth activation in ``theory.activations``.
        units: number of hidden units m, at least 3.
        bias: bias of every unit, dimensionless.
        radii: number of radii, at equal steps up to ``largest_radius``, at least 2; zero is not among them.
        angles: number of angles for each unit, at least 2.
        largest_radius: :math:`\|x\|` of the last radius, in units of the inputs; positive.
        device: torch device to compute on, such as "cpu" or "cuda".
    """

    experiment: ClassVar[str] = "geometry.symmetric_units"

    activation: SmoothName = "erf"
    units: int = 3
    bias: float = 1.0
    radii: int = 24
    angles: int = 24
    largest_radius: float = 2.5
    device: str = "cpu"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._whole(units=3, radii=2, angles=2)
        self._real("bias")
        self._real("largest_radius", positive=True)

    @property
    def described(self) -> str:
        """Return a one-line description of this configuration."""
        return (
            f"{self.units} {self.activation} units, bias {self.bias:g}, {self.radii} radii and "
            f"{self.units * self.angles} angles, {self.device}"
        )

    def build(self) -> nn.Sequential:
        """Return the network, as the map from inputs to features, in float64."""
        affine: nn.Linear = nn.utils.skip_init(  # type: ignore[no-untyped-call]  # leaves torch's random state alone
            nn.Linear, 2, self.units, dtype=torch.float64
        )
        turns = 2 * math.pi * torch.arange(self.units, dtype=torch.float64) / self.units
        with torch.no_grad():
            affine.weight.copy_(torch.stack([turns.cos(), turns.sin()], dim=1))
            affine.bias.fill_(self.bias)
        return nn.Sequential(affine, Elementwise(self.activation, math.sqrt(self.units)))


@run_of(Config)
def run(config: Config, session: Session[Config]) -> Record:
    """Measure the network at every input.

    Returns:
        ``volume_element`` in 1/input^2 and ``curvature``, dimensionless, both ``[radius, angle]``; NaN where the
        metric is singular up to rounding.
    """
    radii = config.largest_radius * np.arange(1, config.radii + 1) / config.radii
    angles = 2 * np.pi * np.arange(config.units * config.angles) / (config.units * config.angles)
    shape = (radii.size, angles.size)
    x = radii[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    network = config.build().to(session.device)
    inputs = torch.as_tensor(x.reshape(-1, 2), device=session.device)
    variables = {
        "volume_element": (
            LAW, measure.log_volume_element(network, inputs).exp().reshape(shape).cpu(), "sqrt(det g) (1/input^2)"
        ),
        "curvature": (
            LAW, measure.scalar_curvature(network, inputs).reshape(shape).cpu(), "scalar curvature (dimensionless)"
        ),
    }  # fmt: skip
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "radius": (radii, {"long_name": "norm of the input"}),
        "angle": (angles, {"long_name": "angle of the input (rad)"}),
    }
    return Record(variables, coordinates)

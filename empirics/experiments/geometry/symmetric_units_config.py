"""The configuration of a network of a few units with weights at equal angles, and its grid of inputs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from empirics.networks.names import SmoothName
from empirics.runs.config import Configuration

if TYPE_CHECKING:
    from torch import nn


@dataclass(frozen=True)
class Config(Configuration):
    r"""Settings of one run: one network and its polar grid of inputs.

    Attributes:
        activation: any activation whose slope does not jump, since the curvature is measured: a name, an expression in
            ``z`` such as "z*erf(z)", or an import path "module:function".
        units: number of hidden units m, at least 3.
        bias: bias of every unit, dimensionless.
        radii: number of radii, at equal steps up to ``largest_radius``, at least 2; zero is not among them.
        angles: number of angles for each unit, at least 2.
        largest_radius: :math:`\|x\|` of the last radius, in units of the inputs; positive.
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
        self.check_integers(units=3, radii=2, angles=2)
        self.check_numbers("bias")
        self.check_numbers("largest_radius", above=0)

    @property
    def described(self) -> str:
        """Return a one-line description of this configuration."""
        return (
            f"{self.units} {self.activation} units, bias {self.bias:g}, {self.radii} radii and "
            f"{self.units * self.angles} angles, {self.device}"
        )

    def build(self) -> nn.Sequential:
        """Return the network, as the map from inputs to features, in float64."""
        import torch
        from torch import nn

        from empirics.networks.activations import Elementwise
        from empirics.networks.module import linear_map

        turns = 2 * math.pi * torch.arange(self.units, dtype=torch.float64) / self.units
        affine = linear_map(torch.stack([turns.cos(), turns.sin()], dim=1), torch.full_like(turns, self.bias))
        return nn.Sequential(affine, Elementwise(self.activation, math.sqrt(self.units)))

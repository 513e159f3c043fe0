"""The configurations of networks of several widths: random ones, and those that interpolate one training example."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from closedform import checks
from empirics.networks.names import SmoothName
from empirics.runs.config import Configuration
from empirics.runs.following import Rules, above

if TYPE_CHECKING:
    from torch import Tensor, nn

# with fewer, a rate of convergence cannot be told from an offset or a higher order
FEWEST_WIDTHS = 3
MOST_DEGREE = 6


@dataclass(frozen=True)
class WidthsConfig(Configuration):
    """What networks of several widths share.

    Attributes:
        dimension: dimension of the inputs, d >= 2.
        widths: at least three numbers of hidden units n, all above d.
    """

    follows: ClassVar[Rules] = {"widths": above("dimension")}

    dimension: int = 2
    widths: tuple[int, ...] = (25, 50, 100, 200, 400)
    first_seed: int = 0
    device: str = "cpu"

    def __post_init__(self) -> None:
        self.check_integers(dimension=2)
        widths = checks.sizes("widths", self.widths, self.dimension + 1)
        self.set_field("widths", checks.increasing("widths", widths, FEWEST_WIDTHS))


@dataclass(frozen=True)
class RandomNetworksConfig(WidthsConfig):
    r"""Settings of one run: random networks with one activation, in addition to those of :class:`WidthsConfig`.

    Attributes:
        activation: any activation whose slope does not jump, since the curvature is measured: a name, an expression in
            ``z`` such as "z*erf(z)", which the analysis compares with the theory too, or an import path
            "module:function".
        realisations: number of networks at each width, at least 2.
        inputs: number of inputs in each direction, at equally spaced norms from 0 to ``largest_norm``.
        directions: number of directions of the inputs, at equal angles in the plane of the first two coordinates.
        largest_norm: :math:`\|x\|` of the last input, in units of the inputs.
        sigma: standard deviation of a weight, in inverse units of the inputs.
        zeta: standard deviation of a bias, dimensionless; positive.
    """

    experiment: ClassVar[str] = "geometry.random_networks"

    activation: SmoothName = "erf"
    realisations: int = 400
    inputs: int = 9
    directions: int = 8
    largest_norm: float = 4.0
    sigma: float = 1.0
    zeta: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_integers(realisations=2, inputs=2, directions=1)
        self.check_numbers("largest_norm", "sigma", "zeta", above=0)

    def __str__(self) -> str:
        return (
            f"{self.activation}, d = {self.dimension}, widths {self.widths[0]} to {self.widths[-1]}, "
            f"{self.realisations} realisations each, {self.device}"
        )


@dataclass(frozen=True)
class BayesianConfig(WidthsConfig):
    r"""Settings of one run: networks that interpolate one example, in addition to those of :class:`WidthsConfig`.

    The activation is a monomial: the theory has the correction of the mean volume element for no other.

    Attributes:
        degree: degree q of the activation, from 1 to 6.
        squared_target: :math:`y^2`, positive; 1 is the variance of the output under the prior.
        realisations: number of independent batches of networks at each width, at least 3.
        draws: number of networks in a batch, at least 2.
        inputs: number of inputs of norm 1, at equal angles from the training input to a right angle with it.
    """

    experiment: ClassVar[str] = "geometry.bayesian"

    degree: int = 2
    squared_target: float = 4.0
    widths: tuple[int, ...] = (40, 80, 160, 320)
    realisations: int = 100
    draws: int = 4000
    inputs: int = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_integers(degree=1, realisations=3, draws=2, inputs=2)
        checks.require(self.degree <= MOST_DEGREE, "degree", self.degree, f"at most {MOST_DEGREE}")
        self.check_numbers("squared_target", above=0)

    def __str__(self) -> str:
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


@dataclass(frozen=True)
class SymmetricUnitsConfig(Configuration):
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

    def __str__(self) -> str:
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
        affine = linear_map(
            torch.stack([turns.cos(), turns.sin()], dim=1), torch.full_like(turns, self.bias)
        )
        return nn.Sequential(affine, Elementwise(self.activation, math.sqrt(self.units)))

"""The configuration of Bayesian networks that interpolate one training example."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from closedform import checks
from empirics.runs.config import Configuration
from empirics.runs.following import Rules, above

if TYPE_CHECKING:
    from torch import Tensor

FEWEST_WIDTHS = 3  # with fewer, the first order in 1/width cannot be told from the second
MOST_DEGREE = 6


@dataclass(frozen=True)
class Config(Configuration):
    r"""Settings of one run: networks of several widths that interpolate one example.

    The activation is a monomial: the theory has the correction of the mean volume element for no other.

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
        self.check_integers(degree=1, dimension=2, realisations=3, draws=2, inputs=2, first_seed=0)
        checks.require(self.degree <= MOST_DEGREE, "degree", self.degree, f"at most {MOST_DEGREE}")
        self.check_numbers("squared_target", above=0)
        widths = checks.sizes("widths", self.widths, self.dimension + 1)
        self.set_field("widths", checks.increasing("widths", widths, FEWEST_WIDTHS))

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

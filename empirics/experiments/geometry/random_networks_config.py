"""The configuration of random networks of several widths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from closedform import checks
from empirics.networks.names import SmoothName
from empirics.runs.config import Configuration
from empirics.runs.following import Rules, above

FEWEST_WIDTHS = 3  # with fewer, a rate of convergence cannot be distinguished from an offset


@dataclass(frozen=True)
class Config(Configuration):
    r"""Settings of one run: random networks with one activation.

    Attributes:
        activation: any activation whose slope does not jump, since the curvature is measured: a name, an expression in
            ``z`` such as "z*erf(z)", which the analysis compares with the theory too, or an import path
            "module:function".
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
        self.check_integers(dimension=2, realisations=2, inputs=2, directions=1, first_seed=0)
        self.check_numbers("largest_norm", "sigma", "zeta", above=0)
        widths = checks.sizes("widths", self.widths, self.dimension + 1)
        self.set_field("widths", checks.increasing("widths", widths, FEWEST_WIDTHS))

    @property
    def described(self) -> str:
        """Return a one-line description of this configuration."""
        return (
            f"{self.activation}, d = {self.dimension}, widths {self.widths[0]} to {self.widths[-1]}, "
            f"{self.realisations} realisations each, {self.device}"
        )

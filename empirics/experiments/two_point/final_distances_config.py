"""The configuration of a grid of two-point runs that differ in the distances of their inputs and targets."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from closedform import checks
from empirics.experiments.two_point.config import Config as TwoPoint
from empirics.experiments.two_point.config import PairConfig

if TYPE_CHECKING:
    from torch import Tensor

    from empirics.networks.architecture import Architecture


@dataclass(frozen=True)
class Config(PairConfig):
    """Settings of a grid of runs; the defaults are the default network and the 5 x 5 distances of appendix B.1.

    Every cell of every grid has a network of its own: grid g of n cells has those of seeds g n, ..., g n + n - 1, and
    ``seeds`` and ``first_seed`` count grids.

    Attributes:
        input_distances: distances of the two inputs, positive, dimensionless.
        target_distances: distances of the two targets, at least 0, dimensionless.
        layer: hidden layer of the representation, counted from 1; None takes the one just past the middle.
    """

    experiment: ClassVar[str] = "two_point.final_distances"

    input_distances: tuple[float, ...] = (0.5, 0.75, 1.0, 1.25, 1.5)
    target_distances: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
    layer: int | None = None
    epochs: int = 20000  # small distances of the targets take many
    seeds: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.set_field("input_distances", self._distances("input_distances", above=0))
        self.set_field("target_distances", self._distances("target_distances", least=0))
        self.set_field("layer", checks.integer("layer", self.layer or self.middle, 1, self.depth))

    def _distances(self, name: str, **limits: Any) -> tuple[float, ...]:
        values = tuple(checks.sequence(name, getattr(self, name), "numbers"))
        checks.require(len(values) > 0, name, "none", "at least one")
        return tuple(checks.real_number(name, value, most=checks.LARGEST_REAL, **limits) for value in values)

    @property
    def cells(self) -> tuple[tuple[float, float], ...]:
        """The pairs of distances (inputs, targets), the latter running fastest."""
        return tuple(itertools.product(self.input_distances, self.target_distances))

    @property
    def members(self) -> tuple[str, ...]:
        """Return the names of the networks of a batch, in their order."""
        return tuple(f"seed {seed}, dx {dx:g}, dy {dy:g}" for seed in self.seed_numbers for dx, dy in self.cells)

    @property
    def described(self) -> str:
        """Return a one-line description of this configuration."""
        grid = f"{len(self.input_distances)}×{len(self.target_distances)} distances"
        return f"{self.cell(*self.cells[0]).described}, {grid}"

    def cell(self, dx: float, dy: float) -> TwoPoint:
        """Return the two-point configuration of the networks at one pair of distances, with their seeds together.

        Args:
            dx: distance of the two inputs.
            dy: distance of the two targets.
        """
        numbers = {"seeds": self.seeds * len(self.cells), "first_seed": self.first_seed * len(self.cells)}
        layers = None if self.layer is None else (self.layer,)
        return TwoPoint(**self.networks | numbers, dx=dx, dy=dy, layers=layers)

    def network(self) -> Architecture:
        """Return the architecture of the networks."""
        return self.built(1, 1)

    def data(self) -> tuple[Tensor, Tensor]:
        """Return the inputs ``[network, 2, 1]`` and targets ``[network, 2, 1]`` of all networks, float64."""
        from torch import stack

        x, y = zip(*(self.cell(*cell).data() for cell in self.cells), strict=True)
        return stack(x).repeat(self.seeds, 1, 1), stack(y).repeat(self.seeds, 1, 1)

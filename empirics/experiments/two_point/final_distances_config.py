"""The configuration of a grid of two-point runs that differ in the distances of their inputs and targets."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from closedform import checks
from empirics.experiments.two_point.config import Config as TwoPoint
from empirics.networks.names import ActivationName
from empirics.networks.user_architecture import ArchitectureName
from empirics.runs.config import Configuration

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Config(Configuration):
    """Settings of a grid of runs; the defaults are the default network and the 5 x 5 distances of appendix B.1.

    Attributes:
        input_distances: distances of the two inputs, positive, dimensionless.
        target_distances: distances of the two targets, at least 0, dimensionless.
        architecture: "fully_connected", "convolution", "skip", "dropout", or an import path "module:class" of a
            subclass of :class:`empirics.networks.Architecture`.
        activation: any activation: a name such as "tanh" or "leaky_relu(1/10)" (the slope of "leaky_relu" is 1/100), an
            expression in ``z`` such as "z*erf(z)", or an import path "module:function".
        depth: number of hidden layers.
        width: number of units in a hidden layer.
        gain: factor that multiplies the standard deviation of Xavier initialisation.
        optimiser: "gd" (full-batch gradient descent) or "adam".
        learning_rate: step size of the optimiser.
        epochs: number of training steps; small distances of the targets take many.
        seeds: number of grids; every cell of every grid has a network of its own.
        first_seed: number of the first grid; grid g of n cells has the networks of seeds g n, ..., g n + n - 1.
        layer: hidden layer of the representation, counted from 1; None takes the one just past the middle.
        device: torch device to train on, such as "cpu" or "cuda".
        dtype: number type of the training, "float32" or "float64"; traces are in float64.
        channels: number of channels; used by the convolution only.
        kernel: kernel size, an odd number; used by the convolution only.
        dropout: probability of dropping a unit; used by the dropout architecture only.
    """

    experiment: ClassVar[str] = "two_point.final_distances"

    input_distances: tuple[float, ...] = (0.5, 0.75, 1.0, 1.25, 1.5)
    target_distances: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
    architecture: ArchitectureName = "fully_connected"
    activation: ActivationName = "leaky_relu"
    depth: int = 20
    width: int = 500
    gain: float = 1.0
    optimiser: Literal["gd", "adam"] = "gd"
    learning_rate: float = 0.005
    epochs: int = 20000
    seeds: int = 1
    first_seed: int = 0
    layer: int | None = None
    device: str = "cpu"
    dtype: Literal["float32", "float64"] = "float32"
    channels: int = 20
    kernel: int = 11
    dropout: float = 0.1

    def __post_init__(self) -> None:
        self.check_integers(seeds=1, first_seed=0)
        self.set_field("input_distances", self._distances("input_distances", above=0))
        self.set_field("target_distances", self._distances("target_distances", least=0))
        if self.layer is not None:
            self.check_integers(layer=1)
            checks.require(self.layer <= self.depth, "layer", self.layer, f"at most depth = {self.depth}")
        checked = self.cell(*self.cells[0])  # whose class checks what describes a network
        for name in {*vars(self)} & {*vars(checked)} - {"seeds", "first_seed"}:
            self.set_field(name, getattr(checked, name))
        self.set_field("layer", checked.layers[0])  # type: ignore[index]

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
        count = len(self.input_distances) * len(self.target_distances)
        return TwoPoint(
            architecture=self.architecture, activation=self.activation, depth=self.depth, width=self.width,
            gain=self.gain, dx=dx, dy=dy, optimiser=self.optimiser, learning_rate=self.learning_rate,
            epochs=self.epochs, seeds=self.seeds * count, first_seed=self.first_seed * count,
            layers=None if self.layer is None else (self.layer,), device=self.device, dtype=self.dtype,
            channels=self.channels, kernel=self.kernel, dropout=self.dropout,
        )  # fmt: skip

    def data(self) -> tuple[Tensor, Tensor]:
        """Return the inputs ``[network, 2, 1]`` and targets ``[network, 2, 1]`` of all networks, float64."""
        from torch import stack

        x, y = zip(*(self.cell(*cell).data() for cell in self.cells), strict=True)
        return stack(x).repeat(self.seeds, 1, 1), stack(y).repeat(self.seeds, 1, 1)

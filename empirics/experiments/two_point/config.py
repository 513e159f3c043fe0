"""The configuration of a two-point run: network, data, training and recorded layers."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, fields
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from closedform import checks
from empirics import networks
from empirics.networks.names import ActivationName
from empirics.networks.user_architecture import ArchitectureName
from empirics.runs.config import Configuration
from empirics.runs.following import Rules, positions

if TYPE_CHECKING:
    from torch import Tensor

    from empirics.networks.architecture import Architecture


@dataclass(frozen=True)
class NetworksConfig(Configuration):
    """What describes the networks of all experiments on two points and on many.

    Attributes:
        activation: any activation: a name such as "tanh" or "leaky_relu(1/10)" (the slope of "leaky_relu" is 1/100), an
            expression in ``z`` such as "z*erf(z)", or an import path "module:function".
        depth: number of hidden layers.
        width: number of units in a hidden layer.
        gain: factor that multiplies the standard deviation of Xavier initialisation.
        optimiser: "gd" (gradient descent) or "adam".
        learning_rate: step size of the optimiser, for the loss of Eq. (1), which sums over outputs.
        epochs: number of passes through the points.
        seeds: number of networks, trained as one batch.
        dtype: number type of the training, "float32" or "float64"; traces are in float64.
    """

    activation: ActivationName = "leaky_relu"
    depth: int = 20
    width: int = 500
    gain: float = 1.0
    optimiser: Literal["gd", "adam"] = "gd"
    learning_rate: float = 0.005
    epochs: int = 6000
    seeds: int = 5
    first_seed: int = 0
    device: str = "cpu"
    dtype: Literal["float32", "float64"] = "float32"

    def __post_init__(self) -> None:
        self.check_integers(depth=1, width=1, epochs=1)
        self.check_numbers("gain", "learning_rate", above=0)

    @property
    def middle(self) -> int:
        """The hidden layer just past the middle, counted from 1 (11 of 20), as in the released code."""
        return min(self.depth // 2 + 1, self.depth)


@dataclass(frozen=True)
class PairConfig(NetworksConfig):
    """What describes networks of any architecture that learn two points, by full-batch steps.

    Attributes:
        architecture: "fully_connected", "convolution", "skip", "dropout", or an import path "module:class" of a
            subclass of :class:`empirics.networks.Architecture`.
        channels: number of channels; used by the convolution only.
        kernel: kernel size, an odd number; used by the convolution only.
        dropout: probability of dropping a unit; used by the dropout architecture only.
    """

    architecture: ArchitectureName = "fully_connected"
    channels: int = 20
    kernel: int = 11
    dropout: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_integers(channels=1, kernel=1)
        self.check_numbers("dropout", least=0, below=1)
        checks.require(
            self.kernel % 2 == 1,
            "kernel",
            self.kernel,
            "an odd number (the padding keeps the width)",
        )

    @property
    def networks(self) -> dict[str, Any]:
        """The values of the fields that describe the networks, whatever they learn."""
        return {field.name: getattr(self, field.name) for field in fields(PairConfig)}

    def built(self, inputs: int, outputs: int) -> Architecture:
        """Return the architecture of networks with these dimensions."""
        return networks.build(
            self.architecture, activation=self.activation, inputs=inputs, outputs=outputs, width=self.width,
            depth=self.depth, channels=self.channels, kernel=self.kernel, dropout=self.dropout,
        )  # fmt: skip


@dataclass(frozen=True)
class Config(PairConfig):
    """Settings of one two-point run; the defaults are the default network of the paper's Table 1.

    Lengths in input and output space are dimensionless.

    Attributes:
        dx: distance of the two inputs.
        dy: distance of the two targets.
        x1: coordinate of the first input; with several inputs, along the unit vector (1, ..., 1)/sqrt(inputs).
        y1: coordinate of the first target; with several outputs, along the unit vector (1, ..., 1)/sqrt(outputs).
        inputs: dimension of the input.
        outputs: dimension of the output.
        layers: hidden layers to record, counted from 1; None takes the layer just past the middle (11 of 20), as in the
            released code.

    >>> Config(depth=5, width=50).changed(width=100).width
    100
    """

    experiment: ClassVar[str] = "two_point"
    follows: ClassVar[Rules] = {"layers": positions("depth")}

    dx: float = 1.0
    dy: float = math.sqrt(0.5)
    x1: float = -1.0
    y1: float = 0.6
    inputs: int = 1
    outputs: int = 1
    layers: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_integers(inputs=1, outputs=1)
        self.check_numbers("dx", above=0)
        self.check_numbers("dy", least=0)
        self.check_numbers("x1", "y1")
        layers = (self.middle,) if self.layers is None else self.layers
        layers = checks.integers("layers", layers, 1, self.depth, some=True)
        checks.require(len(layers) == len(set(layers)), "layers", layers, "distinct hidden layers")
        self.set_field("layers", layers)

    def _in_words(self) -> str:
        return f"{self.architecture}, {self.activation}, {self.depth}×{self.width}, {self.epochs} epochs"

    def data(self) -> tuple[Tensor, Tensor]:
        """Return the inputs ``[2, inputs]`` and targets ``[2, outputs]``, float64."""
        import torch

        x = torch.tensor([[self.x1], [self.x1 + self.dx]], dtype=torch.float64)
        y = torch.tensor([[self.y1], [self.y1 + self.dy]], dtype=torch.float64)
        return x.expand(2, self.inputs) / math.sqrt(self.inputs), y.expand(
            2, self.outputs
        ) / math.sqrt(self.outputs)

    def network(self) -> Architecture:
        """Return the architecture of the networks."""
        return self.built(self.inputs, self.outputs)


@dataclass(frozen=True)
class GridConfig(PairConfig):
    """Settings of a grid of runs; the defaults are the default network and the 5 x 5 distances of appendix B.1.

    Every cell of every grid has a network of its own: grid g of n cells has those of seeds g n, ..., g n + n - 1, and
    ``seeds`` and ``first_seed`` count grids.

    Attributes:
        input_distances: distances of the two inputs, positive, dimensionless.
        target_distances: distances of the two targets, at least 0, dimensionless.
        layer: hidden layer of the representation, counted from 1; None takes the one just past the middle.
        stop_at: training loss, output^2, at which a network stops, trained by itself; 0 trains all of them as one batch
            for all epochs.
    """

    experiment: ClassVar[str] = "two_point.final_distances"
    added: ClassVar[tuple[str, ...]] = ("stop_at",)

    input_distances: tuple[float, ...] = (0.5, 0.75, 1.0, 1.25, 1.5)
    target_distances: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
    layer: int | None = None
    stop_at: float = 0.0
    epochs: int = 20000  # small distances of the targets take many
    seeds: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.set_field("input_distances", self._distances("input_distances", above=0))
        self.set_field("target_distances", self._distances("target_distances", least=0))
        self.check_numbers("stop_at", least=0)
        self.set_field(
            "layer",
            checks.integer(
                "layer", self.middle if self.layer is None else self.layer, 1, self.depth
            ),
        )

    def _distances(self, name: str, **limits: Any) -> tuple[float, ...]:
        values = tuple(checks.sequence(name, getattr(self, name), "numbers"))
        checks.require(len(values) > 0, name, "none", "at least one")
        return tuple(
            checks.real_number(name, value, most=checks.LARGEST_REAL, **limits) for value in values
        )

    @property
    def cells(self) -> tuple[tuple[float, float], ...]:
        """The pairs of distances (inputs, targets), the latter running fastest."""
        return tuple(itertools.product(self.input_distances, self.target_distances))

    @property
    def recorded(self) -> tuple[int, ...]:
        """The hidden layers in which distances are recorded: the one of the grid."""
        return () if self.layer is None else (self.layer,)

    @property
    def members(self) -> tuple[str, ...]:
        """Return the names of the networks of a batch, in their order."""
        return tuple(
            f"seed {seed}, dx {dx:g}, dy {dy:g}"
            for seed, (dx, dy) in product(self.seed_numbers, self.cells)
        )

    def __str__(self) -> str:
        grid = f"{len(self.input_distances)}×{len(self.target_distances)} distances"
        return f"{self.cell(*self.cells[0])}, {grid}"

    def cell(self, dx: float, dy: float) -> Config:
        """Return the two-point configuration of the networks at one pair of distances, with their seeds together.

        Args:
            dx: distance of the two inputs.
            dy: distance of the two targets.
        """
        numbers = {
            "seeds": self.seeds * len(self.cells),
            "first_seed": self.first_seed * len(self.cells),
        }
        return Config(**self.networks | numbers, dx=dx, dy=dy, layers=self.recorded)

    def network(self) -> Architecture:
        """Return the architecture of the networks."""
        return self.built(1, 1)

    def data(self) -> tuple[Tensor, Tensor]:
        """Return the inputs ``[network, 2, 1]`` and targets ``[network, 2, 1]`` of all networks, float64."""
        from torch import stack

        x, y = zip(*(self.cell(*cell).data() for cell in self.cells), strict=True)
        return stack(x).repeat(self.seeds, 1, 1), stack(y).repeat(self.seeds, 1, 1)

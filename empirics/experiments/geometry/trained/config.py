"""The configuration of a run with inputs in the plane: task, network, training and grid of measurement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from closedform import checks
from empirics.networks.names import ActivationName, Start
from empirics.runs.config import Configuration
from empirics.runs.following import Rules, positions

Task = Literal["xor", "sinusoid"]
CORNERS = ((-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0))  # the inputs of exclusive or


@dataclass(frozen=True)
class Config(Configuration):
    """Settings of one run; the defaults are one hidden layer of twenty sigmoidal units on the sinusoid task.

    Attributes:
        task: ``"xor"`` or ``"sinusoid"``.
        widths: widths of the hidden layers; the last hidden layer maps to two logits.
        activation: any activation, sigmoidal in the paper: a name, an expression in ``z`` such as "z*erf(z)", or an
            import path "module:function". The curvature is measured unless the slope of the activation jumps.
        points: number of training points of the sinusoid task; exclusive or has four.
        height: height of the sinusoid, in units of the inputs; used by the sinusoid task only.
        start: ``"torch"``, torch's own initial weights, or ``"gaussian"``: weights and biases N(0, 1), where every
            layer after the first divides its output by the root of the number of its inputs.
        learning_rate: learning rate of gradient descent.
        batch_size: number of points in a batch, at most all of them, where what remains of an epoch is dropped; None
            takes all points in their order (the paper prints no batch size).
        momentum: momentum of gradient descent, dimensionless, below 1.
        weight_decay: weight decay of all weights and biases.
        epochs: number of epochs, each of one update with every batch.
        checkpoints: epochs after which the geometry is measured; 0 is before any update.
        layers: hidden layers whose features are measured, counted from 1.
        grid: number of points per side of the square grid.
        extent: half the side of the grid, which covers [-extent, extent] in both inputs, in units of the inputs.
        seeds: number of networks; a seed determines training points, initial weights and batches.

    >>> Config(task="xor").layers
    (1,)
    """

    experiment: ClassVar[str] = "geometry.trained"
    added: ClassVar[tuple[str, ...]] = ("height", "start", "batch_size")
    follows: ClassVar[Rules] = {"checkpoints": positions("epochs"), "layers": positions("widths")}

    task: Task = "sinusoid"
    widths: tuple[int, ...] = (20,)
    activation: ActivationName = "sigmoid"
    points: int = 400
    height: float = 0.5
    start: Start = "torch"
    batch_size: int | None = None
    learning_rate: float = 0.05
    momentum: float = 0.9
    weight_decay: float = 0.0
    epochs: int = 10_000
    checkpoints: tuple[int, ...] = (0, 300, 1000, 3000, 10_000)
    layers: tuple[int, ...] = (1,)
    grid: int = 40
    extent: float = 1.5
    seeds: int = 5
    first_seed: int = 0
    device: str = "cpu"

    def __post_init__(self) -> None:
        self.check_integers(points=2, epochs=1, grid=3)
        self.check_integers(batch_size=1)
        self.check_numbers("learning_rate", "extent", "height", above=0)
        self.check_numbers("momentum", least=0, below=1)
        self.check_numbers("weight_decay", least=0)
        self.set_field("widths", checks.sizes("widths", self.widths, 2, some=True))
        for name, least, largest in (
            ("checkpoints", 0, self.epochs),
            ("layers", 1, len(self.widths)),
        ):
            self.check_positions(name, least, largest, some=True)

    @property
    def shape(self) -> str:
        """The network's widths as text, such as ``2 → 20 → 2``."""
        return " → ".join(str(units) for units in (2, *self.widths, 2))

    def _in_words(self) -> str:
        count = len(CORNERS) if self.task == "xor" else self.points
        return (
            f"{self.activation} {self.shape}, {self.task}, {count} points, {self.epochs:,} epochs"
        )

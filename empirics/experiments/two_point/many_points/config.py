"""The configuration of a network that learns a whole data set, of which some points are followed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from closedform import checks
from empirics.networks.names import ActivationName
from empirics.runs.config import Configuration

XOR_POINTS = 4
CONTEXTS = 2
CLASSES = 10
MOST_RECORDED = 1000  # points; all of their distances are stored at every recorded epoch
MOST_IMAGES = 60_000


@dataclass(frozen=True)
class Config(Configuration):
    """Settings of one run; the defaults are XOR at low weights of the paper's Table 2.

    Attributes:
        dataset: "xor", "blobs" or "mnist". The files of MNIST are read from the directory that the environment variable
            CLOSEDFORM_DATA names.
        side: number of places of a blob along each coordinate; used by the blobs only.
        images: number of training images, the first ones of MNIST; used by MNIST only.
        recorded: largest number of points whose distances are recorded: a grid of the blobs as fine as it allows, or
            the first images of MNIST, sorted by digit. XOR has four.
        pairs: number of random pairs of points at which odd and even parts of encoder and decoder are measured.
        activation: any activation: a name such as "tanh" or "leaky_relu(1/10)" (the slope of "leaky_relu" is 1/100), an
            expression in ``z`` such as "z*erf(z)", or an import path "module:function".
        depth: number of hidden layers, all fully connected.
        width: number of units in a hidden layer.
        gain: factor that multiplies the standard deviation of Xavier initialisation.
        optimiser: "gd" (gradient descent) or "adam".
        learning_rate: step size for half the mean over points of the squared error (Eq. 1), summed over outputs.
        batch_size: number of points in a batch; None takes all points. Every network has its own order of the points.
        epochs: number of passes through the points.
        records: number of epochs at which the network is measured, evenly spread, beside epoch 0.
        layer: hidden layer of the representation, counted from 1; None takes the one just past the middle.
        seeds: number of networks, trained as one batch.
        first_seed: the first seed; the others are first_seed + 1, first_seed + 2, ...
        device: torch device to train on, such as "cpu" or "cuda".
        dtype: number type of the training, "float32" or "float64"; traces are in float64.
    """

    experiment: ClassVar[str] = "two_point.many_points"

    dataset: Literal["xor", "blobs", "mnist"] = "xor"
    side: int = 30
    images: int = MOST_IMAGES
    recorded: int = 100
    pairs: int = 0
    activation: ActivationName = "leaky_relu"
    depth: int = 20
    width: int = 500
    gain: float = 0.7
    optimiser: Literal["gd", "adam"] = "gd"
    learning_rate: float = 0.015
    batch_size: int | None = None
    epochs: int = 1000
    records: int = 20
    layer: int | None = None
    seeds: int = 5
    first_seed: int = 0
    device: str = "cpu"
    dtype: Literal["float32", "float64"] = "float32"

    def __post_init__(self) -> None:
        self.check_integers(side=2, images=2, recorded=2, pairs=0, depth=1, width=1)
        self.check_integers(epochs=1, records=1, seeds=1, first_seed=0)
        self.check_numbers("gain", "learning_rate", above=0)
        if self.batch_size is not None:
            self.check_integers(batch_size=1)
        self.set_field(
            "layer", checks.integer("layer", self._middle if self.layer is None else self.layer, 1, self.depth)
        )
        for name, most in (("recorded", MOST_RECORDED), ("images", MOST_IMAGES)):
            checks.require(getattr(self, name) <= most, name, getattr(self, name), f"at most {most:,}")
        fewest = CONTEXTS * 2**2
        checks.require(
            self.dataset != "blobs" or self.recorded >= fewest, "recorded", self.recorded, f"at least {fewest}"
        )

    @property
    def _middle(self) -> int:
        return min(self.depth // 2 + 1, self.depth)

    @property
    def points(self) -> int:
        """The number of points that the network learns."""
        return {"xor": XOR_POINTS, "blobs": CONTEXTS * self.side**2, "mnist": self.images}[self.dataset]

    @property
    def moments(self) -> tuple[int, ...]:
        """The recorded epochs, from 0 to ``epochs``."""
        records = min(self.records, self.epochs)
        return tuple(round(number * self.epochs / records) for number in range(records + 1))

    @property
    def described(self) -> str:
        """Return a one-line description of this configuration."""
        return (
            f"{self.dataset}, {self.points:,} points, {self.activation}, {self.depth}×{self.width}, "
            f"{self.epochs} epochs of {self.optimiser}, {self.seeds_described}, {self.device}"
        )

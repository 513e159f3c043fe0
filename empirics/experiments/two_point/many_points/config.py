"""The configuration of a network that learns a whole data set, of which some points are followed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from closedform import checks
from empirics.experiments.two_point.config import NetworksConfig

XOR_POINTS = 4
CONTEXTS = 2

MOST_RECORDED = 1000  # points; all of their distances are stored at every recorded epoch
MOST_IMAGES = 60_000


@dataclass(frozen=True)
class Config(NetworksConfig):
    """Settings of one run of fully connected networks; the defaults are XOR at low weights of the paper's Table 2.

    Attributes:
        dataset: "xor", "blobs" or "mnist". The files of MNIST are read from the directory that the environment variable
            CLOSEDFORM_DATA names.
        side: number of places of a blob along each coordinate; used by the blobs only.
        images: number of training images, the first ones of MNIST; used by MNIST only.
        recorded: largest number of points whose distances are recorded: a grid of the blobs as fine as it allows, or
            the first images of MNIST, sorted by digit. XOR has four.
        pairs: number of random pairs of points at which odd and even parts of encoder and decoder are measured.
        batch_size: number of points in a batch; None takes all points. Every network has its own order of the points.
        records: number of epochs at which the network is measured, evenly spread, in addition to epoch 0.
        layer: hidden layer of the representation, counted from 1; None takes the one just past the middle.

    >>> Config(dataset="xor").dataset
    'xor'
    """

    experiment: ClassVar[str] = "two_point.many_points"

    dataset: Literal["xor", "blobs", "mnist"] = "xor"
    side: int = 30
    images: int = MOST_IMAGES
    recorded: int = 100
    pairs: int = 0
    gain: float = 0.7
    learning_rate: float = 0.015
    batch_size: int | None = None
    epochs: int = 1000
    records: int = 20
    layer: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_integers(side=2, images=2, recorded=2, pairs=0, records=1)
        self.check_integers(batch_size=1)
        layer = self.middle if self.layer is None else self.layer
        self.set_field("layer", checks.integer("layer", layer, 1, self.depth))
        for name, most in (("recorded", MOST_RECORDED), ("images", MOST_IMAGES)):
            checks.require(
                getattr(self, name) <= most, name, getattr(self, name), f"at most {most:,}"
            )
        fewest = CONTEXTS * 2**2
        checks.require(
            self.dataset != "blobs" or self.recorded >= fewest,
            "recorded",
            self.recorded,
            f"at least {fewest}",
        )

    @property
    def points(self) -> int:
        """The number of points that the network learns."""
        return {"xor": XOR_POINTS, "blobs": CONTEXTS * self.side**2, "mnist": self.images}[
            self.dataset
        ]

    @property
    def moments(self) -> tuple[int, ...]:
        """The recorded epochs, from 0 to ``epochs``."""
        records = min(self.records, self.epochs)
        return tuple(round(number * self.epochs / records) for number in range(records + 1))

    def _in_words(self) -> str:
        return (
            f"{self.dataset}, {self.points:,} points, {self.activation}, {self.depth}×{self.width}, "
            f"{self.epochs} epochs of {self.optimiser}"
        )

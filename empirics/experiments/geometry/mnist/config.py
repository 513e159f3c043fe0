"""The configuration of a classifier of images: which images and network, how it is trained, where it is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from empirics import check
from empirics.data.loading import TITLES
from empirics.experiments.config import Configuration
from empirics.networks.elementwise import SmoothName

PIXELS = {"mnist": 784, "fashion_mnist": 784, "digits": 64}
CLASSES = 10


@dataclass(frozen=True)
class Config(Configuration):
    """The paper's network at laptop size unless said otherwise: 784 → 2000 → 10, fewer images, fewer epochs.

    Attributes:
        dataset: "mnist", "fashion_mnist" or "digits". Files are looked for where the environment variable
            CLOSEDFORM_DATA says; the digits need scikit-learn instead.
        widths: of the hidden layers; the last one, whose features are measured, has more units than an image pixels.
        activation: smooth; sigmoidal in the paper.
        train_size: training images, drawn from the training split; all of them where None.
        test_size: images of the test split for the test accuracy; all of them where None.
        batch_size: images in a batch.
        learning_rate: of Adam.
        weight_decay: of Adam, as an L2 penalty.
        epochs: of training.
        checkpoints: epochs after which the geometry is measured; 0 is before any update.
        images: test images at which volume, curvature and the distance to the decision boundary are measured.
        lines: segments between two test images of different classes, on which the volume element is measured.
        steps: points on a segment, both ends included; odd, so that one is the middle.
        curved_lines: of these, on which the curvature is measured, too.
        plane: points a side of the triangle between three test images, at the last checkpoint; 0 for none.
        overhang: by which the triangle is enlarged about its centre; 0 is the convex hull, more of the affine one.
        probes: 0 for the exact curvature, else pairs of random directions for an estimate with its standard error.
        seeds: networks; a seed is a draw of images, initial weights and batches.
        first_seed: seeds are first_seed, first_seed + 1, ...
        device: as torch names it.
    """

    experiment: ClassVar[str] = "geometry.mnist"

    dataset: Literal["mnist", "fashion_mnist", "digits"] = "mnist"
    widths: tuple[int, ...] = (2000,)
    activation: SmoothName = "sigmoid"
    train_size: int | None = 6000
    test_size: int | None = 2000
    batch_size: int = 200
    learning_rate: float = 1e-3
    weight_decay: float = 1e-4
    epochs: int = 10
    checkpoints: tuple[int, ...] = (0, 2, 10)
    images: int = 20
    lines: int = 4
    steps: int = 17
    curved_lines: int = 1
    plane: int = 9
    overhang: float = 0.0
    probes: int = 0
    seeds: int = 1
    first_seed: int = 0
    device: str = "cpu"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.train_size is not None:
            self._whole(train_size=2 * CLASSES)
        if self.test_size is not None:
            self._whole(test_size=2 * CLASSES)
        self._whole(batch_size=1, epochs=1, images=3, lines=1, steps=3)
        self._whole(curved_lines=0, plane=0, probes=0, seeds=1, first_seed=0)
        self._real("learning_rate", positive=True)
        self._real("weight_decay", "overhang", at_least=0)
        self._put("widths", check.whole_numbers("widths", self.widths, 1, some=True))
        checkpoints = check.whole_numbers("checkpoints", self.checkpoints, 0, some=True)
        self._put("checkpoints", tuple(sorted(set(checkpoints))))
        for name, good, need in (
            ("widths", min(self.widths) > self.pixels, f"more than {self.pixels} units in every hidden layer"),
            ("checkpoints", self.checkpoints[-1] <= self.epochs, f"epochs from 0 to epochs = {self.epochs}"),
            ("steps", self.steps % 2 == 1, "an odd number"),
            ("curved_lines", self.curved_lines <= self.lines, f"at most lines = {self.lines}"),
            ("plane", self.plane != 1, "0, or at least 2"),
            ("probes", self.probes != 1, "0, or at least 2"),
        ):
            check.require(good, name, getattr(self, name), need)

    @property
    def pixels(self) -> int:
        """Dimension of the inputs, d."""
        return PIXELS[self.dataset]

    @property
    def shape(self) -> str:
        """The network's widths, ``784 → 2000 → 10``."""
        return " → ".join(str(units) for units in (self.pixels, *self.widths, CLASSES))

    @property
    def described(self) -> str:
        """This configuration in a few words."""
        count = "all" if self.train_size is None else f"{self.train_size:,}"
        return (
            f"{self.activation} {self.shape}, {TITLES[self.dataset]}, {count} images, {self.epochs} epochs, "
            f"{self._seeds_described}, {self.device}"
        )

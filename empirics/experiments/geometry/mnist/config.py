"""The configuration of a classifier of images: which images and network, how it is trained, where it is looked at."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from empirics.data.loading import TITLES
from empirics.experiments import config as check
from empirics.networks.elementwise import SMOOTH

PIXELS = {"mnist": 784, "fashion_mnist": 784, "digits": 64}
CLASSES = 10


@dataclass(frozen=True)
class Config:
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
    activation: Literal["sigmoid", "tanh", "erf", "gelu", "softplus", "sin"] = "sigmoid"
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
        def put(name: str, value: Any) -> None:
            object.__setattr__(self, name, value)

        check.one_of("dataset", self.dataset, tuple(PIXELS))
        check.one_of("activation", self.activation, SMOOTH)
        for name in ("train_size", "test_size"):
            if getattr(self, name) is not None:
                put(name, check.whole(name, getattr(self, name), 2 * CLASSES))
        for name, least in (
            ("batch_size", 1), ("epochs", 1), ("images", 3), ("lines", 1), ("steps", 3), ("curved_lines", 0),
            ("plane", 0), ("probes", 0), ("seeds", 1), ("first_seed", 0),
        ):  # fmt: skip
            put(name, check.whole(name, getattr(self, name), least))
        put("learning_rate", check.real("learning_rate", self.learning_rate, positive=True))
        put("weight_decay", check.real("weight_decay", self.weight_decay, at_least=0))
        put("overhang", check.real("overhang", self.overhang, at_least=0))
        for name, least in (("widths", 1), ("checkpoints", 0)):
            value = getattr(self, name)
            if isinstance(value, str) or not hasattr(value, "__iter__"):
                raise TypeError(f"{name}: got {value!r}, needs a sequence of integers")
            put(name, tuple(check.whole(name, each, least) for each in value))
            if not getattr(self, name):
                raise ValueError(f"{name}: got none, needs at least one")
        put("checkpoints", tuple(sorted(set(self.checkpoints))))
        for name, good, need in (
            ("widths", min(self.widths) > self.pixels, f"more than {self.pixels} units in every hidden layer"),
            ("checkpoints", self.checkpoints[-1] <= self.epochs, f"epochs from 0 to epochs = {self.epochs}"),
            ("steps", self.steps % 2 == 1, "an odd number"),
            ("curved_lines", self.curved_lines <= self.lines, f"at most lines = {self.lines}"),
            ("plane", self.plane != 1, "0, or at least 2"),
            ("probes", self.probes != 1, "0, or at least 2"),
        ):
            if not good:
                raise ValueError(f"{name}: got {getattr(self, name)}, needs {need}")
        if not isinstance(self.device, str):
            raise TypeError(f"device: got {self.device!r}, needs text such as 'cpu' or 'cuda'")

    def to_json(self) -> str:
        """This configuration as JSON text."""
        return check.as_json(self)

    @classmethod
    def from_json(cls, text: str) -> Config:
        """The configuration that :meth:`to_json` wrote."""
        fields = json.loads(text)
        if fields.pop("experiment", cls.experiment) != cls.experiment:
            raise ValueError(f"config: is of another experiment than {cls.experiment}")
        return cls(**fields)

    @property
    def pixels(self) -> int:
        """Dimension of the inputs, d."""
        return PIXELS[self.dataset]

    @property
    def shape(self) -> str:
        """The network's widths, ``784 → 2000 → 10``."""
        return " → ".join(str(each) for each in (self.pixels, *self.widths, CLASSES))

    @property
    def described(self) -> str:
        """This configuration in a few words."""
        count = "all" if self.train_size is None else f"{self.train_size:,}"
        return (
            f"{self.activation} {self.shape}, {TITLES[self.dataset]}, {count} images, {self.epochs} epochs, "
            f"{self.seeds} seed{'s' if self.seeds > 1 else ''}, {self.device}"
        )

    @property
    def seed_numbers(self) -> range:
        """The seeds."""
        return range(self.first_seed, self.first_seed + self.seeds)

"""The configuration of a fully connected classifier of images: data, network, training and points of measurement."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, Literal

from closedform import checks
from empirics.data.names import CLASSES, SHAPES, TITLES, class_triples
from empirics.networks.names import SmoothName, Start
from empirics.runs.config import Configuration
from empirics.runs.following import Rules, at_most, positions


@dataclass(frozen=True)
class Config(Configuration):
    """Settings of one run; the defaults are the paper's network, 784 → 2000 → 10, with fewer images and fewer epochs.

    Attributes:
        dataset: "mnist", "fashion_mnist" or "digits". Files are read from the directory that the environment variable
            CLOSEDFORM_DATA names; "digits" comes with scikit-learn.
        widths: widths of the hidden layers; the last, whose features are measured, is wider than the input.
        activation: any activation whose slope does not jump, since the curvature is measured, sigmoidal in the paper: a
            name, an expression in ``z`` such as "z*erf(z)", or an import path "module:function".
        start: ``"torch"``, torch's own initial weights, or ``"gaussian"``: weights and biases N(0, 1), where every
            layer after the first divides its output by the root of the number of its inputs.
        train_size: number of training images, drawn from the training split; None takes all.
        test_size: number of images of the test split for the test accuracy; None takes all.
        batch_size: number of images in a batch.
        learning_rate: learning rate of Adam.
        weight_decay: coefficient of Adam's L2 penalty.
        epochs: number of training epochs.
        checkpoints: epochs after which the geometry is measured; 0 is before any update.
        images: number of test images at which volume, curvature and distance to the decision boundary are measured.
        lines: number of segments between test images of different classes, on which the volume element is measured.
        first_line: the classes of both ends of the first segment, which joins the first test images of these; empty
            for any two.
        steps: number of points on a segment, including both ends; odd, so that one is the midpoint.
        curved_lines: number of these segments on which the curvature is measured as well.
        triples: classes of the three test images at the corners of a triangle, three after three for several triangles.
        plane: number of points per side of these triangles, which are measured at every checkpoint; 0 for none.
        overhang: relative enlargement of the triangles about their centres, dimensionless; 0 is the convex hull, larger
            values add more of the affine hull.
        probes: 0 for the exact curvature, otherwise the number of pairs of random directions for an estimate with
            standard error.
        seeds: number of networks; a seed determines images, initial weights and batches.

    >>> Config(dataset="digits", widths=(100,)).widths
    (100,)
    """

    experiment: ClassVar[str] = "geometry.mnist"
    seeds_are_independent: ClassVar[bool] = True
    added: ClassVar[tuple[str, ...]] = ("start", "first_line")
    follows: ClassVar[Rules] = {
        "checkpoints": positions("epochs"),
        "curved_lines": at_most("lines"),
    }

    dataset: Literal["mnist", "fashion_mnist", "digits"] = "mnist"
    widths: tuple[int, ...] = (2000,)
    activation: SmoothName = "sigmoid"
    start: Start = "torch"
    train_size: int | None = 6000
    test_size: int | None = 2000
    batch_size: int = 200
    learning_rate: float = 1e-3
    weight_decay: float = 1e-4
    epochs: int = 10
    checkpoints: tuple[int, ...] = (0, 2, 10)
    images: int = 20
    lines: int = 4
    first_line: tuple[int, ...] = ()
    steps: int = 17
    curved_lines: int = 1
    triples: tuple[int, ...] = (7, 6, 1)
    plane: int = 9
    overhang: float = 0.0
    probes: int = 0
    seeds: int = 1
    first_seed: int = 0
    device: str = "cpu"

    def __post_init__(self) -> None:
        self.check_integers(train_size=2 * CLASSES, test_size=2 * CLASSES)
        self.check_integers(batch_size=1, epochs=1, images=3, lines=1, steps=3)
        self.check_integers(curved_lines=0, plane=0, probes=0)
        self.check_numbers("learning_rate", above=0)
        self.check_numbers("weight_decay", "overhang", least=0)
        self.set_field("widths", checks.sizes("widths", self.widths, 1, some=True))
        self.check_positions("checkpoints", 0, self.epochs, some=True)
        self.set_field(
            "triples", tuple(chain.from_iterable(class_triples("triples", self.triples)))
        )
        ends = checks.integers("first_line", self.first_line, 0, CLASSES - 1)
        self.set_field("first_line", ends)
        for name, is_valid, need in (
            (
                "widths",
                min(self.widths) > self.pixels,
                f"more than {self.pixels} units in every hidden layer",
            ),
            ("steps", self.steps % 2 == 1, "an odd number"),
            ("first_line", len(ends) == len(set(ends)) in (0, 2), "two distinct classes, or none"),
            ("curved_lines", self.curved_lines <= self.lines, f"at most lines = {self.lines}"),
            ("plane", self.plane != 1, "0, or at least 2"),
            ("probes", self.probes != 1, "0, or at least 2"),
        ):
            checks.require(is_valid, name, getattr(self, name), need)

    @property
    def pixels(self) -> int:
        """The dimension d of the inputs."""
        channels, side = SHAPES[self.dataset]
        return channels * side**2

    @property
    def corners(self) -> tuple[tuple[int, ...], ...]:
        """The classes at the corners of every triangle, ``[triangle][3]``."""
        return class_triples("triples", self.triples)

    @property
    def shape(self) -> str:
        """The network's widths as text, such as ``784 → 2000 → 10``."""
        return " → ".join(str(units) for units in (self.pixels, *self.widths, CLASSES))

    def _in_words(self) -> str:
        count = "all" if self.train_size is None else f"{self.train_size:,}"
        return f"{self.activation} {self.shape}, {TITLES[self.dataset]}, {count} images, {self.epochs} epochs"

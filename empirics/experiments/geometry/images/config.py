"""The configurations of both experiments on images: data, network, training and points of measurement."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, ClassVar, Literal

from closedform import checks
from empirics.data.names import CLASSES, SHAPES, TITLES, class_triples
from empirics.networks.names import BLOCKS, ActivationName
from empirics.runs.config import Configuration
from empirics.runs.following import Rules, positions

if TYPE_CHECKING:
    from empirics.networks.resnet import ResNet


SMALLEST = 8  # pixels per side, which the network halves three times
OFF_DIAGONAL = 5e-3  # lambda of the Barlow Twins paper
TEMPERATURE = 0.5  # of SimCLR on CIFAR-10 (its Appendix B.9)
SMALLEST_CROP = 0.08  # its area, as a fraction of the image
LEAST_BLUR, MOST_BLUR = 0.1, 2.0  # range of the blur's standard deviation, pixels


@dataclass(frozen=True)
class VisionConfig(Configuration):
    """Settings shared by supervised and self-supervised runs; with the defaults, a run takes minutes on a CPU.

    Attributes:
        dataset: "cifar10" (files are read from the directory that the environment variable CLOSEDFORM_DATA names) or
            "digits" (comes with scikit-learn).
        image_size: pixels per side; smaller images are made by averaging squares of pixels, larger ones by repeating
            pixels. None keeps the size of the data set.
        train_size: number of training images; None takes all that the folder holds.
        test_size: number of test images, among which the images of lines and planes are chosen; None takes all.
        depth: number of layers of the ResNet: 18, 34, 50 or 101.
        width: number of channels of its first stage; 64 in the paper.
        activation: the activation after every normalisation, any: a name, an expression in ``z`` such as "z*erf(z)", or
            an import path "module:function".
        stem: the activation after the first convolution: "relu", as in the released program, or the "same".
        epochs: number of passes through the training images.
        batch_size: largest number of images in a batch.
        learning_rate: learning rate of SGD, constant during training.
        momentum: momentum of SGD, dimensionless.
        weight_decay: weight decay of SGD.
        snapshots: epochs after which geometry is measured, in addition to the first (0, before any update) and the
            last.
        lines: number of straight lines of each kind (between images of different classes, and of one class).
        positions: number of points on a line, including its ends.
        classes: classes of the three images that span a plane, three after three for several planes. One more plane is
            spanned by three images of the first of these classes; the first line joins the images of the first two.
        resolution: number of points along each side of a plane.
        margin: distance by which a plane extends beyond its triangle, in units of the triangle's side; 0 gives the
            bounding box of the convex hull.
        precision: precision of the derivatives, "float64" or that of the "model" (float32).
        seeds: number of networks; a seed determines images, initial weights, batches and augmentations.
    """

    experiment: ClassVar[str]
    seeds_are_independent: ClassVar[bool] = True
    added: ClassVar[tuple[str, ...]] = ("stem",)
    follows: ClassVar[Rules] = {"snapshots": positions("epochs")}

    dataset: Literal["cifar10", "digits"] = "cifar10"
    image_size: int | None = None
    train_size: int | None = 1000
    test_size: int | None = 500
    depth: int = 18
    width: int = 8
    activation: ActivationName = "gelu"
    stem: Literal["same", "relu"] = "same"
    epochs: int = 30
    batch_size: int = 50
    learning_rate: float = 0.01
    momentum: float = 0.9
    weight_decay: float = 1e-4
    snapshots: tuple[int, ...] = ()
    lines: int = 6
    positions: int = 25
    classes: tuple[int, ...] = (7, 6, 1)
    resolution: int = 17
    margin: float = 0.5
    precision: Literal["float64", "model"] = "float64"
    seeds: int = 3
    first_seed: int = 0
    device: str = "cpu"

    def __post_init__(self) -> None:
        original = SHAPES[self.dataset][1]
        size = (
            original
            if self.image_size is None
            else checks.size("image_size", self.image_size, SMALLEST)
        )
        checks.require(
            original % size == 0 or size % original == 0,
            "image_size",
            size,
            f"a divisor or a multiple of {original}",
        )
        self.set_field("image_size", size)
        self.check_integers(
            train_size=2 * CLASSES, test_size=2 * CLASSES, depth=1, width=1, epochs=1, batch_size=2
        )
        self.check_integers(lines=1, positions=5, resolution=3)
        checks.one_of("depth", self.depth, BLOCKS)
        self.check_numbers("learning_rate", above=0)
        self.check_numbers("momentum", least=0, below=1)
        self.check_numbers("weight_decay", "margin", least=0)
        self.check_positions("snapshots", 0, self.epochs)
        self.set_field(
            "classes", tuple(chain.from_iterable(class_triples("classes", self.classes)))
        )

    def _in_words(self) -> str:
        count = "all" if self.train_size is None else f"{self.train_size:,}"
        return (
            f"ResNet-{self.depth} of width {self.width} on {TITLES[self.dataset]}, {count} images of "
            f"{self.side} x {self.side}, {self.epochs} epochs"
        )

    @property
    def side(self) -> int:
        """Return ``image_size``, with the default filled in."""
        assert self.image_size is not None  # __post_init__ filled it
        return self.image_size

    @property
    def triples(self) -> tuple[tuple[int, ...], ...]:
        """The classes of the images that span each plane of different classes, ``[plane][3]``."""
        return class_triples("classes", self.classes)

    @property
    def measured_at(self) -> tuple[int, ...]:
        """The epochs after which geometry is measured."""
        return tuple(sorted({0, *self.snapshots, self.epochs}))

    def build(self) -> ResNet:
        """Create a network, with initial weights from torch's current random state."""
        from empirics.networks.resnet import resnet

        return resnet(
            self.depth, self.activation, width=self.width, outputs=CLASSES, channels=SHAPES[self.dataset][0],
            stem=None if self.stem == "same" else self.stem,
        )  # fmt: skip


@dataclass(frozen=True)
class ResNetConfig(VisionConfig):
    """Settings of one run of supervised learning, with random crops and flips.

    The attributes are those of :class:`~empirics.experiments.geometry.images.config.VisionConfig`.
    """

    experiment: ClassVar[str] = "geometry.resnet"


@dataclass(frozen=True)
class SelfSupervisedConfig(VisionConfig):
    """Settings of one run of self-supervised learning, in addition to those of :class:`VisionConfig`.

    Attributes:
        method: "barlow_twins" or "simclr".
        projection: dimension of the embeddings after one linear layer; 256 in the paper.
        off_diagonal: weight of the redundancy term of Barlow Twins, dimensionless; the default is that of its paper.
        temperature: temperature of SimCLR, dimensionless; the default is that of its paper for CIFAR-10.
        penalty: strength of the L2 penalty of the linear probe.
        optimiser: "sgd", as in the paper, or "adamw", which has no momentum to set and learns in fewer steps.
        warm_up: share of the steps in which the learning rate rises linearly to its value, before it falls to zero
            along half a cosine; 0 keeps it constant, as in the paper.
        smallest_crop: area of the smallest random crop, as a fraction of the image.
        largest_blur: largest standard deviation of the random blur, pixels.
        together: number of images of a batch that share a draw of the random crop, colours and blur of a view; more
            than one saves most of the time that the transforms take.
    """

    experiment: ClassVar[str] = "geometry.self_supervised"

    method: Literal["barlow_twins", "simclr"] = "barlow_twins"
    projection: int = 64
    off_diagonal: float = OFF_DIAGONAL
    temperature: float = TEMPERATURE
    penalty: float = 1.0
    optimiser: Literal["sgd", "adamw"] = "sgd"
    warm_up: float = 0.0
    smallest_crop: float = SMALLEST_CROP
    largest_blur: float = MOST_BLUR
    together: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_integers(projection=2, together=1)
        self.check_numbers("off_diagonal", least=0)
        self.check_numbers("temperature", "penalty", above=0)
        self.check_numbers("warm_up", least=0, below=1)
        self.check_numbers("smallest_crop", above=0, most=1)
        self.check_numbers("largest_blur", least=LEAST_BLUR)

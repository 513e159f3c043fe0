"""What both experiments are told: the images, the network, how it is trained, and where its geometry is measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from empirics import check
from empirics.data.loading import TITLES
from empirics.experiments.config import Configuration
from empirics.networks.resnet import BLOCKS, ActivationName, ResNet, resnet

SIZES = {"cifar10": 32, "digits": 8}  # pixels a side
CHANNELS = {"cifar10": 3, "digits": 1}
CLASSES = 10  # of both data sets
SMALLEST = 8  # pixels a side: three halvings follow


@dataclass(frozen=True)
class VisionConfig(Configuration):
    """What is common to supervised and self-supervised runs; minutes on a CPU unless said otherwise.

    Attributes:
        dataset: "cifar10" (its files are looked for where the environment variable CLOSEDFORM_DATA says) or "digits"
            (built into scikit-learn).
        image_size: pixels a side; squares of pixels are averaged where it is less than what the images have, pixels are
            repeated where it is more. What there are where None.
        train_size: training images.
        test_size: test images; the points of lines and planes are made of these.
        depth: 18, 34, 50 or 101, of the ResNet.
        width: channels of its first stage; 64 in the paper.
        activation: after every normalisation.
        epochs: passes through the training images.
        batch_size: images in a batch, at most.
        learning_rate: of SGD, constant.
        momentum: of SGD.
        weight_decay: of SGD.
        snapshots: epochs after which geometry is measured, besides the first (0, before any update) and the last.
        lines: straight lines of each kind (between images of different classes, and of one class).
        positions: points of a line, its ends included.
        classes: of the three images that the first plane goes through; the second plane goes through three images of
            the first of these classes. The first line is the edge between the first two.
        resolution: points of a plane along each side.
        margin: how far a plane reaches beyond its triangle, in units of the triangle's side; 0 for the bounding box of
            the convex hull.
        precision: of the derivatives, "float64" or that of the "model" (float32).
        seeds: networks; a seed is a draw of images, initial weights, batches and augmentations.
        first_seed: seeds are first_seed, first_seed + 1, ...
        device: as torch names it.
    """

    experiment: ClassVar[str]

    dataset: Literal["cifar10", "digits"] = "cifar10"
    image_size: int | None = None
    train_size: int = 1000
    test_size: int = 500
    depth: int = 18
    width: int = 8
    activation: ActivationName = "gelu"
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
        super().__post_init__()
        size = SIZES[self.dataset] if self.image_size is None else check.whole("image_size", self.image_size, SMALLEST)
        own = SIZES[self.dataset]
        check.require(own % size == 0 or size % own == 0, "image_size", size, f"a divisor or a multiple of {own}")
        self._put("image_size", size)
        self._whole(train_size=2 * CLASSES, test_size=2 * CLASSES, width=1, epochs=1, batch_size=2)
        self._whole(lines=1, positions=5, resolution=3, seeds=1, first_seed=0)
        self._whole(depth=1)
        check.one_of("depth", self.depth, BLOCKS)
        self._real("learning_rate", positive=True)
        self._real("momentum", at_least=0, below=1)
        self._real("weight_decay", "margin", at_least=0)
        self._put("snapshots", tuple(sorted(set(check.whole_numbers("snapshots", self.snapshots, 0, self.epochs)))))
        classes = check.whole_numbers("classes", self.classes, 0, CLASSES - 1)
        check.require(len(classes) == len(set(classes)) == 3, "classes", self.classes, "three distinct classes")
        self._put("classes", classes)

    @property
    def described(self) -> str:
        """This configuration in a few words."""
        return (
            f"ResNet-{self.depth} of width {self.width} on {TITLES[self.dataset]}, {self.train_size:,} images of "
            f"{self.side} x {self.side}, {self.epochs} epochs, {self._seeds_described}, {self.device}"
        )

    @property
    def side(self) -> int:
        """``image_size``, filled in."""
        assert self.image_size is not None  # __post_init__ filled it
        return self.image_size

    @property
    def measured_at(self) -> tuple[int, ...]:
        """Epochs after which geometry is measured."""
        return tuple(sorted({0, *self.snapshots, self.epochs}))

    def build(self) -> ResNet:
        """A network, with initial weights from torch's current random state."""
        return resnet(
            self.depth, self.activation, width=self.width, outputs=CLASSES, channels=CHANNELS[self.dataset]
        )  # fmt: skip

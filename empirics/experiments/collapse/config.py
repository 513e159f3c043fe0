"""The configuration of a collapse run: which images, which classifier, how it is trained and what is measured when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from empirics import check, networks
from empirics.data.loading import TITLES, Name
from empirics.experiments.config import Configuration
from empirics.networks.staged import StagedClassifier
from empirics.training.classification import Optimisation

SYMBOLS = {"residual": "f₊", "plain": "f₋", "mlp": "MLP"}  # the thesis' names of its two
DEPTHS = {"residual": (64, 128, 256), "plain": (16, 32, 64), "mlp": (128, 128, 128)}
SHAPES = {"fashion_mnist": (1, 28), "mnist": (1, 28), "cifar10": (3, 32), "digits": (1, 8)}  # channels, pixels a side
CLASSES = 10  # of every data set there is
FEWEST_LAYERS = 3  # below that, log NC1 is always on a straight line


@dataclass(frozen=True)
class Config(Configuration):
    """One run: the thesis' weaker network on Fashion-MNIST at laptop size unless said otherwise.

    Attributes:
        dataset: "fashion_mnist", "mnist", "cifar10" or "digits". Files are looked for where the environment variable
            CLOSEDFORM_DATA says; the digits need scikit-learn instead.
        network: "residual" (f₊ of the thesis), "plain" (f₋) or "mlp".
        depths: channels after each block, widths of an MLP; those of the thesis where not given. At least three.
        train_size: training images.
        test_size: test images; all there are where None.
        random_labels: share of the training labels that are replaced by noise, in [0, 1].
        optimiser: "adamw", "adam" or "sgd".
        learning_rate: constant.
        batch_size: images in a batch, in training and measuring; the thesis does not print its own.
        epochs: at most so many.
        stop_loss: stop after the epoch whose training loss, in nats, is at most this; never where None.
        collapse_at: epochs after which NC1 to NC4 are measured, besides the first (0) and the last; every epoch where
            None.
        information_at: epochs after which usable information is measured, besides the last; none at all, not even the
            last, where empty.
        information: "sufficiency" alone; with minimality by "joint" decoders (the thesis), "per_class" ones (the
            definition) or "both".
        decoder_epochs: at most so many for each decoder.
        seeds: networks; a seed is a draw of images, labels, initial weights and batches.
        first_seed: seeds are first_seed, first_seed + 1, ...
        device: as torch names it.
    """

    experiment: ClassVar[str] = "collapse"

    dataset: Name = "fashion_mnist"
    network: Literal["residual", "plain", "mlp"] = "plain"
    depths: tuple[int, ...] | None = None
    train_size: int = 2000
    test_size: int | None = 2000
    random_labels: float = 0.0
    optimiser: Literal["adamw", "adam", "sgd"] = "adamw"
    learning_rate: float = 2e-3
    batch_size: int = 100
    epochs: int = 20
    stop_loss: float | None = None
    collapse_at: tuple[int, ...] | None = None
    information_at: tuple[int, ...] = ()
    information: Literal["sufficiency", "joint", "per_class", "both"] = "joint"
    decoder_epochs: int = 50
    seeds: int = 3
    first_seed: int = 0
    device: str = "cpu"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._whole(train_size=2 * CLASSES)
        if self.test_size is not None:
            self._whole(test_size=2 * CLASSES)
        self._whole(batch_size=2, epochs=1, decoder_epochs=1, seeds=1, first_seed=0)
        self._real("random_labels", at_least=0, at_most=1)
        self._real("learning_rate", positive=True)
        if self.stop_loss is not None:
            self._real("stop_loss", positive=True)
        if self.collapse_at is not None:
            self._put("collapse_at", self._epochs("collapse_at"))
        self._put("information_at", self._epochs("information_at"))
        depths = DEPTHS[self.network] if self.depths is None else self.depths
        self._put("depths", check.whole_numbers("depths", depths, 1))
        if len(self.channels) < FEWEST_LAYERS:
            raise ValueError(f"depths: got {self.depths}, needs at least {FEWEST_LAYERS} layers to see a trend")
        self.build()  # refuses images that are too small for the blocks

    def _epochs(self, name: str) -> tuple[int, ...]:
        return tuple(sorted(set(check.whole_numbers(name, getattr(self, name), 0, self.epochs))))

    @property
    def described(self) -> str:
        """This configuration in a few words."""
        noise = f", {self.random_labels:.0%} random labels" if self.random_labels else ""
        return (
            f"{SYMBOLS[self.network]} on {TITLES[self.dataset]}{noise}, {self.train_size:,} images, "
            f"{self.epochs} epochs, {self._seeds_described}, {self.device}"
        )

    @property
    def channels(self) -> tuple[int, ...]:
        """``depths``, filled in."""
        assert self.depths is not None  # __post_init__ filled it
        return self.depths

    @property
    def optimisation(self) -> Optimisation:
        """How the network is trained."""
        return Optimisation(self.optimiser, self.learning_rate, self.batch_size, self.epochs, self.stop_loss)

    def build(self) -> StagedClassifier:
        """A network, with initial weights from torch's current random state."""
        channels, size = SHAPES[self.dataset]
        if self.network == "mlp":
            return networks.mlp(channels * size**2, self.channels, CLASSES)
        make = networks.residual_cnn if self.network == "residual" else networks.plain_cnn
        return make(channels, size, CLASSES, self.channels)

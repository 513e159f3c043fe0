"""The configurations of collapse runs: images, classifier, training and the epochs of the measurements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from closedform import checks
from empirics import networks
from empirics.data.names import CLASSES, SHAPES, TITLES, Name
from empirics.networks.names import POOL
from empirics.runs.config import Configuration
from empirics.runs.following import Rules, positions

if TYPE_CHECKING:
    from empirics.networks.staged import StagedClassifier
    from empirics.training.classification import Optimisation


# names in figures; f₊ and f₋ are those of the thesis
SYMBOLS = {"residual": "f₊", "plain": "f₋", "mlp": "MLP"}
DEPTHS = {"residual": (64, 128, 256), "plain": (16, 32, 64), "mlp": (128, 128, 128)}
FEWEST_LAYERS = 3  # with fewer, log NC1 always lies on a straight line


@dataclass(frozen=True)
class Config(Configuration):
    """Settings of one collapse run; the defaults are the thesis' plain network on Fashion-MNIST at laptop size.

    The activation is the ReLU: what is measured is compared with the thesis' own networks, which have no other.

    Attributes:
        dataset: "fashion_mnist", "mnist", "cifar10" or "digits". Files are read from the directory that the environment
            variable CLOSEDFORM_DATA names; "digits" comes with scikit-learn.
        network: "residual" (f₊ of the thesis), "plain" (f₋) or "mlp".
        depths: number of channels after each block, or widths of an MLP, at least three; None takes those of the
            thesis.
        train_size: number of training images.
        test_size: number of test images; None takes all.
        balanced: whether every class has as many training images as every other.
        random_labels: fraction of the training labels that are replaced by random ones, in [0, 1].
        optimiser: "adamw", "adam" or "sgd".
        learning_rate: learning rate, constant during training.
        batch_size: number of images in a batch, in training and measurement; the thesis does not print its value.
        epochs: largest number of epochs.
        stop_loss: training stops after the first epoch whose training loss is at most this, in nats; None disables the
            rule.
        collapse_at: epochs after which NC1 to NC4 are measured, in addition to the first (0) and the last; None
            measures after every epoch.
        information_at: epochs after which usable information is measured, in addition to the last; an empty tuple
            disables the measurement, also after the last epoch.
        information: "sufficiency" alone, or with minimality by "joint" decoders (as in the thesis), by "per_class"
            decoders (as in the definition) or by "both".
        decoder_epochs: largest number of epochs of each decoder.
        early_stopping: whether decoders stop as soon as they improve no longer; the released programs of the thesis
            train all of them for the same number of epochs.
        dtype: type of images, weights and states of the optimiser: "float32" or "bfloat16".
        largest_pixel: value of a pixel that is as bright as possible; the released programs of the thesis have 255.
        seeds: number of networks; a seed determines images, labels, initial weights and batches.

    >>> Config(dataset="digits", network="mlp", epochs=2).network
    'mlp'
    """

    experiment: ClassVar[str] = "collapse"
    seeds_are_independent: ClassVar[bool] = True
    added: ClassVar[tuple[str, ...]] = ("balanced", "early_stopping", "dtype", "largest_pixel")
    follows: ClassVar[Rules] = {
        "collapse_at": positions("epochs"),
        "information_at": positions("epochs"),
    }

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
    balanced: bool = False
    early_stopping: bool = True
    dtype: Literal["float32", "bfloat16"] = "float32"
    largest_pixel: float = 1.0

    def __post_init__(self) -> None:
        self.check_integers(train_size=2 * CLASSES, test_size=2 * CLASSES)
        self.check_integers(batch_size=2, epochs=1, decoder_epochs=1)
        self.check_numbers("random_labels", least=0, most=1)
        self.check_numbers("learning_rate", "stop_loss", "largest_pixel", above=0)
        if self.collapse_at is not None:
            self.check_positions("collapse_at", 0, self.epochs)
        self.check_positions("information_at", 0, self.epochs)
        depths = DEPTHS[self.network] if self.depths is None else self.depths
        self.set_field("depths", checks.sizes("depths", depths, 1))
        if len(self.channels) < FEWEST_LAYERS:
            raise ValueError(
                f"depths: got {self.depths}, needs at least {FEWEST_LAYERS} layers to see a trend"
            )
        size, most = SHAPES[self.dataset][1], len(self.channels)
        needs = (
            f"fewer layers, since each divides the {size} pixels of a side by {POOL[self.network]}"
        )
        checks.require(POOL[self.network] ** most <= size, "depths", f"{most} layers", needs)

    def _in_words(self) -> str:
        noise = f", {self.random_labels:.0%} random labels" if self.random_labels else ""
        return (
            f"{SYMBOLS[self.network]} on {TITLES[self.dataset]}{noise}, {self.train_size:,} images, "
            f"{self.epochs} epochs"
        )

    @property
    def channels(self) -> tuple[int, ...]:
        """Return ``depths``, with the default filled in."""
        assert self.depths is not None  # __post_init__ filled it
        return self.depths

    @property
    def optimisation(self) -> Optimisation:
        """Return the settings of the training."""
        from empirics.training.classification import Optimisation

        return Optimisation(
            self.optimiser, self.learning_rate, self.batch_size, self.epochs, self.stop_loss
        )

    def build(self) -> StagedClassifier:
        """Create a network, with initial weights from torch's current random state."""
        from empirics.runs.device import DTYPES

        channels, size = SHAPES[self.dataset]
        if self.network == "mlp":
            model = networks.mlp(channels * size**2, self.channels, CLASSES)
        else:
            make = networks.residual_cnn if self.network == "residual" else networks.plain_cnn
            model = make(channels, size, CLASSES, self.channels)
        return model.to(DTYPES[self.dtype])


@dataclass(frozen=True)
class ImbalancedConfig(Config):
    """Settings of one run, in addition to those of :class:`empirics.experiments.collapse.Config`.

    Attributes:
        ratio: number of training images of the most frequent class over that of the rarest, at least 1; the numbers
            fall geometrically with the number of the class.
    """

    experiment: ClassVar[str] = "collapse.imbalanced"

    ratio: float = 10.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_numbers("ratio", least=1)

    def __str__(self) -> str:
        return f"{super().__str__()}, classes {self.ratio:g} : 1"

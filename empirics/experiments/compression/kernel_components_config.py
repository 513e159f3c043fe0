"""The configuration of kernel components: task, network, training and number of components."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from closedform import checks
from empirics.runs.config import Configuration
from empirics.runs.following import Rules, at_most

TASKS = {"stripe": "stripe", "mnist": "MNIST", "digits": "8 x 8 digits"}
INITIAL = ("initial", "initial_last_layer")
KERNELS = ("initial", "final", "initial_last_layer", "final_last_layer")


@dataclass(frozen=True)
class Config(Configuration):
    r"""Settings of one run: a trained network and its kernels before and after training, on points not trained with.

    The activation is the ReLU: the theory of aligning neurons and of the tangent kernel holds for no other.

    Attributes:
        task: "stripe" (one hidden layer, hinge flow), "mnist" or "digits" (convolutional network, parity of the digit).
            Files of MNIST are read from the directory that the environment variable CLOSEDFORM_DATA names; "digits"
            comes with scikit-learn.
        points: number of training points; as many others are used for the components and for learning with the frozen
            kernels.
        test_points: number of points for the test errors.
        components: number of components of each kernel.
        dimension: dimension d of the stripe.
        width: number of neurons h of the stripe's network, or of channels after the first convolution for images.
        blocks: number of blocks of three convolutions in the network for images; five give the paper's 16 layers.
        network: of images: "inverted", blocks of ReLU networks in the standard parametrisation, or "tangent", that of
            the released program, on images that are centred pixel by pixel, each of the same norm, with as many of
            every digit; its number of blocks is its own, and the first convolution has 4 ``width`` channels.
        alpha: network scale, dimensionless.
        learning_rate: learning rate of full-batch gradient descent with momentum; used for images only.
        momentum: its momentum, dimensionless; used for images only.
        most_steps: largest number of training steps; of attempted steps for the stripe. At 0 images have the kernels
            before training alone.
        kernel_steps: largest number of steps of the flow of a frozen kernel.
        turning: see ``training.HingeFlow``; used for the stripe only.
        moving: see ``training.HingeFlow``; used for the stripe only.
        realisations: number of realisations of data and networks.
    """

    experiment: ClassVar[str] = "compression.kernel_components"
    added: ClassVar[tuple[str, ...]] = ("network",)
    follows: ClassVar[Rules] = {"components": at_most("points")}

    task: Literal["stripe", "mnist", "digits"] = "stripe"
    points: int = 500
    test_points: int = 1000
    components: int = 10
    dimension: int = 10
    width: int = 100
    blocks: int = 2
    network: Literal["inverted", "tangent"] = "inverted"
    alpha: float = 1e-6
    learning_rate: float = 0.05
    momentum: float = 0.9
    most_steps: int = 3000
    kernel_steps: int = 20_000
    turning: float = 1.0
    moving: float = 0.5
    realisations: int = 3
    first_seed: int = 0
    device: str = "cpu"

    def __post_init__(self) -> None:
        self.check_integers(
            points=40, test_points=40, components=2, dimension=2, width=1, blocks=1
        )
        self.check_integers(most_steps=1 if self.task == "stripe" else 0, kernel_steps=1)
        self.check_numbers("alpha", "learning_rate", "turning", "moving", above=0)
        self.check_numbers("momentum", least=0, below=1)
        checks.integer("components", self.components, 2, self.points)  # at most one for each point

    @property
    def kernels(self) -> tuple[str, ...]:
        """The kernels that are measured."""
        return KERNELS if self.most_steps else INITIAL

    def __str__(self) -> str:
        task = (
            f"stripe, d = {self.dimension}"
            if self.task == "stripe"
            else f"parity of {TASKS[self.task]}"
        )
        return f"{task}, {self.points:,} points, {self.realisations} realisations, {self.device}"

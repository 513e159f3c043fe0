"""The configuration of kernel components: which task, which network, how it is trained, how many components."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from empirics import check
from empirics.experiments.config import Configuration

TASKS = {"stripe": "stripe", "mnist": "MNIST parity", "digits": "parity of 8 x 8 digits"}
KERNELS = ("initial", "final", "initial_last_layer", "final_last_layer")


@dataclass(frozen=True)
class Config(Configuration):
    r"""One task: the network trained, and its kernels before and after, on points it was not trained with.

    Attributes:
        task: "stripe" (one hidden layer, hinge flow), "mnist" or "digits" (convolutional network, parity of the digit).
            Files of MNIST are looked for where the environment variable CLOSEDFORM_DATA says; "digits" needs
            scikit-learn instead.
        points: training points; as many others serve for the components and for learning with the frozen kernels.
        test_points: on which errors are measured.
        components: how many of each kernel.
        dimension: d of the stripe.
        width: neurons h of the stripe's network; channels after the first convolution of the images'.
        blocks: of three convolutions of the images' network; five for the 16 layers of the paper.
        alpha: network scale.
        learning_rate: of gradient descent with momentum on all images at once; the images' network only.
        momentum: of it.
        most_steps: at most so many, attempted ones for the stripe.
        kernel_steps: of a frozen kernel's flow at most.
        turning: see ``training.HingeFlow``; the stripe only.
        moving: see ``training.HingeFlow``; the stripe only.
        realisations: of data and networks.
        first_seed: of the realisations.
        device: as torch names it.
    """

    experiment: ClassVar[str] = "compression.kernel_components"

    task: Literal["stripe", "mnist", "digits"] = "stripe"
    points: int = 500
    test_points: int = 1000
    components: int = 10
    dimension: int = 10
    width: int = 100
    blocks: int = 2
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
        super().__post_init__()
        self._whole(points=40, test_points=40, components=2, dimension=2, width=1, blocks=1)
        self._whole(most_steps=1, kernel_steps=1, realisations=1, first_seed=0)
        self._real("alpha", "learning_rate", "turning", "moving", positive=True)
        self._real("momentum", at_least=0, below=1)
        check.whole("components", self.components, 2, self.points)  # at most one for each point

    @property
    def seed_numbers(self) -> range:
        """The realisations."""
        return range(self.first_seed, self.first_seed + self.realisations)

    @property
    def described(self) -> str:
        """This configuration in a few words."""
        task = f"stripe, d = {self.dimension}" if self.task == "stripe" else TASKS[self.task]
        return f"{task}, {self.points:,} points, {self.realisations} realisations, {self.device}"

"""The configuration of kernel components: which task, which network, how it is trained, how many components."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from empirics.experiments import config as check

TASKS = {"stripe": "stripe", "mnist": "MNIST parity", "digits": "parity of 8 x 8 digits"}
KERNELS = ("initial", "final", "initial_last_layer", "final_last_layer")


@dataclass(frozen=True)
class Config:
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
        def put(name: str, value: Any) -> None:
            object.__setattr__(self, name, value)

        check.one_of("task", self.task, tuple(TASKS))
        for name, least in (
            ("points", 40), ("test_points", 40), ("components", 2), ("dimension", 2), ("width", 1), ("blocks", 1),
            ("most_steps", 1), ("kernel_steps", 1), ("realisations", 1), ("first_seed", 0),
        ):  # fmt: skip
            put(name, check.whole(name, getattr(self, name), least))
        for name in ("alpha", "learning_rate", "turning", "moving"):
            put(name, check.real(name, getattr(self, name), positive=True))
        put("momentum", check.real("momentum", self.momentum, at_least=0, below=1))
        if self.components > self.points:
            raise ValueError(f"components: got {self.components}, needs at most points = {self.points}")
        if not isinstance(self.device, str):
            raise TypeError(f"device: got {self.device!r}, needs text such as 'cpu' or 'cuda'")

    @property
    def seed_numbers(self) -> range:
        """The realisations."""
        return range(self.first_seed, self.first_seed + self.realisations)

    @property
    def described(self) -> str:
        """This configuration in a few words."""
        task = f"stripe, d = {self.dimension}" if self.task == "stripe" else TASKS[self.task]
        return f"{task}, {self.points:,} points, {self.realisations} realisations, {self.device}"

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

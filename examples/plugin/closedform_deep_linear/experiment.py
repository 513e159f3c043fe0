"""Linear networks with one hidden layer, trained by full-batch gradient descent from small aligned weights."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch

from empirics.runs.config import Configuration
from empirics.runs.session import RunResult, Session, run_of
from empirics.runs.study import Study


@dataclass(frozen=True)
class Config(Configuration):
    """Settings of one run.

    Attributes:
        targets: singular values of the map to learn, one for each mode, positive.
        width: number of hidden units, at least the number of modes.
        initial: initial strength of each mode, positive.
        noise: standard deviation of the noise on the initial weights, in units of ``sqrt(initial / width)``.
        learning_rate: learning rate of gradient descent, the inverse of the time constant.
        steps: number of updates.
        seeds: number of networks.
        first_seed: the first seed; the others are first_seed + 1, first_seed + 2, ...
    """

    experiment: ClassVar[str] = "deep_linear"
    targets: tuple[float, ...] = (3.0, 2.0, 1.0)
    width: int = 16
    initial: float = 1e-3
    noise: float = 0.1
    learning_rate: float = 0.005
    steps: int = 1500
    seeds: int = 5
    first_seed: int = 0

    def __post_init__(self) -> None:
        self.set_field("targets", tuple(float(target) for target in self.targets))
        self.check_integers(width=len(self.targets), steps=1, seeds=1, first_seed=0)
        self.check_numbers("initial", "learning_rate", above=0)
        self.check_numbers("noise", least=0)
        if not self.targets or min(self.targets) <= 0:
            raise ValueError(f"targets: got {self.targets}, needs positive numbers")

    def __str__(self) -> str:
        return f"{len(self.targets)} modes, width {self.width}, {self.steps} steps, {self.seeds_described}"


@run_of(Config, unit="step")
def run(config: Config, session: Session[Config]) -> RunResult:
    """Train the networks of ``config``; the trace has ``strength[seed, step, mode]``, dimensionless."""
    map_to_learn = torch.diag(torch.tensor(config.targets, dtype=torch.float64))
    into, out = initial_weights(config)
    strength = np.empty((config.seeds, config.steps + 1, len(config.targets)))
    for step in range(config.steps + 1):
        error = map_to_learn - out @ into
        strength[:, step] = (map_to_learn - error).diagonal(dim1=1, dim2=2).numpy()
        into, out = (
            into + config.learning_rate * out.mT @ error,
            out + config.learning_rate * error @ into.mT,
        )
    if not np.isfinite(strength).all():
        raise ValueError(
            f"learning_rate: got {config.learning_rate}, at which training diverged, needs a smaller one"
        )
    return RunResult(
        {"strength": (("seed", "step", "mode"), strength, "strength of the mode")},
        {"step": (np.arange(config.steps + 1), {}), "mode": (np.asarray(config.targets), {})},
        {"learning_rate": config.learning_rate, "initial": config.initial},
    )


def initial_weights(config: Config) -> tuple[torch.Tensor, torch.Tensor]:
    """Return first layers ``[seed, width, mode]`` and second layers ``[seed, mode, width]``, aligned up to noise."""
    layers = []
    for seed in config.seed_numbers:
        stream = torch.Generator().manual_seed(seed)
        draws = torch.randn(
            3, config.width, len(config.targets), generator=stream, dtype=torch.float64
        )
        layers.append(torch.linalg.qr(draws[0]).Q + draws[1:] * config.noise / config.width**0.5)
    first, second = config.initial**0.5 * torch.stack(layers, 1)
    return first, second.mT


SEEDS = {"smoke": 3, "laptop": 20, "paper": 100}
MODES = Study(
    name="deep-linear-modes",
    question="Does a linear network learn each mode at the time that the exact solution predicts?",
    table=lambda scale: {"3 modes": Config(seeds=SEEDS[scale])},
    label=lambda config: f"{len(config.targets)} modes",
)

"""Linear networks with one hidden layer, trained by full-batch gradient descent from small aligned weights."""

import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch

from empirics import trace
from empirics.experiments.config import Configuration
from empirics.experiments.study import Study


@dataclass(frozen=True)
class Config(Configuration):
    """One run.

    Attributes:
        targets: singular values of the map to be learned, one for each mode, positive.
        width: hidden units, at least as many as modes.
        initial: initial strength of each mode, positive.
        noise: standard deviation of what is added to each initial weight, relative to ``sqrt(initial / width)``.
        learning_rate: of gradient descent; the time constant is one over it.
        steps: updates made.
        seeds: networks.
        first_seed: seeds are first_seed, first_seed + 1, ...
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
        self._put("targets", tuple(float(target) for target in self.targets))
        self._whole(width=len(self.targets), steps=1, seeds=1, first_seed=0)
        self._real("initial", "learning_rate", positive=True)
        self._real("noise", at_least=0)
        if not self.targets or min(self.targets) <= 0:
            raise ValueError(f"targets: got {self.targets}, needs positive numbers")

    @property
    def described(self) -> str:
        """This configuration in a few words."""
        return f"{len(self.targets)} modes, width {self.width}, {self.steps} steps, {self._seeds_described}"


def run(config, *, progress=True, on_divergence="raise", checkpoint=None):
    """Train the networks of ``config``; the trace has ``strength[seed, step, mode]``, dimensionless."""
    began, modes = time.perf_counter(), len(config.targets)
    map_to_learn = torch.diag(torch.tensor(config.targets, dtype=torch.float64))
    first, second = [], []
    for seed in config.seed_numbers:
        stream = torch.Generator().manual_seed(seed)
        turn = torch.linalg.qr(torch.randn(config.width, modes, generator=stream, dtype=torch.float64)).Q
        jitter = torch.randn(2, config.width, modes, generator=stream, dtype=torch.float64) * config.noise
        jitter *= (config.initial / config.width) ** 0.5
        first.append(config.initial**0.5 * turn + jitter[0])
        second.append((config.initial**0.5 * turn + jitter[1]).T)
    into, out = torch.stack(first), torch.stack(second)  # [seed, width, mode], [seed, mode, width]
    strength = np.empty((config.seeds, config.steps + 1, modes))
    for step in range(config.steps + 1):
        error = map_to_learn - out @ into
        strength[:, step] = (map_to_learn - error).diagonal(dim1=1, dim2=2).numpy()
        into, out = into + config.learning_rate * out.mT @ error, out + config.learning_rate * error @ into.mT
    if not np.isfinite(strength).all():
        raise ValueError(f"learning_rate: got {config.learning_rate}, needs a smaller one: the training diverged")
    device = torch.device("cpu")
    seconds = time.perf_counter() - began
    return trace.dataset(
        {"strength": (("seed", "step", "mode"), strength, "strength of the mode")},
        {
            "seed": (np.asarray(config.seed_numbers), {}),
            "step": (np.arange(config.steps + 1), {}),
            "mode": (np.asarray(config.targets), {"long_name": "singular value of the map to be learned"}),
        },
        trace.provenance(config.experiment, config.to_json(), device, torch.float64, seconds)
        | {"learning_rate": config.learning_rate, "initial": config.initial},
    )


SIZES = {"smoke": {"seeds": 3}, "laptop": {"seeds": 20}, "paper": {"seeds": 100, "width": 100}}
MODES = Study(
    name="deep-linear-modes",
    question="Does a linear network learn each mode when the exact solution says so?",
    figure="Figure 3, left",
    table=lambda scale: {"three modes": Config(**SIZES[scale])},
)

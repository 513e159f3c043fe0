"""The configuration of a run of small networks beside geodesics, and its data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from empirics import check, seeding
from empirics.experiments.config import Configuration


@dataclass(frozen=True)
class Config(Configuration):
    r"""One run: networks of several numbers of layers and several seeds on the same map.

    Attributes:
        linear: σ is the identity; else the ReLU.
        bias: whether σ appends a one; not with ``linear``.
        targets: eigenvalues of the map to learn, positive; as many as units and outputs.
        points: training points, at most as many as units, so that the direct solver applies.
        layers: numbers of layers, each trained for every seed.
        depth: effective depth L̃, smaller than any of the numbers of layers.
        decay: λ.
        gain: of the initial weights.
        adam: steps of Adam.
        learning_rate: of Adam at its start.
        polishing: steps of L-BFGS after it.
        solving: steps of L-BFGS for the direct solutions, at most.
        seeds: points, eigenvectors and networks for each number of layers.
        first_seed: seeds are first_seed, first_seed + 1, ...
    """

    experiment: ClassVar[str] = "leaky_resnet.geodesics"

    linear: bool = True
    bias: bool = False
    targets: tuple[float, ...] = (2.0, 1.0, 0.5)
    points: int = 3
    layers: tuple[int, ...] = (4, 8, 16, 32)
    depth: float = 3.0
    decay: float = 0.05
    gain: float = 0.1
    adam: int = 300
    learning_rate: float = 0.02
    polishing: int = 800
    solving: int = 2000
    seeds: int = 3
    first_seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._whole(points=1, adam=1, polishing=0, solving=1, seeds=1, first_seed=0)
        self._real("depth", "decay", "learning_rate", positive=True)
        self._real("gain", at_least=0)
        targets = check.sequence("targets", self.targets)
        self._put("targets", tuple(check.real("targets", t, positive=True) for t in targets))
        self._put("layers", check.whole_numbers("layers", self.layers, 2))
        if self.linear and self.bias:
            raise ValueError("bias: got True, needs False with linear: the closed form is that without bias")
        if not self.targets or not 1 <= self.points <= len(self.targets):
            raise ValueError(f"points: got {self.points}, needs 1 to {len(self.targets)}, as many as targets at most")
        if self.linear and self.points < len(self.targets):
            raise ValueError(f"points: got {self.points}, needs {len(self.targets)} white ones with linear")
        if not self.layers or len(set(self.layers)) < len(self.layers) or min(self.layers) <= self.depth:
            raise ValueError(f"layers: got {self.layers}, needs distinct numbers above the depth {self.depth:g}")

    @property
    def described(self) -> str:
        """This configuration in a few words."""
        kind = "linear" if self.linear else f"ReLU with{'' if self.bias else 'out'} bias"
        sizes = ", ".join(map(str, self.layers))
        return f"{kind}, {sizes} layers of {len(self.targets)}, {self._seeds_described}"


def points(config: Config) -> tuple[Tensor, Tensor]:
    """Inputs and targets ``[seed, dimension, point]``."""
    xs, ys = [], []
    eigenvalues = torch.tensor(config.targets, dtype=torch.float64)
    for stream in seeding.generators(list(config.seed_numbers), "teacher"):
        size = len(eigenvalues)
        turn = torch.linalg.qr(torch.randn(size, size, generator=stream, dtype=torch.float64)).Q
        symmetric = (turn * eigenvalues) @ turn.T
        if config.linear:
            white = torch.linalg.qr(torch.randn(size, config.points, generator=stream, dtype=torch.float64)).Q
            xs.append(math.sqrt(config.points) * white)
            ys.append(symmetric @ xs[-1])
        else:
            xs.append(0.2 + torch.rand(size, config.points, generator=stream, dtype=torch.float64))
            ys.append((symmetric @ xs[-1]).clamp_min(0))
    return torch.stack(xs), torch.stack(ys)

"""The configuration of a run that compares small networks with geodesics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from closedform import checks
from empirics.runs.config import Configuration
from empirics.runs.following import Rules, above, in_proportion


@dataclass(frozen=True)
class Config(Configuration):
    r"""Settings of one run: networks with several numbers of layers and several seeds that learn the same map.

    The activation is the ReLU or, with ``linear``, the identity: the Hamiltonian of the theory holds for piecewise
    linear activations only, and the solvers are written for these two.

    Attributes:
        linear: whether σ is the identity; otherwise it is the ReLU.
        bias: whether σ appends a one; not allowed with ``linear``.
        targets: eigenvalues of the map to learn, positive; their number is that of units and of outputs.
        points: number of training points, at most the number of units, so that the direct solver applies.
        layers: numbers of layers; every number is trained for every seed.
        depth: effective depth L̃, dimensionless, smaller than all numbers of layers.
        decay: coefficient λ of the regulariser.
        gain: factor of the initial weights.
        adam: number of steps of Adam.
        learning_rate: initial learning rate of Adam.
        polishing: number of steps of L-BFGS after Adam.
        solving: largest number of steps of L-BFGS for the direct solutions.
        seeds: number of networks for each number of layers; a seed determines points, eigenvectors and initial weights.
    """

    experiment: ClassVar[str] = "leaky_resnet.geodesics"
    follows: ClassVar[Rules] = {"points": in_proportion("targets"), "layers": above("depth")}

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
        self.check_integers(points=1, adam=1, polishing=0, solving=1)
        self.check_numbers("depth", "decay", "learning_rate", above=0)
        self.check_numbers("gain", least=0)
        targets = checks.sequence("targets", self.targets)
        self.set_field("targets", tuple(checks.positive_number("targets", t) for t in targets))
        self.set_field("layers", checks.sizes("layers", self.layers, 2))
        if self.linear and self.bias:
            raise ValueError("bias: got True, needs False with linear, since the closed form has no bias")
        if not self.targets or not 1 <= self.points <= len(self.targets):
            raise ValueError(f"points: got {self.points}, needs 1 to {len(self.targets)}, the number of targets")
        if self.linear and self.points < len(self.targets):
            raise ValueError(f"points: got {self.points}, needs {len(self.targets)} with linear, the number of targets")
        if not self.layers or len(set(self.layers)) < len(self.layers) or min(self.layers) <= self.depth:
            raise ValueError(f"layers: got {self.layers}, needs distinct numbers above the depth {self.depth:g}")

    @property
    def described(self) -> str:
        """Return a one-line description of this configuration."""
        kind = "linear" if self.linear else f"ReLU with{'' if self.bias else 'out'} bias"
        sizes = ", ".join(map(str, self.layers))
        return f"{kind}, {sizes} layers of {len(self.targets)}, {self.seeds_described}"

"""The configuration of a run of Leaky ResNets: teacher, a batch of networks over depths and seeds, training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from empirics import check
from empirics.experiments.config import Configuration
from empirics.networks.leaky_mesh import Mesh
from empirics.training.leaky_schedule import Schedule


@dataclass(frozen=True)
class Config(Configuration):
    r"""One run: laptop size unless said otherwise.

    Attributes:
        dimensions: of input, inner codes, output: (10, 3, 10) is a teacher :math:`g_2 \circ g_1` with :math:`k^* = 3`.
        teacher: each g is an "fcnn" or a "resnet".
        code: "signed" or "nonnegative", see :mod:`empirics.data.teacher`.
        hidden: hidden units of each g.
        points: training points N.
        test_points: points of the test error; 0 for none.
        width: units in a layer.
        layers: their number L.
        depths: effective depths L̃, each trained for every seed, all in one batch.
        mesh: "equidistant", "irregular" or "adaptive".
        slope: of the irregular mesh.
        bias: whether student and teacher have biases.
        maps: input and output map "fixed" (isometries) or "learned" (and then regularised like a layer).
        decay: :math:`\lambda \tilde L`, so that :math:`\lambda` = decay/L̃ as in the paper's appendix. Half of it is
            what keeping one direction costs at large L̃, in units of the cost (squared errors summed over outputs).
        gain: of the initial weights.
        adam: steps of Adam.
        learning_rate: of Adam at its start.
        warm_up: fraction of Adam's steps in which the regulariser grows.
        polish: "lbfgs" or "sgd".
        polishing: steps of it.
        sgd_rate: learning rate of SGD at its start.
        mesh_every: steps between two rounds of the adaptive rule.
        gamma: γ₀ of the stable versions, in units of the squared operator norm of σ(A).
        seeds: networks for each depth.
        first_seed: seeds are first_seed, first_seed + 1, ...; a seed is a teacher, its points and a network.
        device: as torch names it.
        dtype: of the training; measuring is in float64.
    """

    experiment: ClassVar[str] = "leaky_resnet"

    dimensions: tuple[int, ...] = (10, 3, 10)
    teacher: Literal["fcnn", "resnet"] = "fcnn"
    code: Literal["signed", "nonnegative"] = "signed"
    hidden: int = 20
    points: int = 150
    test_points: int = 150
    width: int = 24
    layers: int = 20
    depths: tuple[float, ...] = (7.0,)
    mesh: Mesh = "equidistant"
    slope: float = 0.9
    bias: bool = True
    maps: Literal["fixed", "learned"] = "fixed"
    decay: float = 0.25
    gain: float = 1.0
    adam: int = 2000
    learning_rate: float = 0.05
    warm_up: float = 0.6
    polish: Literal["lbfgs", "sgd"] = "lbfgs"
    polishing: int = 2500
    sgd_rate: float = 1e-3
    mesh_every: int = 20
    gamma: float = 1e-3
    seeds: int = 3
    first_seed: int = 0
    device: str = "cpu"
    dtype: Literal["float32", "float64"] = "float64"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._whole(hidden=1, points=1, width=1, layers=1, adam=1, mesh_every=1, seeds=1)
        self._whole(test_points=0, polishing=0, first_seed=0)
        self._real("decay", "learning_rate", "sgd_rate", "gamma", positive=True)
        self._real("gain", at_least=0)
        self._real("slope", "warm_up", at_least=0, below=1)
        self._put("dimensions", check.whole_numbers("dimensions", self.dimensions))
        depths = check.sequence("depths", self.depths)
        self._put("depths", tuple(check.real("depths", d, positive=True) for d in depths))
        check.require(len(self.dimensions) > 1, "dimensions", self.dimensions, "those of input and output at least")
        distinct = len(self.depths) == len(set(self.depths)) > 0
        check.require(distinct, "depths", self.depths, "distinct numbers, at least one")
        check.whole("width", self.width, max(self.dimensions[0], self.dimensions[-1]))  # room for input and output
        check.whole("points", self.points, max(self.dimensions) + 1)

    @property
    def described(self) -> str:
        """This configuration in a few words."""
        depths = ", ".join(f"{depth:g}" for depth in self.depths)
        return (
            f"{self.layers}×{self.width}, {self.mesh}, effective depth {depths}, {self.adam + self.polishing} steps, "
            f"{self._seeds_described}, {self.device}"
        )

    @property
    def members(self) -> tuple[str, ...]:
        """What the networks of the batch are called, in their order."""
        return tuple(f"seed {seed} at effective depth {depth:g}" for depth in self.depths for seed in self.seed_numbers)

    def schedule(self) -> Schedule:
        """How the networks are trained."""
        return Schedule(
            adam=self.adam, rate=self.learning_rate, warm_up=self.warm_up, polish=self.polish,
            polishing=self.polishing, sgd_rate=self.sgd_rate,
            mesh_every=self.mesh_every if self.mesh == "adaptive" else 0,
        )  # fmt: skip

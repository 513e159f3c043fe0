"""The configuration of a run of Leaky ResNets: teacher, a batch of networks over depths and seeds, training."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import torch

from empirics.data.teacher import CODES, KINDS
from empirics.experiments import config as check
from empirics.networks.leaky_mesh import MESHES
from empirics.training.leaky_schedule import Schedule

DTYPES = {"float32": torch.float32, "float64": torch.float64}
MAPS = ("fixed", "learned")
POLISHES = ("lbfgs", "sgd")


@dataclass(frozen=True)
class Config:
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
    mesh: Literal["equidistant", "irregular", "adaptive"] = "equidistant"
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
        def put(name: str, value: Any) -> None:
            object.__setattr__(self, name, value)

        for name in ("hidden", "points", "width", "layers", "adam", "mesh_every", "seeds"):
            put(name, check.whole(name, getattr(self, name), 1))
        for name in ("test_points", "polishing", "first_seed"):
            put(name, check.whole(name, getattr(self, name), 0))
        for name in ("decay", "learning_rate", "sgd_rate", "gamma"):
            put(name, check.real(name, getattr(self, name), positive=True))
        put("gain", check.real("gain", self.gain, at_least=0))
        put("slope", check.real("slope", self.slope, at_least=0, below=1))
        put("warm_up", check.real("warm_up", self.warm_up, at_least=0, below=1))
        put("dimensions", tuple(check.whole("dimensions", d, 1) for d in sequence("dimensions", self.dimensions)))
        depths = sequence("depths", self.depths)
        put("depths", tuple(check.real("depths", d, positive=True) for d in depths))
        if len(self.dimensions) < 2:
            raise ValueError(f"dimensions: got {self.dimensions}, needs those of the input and of the output at least")
        if not self.depths or len(set(self.depths)) < len(self.depths):
            raise ValueError(f"depths: got {self.depths}, needs distinct numbers, at least one")
        if self.width < max(self.dimensions[0], self.dimensions[-1]):
            raise ValueError(f"width: got {self.width}, needs at least the dimensions of input and output")
        if self.points <= max(self.dimensions):
            raise ValueError(f"points: got {self.points}, needs more than any of the dimensions {self.dimensions}")
        for name, choices in (
            ("teacher", KINDS), ("code", CODES), ("mesh", MESHES), ("maps", MAPS), ("polish", POLISHES),
            ("dtype", tuple(DTYPES)),
        ):  # fmt: skip
            check.one_of(name, getattr(self, name), choices)
        if not isinstance(self.bias, bool):
            raise TypeError(f"bias: got {self.bias!r}, needs True or False")
        if not isinstance(self.device, str):
            raise TypeError(f"device: got {self.device!r}, needs text such as 'cpu' or 'cuda'")

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

    @property
    def described(self) -> str:
        """This configuration in a few words."""
        depths = ", ".join(f"{depth:g}" for depth in self.depths)
        return (
            f"{self.layers}×{self.width}, {self.mesh}, effective depth {depths}, {self.adam + self.polishing} steps, "
            f"{self.seeds} seed{'s' if self.seeds > 1 else ''}, {self.device}"
        )

    @property
    def seed_numbers(self) -> range:
        """The seeds."""
        return range(self.first_seed, self.first_seed + self.seeds)

    def schedule(self) -> Schedule:
        """How the networks are trained."""
        return Schedule(
            adam=self.adam, rate=self.learning_rate, warm_up=self.warm_up, polish=self.polish,
            polishing=self.polishing, sgd_rate=self.sgd_rate,
            mesh_every=self.mesh_every if self.mesh == "adaptive" else 0,
        )  # fmt: skip


def sequence(name: str, value: Any) -> Iterable[Any]:
    """``value`` if it can be gone through and is no text; TypeError otherwise."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"{name}: got {value!r}, needs a sequence of numbers")
    return value

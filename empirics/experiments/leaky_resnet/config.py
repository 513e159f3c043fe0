"""The configuration of a run of Leaky ResNets: teacher, networks of several depths and seeds, training."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, ClassVar, Literal

from closedform import checks
from empirics.data.names import Code, Kind
from empirics.networks.names import Mesh
from empirics.runs.config import Configuration
from empirics.runs.following import Rules, above, in_proportion

if TYPE_CHECKING:
    from empirics.training.leaky_schedule import LeakySchedule


@dataclass(frozen=True)
class Config(Configuration):
    r"""Settings of one run of Leaky ResNets; the defaults are for a laptop.

    The activation is the ReLU: the Hamiltonian of the theory holds for piecewise linear activations only, and the
    solvers are written for this one.

    Attributes:
        dimensions: dimensions of input, inner codes and output: (10, 3, 10) is a teacher :math:`g_2 \circ g_1` with
            :math:`k^* = 3`.
        teacher: architecture of each g, "fcnn" or "resnet".
        code: "signed" or "nonnegative", see :mod:`empirics.data.teacher`.
        hidden: number of hidden units of each g.
        points: number of training points N.
        test_points: number of points for the test error; 0 for none.
        width: number of units in a layer.
        layers: number of layers L.
        depths: effective depths L̃, dimensionless; every depth is trained for every seed, all in one batch.
        continued: whether every effective depth after the first starts from the network of the one before, stretched,
            instead of from Adam's; then only what the second optimiser ends with is recorded.
        mesh: "equidistant", "irregular" or "adaptive".
        slope: slope of the irregular mesh, dimensionless.
        bias: whether student and teacher have biases.
        maps: input and output maps are "fixed" (isometries) or "learned" (and then regularised like a layer).
        decay: the product :math:`\lambda \tilde L`, so that :math:`\lambda` = decay/L̃ as in the paper's appendix. At
            large L̃, half of it is the cost of keeping one direction, in units of the cost (squared errors summed over
            outputs).
        gain: factor of the initial weights.
        adam: number of steps of Adam.
        learning_rate: initial learning rate of Adam.
        warm_up: fraction of Adam's steps during which the regulariser grows.
        polish: optimiser after Adam, "lbfgs", "smoothed" (L-BFGS with a smoothed ReLU, less and less), "gauss_newton"
            (the same from the Gauss-Newton matrix), "newton" (the smoothed one, and damped Newton steps at the end) or
            "sgd"; "gauss_newton" and "newton" need fixed maps.
        polishing: largest number of its steps.
        sgd_rate: initial learning rate of SGD.
        mesh_every: number of steps between two updates of the adaptive mesh.
        gamma: γ₀ of the stable quantities, in units of the squared operator norm of σ(A).
        seeds: number of networks for each depth; a seed determines teacher, points and initial weights.
        dtype: number type of the training, "float32" or "float64"; measurements are in float64.

    >>> Config(dimensions=(10, 2, 10)).depths
    (7.0,)
    """

    experiment: ClassVar[str] = "leaky_resnet"
    added: ClassVar[tuple[str, ...]] = ("continued",)
    follows: ClassVar[Rules] = {
        "width": lambda value, _old, new: max(value, new["dimensions"][0], new["dimensions"][-1]),
        "points": lambda value, _old, new: max(value, max(new["dimensions"]) + 1),
    }

    dimensions: tuple[int, ...] = (10, 3, 10)
    teacher: Kind = "fcnn"
    code: Code = "signed"
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
    polish: Literal["lbfgs", "smoothed", "gauss_newton", "newton", "sgd"] = "lbfgs"
    polishing: int = 2500
    sgd_rate: float = 1e-3
    mesh_every: int = 20
    gamma: float = 1e-3
    seeds: int = 3
    first_seed: int = 0
    device: str = "cpu"
    dtype: Literal["float32", "float64"] = "float64"
    continued: bool = False

    def __post_init__(self) -> None:
        self.check_integers(hidden=1, points=1, width=1, layers=1, adam=1, mesh_every=1)
        self.check_integers(test_points=0, polishing=0)
        self.check_numbers("decay", "learning_rate", "sgd_rate", "gamma", above=0)
        self.check_numbers("gain", least=0)
        self.check_numbers("slope", "warm_up", least=0, below=1)
        self.set_field("dimensions", checks.sizes("dimensions", self.dimensions))
        depths = checks.sequence("depths", self.depths)
        self.set_field("depths", tuple(checks.positive_number("depths", d) for d in depths))
        checks.require(
            len(self.dimensions) > 1,
            "dimensions",
            self.dimensions,
            "those of input and output at least",
        )
        distinct = len(self.depths) == len(set(self.depths)) > 0
        checks.require(distinct, "depths", self.depths, "distinct numbers, at least one")
        fits = self.maps == "fixed" or self.polish not in ("gauss_newton", "newton")
        checks.require(fits, "maps", self.maps, f"'fixed' with polish {self.polish!r}")
        fits = (
            self.maps == "fixed"
            and self.mesh != "adaptive"
            and self.polish not in ("lbfgs", "sgd")
        )
        needed = "False with learned maps, an adaptive mesh, or polish 'lbfgs' or 'sgd'"
        checks.require(fits or not self.continued, "continued", self.continued, needed)
        # must hold both
        checks.size("width", self.width, max(self.dimensions[0], self.dimensions[-1]))
        checks.size("points", self.points, max(self.dimensions) + 1)

    def _in_words(self) -> str:
        depths = ", ".join(f"{depth:g}" for depth in self.depths)
        return f"{self.layers}×{self.width}, {self.mesh}, effective depth {depths}, {self.adam + self.polishing} steps"

    @property
    def members(self) -> tuple[str, ...]:
        """Return the names of the networks of the batch, in their order."""
        return tuple(
            f"seed {seed} at effective depth {depth:g}"
            for depth, seed in product(self.depths, self.seed_numbers)
        )

    def schedule(self) -> LeakySchedule:
        """Return the training schedule of the networks."""
        from empirics.training.leaky_schedule import LeakySchedule

        return LeakySchedule(
            adam=self.adam, rate=self.learning_rate, warm_up=self.warm_up, polish=self.polish,
            polishing=self.polishing, sgd_rate=self.sgd_rate,
            mesh_every=self.mesh_every if self.mesh == "adaptive" else 0,
        )  # fmt: skip


@dataclass(frozen=True)
class GeodesicsConfig(Configuration):
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
            raise ValueError(
                "bias: got True, needs False with linear, since the closed form has no bias"
            )
        if not self.targets or not 1 <= self.points <= len(self.targets):
            raise ValueError(
                f"points: got {self.points}, needs 1 to {len(self.targets)}, the number of targets"
            )
        if self.linear and self.points < len(self.targets):
            raise ValueError(
                f"points: got {self.points}, needs {len(self.targets)} with linear, the number of targets"
            )
        if (
            not self.layers
            or len(set(self.layers)) < len(self.layers)
            or min(self.layers) <= self.depth
        ):
            raise ValueError(
                f"layers: got {self.layers}, needs distinct numbers above the depth {self.depth:g}"
            )

    def __str__(self) -> str:
        kind = "linear" if self.linear else f"ReLU with{'' if self.bias else 'out'} bias"
        sizes = ", ".join(map(str, self.layers))
        return f"{kind}, {sizes} layers of {len(self.targets)}, {self.seeds_described}"

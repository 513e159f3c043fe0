"""The configuration of a run of the hinge flow on data with invariant directions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from closedform import checks
from empirics.data.invariant import CYLINDER, STRIPE
from empirics.runs.config import Configuration
from empirics.runs.following import Rules, at_most

LABELS = {"stripes": STRIPE, "shells": CYLINDER}
# Weights grow to sqrt(1/alpha), and f - f_0 is of order 1/alpha: the range of alpha that float32 can represent.
SINGLE = (1e-30, 1e3)


@dataclass(frozen=True)
class Config(Configuration):
    """Settings of one run of the hinge flow; the defaults are the single stripe at laptop size.

    The activation is the ReLU: the theory of aligning neurons holds for no other.

    Attributes:
        labels: "stripes" (labels depend on the first coordinate) or "shells" (on the distance from the origin in the
            first ``d_parallel`` coordinates).
        boundaries: coordinates or distances at which the label changes; None takes those of the paper, for which both
            labels are equally probable (for shells, in two informative directions).
        first_label: label below all boundaries, +1 or -1; None takes that of the paper, +1 for stripes, -1 for shells.
        d_parallel: number of informative directions; None takes 1 for stripes and 2 for shells.
        dimension: dimension d of the inputs.
        points: size p of the training set.
        width: number of neurons h.
        alpha: network scale, dimensionless: small for feature learning, large for the lazy regime.
        shares: fractions of fitted training points at which the networks are measured, in increasing order. The first
            defines t*; a realisation stops at the last.
        longest: time limit of a realisation, in units of tau; 0 for no limit.
        rounds: limit of attempted steps for all realisations together.
        loss: "hinge" or "soft_hinge".
        turning: largest turn of the forces in a step, see :class:`empirics.training.hinge_flow.HingeFlow`.
        moving: largest change of the predictor on a training point in a step.
        sliding: whether points that reach the margin slide along it (:mod:`empirics.training.sliding_flow`), which
            takes many times fewer steps once half of the points are fitted; for the hinge loss. A point counts as
            fitted when it has reached the margin.
        test_points: number of points for the test error; 0 for none.
        kept: number of neurons of each network that are stored at every share; 0 for none.
        tracked: number of neurons of each network that are recorded throughout training; 0 for none.
        places: number of points on the first axis, from -3 to 3, at which the predictor is stored; 0 for none.
        seeds: number of realisations of data and network.
        dtype: number type of the training, "float32" or "float64".

    >>> Config(dimension=3, points=100).labels
    'stripes'
    """

    experiment: ClassVar[str] = "compression"
    added: ClassVar[tuple[str, ...]] = ("sliding",)
    follows: ClassVar[Rules] = {
        "kept": at_most("width"),
        "tracked": at_most("width"),
        "dimension": lambda value, _old, new: max(value, new["d_parallel"] + 1),
    }

    labels: Literal["stripes", "shells"] = "stripes"
    boundaries: tuple[float, ...] | None = None
    first_label: int | None = None
    d_parallel: int | None = None
    dimension: int = 5
    points: int = 2000
    width: int = 200
    alpha: float = 1e-6
    shares: tuple[float, ...] = (0.1,)
    longest: float = 0.0
    rounds: int = 20_000
    loss: Literal["hinge", "soft_hinge"] = "hinge"
    turning: float = 1e-2
    moving: float = 0.1
    sliding: bool = False
    test_points: int = 0
    kept: int = 0
    tracked: int = 0
    places: int = 0
    seeds: int = 40
    first_seed: int = 0
    device: str = "cpu"
    dtype: Literal["float32", "float64"] = "float32"

    def __post_init__(self) -> None:
        self.check_integers(points=1, width=1, rounds=1, dimension=2)
        self.check_integers(test_points=0, kept=0, tracked=0, places=0)
        self.check_numbers("alpha", "turning", "moving", above=0)
        self.check_numbers("longest", least=0)
        shells = self.labels == "shells"
        self.set_field(
            "d_parallel", (2 if shells else 1) if self.d_parallel is None else self.d_parallel
        )
        self.check_integers(d_parallel=1)
        self.set_field(
            "first_label", (-1 if shells else 1) if self.first_label is None else self.first_label
        )
        self.set_field(
            "boundaries",
            _increasing(
                "boundaries", LABELS[self.labels] if self.boundaries is None else self.boundaries
            ),
        )
        self.set_field("shares", _increasing("shares", self.shares))
        self._check_together()

    def _check_together(self) -> None:
        is_sign = isinstance(self.first_label, int | float) and self.first_label in (1, -1)
        checks.require(is_sign, "first_label", checks.shown(self.first_label), "+1 or -1")
        # 1.0 and True are 1, in the JSON text, too
        self.set_field("first_label", 1 if self.first_label == 1 else -1)
        checks.require(
            self.shares[0] > 0 and self.shares[-1] <= 1, "shares", self.shares, "numbers in (0, 1]"
        )
        assert self.d_parallel is not None
        assert self.boundaries is not None
        if self.labels == "stripes" and self.d_parallel != 1:
            raise ValueError(f"d_parallel: got {self.d_parallel}, needs 1 for stripes")
        if not self.d_parallel < self.dimension:
            raise ValueError(
                f"dimension: got {self.dimension}, needs more than d_parallel = {self.d_parallel}"
            )
        if self.labels == "shells":
            checks.require(
                self.boundaries[0] > 0, "boundaries", self.boundaries, "positive radii for shells"
            )
        for name in ("kept", "tracked"):
            checks.integer(name, getattr(self, name), 0, self.width)
        checks.require(
            not self.sliding or self.loss == "hinge",
            "sliding",
            f"True with {self.loss}",
            "the hinge loss",
        )
        if self.dtype == "float32" and not SINGLE[0] <= self.alpha <= SINGLE[1]:
            raise ValueError(
                f"alpha: got {self.alpha}, outside the range of float32, {SINGLE}; set dtype to 'float64'"
            )

    @property
    def shape(self) -> str:
        """The decision boundary: a "stripe" or a "cylinder"."""
        return "stripe" if self.labels == "stripes" else "cylinder"

    def _in_words(self) -> str:
        return f"{self.labels}, d = {self.dimension}, p = {self.points}, {self.width} neurons, α = {self.alpha:g}"


def _increasing(name: str, value: Any) -> tuple[float, ...]:
    return checks.increasing(
        name, tuple(checks.real_number(name, number) for number in checks.sequence(name, value))
    )

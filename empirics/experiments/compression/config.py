"""The configuration of a run of the hinge flow on data with invariant directions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from empirics import check
from empirics.data.invariant import CYLINDER, STRIPE
from empirics.experiments.config import Configuration

LABELS = {"stripes": STRIPE, "shells": CYLINDER}
# Weights grow to the root of 1/alpha, and f - f_0 is of order 1/alpha: what float32 holds, and tells apart.
SINGLE = (1e-30, 1e3)


@dataclass(frozen=True)
class Config(Configuration):
    """One run: laptop size of the single stripe unless said otherwise.

    Attributes:
        labels: "stripes" of the first coordinate or "shells" of the distance in the first ``d_parallel``.
        boundaries: where they change; by default those of the paper, of equal probability (shells: two directions).
        first_label: left of all boundaries, or at the centre; by default those of the paper, +1 and -1.
        d_parallel: informative directions; 1 for stripes, by default 2 for shells.
        dimension: of the inputs.
        points: size p of the training set.
        width: neurons h.
        alpha: network scale: small for feature learning, large for the lazy regime.
        shares: of the training points fitted at which the networks are looked at, increasing; at the first is t*, after
            the last a realisation stops.
        longest: time after which it stops anyway, in units of tau; 0 for no limit.
        rounds: attempted steps after which all stop anyway.
        loss: "hinge" or "soft_hinge".
        turning: largest turn of the forces in a step, see :class:`empirics.training.hinge_flow.HingeFlow`.
        moving: largest change of the predictor on a training point in a step.
        test_points: of the test error; 0 for none.
        kept: neurons of each network kept whenever it is looked at; 0 for none.
        tracked: neurons of each network recorded all along; 0 for none.
        places: points on the first axis, from -3 to 3, at which the predictor is kept; 0 for none.
        seeds: realisations, of data and network.
        first_seed: seeds are first_seed, first_seed + 1, ...
        device: as torch names it.
        dtype: of the training.
    """

    experiment: ClassVar[str] = "compression"

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
    test_points: int = 0
    kept: int = 0
    tracked: int = 0
    places: int = 0
    seeds: int = 40
    first_seed: int = 0
    device: str = "cpu"
    dtype: Literal["float32", "float64"] = "float32"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._whole(points=1, width=1, rounds=1, seeds=1, dimension=2)
        self._whole(test_points=0, kept=0, tracked=0, places=0, first_seed=0)
        self._real("alpha", "turning", "moving", positive=True)
        self._real("longest", at_least=0)
        shells = self.labels == "shells"
        self._put("d_parallel", (2 if shells else 1) if self.d_parallel is None else self.d_parallel)
        self._whole(d_parallel=1)
        self._put("first_label", (-1 if shells else 1) if self.first_label is None else self.first_label)
        self._put("boundaries", _increasing("boundaries", self.boundaries or LABELS[self.labels]))
        self._put("shares", _increasing("shares", self.shares))
        self._check_together()

    def _check_together(self) -> None:
        if self.first_label not in (1, -1):
            raise ValueError(f"first_label: got {self.first_label!r}, needs +1 or -1")
        self._put("first_label", 1 if self.first_label == 1 else -1)  # 1.0 and True are 1, in the JSON text, too
        check.require(self.shares[0] > 0 and self.shares[-1] <= 1, "shares", self.shares, "numbers in (0, 1]")
        assert self.d_parallel is not None
        assert self.boundaries is not None
        if not self.d_parallel < self.dimension or (self.labels == "stripes" and self.d_parallel != 1):
            raise ValueError(f"d_parallel: got {self.d_parallel}, needs 1 for stripes and fewer than dimension")
        if self.labels == "shells":
            check.require(self.boundaries[0] > 0, "boundaries", self.boundaries, "positive radii for shells")
        for name in ("kept", "tracked"):
            check.whole(name, getattr(self, name), 0, self.width)
        if self.dtype == "float32" and not SINGLE[0] <= self.alpha <= SINGLE[1]:
            raise ValueError(f"alpha: got {self.alpha}, outside what float32 holds, {SINGLE}; set dtype to 'float64'")

    @property
    def described(self) -> str:
        """This configuration in a few words."""
        return (
            f"{self.labels}, d = {self.dimension}, p = {self.points}, {self.width} neurons, α = {self.alpha:g}, "
            f"{self._seeds_described}, {self.device}"
        )


def _increasing(name: str, value: Any) -> tuple[float, ...]:
    numbers = tuple(check.real(name, number) for number in check.sequence(name, value))
    rising = len(numbers) > 0 and list(numbers) == sorted(set(numbers))
    check.require(rising, name, numbers, "increasing numbers, at least one")
    return numbers

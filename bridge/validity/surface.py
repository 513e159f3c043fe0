r"""The deviation over a map: a Gaussian process through the deviations at the points, and what it says between them.

What is modelled is :math:`\operatorname{arsinh}(D/r)` for a mean deviation *D* and the smallest relevant one, *r*: it
is the deviation in units of the resolution where that is small, and a logarithm where it is large. A claim holds where
:math:`|D| < r`, and a bound where *D* has the right sign. The variance of a point comes from its seeds, together with
the typical variance of all points, since that of four seeds alone is hardly known.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import special
from scipy.spatial import distance

from bridge.statistics.arrays import Array
from closedform.measured import Relation

REACH = {1: 0.1, 2: 0.2, 3: 0.3}  # farthest that a decided point speaks for, in units of an axis

EDGE = math.asinh(1.0)  # the resolution, in the modelled quantity
CERTAIN = 0.975  # probability of one side of the boundary that counts as knowing it
SHARED = 4.0  # weight of the typical variance, in degrees of freedom
ROUGH = 1e-4  # variance at a point beyond that of its seeds, for what the process does not follow
LENGTHS = (0.05, 2.0)  # of the process, in units of an axis
SCALES = (1.0, 100.0)  # variance of the process: a map is not flat before it has been looked at


@dataclass(frozen=True)
class Surface:
    """The process through the points of one panel, those at which nothing is measured (NaN) included."""

    places: Array  # [point, axis]
    mean: Array  # modelled quantity at the points, [point]
    variance: Array  # its variance, [point]
    relation: Relation
    typical: float = math.nan  # typical variance of one network; NaN if it is not known
    kernel: object = None  # fitted kernel of the process; by default it is fitted to the points

    def __post_init__(self) -> None:
        known = np.isfinite(self.mean)
        model = None
        if known.sum() > 1:
            model = _process(
                self.places[known], self.mean[known], self.variance[known], self.kernel
            )
        object.__setattr__(self, "_model", model)

    def at(self, places: Array) -> tuple[Array, Array]:
        """Return mean and standard deviation of the process at places ``[place, axis]``."""
        if self._model is None:  # type: ignore[attr-defined]
            return np.zeros(len(places)), np.full(len(places), np.inf)
        mean, deviation = self._model.predict(places, return_std=True)  # type: ignore[attr-defined]
        return mean, deviation

    def inside(self, places: Array) -> Array:
        """Return the probability that the claim holds at places; NaN where the nearest point measures nothing."""
        mean, deviation = self.at(places)
        with np.errstate(invalid="ignore", divide="ignore"):
            if self.relation == "=":
                probability = special.ndtr((EDGE - mean) / deviation) - special.ndtr(
                    (-EDGE - mean) / deviation
                )
            else:
                probability = special.ndtr(np.where(self.relation == "<", -mean, mean) / deviation)
        return np.where(self.is_measured(places), probability, np.nan)

    def is_measured(self, places: Array) -> Array:
        """Return whether the point nearest to each place measures the claim."""
        apart = np.linalg.norm(places[:, None] - self.places[None], axis=-1)
        return np.asarray(np.isfinite(self.mean)[apart.argmin(axis=1)])

    def sides(self, places: Array) -> Array:
        """Return 1 at places where the claim holds, 0 where it fails, NaN where the process is certain of neither."""
        inside = self.inside(places)
        with np.errstate(invalid="ignore"):
            return np.where(inside >= CERTAIN, 1.0, np.where(inside <= 1 - CERTAIN, 0.0, np.nan))

    def margin(self, mean: Array) -> Array:
        """Return how far from the boundary values of the modelled quantity are."""
        return np.abs(np.abs(mean) - EDGE) if self.relation == "=" else np.abs(mean)

    def with_expected(self, place: Array) -> Surface:
        """Return the surface as it is expected to be after a point more, with the same scales."""
        return replace(
            self, places=np.vstack([self.places, place]), mean=np.append(self.mean, self.at(place[None])[0]),
            variance=np.append(self.variance, np.nanmedian(self.variance)),
            kernel=self._model.kernel_,  # type: ignore[attr-defined]
        )  # fmt: skip


def modelled(deviations: Array, typical: float) -> tuple[float, float]:
    """Return mean and variance of a point from ``deviations [seed]`` in units of the smallest relevant one.

    ``typical`` is the typical variance of one of them.
    """
    finite = np.isfinite(deviations)
    if finite.sum() < max(2, len(deviations) / 2):  # most networks measure nothing
        return math.nan, math.nan
    known = deviations[finite]
    mean, count = float(known.mean()), len(known)
    variance = float(known.var(ddof=1))
    if math.isfinite(typical):
        variance = ((count - 1) * variance + SHARED * typical * (1 + mean**2)) / (
            count - 1 + SHARED
        )
    return math.asinh(mean), variance / count / (1 + mean**2) + ROUGH


def typical_variance(deviations: list[Array]) -> float:
    """Return the median over points of the variance of one network, relative to the unit and to large deviations."""
    variances = []
    for values in deviations:
        known = values[np.isfinite(values)]
        if known.size > 1:
            variances.append(float(known.var(ddof=1)) / (1 + float(known.mean()) ** 2))
    return float(np.median(variances)) if variances else math.nan


def _process(places: Array, mean: Array, variance: Array, kernel: object) -> object:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import ConstantKernel, Matern

    fixed = kernel is not None
    if kernel is None:
        kernel = ConstantKernel(4.0, SCALES) * Matern(
            np.full(places.shape[1], 0.5), LENGTHS, nu=2.5
        )
    model = GaussianProcessRegressor(
        kernel, alpha=variance, optimizer=None if fixed else "fmin_l_bfgs_b"
    )
    with warnings.catch_warnings():
        # a length at its bound: no dependence along this axis
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(places, mean)


@dataclass(frozen=True, eq=False)
class Point:
    """The networks at one place of a panel: values of the parameters, predicted and measured numbers ``[seed]``."""

    values: Mapping[str, float]
    predicted: Array
    measured: Array


@dataclass(frozen=True, eq=False)
class Panel:
    """The points with one combination of the choices."""

    choices: Mapping[str, Any]
    points: tuple[Point, ...]


@dataclass(frozen=True, eq=False)
class Decided:
    """Points that their own networks decide: ``places`` ``[point, axis]``, and ``sides`` ``[point]``, 1 for holds."""

    places: Array
    sides: Array

    def nearest(self, places: Array) -> tuple[Array, Array]:
        """Return ``[place]`` the side of the nearest, NaN beyond its reach, and how near another takes its place."""
        far = REACH[places.shape[1]]
        if not len(self.sides):
            return np.full(len(places), np.nan), np.full(len(places), far)
        apart = distance.cdist(places, self.places)
        nearest = apart.min(axis=1)
        return np.where(nearest <= far, self.sides[apart.argmin(axis=1)], np.nan), np.minimum(
            nearest, far
        )

    def with_expected(self, place: Array, side: float) -> Decided:
        """Return them with one more."""
        return Decided(np.vstack([self.places, place]), np.append(self.sides, side))


def with_none(values: Array) -> list[float | None]:
    """Return numbers as JSON has them, None for what is not measured."""
    return [float(value) if np.isfinite(value) else None for value in values]


def with_nan(values: Sequence[float | None]) -> Array:
    """Return numbers of JSON as an array, NaN for None."""
    return np.array([np.nan if value is None else value for value in values])

r"""NC1 of resampled data: labels in random order, points of each class drawn anew, and one class left out.

NC1 depends on the distances between points only. Features with more dimensions than points are therefore replaced by
the coordinates of the points in the space that they span, which makes hundreds of resamplings cheap. The exact value
comes from :func:`empirics.measure.neural_collapse`; here, directions in which the class means differ by less than 1e-7
of the largest difference are left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Int, Real
from numpy.typing import NDArray
from scipy import stats
from torch import Tensor

from closedform import checks
from closedform.checks.arrays import Array
from closedform.repetitions import jackknife
from closedform.rounding import moderate
from empirics import tensor_checks
from empirics.measure.measurement_result import MeasurementResult

SMALLEST = 1e-7  # relative size of a direction: the square root of the rounding error of the matrix of products
FEWEST_CLASSES = 3  # of which one can be left out
TWO_SIGMA = 1.96  # standard errors of a 95 % interval
MOST = 10**6  # resamplings
AT_ONCE = 2**22  # numbers that are converted to float64 at once


@dataclass(frozen=True, repr=False)
class ResampledNC1(MeasurementResult):
    """NC1 of resampled data, dimensionless.

    Attributes:
        value: NC1 of the data.
        shuffled: NC1 with the labels in random order, ``[count]``.
        redrawn: NC1 with the points of every class drawn with replacement, ``[count]``. Their logarithms scatter as
            those of new data would; their mean is biased.
        without_class: NC1 without one of the classes, for each class that has points, ``[C]``; empty for fewer than
            three. Drawing classes with replacement would draw some twice, whose means coincide, and NC1 diverges with
            them; the scatter of these values gives the error by the jackknife.
    """

    value: float
    shuffled: Array
    redrawn: Array
    without_class: Array

    @property
    def interval(self) -> tuple[float, float]:
        """Interval of 95 % over new points of these classes, by the scatter of log NC1; NaN where it is undefined."""
        logs = np.log(self.redrawn[np.isfinite(self.redrawn) & (self.redrawn > 0)])
        return self._around(
            TWO_SIGMA * logs.std(ddof=1) if self.value > 0 and len(logs) > 1 else math.nan
        )

    @property
    def interval_over_classes(self) -> tuple[float, float]:
        """Interval of 95 % over other classes of the same kind, by the jackknife of log NC1; NaN for fewer than 3."""
        count = len(self.without_class)
        if (
            count < FEWEST_CLASSES
            or not (np.isfinite(self.without_class) & (self.without_class > 0)).all()
        ):
            return math.nan, math.nan
        logs = np.log(self.without_class)
        error = jackknife(logs.mean(), logs).error
        return self._around(stats.t.ppf(0.975, count - 1) * error)

    @property
    def interval_shuffled(self) -> tuple[float, float]:
        """Interval that contains 95 % of the values with the labels in random order; NaN if none is finite."""
        finite = self.shuffled[np.isfinite(self.shuffled)]
        low, high = np.quantile(finite, [0.025, 0.975]) if len(finite) else (math.nan, math.nan)
        return float(low), float(high)

    def _around(self, width: float) -> tuple[float, float]:
        factor = float(np.exp(width))
        return self.value / factor, self.value * factor

    def __repr__(self) -> str:
        def interval(ends: tuple[float, float]) -> str:
            return f"{ends[0]:.3g} to {ends[1]:.3g}" if np.isfinite(ends).all() else "unknown"

        return (
            f"NC1 {self.value:.3g}\n"
            f"95 % interval over points {interval(self.interval)}, "
            f"over classes {interval(self.interval_over_classes)}\n"
            f"with the labels in random order: {interval(self.interval_shuffled)} (95 %)"
        )


def resampled_nc1(
    features: Real[Tensor, "N ..."] | Any,
    labels: Int[Tensor, " N"] | Any,
    *,
    count: int = 100,
    seed: int = 0,
) -> ResampledNC1:
    """Compute NC1 of the data, of the same features with shuffled labels, of redrawn points, and without each class.

    Args:
        features: representations ``[N, ...]``, flattened to ``[N, D]``.
        labels: class indices ``[N]``.
        count: number of resamplings of each kind; default 100.
        seed: seed of the resamplings; default 0.

    Raises:
        TypeError: if an argument is of the wrong kind.
        ValueError: if shapes do not fit, or a value is out of range or not finite.

    >>> features = torch.arange(40.0).reshape(20, 2) % 7 + torch.tensor([0.0, 9.0]).repeat_interleave(10)[:, None]
    >>> found = resampled_nc1(features, torch.tensor([0, 1]).repeat_interleave(10), count=20)
    >>> bool(found.value < found.shuffled.min())
    True
    """
    x = tensor_checks.real_numbers("features", features)
    tensor_checks.shape(
        "features", x, x.ndim >= 2 and x.numel() > 0, "[N, ...] with at least one point"
    )
    tensor_checks.finite("features", x)
    x = moderate(x)
    y = tensor_checks.class_indices("labels", labels).cpu().numpy()
    checks.require(
        y.shape == x.shape[:1],
        "labels",
        f"shape {y.shape}",
        f"{len(x)} labels, one for each point",
    )
    checks.integer("count", count, 1, MOST)
    labels_present, y = np.unique(y, return_inverse=True)
    classes, points = len(labels_present), coordinates(x.flatten(1))
    random = np.random.default_rng(checks.seed("seed", seed))
    by_class = [np.flatnonzero(y == c) for c in range(classes)]
    shuffled = np.array([nc1(points, random.permutation(y), classes) for _ in range(count)])
    redrawn = np.empty(count)
    for i in range(count):
        drawn = np.concatenate([random.choice(rows, len(rows)) for rows in by_class])
        redrawn[i] = nc1(points[drawn], y[drawn], classes)
    present = range(classes) if classes > 2 else []
    without_class = np.array([nc1(points[y != c], y[y != c], classes) for c in present])
    return ResampledNC1(nc1(points, y, classes), shuffled, redrawn, without_class)


def coordinates(x: Tensor) -> Array:
    """Return centred coordinates ``[N, k]``, k at most N and D, with the distances of the points ``x [N, D]``."""
    mean = (
        x.double().mean(dim=0)
        if x.numel() <= AT_ONCE
        else torch.stack([c.double().mean() for c in x.T])
    )
    if x.shape[1] <= len(x):
        return np.asarray((x.double() - mean).cpu().numpy())
    products = torch.zeros(len(x), len(x), dtype=torch.float64, device=x.device)
    columns = max(1, AT_ONCE // len(x))
    for start in range(0, x.shape[1], columns):
        part = x[:, start : start + columns].double() - mean[start : start + columns]
        products += part @ part.T
    values, vectors = np.linalg.eigh(products.cpu().numpy())
    large = values > values[-1] * SMALLEST**2
    return np.asarray(vectors[:, large] * np.sqrt(values[large]))


def nc1(points: Array, labels: NDArray[np.int64], classes: int) -> float:
    """Return tr(Σ_W Σ_B⁺) of points ``[N, k]``; NaN without differences between classes or scatter within them."""
    member = np.eye(classes)[labels]
    counts = member.sum(axis=0)
    present = counts > 0
    if present.sum() < 2 or counts.max() < 2:
        return float("nan")
    means = (member.T @ points) / np.where(present, counts, 1.0)[:, None]
    centred = means - points.mean(axis=0)
    _, sizes, directions = np.linalg.svd(np.sqrt(counts)[:, None] * centred, full_matrices=False)
    kept = sizes > SMALLEST * sizes[0]
    kept[int(present.sum()) - 1 :] = False
    if not kept.any():
        return float("nan")
    within = points @ directions[kept].T - (means @ directions[kept].T)[labels]
    return float(np.square(within).sum(axis=0) @ (1 / np.square(sizes[kept])))

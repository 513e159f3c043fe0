r"""The paper's hypothesis as a number: does the volume element rank the points of a line as their uncertainty does?

On each line between two images of different classes: Spearman's rank correlation of :math:`\log\sqrt{\det g}` with the
entropy of the prediction, and with *nearness* (minus the distance to the decision boundary, to first order). Since both
the blend of two images and the boundary lie towards the middle of a line, the correlation that is left when the ranks
of the distance to the nearer end are held fixed is given, too: what the hypothesis says beyond "in the middle".

A network's value is the mean over its lines; the interval is Student's t over networks (seeds), or over lines, given
this network, where there is one network only, and ends at ±1, where correlations do; below three of them there is
none. Points of a line depend on each other and are never counted as data. What is held fixed is a straight line in the
ranks; a dependence on position that bends otherwise in both leaves a little of itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from bridge import arguments, ranking
from bridge.arrays import mean_and_error
from bridge.geometry.images.decisions import entropy

if TYPE_CHECKING:
    import xarray as xr

Array = NDArray[np.float64]
LEVEL = 0.95
FEWEST = 3  # networks, or lines; below, their scatter says next to nothing
AGAINST = ("entropy", "nearness")


@dataclass(frozen=True)
class Correlation:
    """A mean rank correlation with its interval.

    Attributes:
        mean: over networks; NaN if there is nothing to correlate.
        low: lower end of the 95 % interval, or −1 where that is lower still; NaN below three networks (lines).
        high: upper end, or 1.
        over: what the interval is over: "networks" or "lines".
        values: ``[seed, line]``, of each line; NaN where a quantity does not vary.
    """

    mean: float
    low: float
    high: float
    over: str
    values: Array

    @property
    def verdict(self) -> str:
        """Positive, negative, or neither to 95 %."""
        if not np.isfinite(self.low):
            return f"too few {self.over} to say"
        return "positive" if self.low > 0 else "negative" if self.high < 0 else "not told from zero"

    @property
    def shown(self) -> str:
        """``+0.51 [+0.32, +0.70]``."""
        return f"{self.mean:+.2f} [{self.low:+.2f}, {self.high:+.2f}]".replace("-", "−")


def ranks(values: Array) -> Array:
    """Ranks along the last axis, ties to rounding averaged; -inf and inf rank lowest and highest."""
    return ranking.ranks(values)


def correlation(first: Array, second: Array) -> float:
    """Pearson's correlation of two rows; NaN where one does not vary."""
    a, b = first - first.mean(), second - second.mean()
    scale = np.sqrt((a @ a) * (b @ b))
    return float(a @ b / scale) if scale > 1e-12 * len(a) ** 2 else float("nan")


def partial(first: Array, second: Array, given: Array) -> float:
    """Correlation of what a linear fit on ``given`` leaves of both."""
    design = np.stack([np.ones_like(given), given], axis=1)
    residuals = [row - design @ np.linalg.lstsq(design, row, rcond=None)[0] for row in (first, second)]
    return correlation(residuals[0], residuals[1])


def summarise(values: Array) -> Correlation:
    """Mean and interval of ``values`` ``[seed, line]``; networks without any finite value are left out."""
    kept = values[np.isfinite(values).any(axis=1)]
    if len(kept) == 0:
        return Correlation(np.nan, np.nan, np.nan, "networks", values)
    units, over = np.nanmean(kept, axis=1), "networks"
    if len(units) == 1:
        units, over = kept[0][np.isfinite(kept[0])], "lines"
    mean, error = mean_and_error(units)
    if len(units) < FEWEST:
        return Correlation(mean, np.nan, np.nan, over, values)
    half = float(stats.t.ppf((1 + LEVEL) / 2, len(units) - 1)) * error
    return Correlation(mean, max(mean - half, -1.0), min(mean + half, 1.0), over, values)


def along_lines(
    trace: xr.Dataset,
    kind: str,
    against: str,
    *,
    snapshot: int = -1,
    decided_at: int | None = None,
    beyond: bool = False,
) -> Correlation:
    """Rank correlation of the log volume element with uncertainty along the lines of one kind.

    Args:
        trace: of either experiment.
        kind: "different" or "same", the classes of a line's ends.
        against: "entropy" or "nearness".
        snapshot: index of the snapshot whose volume element it is.
        decided_at: index of the snapshot whose predictions it is held against; the same where None.
        beyond: whether the position's ranks are held fixed.

    Raises:
        ValueError: for an unknown kind or quantity.
    """
    chosen = [i for i, name in enumerate(trace["line"].values) if str(name).startswith(kind)]
    if not chosen:
        arguments.one_of("kind", kind, ("different", "same"))
    arguments.one_of("against", against, AGAINST)
    other = snapshot if decided_at is None else decided_at
    volume = trace["line_log_volume"].isel(snapshot=snapshot, line=chosen).values  # [seed, line, position]
    if against == "entropy":
        measure = entropy(trace["line_logits"].isel(snapshot=other, line=chosen).values)
    else:
        measure = -trace["line_distance"].isel(snapshot=other, line=chosen).values
    middle = ranks(0.5 - np.abs(trace["position"].values - 0.5))
    values = np.full(volume.shape[:2], np.nan)
    for index in np.ndindex(values.shape):
        if np.isnan(volume[index]).any() or np.isnan(measure[index]).any():
            continue  # diverged
        a, b = ranks(volume[index]), ranks(measure[index])
        values[index] = partial(a, b, middle) if beyond else correlation(a, b)
    return summarise(values)

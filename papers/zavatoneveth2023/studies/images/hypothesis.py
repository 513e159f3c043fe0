r"""A test of the paper's hypothesis: rank correlation of the volume element with the uncertainty along lines.

On each line between two images of different classes, :math:`\log\sqrt{\det g}` is correlated with the entropy of the
prediction, and with *nearness* (minus the distance to the decision boundary, to first order). Both the blend of two
images and the boundary lie near the middle of a line; the partial correlation at fixed ranks of the distance to the
nearer end removes a linear dependence on it. The value of a network is the mean over its lines; the interval is that of
Student's t over networks and lines (:mod:`bridge.statistics.arrays`), truncated at ±1, from three networks on.
"""

from dataclasses import dataclass

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from scipy import special, stats

from bridge.statistics.arrays import NestedMean, nested_mean
from bridge.statistics.rank_correlation import ranks
from closedform import checks
from closedform.checks.arrays import Array

LEVEL = 0.95
AGAINST = ("entropy", "nearness")


@dataclass(frozen=True)
class Correlation:
    """A mean rank correlation with its 95 % interval, at most from -1 to 1; NaN for fewer than three networks."""

    over_networks: NestedMean  # NaN if no line has a correlation
    low: float
    high: float
    values: Array  # of the lines, [seed, line]; NaN where a quantity is constant

    @property
    def mean(self) -> float:
        """Mean over networks."""
        return self.over_networks.mean

    @property
    def verdict(self) -> str:
        """Whether the correlation is positive or negative at the 95 % level, in words."""
        if not np.isfinite(self.low):
            return "too few networks to say"
        return (
            "positive" if self.low > 0 else "negative" if self.high < 0 else "not told from zero"
        )

    @property
    def shown(self) -> str:
        """Text such as ``+0.51 [+0.32, +0.70]``, without brackets where there is no interval."""
        interval = f" [{self.low:+.2f}, {self.high:+.2f}]" if np.isfinite(self.low) else ""
        return f"{self.mean:+.2f}{interval}".replace("-", "−")


def correlation(first: Array, second: Array) -> float:
    """Return Pearson's correlation of two rows; NaN if one is constant."""
    a, b = first - first.mean(), second - second.mean()
    scale = np.sqrt((a @ a) * (b @ b))
    return float(a @ b / scale) if scale > 1e-12 * len(a) ** 2 else float("nan")


def partial(first: Array, second: Array, given: Array) -> float:
    """Return the partial correlation: the correlation of the residuals of linear fits of both rows on ``given``."""
    design = np.stack([np.ones_like(given), given], axis=1)
    residuals = [
        row - design @ np.linalg.lstsq(design, row, rcond=None)[0] for row in (first, second)
    ]
    return correlation(residuals[0], residuals[1])


def summarise(values: Array) -> Correlation:
    """Return mean and interval of ``values [seed, line]``; networks without a finite value are omitted."""
    mean = nested_mean(values)
    half = np.nan
    if np.isfinite(mean.error):
        half = float(stats.t.ppf((1 + LEVEL) / 2, mean.repetitions - 1)) * mean.error
    low, high = max(mean.mean - half, -1.0), min(mean.mean + half, 1.0)
    if np.isnan(half):
        low = high = np.nan
    return Correlation(mean, low, high, values)


def along_lines(
    trace: xr.Dataset,
    kind: str,
    against: str,
    *,
    snapshot: int = -1,
    decided_at: int | None = None,
    beyond: bool = False,
    on_sphere: bool = False,
) -> Correlation:
    """Return the rank correlation of the log volume element with the uncertainty, along the lines of one kind.

    Lines are of ``"different"`` or the ``"same"`` classes; the uncertainty is ``"entropy"`` or ``"nearness"`` at the
    snapshot ``decided_at``, by default that of the volume element. ``beyond``: at fixed ranks of the position;
    ``on_sphere``: of the features divided by their length.
    """
    chosen = [i for i, name in enumerate(trace["line"].values) if str(name).startswith(kind)]
    if not chosen:
        checks.one_of("kind", kind, ("different", "same"))
    checks.one_of("against", against, AGAINST)
    other = snapshot if decided_at is None else decided_at
    name = "line_sphere_log_volume" if on_sphere else "line_log_volume"
    volume = trace[name].isel(snapshot=snapshot, line=chosen).values  # [seed, line, position]
    if against == "entropy":
        measure = entropy(trace["line_logits"].isel(snapshot=other, line=chosen).values)
    else:
        measure = -trace["line_distance"].isel(snapshot=other, line=chosen).values
    middle = ranks(0.5 - np.abs(trace["position"].values - 0.5))
    values = np.full(volume.shape[:2], np.nan)
    for index in np.ndindex(values.shape):
        if np.isnan(volume[index]).any() or np.isnan(measure[index]).any():
            continue  # this network diverged
        a, b = ranks(volume[index]), ranks(measure[index])
        values[index] = partial(a, b, middle) if beyond else correlation(a, b)
    return summarise(values)


def entropy(logits: Array) -> Array:
    """Return the entropy of the softmax over the last axis relative to its maximum log C; arXiv 2301.11375, G 3."""
    log_p = special.log_softmax(logits, axis=-1)
    return np.asarray(-(np.exp(log_p) * log_p).sum(-1) / np.log(logits.shape[-1]))


def prediction(logits: Array) -> NDArray[np.int64]:
    """Return the class of the largest logit, ``[..., C] -> [...]``."""
    result: NDArray[np.int64] = logits.argmax(-1)
    return result


def crossings(predicted: NDArray[np.int64], position: Array) -> Array:
    """Return the positions ``[n]``, half-way between neighbours on a line, at which the prediction ``[n]`` changes."""
    changes = np.flatnonzero(np.diff(predicted))
    return (position[changes] + position[changes + 1]) / 2

r"""The law of equi-separation, by which log NC1 decreases by equal steps from layer to layer, and its significance.

The measure of the thesis is Pearson's *r* between the layer and :math:`\log \mathrm{NC1}`. Over few layers it is close
to -1 for nearly every decreasing profile: see ``theory.collapse.correlation``. Therefore *r* comes with two
probabilities, and with the spread of the log-ratios, which vanishes under the law.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from closedform.rounding import ROUNDING
from theory.core.formula.arguments import LARGEST_ARRAY, integer, positive_array

_MOST_KEPT = 100_000  # random profiles for one number of layers


@dataclass(frozen=True)
class Equiseparation:
    """Statistics of a profile of NC1 over the layers, with the leading axes of the input."""

    log_ratios: NDArray[np.float64]
    """Natural log of NC1 of a layer over that of the one before, [..., layers - 1]; equal if the law holds."""
    ratio: NDArray[np.float64]
    """NC1 per layer: exp of the mean log-ratio."""
    spread: NDArray[np.float64]
    """(largest - smallest log-ratio) / |mean|: 0 if the law holds exactly; infinite where the mean is 0."""
    r: NDArray[np.float64]
    """Pearson's correlation between layer and log NC1."""
    chance: NDArray[np.float64]
    """Probability of at least so large an |r| if the layers' log NC1 were independent Gaussians."""
    chance_if_falling: NDArray[np.float64]
    """The same if NC1 falls (or rises) at every step and the steps are independent exponentials of one mean; NaN where
    it does neither. Closed form for three layers, else by ``draws`` fixed random profiles."""


def equiseparation(nc1_by_layer: ArrayLike, draws: int = 20_000) -> Equiseparation:
    """Return the log-ratios, the correlation with depth, and its probabilities under two null models.

    Args:
        nc1_by_layer: positive values in the order of the layers, [..., layers], for at least three layers.
        draws: number of random profiles from which ``chance_if_falling`` is computed for more than three layers.

    Raises:
        TypeError, ValueError: for more than ten million draws, fewer than three layers, values that are not positive,
            or a constant profile, which has no correlation.

    >>> law = equiseparation([8, 3, 2, 0.4])
    >>> round(float(law.r), 3)
    -0.972
    """
    values = positive_array("nc1_by_layer", nc1_by_layer)
    if values.ndim == 0 or values.shape[-1] < 3:
        raise ValueError(f"nc1_by_layer: got shape {values.shape}, needs at least 3 layers in its last axis")
    integer("draws", draws, 1, LARGEST_ARRAY)
    logs = np.log(values)
    level = ROUNDING * np.maximum(1, np.abs(logs).max(axis=-1))  # steps up to this size count as zero
    if np.any(np.ptp(logs, axis=-1) <= level):
        raise ValueError("nc1_by_layer: got a constant profile, needs one that changes and so is correlated with depth")
    steps = np.diff(logs, axis=-1)
    mean = steps.mean(axis=-1)
    r = _correlation(logs)
    with np.errstate(divide="ignore"):
        spread = (steps.max(axis=-1) - steps.min(axis=-1)) / np.abs(mean)
    one_way = np.all(steps < -level[..., None], axis=-1) | np.all(steps > level[..., None], axis=-1)
    falling = np.where(one_way, _chance_if_falling(np.abs(r), values.shape[-1], draws), np.nan)[()]
    return Equiseparation(steps, np.exp(mean), spread, r, _chance(r, values.shape[-1]), falling)


def _correlation(profiles: NDArray[np.float64]) -> NDArray[np.float64]:
    layer = np.arange(profiles.shape[-1]) - (profiles.shape[-1] - 1) / 2
    centred = profiles - profiles.mean(axis=-1, keepdims=True)
    return np.clip(centred @ layer / np.sqrt(layer @ layer * np.sum(centred**2, axis=-1)), -1, 1)


def _chance(r: NDArray[np.float64], layers: int) -> NDArray[np.float64]:
    """Return P(|R| >= |r|) where R^2 is Beta(1/2, (layers - 2)/2); for three layers 1 - 2 arcsin|r|/pi."""
    from scipy.special import betainc

    return betainc((layers - 2) / 2, 0.5, 1 - r**2)


def _chance_if_falling(magnitude: NDArray[np.float64], layers: int, draws: int) -> NDArray[np.float64]:
    if layers == 3:
        least = np.maximum(magnitude, np.sqrt(0.75))  # smallest |r| of a decreasing profile, up to rounding
        return np.minimum(1.0, np.sqrt(3 * (1 - least) * (1 + least)) / least)
    reference = (_kept_reference if draws <= _MOST_KEPT else _reference)(layers, draws)
    return 1 - np.searchsorted(reference, magnitude) / draws


def _reference(layers: int, draws: int) -> NDArray[np.float64]:
    """Return the sorted |r| of random falling profiles."""
    steps = np.random.default_rng(0).exponential(size=(draws, layers - 1))
    return np.sort(_correlation(np.pad(np.cumsum(steps, axis=1), ((0, 0), (1, 0)))))


_kept_reference = lru_cache(maxsize=16)(_reference)

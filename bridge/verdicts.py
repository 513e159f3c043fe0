r"""When a measurement agrees with a prediction, when it disagrees, and when it is too blunt to say.

The *error* of a deviation is its standard error, and the *limit* is how many of them chance allows: the quantile of
Student's t that a normal variable has at the threshold (2 by default: 4.6 % in both tails together), so that few
repetitions have a wide limit, 13.97 for two of them, 2.87 for five. Limit times error on both sides of the measured
deviation is the interval of the deviations that the measurement allows. With the *resolution*, the smallest deviation
that matters, that interval decides:

* **disagrees**: it leaves out zero. Of right predictions 4.6 % are called so.
* **agrees**: it contains zero and lies within the resolution on both sides. Of predictions that are wrong by the
  resolution or more, at most 2.3 % are called so.
* **too blunt to say**: it contains zero, and deviations larger than the resolution.

Several comparisons together disagree if one of them is beyond the limit for the largest of so many (Šidák's, which
holds its 4.6 % for independent comparisons and less for those that share their seeds); they agree if every interval
lies within its resolution.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from bridge.arrays import Array

AGREES, DISAGREES, BLUNT = "agrees", "disagrees", "too blunt to say"
RESOLUTION = 0.1  # of the prediction's magnitude
THRESHOLD = 2.0  # standard errors of a normal variable


def tail(threshold: float, comparisons: int = 1) -> float:
    """Probability in one tail beyond which a deviation counts, so that chance keeps its share over all comparisons."""
    both = 2 * stats.norm.sf(threshold)
    return float(-np.expm1(np.log1p(-both) / comparisons) / 2)


def allowed(spread: Array, prediction_error: Array, repetitions: Array, probability: float) -> Array:
    """Deviation ``[...]`` that chance exceeds, in one direction, no more often than with ``probability``.

    The two parts add up in quadrature, each with its own quantile. That is exact where one of them is zero, and else
    errs on the safe side: between 1.2 and 4.6 % for the 4.6 % of both tails at the threshold of 2.

    Args:
        spread: standard error of the measurement.
        prediction_error: standard error of the prediction, taken as known.
        repetitions: how many ``spread`` was estimated from; infinite where it is known.
        probability: of one tail.
    """
    student = stats.t.isf(probability, repetitions - 1)
    return np.asarray(np.hypot(student * spread, stats.norm.isf(probability) * prediction_error))


def single(deviation: Array, chance: Array, resolution: Array) -> NDArray[np.str_]:
    """The verdict ``[...]`` of every comparison by itself.

    Args:
        deviation: measured minus predicted.
        chance: deviation that chance allows, limit times error.
        resolution: smallest deviation that matters.
    """
    close = np.where(np.abs(deviation) + chance <= resolution, AGREES, BLUNT)
    return np.where(np.abs(deviation) > chance, DISAGREES, close)


def together(deviation: Array, chance: Array, joint_chance: Array, resolution: Array) -> str:
    """The verdict of all comparisons; ``joint_chance`` is what chance allows the largest of them."""
    if (np.abs(deviation) > joint_chance).any():
        return DISAGREES
    return AGREES if (np.abs(deviation) + chance <= resolution).all() else BLUNT


def sentence(deviation: float, error: float, allowed: float, repetitions: float, resolution: float) -> str:
    """Why the verdict of a single comparison is what it is, in one line."""
    verdict = str(single(np.asarray(deviation), np.asarray(allowed * error), np.asarray(resolution)))
    largest = abs(deviation) + allowed * error
    few = f" for {repetitions:g} repetitions" if np.isfinite(repetitions) else ""
    off = f"{verdict}: off by {deviation:+.2g} (z = {deviation / error:.1f}, limit {allowed:.1f}{few})"
    place = "within" if largest <= resolution else "beyond"
    if verdict == DISAGREES and place == "beyond":
        return off
    return f"{off}, at most by {largest:.2g}: {place} the resolution of {resolution:.2g}"


def plain(values: NDArray[Any]) -> Any:
    """A Python scalar from a single value, the array otherwise."""
    return values.item() if np.ndim(values) == 0 else values

r"""Definitions of the verdicts on a measurement and a prediction, such as agrees and disagrees.

The *error* of a deviation is its standard error. The *limit* is the number of standard errors that chance allows: the
quantile of Student's t whose tail probability is that of a normal variable at the threshold (2 by default, with 4.6 %
in both tails together). Few repetitions therefore have a wide limit: 13.97 for two, 2.87 for five. The interval of
deviations that the measurement allows extends from the measured deviation by limit times error to both sides. The
*resolution* is the smallest relevant deviation. The verdict is

* **differs by less than matters** if the interval excludes zero and lies within the resolution on both sides.
* **disagrees** if the interval excludes zero and goes beyond the resolution. This and the verdict before it together
  happen for 4.6 % of correct predictions.
* **agrees** if the interval contains zero and lies within the resolution on both sides. This happens for at most 2.3 %
  of the predictions that are wrong by the resolution or more.
* **too blunt to say** if the interval contains zero and deviations larger than the resolution.

A quantity that is only predicted to lie above (>) or below (<) a number *agrees* if it lies on that side by more than
limit times error, *disagrees* if it lies on the other side by as much, and is *too blunt to say* otherwise.

Several comparisons jointly disagree if one of them is beyond Šidák's limit for their number, which gives 4.6 % for
independent comparisons and less for comparisons that share seeds. They jointly agree if every interval lies within its
resolution.

A number that disagrees with what a paper states is **smaller than the paper's** if our networks or data are smaller and
the plan of the comparison names this as the reason: a size effect, about which the paper says nothing. Only a figure of
a paper has this verdict (:mod:`bridge.results.figure_table`). Nor is it one on the paper where **our set-up differs**:
the table of settings names a difference between the authors' set-up and ours on which the verdict can hang
(:mod:`bridge.results.settings`), where the paper itself takes the sentence back so far (**within the paper's
reservation**), and where the bound that was passed is one that we read into its words (**beyond a bound of ours**).
A sentence with parts of both kinds **holds in part** (:mod:`bridge.results.sentences`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from closedform.checks.arrays import Array
from closedform.checks.numbers import size

AGREES, DISAGREES, BLUNT = "agrees", "disagrees", "too blunt to say"
LESS, SMALLER = "differs by less than matters", "smaller than the paper's"
SET_UP = "our set-up differs"
RESERVED, BEYOND = "within the paper's reservation", "beyond a bound of ours"
IN_PART = "holds in part"
FOR = (AGREES, LESS)
"""The verdicts that speak for a prediction."""
RESOLUTION = 0.1  # of the prediction's magnitude
THRESHOLD = 2.0  # standard errors of a normal variable
WORDS = {
    "z": "the deviation, measured minus predicted, over its standard error.",
    "limit": "the |z| that chance exceeds in 4.6 % of cases: 2 for a known error, more for one from n repetitions.",
    "interval": "the deviations that the measurement allows, from the measured one by limit times error to both sides; "
    "at most is its end that is furthest from zero.",
    "resolution": "the smallest deviation that matters, a tenth of the prediction unless something else is said.",
    AGREES: "the interval contains zero and lies within the resolution on both sides.",
    LESS: "the interval does not contain zero, and lies within the resolution on both sides.",
    DISAGREES: "the interval does not contain zero, and goes beyond the resolution.",
    BLUNT: "the interval contains zero and also deviations larger than the resolution.",
    "> or <": "before a prediction: the quantity is only predicted to lie above or below this number. It agrees if it "
    "lies there by more than limit times error, disagrees if it lies on the other side by as much.",
}
"""The words of a comparison, in the order in which they build on each other."""


@lru_cache(maxsize=256)
def tail(threshold: float, comparisons: int = 1) -> float:
    """Return the probability in one tail beyond which a deviation of so many standard errors is significant."""
    from scipy import special  # takes longer than all that a command needs which compares nothing

    both = 2 * special.ndtr(-threshold)
    return float(-np.expm1(np.log1p(-both) / size("comparisons", comparisons)) / 2)


def allowed(
    standard_error: Array, prediction_error: Array, repetitions: Array, probability: float
) -> Array:
    """Return the deviation ``[...]`` that chance exceeds, in one direction, with at most the given probability.

    Each error times its own quantile adds in quadrature: exact where one of them is zero, and conservative otherwise.
    """
    numbers, places = np.unique(repetitions, return_inverse=True)
    student = np.array([quantile(probability, float(number)) for number in numbers])[
        places
    ].reshape(repetitions.shape)
    with np.errstate(over="ignore"):  # an infinite allowance is too blunt to say anything
        return np.asarray(
            np.hypot(student * standard_error, quantile(probability, np.inf) * prediction_error)
        )


@lru_cache(maxsize=4096)
def quantile(probability: float, repetitions: float) -> float:
    """Return the standard errors beyond which a mean of so many repetitions lies with a probability in one tail."""
    from scipy import special

    return float(
        -special.ndtri(probability)
        if np.isinf(repetitions)
        else -special.stdtrit(repetitions - 1, probability)
    )


def single(
    deviation: Array, chance: Array, resolution: Array, relation: str = "="
) -> NDArray[np.str_]:
    """Return the verdict ``[...]`` of each comparison by itself, of deviations from numbers ("=") or from bounds."""
    if relation == "=":
        is_significant, is_close = (
            np.abs(deviation) > chance,
            np.abs(deviation) + chance <= resolution,
        )
        return np.where(
            is_significant, np.where(is_close, LESS, DISAGREES), np.where(is_close, AGREES, BLUNT)
        )
    is_beyond = deviation > 0 if relation == ">" else deviation < 0
    return np.where(np.abs(deviation) <= chance, BLUNT, np.where(is_beyond, AGREES, DISAGREES))


def together(deviation: Array, chance: Array, joint_chance: Array, resolution: Array) -> str:
    """Return the joint verdict on all comparisons; ``joint_chance`` is the allowance for the largest deviation."""
    is_significant, is_close = (
        np.abs(deviation) > joint_chance,
        np.abs(deviation) + chance <= resolution,
    )
    if (is_significant & ~is_close).any():
        return DISAGREES
    return (LESS if is_significant.any() else AGREES) if is_close.all() else BLUNT


def sentence(
    deviation: float, error: float, allowed: float, repetitions: float, resolution: float
) -> str:
    """Return the verdict of a single comparison and its reason in one line of text."""
    verdict = str(
        single(np.asarray(deviation), np.asarray(allowed * error), np.asarray(resolution))
    )
    largest = abs(deviation) + allowed * error
    source = f" for {repetitions:g} repetitions" if np.isfinite(repetitions) else ""
    text = f"{verdict}: off by {deviation:+.2g} (z = {deviation / error:.1f}, limit {allowed:.1f}{source})"
    where = "within" if largest <= resolution else "beyond"
    if verdict == DISAGREES:
        return text
    return f"{text}, at most by {largest:.2g}: {where} the resolution of {resolution:.2g}"


def plain(values: NDArray[Any]) -> Any:
    """Return a single value as a Python scalar, and any other array unchanged."""
    return values.item() if np.ndim(values) == 0 else values

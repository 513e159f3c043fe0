"""What would decide a comparison that is "too blunt to say": how many repetitions with the same mean and scatter.

The number follows from the verdict itself (:mod:`closedform.verdicts`): it is the smallest number of
repetitions that gives
another verdict if the measured mean and the scatter of the repetitions stay what they are. It takes the mean at its
word; :func:`bridge.power` asks instead how many repetitions detect a deviation of a given size with a given
probability, whatever the mean is now.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from closedform import verdicts
from bridge.statistics.comparison import Comparison
from closedform.verdicts import BLUNT

MANY = 1000  # times the present repetitions; more of them are not counted
FEWEST = 2  # repetitions that have a scatter


@dataclass(frozen=True)
class Undecided:
    """Why a comparison is too blunt to say, and what would decide it.

    Attributes:
        error: standard error of the measurement, in the unit of the quantity.
        repetitions: number of repetitions from which it was estimated; None for a known error.
        needed: number of repetitions that decide, of measurements like this one for a known error; None if even
            ``MANY`` times as many do not.
        needed_error: standard error with ``needed`` repetitions; None where ``needed`` is.
        by_prediction: whether no number of repetitions decides, because the error of the prediction is too large.
    """

    error: float
    repetitions: float | None
    needed: float | None
    needed_error: float | None
    by_prediction: bool

    @property
    def needs(self) -> str:
        """What would decide if mean and scatter stay, in a few words."""
        if self.by_prediction:
            return "a smaller error of the prediction alone"
        if self.needed is None or self.needed_error is None:
            return f"more than {MANY:,} times as many repetitions"
        errors = f"an error of {self.needed_error:.2g} instead of {self.error:.2g}"
        if self.repetitions is None:
            return errors
        return f"{self.needed:g} repetitions instead of {self.repetitions:g} ({errors})"


def undecided(comparison: Comparison, relation: str = "=") -> Undecided | None:
    """Return what would decide a single comparison; None for one that is decided.

    Args:
        comparison: comparison of one number.
        relation: "=" if the number is predicted; ">" or "<" if the quantity is only said to lie above or below it.

    Raises:
        ValueError: for several comparisons, or another relation.
    """
    if comparison.predicted.size != 1:
        raise ValueError(f"comparison: got {comparison.predicted.size} numbers, needs one")
    if relation not in ("=", ">", "<"):
        raise ValueError(f"relation: got {relation!r}, needs '=', '>' or '<'")
    if not _is_blunt(comparison, relation, 1.0):
        return None
    error = float(comparison.spread)
    repetitions = float(comparison.repetitions) if np.isfinite(comparison.repetitions) else None
    present = repetitions or 1.0
    low, high = int(present), int(MANY * present)
    if _is_blunt(comparison, relation, high / present):
        by_prediction = float(comparison.prediction_error) > 0 and _is_blunt(comparison, relation, np.inf)
        return Undecided(error, repetitions, None, None, by_prediction)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _is_blunt(comparison, relation, middle / present) else (low, middle)
    return Undecided(error, repetitions, float(high), float(error * np.sqrt(present / high)), False)


def _is_blunt(comparison: Comparison, relation: str, factor: float) -> bool:
    """Return whether ``factor`` times the repetitions, with the same mean and scatter, would still decide nothing."""
    deviation = np.abs(comparison.measured - comparison.predicted)
    chance = verdicts.allowed(
        comparison.spread / np.sqrt(factor),
        comparison.prediction_error,
        np.maximum(comparison.repetitions * factor, FEWEST),
        verdicts.tail(comparison.threshold),
    )
    if relation != "=":
        return bool(deviation <= chance)
    return str(verdicts.single(deviation, chance, comparison.resolution)) == BLUNT

"""How many repetitions of a fresh run decide a number that is "too blunt to say", if mean and scatter stay the same.

The count is the smallest one that gives another verdict by the rule of :mod:`closedform.verdicts`. They are those of a
run on other seeds: repetitions that are added to those at hand until a verdict appears decide falsely, at 3, 6, 12 and
24 in turn in 14 % of cases instead of 4.6 %. The count takes the measured mean for the true one; :func:`bridge.power`
asks instead how many repetitions detect a deviation of a given size with a given probability, whatever the mean is now.
"""

from __future__ import annotations

from dataclasses import replace

from closedform.measured import Measured
from closedform.verdicts import BLUNT

MANY = 1000  # times the present repetitions; more of them are not counted


def needed(measured: Measured) -> float | None:
    """Return the number of repetitions that would decide, or None if even ``MANY`` times the present ones do not.

    For a known error it is the number of measurements like this one.

    Args:
        measured: a number whose verdict is "too blunt to say".
    """
    present = measured.n or 1
    low, high = int(present), int(MANY * present)
    if _repeated(measured, high / present).verdict == BLUNT:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _repeated(measured, middle / present).verdict == BLUNT else (low, middle)
    return float(high)


def what_would_decide(measured: Measured) -> str:
    """Return what decides if mean and scatter stay, in a few words; empty for a number that is decided."""
    if measured.verdict != BLUNT or measured.error is None:
        return ""
    count = needed(measured)
    if count is None:
        by_prediction = measured.prediction_error > 0 and replace(measured, error=0.0).verdict == BLUNT
        return "a smaller error of the prediction alone" if by_prediction else f"more than {MANY:,} times as many"
    error = measured.error * ((measured.n or 1) / count) ** 0.5
    errors = f"an error of {error:.2g} instead of {measured.error:.2g}"
    return errors if measured.n is None else f"a fresh run of {count:g} instead of {measured.n:g} ({errors})"


def _repeated(measured: Measured, factor: float) -> Measured:
    """Return the number as it would be with ``factor`` times the repetitions, with the same mean and scatter."""
    n = None if measured.n is None else max(measured.n * factor, 2)
    return replace(measured, error=(measured.error or 0.0) / factor**0.5, n=n)

"""Ties of the largest score: classes whose scores are equal up to rounding share the first place equally.

If two class means coincide, or a sample lies half-way between them, the order of the scores depends on the last bits
and thus on the processor. Counts over samples are therefore expectations: every tied class has the probability with
which it would be drawn from the tied classes.
"""

from __future__ import annotations

from torch import Tensor


def shares_of_first_place(scores: Tensor, rounding: Tensor) -> Tensor:
    """Return the share of every class in the first place, ``[sample, class]``, float64: 1/k for k tied classes.

    Args:
        scores: scores ``[sample, class]``; minus infinity excludes a class.
        rounding: difference of two scores that rounding may cause, ``[sample]``, in units of the scores.
    """
    tied = scores >= scores.amax(1, keepdim=True) - rounding[:, None]
    return tied.double() / tied.sum(1, keepdim=True)

"""The class with the largest score, where several share the first place to rounding: each then has an equal share.

Two class means that coincide, or a sample half-way between two, leave the order of the scores to the last bits, which
depend on the processor. What is counted over samples is therefore an expectation: the chance of each class if one of
the tied ones is drawn.
"""

from __future__ import annotations

from torch import Tensor


def shares_of_first_place(scores: Tensor, rounding: Tensor) -> Tensor:
    """Share of each class in the first place, ``[sample, class]``, float64: 1/k for each of k tied classes.

    Args:
        scores: ``[sample, class]``; minus infinity for a class that does not take part.
        rounding: difference of two scores that rounding may cause, ``[sample]``, in their units.
    """
    tied = scores >= scores.amax(1, keepdim=True) - rounding[:, None]
    return tied.double() / tied.sum(1, keepdim=True)

"""Sums over finite alphabets, written out term by term, against which statements on information are checked.

Nothing of ``theory.collapse.usable_information`` is used here.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

Joint = dict[tuple[int, ...], float]
Information = Callable[[Any, Any], float]

LOPSIDED: Joint = {(0, 0): 0.5, (0, 1): 0.125, (1, 0): 0.0625, (1, 1): 0.1875, (2, 1): 0.125}
"""Probabilities of (a, b), with different entropies of a given b and of b given a."""

INPUTS = (0, 0, 1, 1, 2, 2, 3, 3)
"""Value of the input at each of eight outcomes of an experiment: four inputs, each with two labels."""
LABELS = (0, 1, 0, 1, 0, 1, 0, 1)
CHANCES = (0.36, 0.04, 0.27, 0.03, 0.04, 0.16, 0.02, 0.08)
"""Probabilities of the outcomes: two inputs have the label 0 in nine cases of ten, two the label 1 in eight of ten."""
CERTAIN = (0.4, 0, 0.3, 0, 0, 0.2, 0, 0.1)
"""The same without noise of the labels."""
ALIKE = (0, 0, 1, 1)
"""The minimal sufficient representation: which inputs have one distribution of labels."""


def marginal(joint: Joint, *places: int) -> Joint:
    """Probabilities of the components at ``places``."""
    sums: Joint = {}
    for values, p in joint.items():
        key = tuple(values[i] for i in places)
        sums[key] = sums.get(key, 0.0) + p
    return sums


def bits(probabilities: Iterable[float]) -> float:
    """Entropy in bits."""
    return math.fsum(-p * math.log2(p) for p in probabilities if p > 0)


def conditional_entropy(joint: Joint, of: int, given: int) -> float:
    """Entropy in bits of one component given another."""
    return bits(marginal(joint, of, given).values()) - bits(marginal(joint, given).values())


def information(joint: Joint, one: int, other: int) -> float:
    """Mutual information in bits of two components, by their entropies."""
    together = bits(marginal(joint, one, other).values())
    return bits(marginal(joint, one).values()) + bits(marginal(joint, other).values()) - together


def information_between(chances: Sequence[float]) -> Information:
    """The mutual information in bits of two variables that are given by their values at each outcome.

    It is rounded to 12 digits, so that equal informations compare as equal.

    Args:
        chances: probabilities of the outcomes.
    """

    def between(one: Sequence[float], other: Sequence[float]) -> float:
        joint: Joint = {}
        for left, right, p in zip(one, other, chances, strict=True):
            key = (int(left), int(right))
            joint[key] = joint.get(key, 0.0) + p
        return round(information(joint, 0, 1), 12)

    return between


def at_outcomes(function: Sequence[int]) -> tuple[int, ...]:
    """The values of a function of the input at the eight outcomes."""
    return tuple(function[value] for value in INPUTS)


def every_function(size: int) -> list[tuple[int, ...]]:
    """All functions of a set of ``size`` values, up to the names of their values: information knows no names."""
    functions = itertools.product(range(size), repeat=size)
    # Values are named in the order in which they first occur.
    return [f for f in functions if all(value <= max(f[:i], default=-1) + 1 for i, value in enumerate(f))]

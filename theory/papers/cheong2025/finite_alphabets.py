"""Sums over finite alphabets, written out term by term: what statements on information are held against.

Nothing of ``theory.collapse.usable_information`` is used here.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence

Joint = dict[tuple[int, ...], float]

LOPSIDED: Joint = {(0, 0): 0.5, (0, 1): 0.125, (1, 0): 0.0625, (1, 1): 0.1875, (2, 1): 0.125}
"""Probabilities of (a, b), with different entropies of a given b and of b given a."""


def marginal(joint: Joint, *places: int) -> Joint:
    """Probabilities of the components at ``places``."""
    found: Joint = {}
    for values, p in joint.items():
        key = tuple(values[i] for i in places)
        found[key] = found.get(key, 0.0) + p
    return found


def bits(probabilities: Iterable[float]) -> float:
    """Entropy in bits."""
    return math.fsum(-p * math.log2(p) for p in probabilities if p > 0)


def conditional_entropy(joint: Joint, of: int, given: int) -> float:
    """Entropy in bits of one component given another."""
    return bits(marginal(joint, of, given).values()) - bits(marginal(joint, given).values())


def information(joint: Joint, one: int, other: int) -> float:
    """Mutual information in bits of two components, as the sum of Eq. (1.1)."""
    left, right, both = marginal(joint, one), marginal(joint, other), marginal(joint, one, other)
    return math.fsum(p * math.log2(p / (left[a,] * right[b,])) for (a, b), p in both.items() if p > 0)


def uniform(values: Sequence[int], *maps: Callable[[int], int]) -> Joint:
    """Joint probabilities of x, uniform on ``values``, and functions of x."""
    joint: Joint = {}
    for x in values:
        key = (x, *(f(x) for f in maps))
        joint[key] = joint.get(key, 0.0) + 1 / len(values)
    return joint


def every_function(size: int) -> Iterable[tuple[int, ...]]:
    """All functions of a set of ``size`` values, up to the names of their values: information knows no names."""
    functions = itertools.product(range(size), repeat=size)
    # Values are named in the order in which they first occur.
    return (f for f in functions if all(value <= max(f[:i], default=-1) + 1 for i, value in enumerate(f)))

"""Algorithm 2 as printed and as corrected, and what its relabellings are; Section 2.2."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from theory.core import Algorithm
from theory.core.ledger.ledger import printed_algorithm
from theory.papers.cheong2025.finite_alphabets import bits

CORRECTED = Algorithm("\n".join(printed_algorithm(__package__, "Algorithm 2, range of i", "corrected")))
SIZES = ((27, 2, 5), (2, 5, 27), (8, 20, 3))
"""Of three classes: the largest first and last, a power of three and not."""


def logarithm(number: int, base: int) -> float:
    """Logarithm that is exact for powers of the base."""
    power = round(math.log(number, base))
    return power if base**power == number else math.log(number, base)


def digits(number: int, base: int) -> list[int]:
    """Digits with leading zeros, the last one first, from numpy's text of the number."""
    return [int(digit) for digit in reversed(np.base_repr(number, base).zfill(40))]


def relabelled(algorithm: Algorithm, sizes: Sequence[int]) -> dict[tuple[int, int], list[int]]:
    """New labels of each sample, by class from 1 and index.

    Args:
        algorithm: the printed lines.
        sizes: of the classes.
    """
    names: dict[str, Any] = {"ceil": math.ceil, "log": logarithm, "in_base": digits, "r": {}}
    space = algorithm.run(C=len(sizes), n=dict(enumerate(sizes, 1)), **names)
    labels: dict[tuple[int, int], list[int]] = space["r"]
    return labels


def errors(algorithm: Algorithm) -> Any:
    """For three sets of class sizes: how many samples are relabelled, and the sum of |sum_k y_k C^k - i| over them."""
    rows = []
    for sizes in SIZES:
        labels = relabelled(algorithm, sizes)
        gaps = [abs(sum(y * 3**k for k, y in enumerate(new)) - i) for (_, i), new in labels.items()]
        rows.append([len(labels), sum(gaps)])
    return np.array(rows, dtype=float)


def entropy_of_digit(size: int, base: int, k: int) -> float:
    """Entropy in nats of a digit of the indices 0 to size - 1, by counting."""
    column = [digits(i, base)[k] for i in range(size)]
    return bits([column.count(value) / size for value in range(base)]) * math.log(2)

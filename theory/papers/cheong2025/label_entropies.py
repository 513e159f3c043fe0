r"""Section 2.2: entropies of labels and of relabellings."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from theory.core import numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.numbers.evaluation import evaluate
from theory.papers.cheong2025.algorithm_2 import (
    entropy_of_digit,
)
from theory.papers.cheong2025.conditions import exactly_where
from theory.papers.cheong2025.finite_alphabets import bits


def digits_of_classes() -> Iterator[dict[str, Any]]:
    """Entropies in nats of the digits of indices."""
    for base, size, digit in (
        (10, 1000, 2),
        (10, 600, 0),
        (10, 600, 1),
        (10, 600, 2),
        (3, 27, 2),
        (3, 18, 2),
        (2, 6, 1),
    ):
        yield {"C": base, "n_c": size, "k": digit, "entropy_k": entropy_of_digit(size, base, digit)}


def sized(*choices: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    """Class sizes with the entropy of the label in nats."""
    for sizes in choices:
        yield {
            "C": len(sizes),
            "N": sum(sizes),
            "n": lambda c, sizes=sizes: sizes[int(c) - 1],
            "entropy_y": bits(size / sum(sizes) for size in sizes) * math.log(2),
        }


def any_labels() -> Iterator[dict[str, Any]]:
    """Balanced and imbalanced classes."""
    return sized((3, 3, 3), (1, 2, 5), (4, 4), (7, 1, 1, 1))


def balanced_labels() -> Iterator[dict[str, Any]]:
    """Balanced classes."""
    return sized((3, 3, 3), (4, 4), (2, 2, 2, 2, 2))


PROGRAMS: Programs = {
    "2.2 balanced relabellings": Program(
        exactly_where(digits_of_classes, "counting digits"),
        lambda: entropy_of_digit(600, 10, 2),
        value=lambda statement: evaluate(statement.rhs, {"C": 10}),
    ),
    "2.2 entropy of the labels": numerically(any_labels, "entropy in bits"),
    "2.2 entropy of balanced labels": numerically(balanced_labels, "both sums"),
    "2.2 largest entropy": numerically(balanced_labels, "the sum"),
    "2.2 maximal entropy": numerically(any_labels, "entropy in bits"),
}

r"""Section 2.2: entropies of labels and of relabellings."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import sympy as sp

from theory.core import Finding, Witness, equal, numerically
from theory.core.numbers.evaluation import evaluate
from theory.papers.cheong2025.algorithm_2 import (
    entropy_of_digit,
)
from theory.papers.cheong2025.conditions import exactly_where
from theory.papers.cheong2025.finite_alphabets import bits
from theory.papers.cheong2025.labelled_features import C, N, c, n
from theory.papers.cheong2025.paper import entry

n_c, k = sp.symbols("n_c k", integer=True, positive=True)
entropy_y, entropy_k = sp.symbols("entropy_y entropy_k", real=True)


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


shares = -sp.Sum(n(c) / N * sp.log(n(c) / N), (c, 1, C))
equal_shares = -sp.Sum(sp.log(1 / C, evaluate=False) / C, (c, 1, C))

EQUATIONS = (
    entry(
        "2.2 balanced relabellings",
        "2.2",
        "A balanced dataset also results in each relabelling being balanced: its entropy is log C, for digit k.",
        Finding.CONDITIONAL,
        "Digits of indices from 0, counted.",
        printed=equal(entropy_k, sp.log(C)),
        condition=equal(sp.Mod(n_c, C ** (k + 1)), 0),
        prove=exactly_where(digits_of_classes, "counting digits"),
        witness=Witness(
            {C: 10, n_c: 600, k: 2},
            lambda: entropy_of_digit(600, 10, 2),
            value=lambda statement: evaluate(statement.rhs, {"C": 10}),
        ),
        consequence="The settings of Section 2.3, 1000 samples a class, are such a case. Elsewhere the entropy of the "
        "leading digits is below log C, and a term computed with log C is too large.",
    ),
    entry(
        "2.2 entropy of the labels",
        "2.2",
        "The entropy of the label from the class sizes.",
        Finding.CONFIRMED,
        "Balanced and imbalanced classes.",
        printed=equal(entropy_y, shares),
        prove=numerically(any_labels, "entropy in bits"),
    ),
    entry(
        "2.2 entropy of balanced labels",
        "2.2",
        "For balanced classes all shares are 1/C.",
        Finding.CONFIRMED,
        "Three balanced sets.",
        printed=equal(shares, equal_shares),
        prove=numerically(balanced_labels, "both sums"),
    ),
    entry(
        "2.2 largest entropy",
        "2.2",
        "The entropy of uniform labels is log C.",
        Finding.CONFIRMED,
        "A sum of C equal terms.",
        printed=equal(equal_shares, sp.log(C)),
        prove=numerically(balanced_labels, "the sum"),
    ),
    entry(
        "2.2 maximal entropy",
        "2.2",
        "A balanced dataset maximises the entropy.",
        Finding.CONFIRMED,
        "Balanced and imbalanced classes.",
        printed=sp.Le(entropy_y, sp.log(C)),
        prove=numerically(any_labels, "entropy in bits"),
    ),
)

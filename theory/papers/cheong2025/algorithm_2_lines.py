r"""Section 2.2: Algorithm 2, executed as printed, and Figure 2.2."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from theory.collapse.minimality_term import relabelled_information
from theory.core import Algorithm, Check, Claim, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import chosen, is_close, stating
from theory.core.numbers.evaluation import evaluate
from theory.papers.cheong2025.algorithm_2 import (
    CORRECTED,
    digits,
    errors,
    logarithm,
    relabelled,
)
from theory.papers.cheong2025.conditions import allowed_words, apart
from theory.papers.cheong2025.notation import letters

ceil = letters("ceil")
FAMILY = [np.array([[1 - p, p], [1 - q, q]]) for p, q in itertools.product((0.0, 0.3, 0.5, 1.0), repeat=2)]
CROSSED = {"representation": [0, 1, 0, 1], "labels": [0, 0, 1, 1], "new_labels": [0, 1, 1, 0]}
"""Four samples of two classes, whose new labels follow the representation in one class and oppose it in the other."""


def numbers_of_digits() -> Iterator[dict[str, Any]]:
    """Class sizes with the digits that their last index, counted from 0, is written with."""
    functions = {"ceil": math.ceil, "log_base": lambda size, base: logarithm(int(size), int(base))}
    for base, size in itertools.product((2, 3, 5, 10), (1, 2, 3, 4, 5, 9, 10, 26, 27, 28, 125, 1000, 1001)):
        yield {**functions, "n_max": size, "C": base, "N_D": len(np.base_repr(size - 1, base))}


def rebuilds(algorithm: Algorithm) -> tuple[Check, ...]:
    """Every sample gets labels, which rebuild its index."""
    return (Check("three sets of sizes", lambda: bool(np.array_equal(errors(algorithm), rebuilt())), "digits"),)


def rebuilt() -> Any:
    """How many samples there are, and no error, from texts of the indices."""
    wrong = sum(abs(int(np.base_repr(i, 3), 3) - i) for i in range(27))
    return np.array([[34.0, wrong], [34.0, wrong], [31.0, wrong]])


def samples_of_each_class() -> int:
    """How many samples of each of three balanced classes wear one vector label; 0 if the labels are not theirs."""
    labels = relabelled(CORRECTED, (20, 20, 20))
    worn = Counter((tuple(new), of_class) for (of_class, _), new in labels.items())
    groups = {vector for vector, _ in worn}
    (number,) = set(worn.values())
    return number if len(worn) == 3 * len(groups) and len(groups) == 20 else 0


SHARED = {"decoders of its own": False, "the decoders of all classes": True}
COMPUTES = {"computes": True, "does not compute": False}


def computes_the_term(sentence: Claim | Given) -> tuple[Check, ...]:
    """Usable information on one relabelling by decoders that the classes share, or that each class has of its own."""
    claim, condition = apart(sentence)
    kinds = allowed_words(condition, "decoders", tuple(SHARED))

    def agrees(kind: str) -> bool:
        return is_close(by_network(SHARED[kind]), 1.0) is chosen(claim, "term", COMPUTES)

    return (Check("four samples", lambda: for_all(kinds, agrees), "one bit in each class"),)


def by_network(shared: bool) -> float:
    """Usable information in bits on the crossed labels."""
    return float(relabelled_information(**CROSSED, classes=2, decoders=FAMILY, shared=shared))


PROGRAMS: Programs = {
    "Algorithm 2, number of labels": Program(
        numerically(numbers_of_digits, "numpy's base representation"),
        lambda: float(len(digits(0, 10)[:1])),
        value=lambda statement: evaluate(statement.rhs, {**next(iter(numbers_of_digits())), "n_max": 1, "C": 10}),
    ),
    "Algorithm 2, range of i": Program(rebuilds, rebuilt, errors),
    "2.2 vector labels": stating({"samples": samples_of_each_class}, "counting"),
    "Figure 2.2": Program(
        computes_the_term,
        lambda: by_network(shared=True),
        value=lambda claim: float(chosen(claim, "term", COMPUTES)),
    ),
}

r"""Section 2.1: storage, Theorem 4 and Eq. (2.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from theory.collapse.exact import exact_nc1, exact_two_pass_nc1
from theory.core import Check, Claim, for_all
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import chosen, is_close, stating
from theory.core.numbers.evaluation import evaluate
from theory.papers.cheong2025.algorithm_1 import definition, lines, value_of
from theory.papers.cheong2025.conditions import apart
from theory.papers.cheong2025.costs import cost
from theory.papers.cheong2025.networks import shapes
from theory.papers.cheong2025.notation import letters

samples, classes, dimension, encoder = letters("N_pos C_pos D E")
SIZES = [
    (n, c, d, e) for n in (100, 300) for c, d, e in ((2, 50, 1), (2, 50, 5000), (30, 40, 1), (30, 4000, 1), (100, 1, 1))
]


FACTOR = 4  # of the operations per sample over E + CD


RATIONAL = [[1, 2, 0], [3, 1, 1], ["1/2", 5, 2], [2, 2, 7], [0, 1, 4], [6, "1/3", 1]]


def takes(claim: Claim) -> tuple[Check, ...]:
    """Storage of the first representation of f_+ on CIFAR-10, for several numbers of samples."""
    size = int(np.prod(shapes("f_+", "CIFAR-10")[0]))

    def is_right(count: int) -> bool:
        return bool(claim["bytes"].subs({samples: count, dimension: size}) == count * size * claim["bits"] / 8)

    gibibytes = claim["bytes"].subs({samples: 50_000, dimension: size}) / 2**30
    return (
        Check("size", lambda: is_close(float(claim["size"]), size), "arithmetic of sizes"),
        Check("bytes", lambda: for_all((1, 7, 50_000), is_right), "8 bits a byte"),
        Check("gibibytes", lambda: bool(round(gibibytes) == claim["gibibytes"]), "arithmetic"),
    )


def multiplies(claim: Claim) -> tuple[Check, ...]:
    """Products of numbers in the rows-by-columns product of two D by D matrices."""
    counts = {size: sum(1 for _ in np.ndindex(size, size, size)) for size in (2, 3, 5)}
    return (Check("counted", lambda: all(claim["cost"].subs(dimension, d) == n for d, n in counts.items()), "loops"),)


COMPUTES = {"correctly computes": True, "does not compute": False}


def is_right_with(sentence: Claim | Given) -> tuple[Check, ...]:
    """What Algorithm 1 returns for nine samples, with the lines corrected that the condition names."""
    claim, condition = apart(sentence)
    named = condition.values.values() if isinstance(condition, Claim) else ()

    def holds() -> bool:
        right = is_close(value_of(lines(1, 20, corrected=[int(k) for k in named])), definition())
        return right is chosen(claim, "is", COMPUTES)

    return (Check("run on nine samples", holds, "numpy's pseudo-inverse"),)


def grows_as(sentence: Claim | Given) -> tuple[Check, ...]:
    """Operations and numbers of Algorithm 1, line by line, over what is printed."""
    claim, condition = apart(sentence)
    cases = [dict(zip("NCDE", size, strict=True)) for size in SIZES]
    allowed = [case for case in cases if evaluate(condition, case)]

    def is_bounded(case: dict[str, Any]) -> bool:
        spent = cost(**case)
        time, space = (float(evaluate(claim[name], case)) for name in ("time", "space"))
        return 0 < spent.time <= FACTOR * time and 0 < spent.space <= space

    return (Check("sizes", lambda: for_all(allowed, is_bounded), "lines executed on shapes"),)


def can_be_extended() -> bool:
    """The two passes with means weighted by class sizes, against the definition, in exact numbers."""

    def agrees(labels: list[int]) -> bool:
        return bool(exact_two_pass_nc1(RATIONAL, labels) == exact_nc1(RATIONAL, labels))

    return for_all([[0, 0, 0, 1, 1, 2], [1, 0, 0, 0, 0, 2]], agrees)


PROGRAMS: Programs = {
    "2.1 storage": takes,
    "2.1 direct cost": multiplies,
    "Theorem 4, correctness": Program(
        is_right_with,
        lambda: value_of(lines(1, 20, corrected=())),
        value=lambda claim: definition() if chosen(claim, "is", COMPUTES) else 0.0,
    ),
    "Theorem 4, cost": Program(
        grows_as,
        lambda: float(cost(100, 100, 1, 1).space),
        value=lambda claim: float(evaluate(claim["space"], {"C": 100, "D": 1})),
    ),
    "2.1 imbalanced": stating({"can": lambda: "can" if can_be_extended() else "cannot"}, "exact numbers"),
}

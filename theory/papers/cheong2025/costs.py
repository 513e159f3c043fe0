"""What Algorithm 1 costs: its corrected lines, executed on objects that have a shape, no numbers, and count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from theory.core import numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.proving import stating
from theory.papers.cheong2025.algorithm_1 import lines
from theory.papers.cheong2025.notation import counted

FACTOR = 4  # that O stands for


class Tally:
    """Operations on single numbers, numbers of the largest array, and what else is counted."""

    def __init__(self) -> None:
        self.operations = self.largest = self.evaluations = self.additions = 0
        self.products: list[int] = []


class Shaped:
    """A matrix or vector without numbers.

    Args:
        tally: what counts its operations.
        rows, columns: its shape; a vector has one column.
    """

    def __init__(self, tally: Tally, rows: int, columns: int = 1) -> None:
        self.tally, self.rows, self.columns = tally, rows, columns
        tally.largest = max(tally.largest, rows * columns)

    def _elementwise(self, _: Any) -> Shaped:
        self.tally.operations += self.rows * self.columns
        return Shaped(self.tally, self.rows, self.columns)

    __rmul__ = __sub__ = __truediv__ = __pow__ = _elementwise

    def __add__(self, other: Any) -> Shaped:
        self.tally.additions += 1
        return self._elementwise(other)

    __radd__ = __add__

    def __matmul__(self, other: Shaped) -> Shaped:
        assert self.columns == other.rows
        self.tally.products.append(self.rows * self.columns * other.columns)
        self.tally.operations += self.tally.products[-1]
        return Shaped(self.tally, self.rows, other.columns)

    @property
    def T(self) -> Shaped:
        """The transpose."""
        return Shaped(self.tally, self.columns, self.rows)


class Cost(NamedTuple):
    """What one run costs."""

    time: int
    """Operations on single numbers, with E for each evaluation of the encoder."""
    space: int
    """Numbers of the largest array."""
    first: int
    """Operations of lines 1 to 5."""
    between: int
    """Operations of lines 6 to 15."""
    evaluations: tuple[int, int]
    """Evaluations of the encoder in the first and in the second pass."""
    additions: int
    """Sums of vectors in the first pass."""
    products: list[int]
    """Operations of each matrix product: M'M, and those of the samples."""


@cache
def cost(N: int, C: int, D: int, E: int) -> Cost:
    """The cost of the corrected algorithm for N samples of C classes in D dimensions; the rank is min(C - 1, D).

    An eigendecomposition of a C by C matrix counts as C^3 operations.
    """
    tally, rank = Tally(), min(C - 1, D)

    def encoder(_: Any) -> Shaped:
        tally.evaluations += 1
        tally.operations += E
        return Shaped(tally, D)

    def norm(vector: Shaped) -> Shaped:
        tally.operations += vector.rows
        return Shaped(tally, 1)

    def eigendecomposition(gram: Shaped) -> tuple[Mapping[tuple[int, int], float], None]:
        tally.operations += gram.rows**3
        return dict.fromkeys(((i, j) for i in range(1, C + 1) for j in range(1, C + 1)), 0.0), None

    names: dict[str, Any] = {
        "N": N,
        "C": C,
        "f": encoder,
        "s": {},
        "mu": {},
        "x": dict.fromkeys(range(1, N + 1)),
        "y": {n: 1 + (n - 1) % C for n in range(1, N + 1)},
        "columns": lambda vectors: Shaped(tally, D, len(vectors)),
        "matrix": lambda rows: Shaped(tally, len(rows), len(rows[0])),
        "vector": lambda values: Shaped(tally, len(values)),
        "norm": norm,
        "diagonal": lambda _: {k: float(k <= rank) for k in range(1, C + 1)},
        "eigendecomposition": eigendecomposition,
    }
    counts = []
    for first, last in ((1, 5), (6, 15), (16, 20)):
        names = dict(lines(first, last).run(**names))
        counts.append((tally.operations, tally.evaluations, tally.additions))
    (one, seen, added), (two, _, _), (time, all_seen, _) = counts
    return Cost(time, tally.largest, one, two - one, (seen, all_seen - seen), added, tally.products)


def sizes() -> Iterator[dict[str, Any]]:
    """Samples, classes, dimensions and costs of the encoder, with those of the algorithm; C is up to 100 times D."""
    shapes = ((2, 50, 0), (2, 50, 5000), (3, 40, 50), (30, 30, 1), (30, 400, 1), (100, 1, 1))
    for N in (100, 300):
        for C, D, E in shapes:
            spent = cost(N, C, D, E)
            known = {"N": N, "C": C, "D": D, "E": E, "R": min(C - 1, D), "spent": spent}
            yield {**known, "time": spent.time, "space": spent.space, "O": lambda value: FACTOR * value}


def few_classes() -> list[dict[str, Any]]:
    """Those with fewer classes than dimensions."""
    return [case for case in sizes() if case["C"] < case["D"]]


def ranks() -> Iterator[dict[str, Any]]:
    """Every rank R that a matrix of C centred columns in D dimensions can have."""
    for C, D in np.ndindex(18, 19):
        yield from ({"C": C + 2, "D": D + 1, "R": R} for R in range(min(C + 1, D + 1) + 1))


def growth() -> str:
    """How operations between the passes grow with D: differences of equal steps are equal, or grow."""
    spent = np.array([[cost(30, count, d, 0).between for d in (100, 200, 300, 400)] for count in (2, 3, 5)])
    return "quadratic" if np.diff(spent, 2).any() else "at most linear"


def loops(case: Any) -> int:
    """Products of numbers in the rows-by-columns product of two D by D matrices."""
    return sum(1 for _ in np.ndindex(*[case["D"]] * 3))


SHAPES = "lines executed on shapes"

PROGRAMS: Programs = {
    "2.1 direct cost": counted(lambda: [{"D": size} for size in (2, 3, 5)], {"cost": loops}, "three loops"),
    "Theorem 4, cost": numerically(sizes, SHAPES),
    "B.1 space": counted(few_classes, {"numbers": lambda case: case["spent"].space}, SHAPES),
    "B.1 first pass": counted(
        few_classes,
        {
            "evaluations": lambda case: case["spent"].evaluations[0],
            "additions": lambda case: case["spent"].additions,
        },
        SHAPES,
    ),
    "B.1 between the passes": stating({"growth": growth}, SHAPES),
    "B.1 second pass": counted(
        few_classes,
        {
            "evaluations": lambda case: case["spent"].evaluations[1],
            "first": lambda case: case["spent"].products[1],
            "then": lambda case: case["spent"].products[-1],
        },
        SHAPES,
    ),
    "B.1 cost of the projections": numerically(ranks, "counting"),
}

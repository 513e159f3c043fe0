"""What Algorithm 1 costs: its corrected lines, executed on objects that have a shape, no numbers, and count."""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from papers.cheong2025.ledger.algorithm_1 import lines
from papers.cheong2025.ledger.notation import agreed, counted
from theory.core import Programs, numerically, stating

FACTOR = 4  # that O stands for


class Shaped:
    """A matrix or vector without numbers, which counts the operations on it, and its numbers, in a tally."""

    def __init__(self, tally: Counter[Any], rows: int, columns: int = 1) -> None:
        self.tally, self.rows, self.columns = tally, rows, columns
        tally["space"] = max(tally["space"], rows * columns)

    def _elementwise(self, _: Any) -> "Shaped":
        self.tally["time"] += self.rows * self.columns
        return Shaped(self.tally, self.rows, self.columns)

    __rmul__ = __sub__ = __truediv__ = __pow__ = _elementwise

    def __add__(self, other: Any) -> "Shaped":
        self.tally["additions"] += 1
        return self._elementwise(other)

    __radd__ = __add__

    def __matmul__(self, other: "Shaped") -> "Shaped":
        assert self.columns == other.rows
        operations = self.rows * self.columns * other.columns
        self.tally["time"] += operations
        self.tally["product", self.rows, self.columns] = operations
        return Shaped(self.tally, self.rows, other.columns)

    @property
    def T(self) -> "Shaped":
        """The transpose."""
        return Shaped(self.tally, self.columns, self.rows)


@cache
def cost(N: int, C: int, D: int, E: int) -> tuple[Counter[Any], ...]:
    """What the corrected algorithm costs for N samples of C classes in D dimensions; the rank is min(C - 1, D).

    Counted after lines 5, 15 and 20; an eigendecomposition of a C by C matrix as C^3 operations, the encoder as E.
    """
    tally: Counter[Any] = Counter()
    rank = min(C - 1, D)

    def encoder(_: Any) -> "Shaped":
        tally.update(evaluations=1, time=E)
        return Shaped(tally, D)

    def norm(vector: Shaped) -> "Shaped":
        tally["time"] += vector.rows
        return Shaped(tally, 1)

    def eigendecomposition(gram: Shaped) -> tuple[Mapping[tuple[int, int], float], None]:
        tally["time"] += gram.rows**3
        return dict.fromkeys(
            ((i, j) for i, j in product(range(1, C + 1), range(1, C + 1))), 0.0
        ), None

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
    for part in ((1, 5), (6, 15), (16, 20)):
        names = dict(lines(*part).run(**names))
        counts.append(tally.copy())
    return tuple(counts)


def sizes() -> Iterator[dict[str, Any]]:
    """The lines executed on shapes that count operations, C up to 100 times D; samples and encoder are not."""
    shapes = ((2, 50, 0), (2, 50, 5000), (3, 40, 50), (30, 30, 1), (30, 400, 1), (100, 1, 1))
    for N, (C, D, E) in itertools.product((100, 300), shapes):
        first, _, last = cost(N, C, D, E)
        known = {
            "N": N,
            "C": C,
            "D": D,
            "E": E,
            "R": min(C - 1, D),
            "O": lambda value: FACTOR * value,
        }
        yield {**known, "time": last["time"], "space": last["space"], "first": first, "last": last}


def few_classes() -> list[dict[str, Any]]:
    """The lines executed on shapes, for C below D. Samples are not counted."""
    return [case for case in sizes() if case["C"] < case["D"]]


def ranks() -> Iterator[dict[str, Any]]:
    """Every rank R that a matrix of C centred columns in D dimensions can have."""
    for C, D in np.ndindex(18, 19):
        yield from ({"C": C + 2, "D": D + 1, "R": R} for R in range(min(C + 1, D + 1) + 1))


def growth() -> str:
    """Operations of lines 6 to 15, executed on shapes. M'M costs C^2 D of them and its eigenvectors C^3."""
    classes, dimensions = (2, 3, 5), (100, 200, 300, 400)
    between = np.empty((len(classes), len(dimensions)))
    for (row, C), (column, D) in product(enumerate(classes), enumerate(dimensions)):
        before, after = cost(30, C, D, 0)[:2]
        between[row, column] = after["time"] - before["time"]
    return agreed([np.diff(between, 2).any()], "quadratic", "at most linear")


PROGRAMS: Programs = {
    "2.1 direct cost": counted(
        lambda: [{"D": size} for size in (2, 3, 5)],
        cost=lambda case: len(list(np.ndindex(*[case["D"]] * 3))),
    ),
    "Theorem 4, cost": numerically(sizes),
    "B.1 space": counted(few_classes, numbers=lambda case: case["space"]),
    "B.1 first pass": counted(
        few_classes,
        evaluations=lambda case: case["first"]["evaluations"],
        additions=lambda case: case["first"]["additions"],
    ),
    "B.1 between the passes": stating(growth=growth),
    "B.1 second pass": counted(
        few_classes,
        evaluations=lambda case: case["last"]["evaluations"] - case["first"]["evaluations"],
        first=lambda case: case["last"]["product", case["C"], case["D"]],
        then=lambda case: case["last"]["product", case["R"], case["C"]],
    ),
    "B.1 cost of the projections": numerically(ranks),
}

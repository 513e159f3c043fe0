"""What Algorithm 1 costs: its corrected lines, executed on objects that have a shape, no numbers, and count."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from theory.papers.cheong2025.algorithm_1 import lines


class Tally:
    """Operations on single numbers, numbers of the largest array, and evaluations and sums of representations."""

    def __init__(self) -> None:
        self.operations = self.largest = self.evaluations = self.additions = 0


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
        self.tally.operations += self.rows * self.columns * other.columns
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
    second: int
    """Operations of lines 16 to 20."""
    evaluations: tuple[int, int]
    """Evaluations of the encoder in the first and in the second pass."""
    additions: int
    """Sums of vectors in the first pass."""


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
    (one, seen, added), (two, _, _), (three, all_seen, _) = counts
    return Cost(three, tally.largest, one, two - one, three - two, (seen, all_seen - seen), added)

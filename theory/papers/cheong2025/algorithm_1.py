"""Algorithm 1 as printed and as corrected, and how it is run on nine samples; Sections 2.1 and B.1.

The text that was read has no indentation. Lines 3 to 5 are read inside the loop of line 1, where ``c`` has a value, and
lines 17 to 19 inside that of line 16. Line 18 names its vector by an index ``i`` that nothing sets; here that is part
of the name. Line 11 names the diagonal, and line 10 calls an eigendecomposition.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

import numpy as np

from theory.core import Algorithm
from theory.core.ledger.ledger import printed_algorithm
from theory.papers.cheong2025.covariances import Array, metric

LINES, CORRECTED = (printed_algorithm(__package__, "Algorithm 1", form) for form in ("printed", "corrected"))
FAULTS = tuple(k for k, (line, other) in enumerate(zip(LINES, CORRECTED, strict=True), 1) if line != other)
"""The class c of line 17 is that of sample n; after line 8 it is C."""


def lines(first: int, last: int, corrected: Collection[int] = FAULTS) -> Algorithm:
    """Some lines of the algorithm.

    Args:
        first: number of the first one, from 1.
        last: number of the last one.
        corrected: which of them are as corrected.
    """
    chosen = [(CORRECTED if k in corrected else LINES)[k - 1] for k in range(first, last + 1)]
    shift = min(len(line) - len(line.lstrip()) for line in chosen)
    return Algorithm("\n".join(line[shift:] for line in chosen))


@cache
def example() -> tuple[Array, tuple[int, ...]]:
    """Nine features in four dimensions, ``[sample, dimension]``, and their classes 1 to 3.

    The centred class means have perpendicular axes, and all eigenvalues are whole numbers.
    """
    long, short, centre = np.array([[1.5, 1.5, 0, 0], [1, -1, 2, 0], [2, -2, -2, 0]])
    means = [centre + long + short, centre - long + short, centre - 2 * short]
    spread = np.array([[1, 0, 2, 1], [0, 2, -1, 1], [-1, -2, -1, -2]])
    rows = np.array([mean + (k + 1) * step for k, mean in enumerate(means) for step in spread])
    order = (6, 3, 0, 1, 7, 4, 2, 5, 8)
    return rows[list(order)], tuple(1 + place // 3 for place in order)


@cache
def by_class() -> dict[int, Array]:
    """The features of each class."""
    features, labels = example()
    return {k: features[np.array(labels) == k] for k in (1, 2, 3)}


def definition() -> float:
    """tr(Sigma_W Sigma_B^+) of the example."""
    return metric(by_class())


def given() -> dict[str, Any]:
    """What the algorithm takes for the example, and the operations that it calls."""
    features, labels = example()
    return {
        "C": 3,
        "N": 9,
        "x": dict(enumerate(features, 1)),
        "y": dict(enumerate(labels, 1)),
        "f": lambda x: x,
        "s": {},
        "mu": {},
        "columns": lambda vectors: np.stack(vectors, axis=1),
        "matrix": np.array,
        "vector": np.array,
        "norm": np.linalg.norm,
        "diagonal": lambda matrix: dict(enumerate(np.diag(matrix), 1)),
        "eigendecomposition": eigenvectors,
    }


def eigenvectors(matrix: Array) -> tuple[Mapping[tuple[int, int], float], Array]:
    """Eigenvectors, by row and column from 1, and the diagonal matrix of eigenvalues, without what is rounding in them.

    The zero comes last: if it came first, it would not be noticed that an algorithm skips the first eigenvalue.
    """
    values, vectors = np.linalg.eigh(matrix)
    table = {(i + 1, j + 1): value for (i, j), value in np.ndenumerate(vectors[:, ::-1])}
    return table, np.diag(np.round(values[::-1], 9))


def value_of(algorithm: Algorithm) -> float:
    """What a whole algorithm returns for the example.

    Raises:
        ValueError: if it has totals of other classes than those of the example.
    """
    names = algorithm.run(**given())
    if set(names["s"]) != set(by_class()):
        raise ValueError(f"s: got totals of {sorted(names['s'])}, needs those of the classes")
    return float(names["returned"])


def before(line: int) -> dict[str, Any]:
    """The names that the corrected algorithm has set before a line, for the example."""
    names = given()
    return {**names, **(lines(1, line - 1).run(**names) if line > 1 else {})}

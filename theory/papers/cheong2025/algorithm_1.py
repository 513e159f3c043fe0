"""Algorithm 1 as printed and as corrected, and how it is run on nine samples in exact arithmetic; Sections 2.1 and B.1.

The text that was read has no indentation. Lines 3 to 5 are read inside the loop of line 1, where ``c`` has a value, and
lines 17 to 19 inside that of line 16. Line 18 names its vector by an index ``i`` that nothing sets; here that is part
of the name. Line 11 names the diagonal, and line 10 calls an eigendecomposition.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from theory.core import Algorithm
from theory.core.ledger.ledger import printed_algorithm
from theory.papers.cheong2025.covariances import metric

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
def example() -> tuple[NDArray[Any], tuple[int, ...]]:
    """Nine features in four dimensions, exact numbers ``[sample, dimension]``, and their classes 1 to 3.

    The centred class means have perpendicular axes, so that all eigenvalues are whole numbers.
    """
    long, short, centre = np.array([[sp.Rational(3, 2)] * 2 + [0, 0], [1, -1, 2, 0], [2, -2, -2, 0]])
    means = [centre + long + short, centre - long + short, centre - 2 * short]
    spread = np.array([[1, 0, 2, 1], [0, 2, -1, 1], [-1, -2, -1, -2]]) * sp.S.One
    rows = np.array([mean + (k + 1) * step for k, mean in enumerate(means) for step in spread])
    order = (6, 3, 0, 1, 7, 4, 2, 5, 8)
    return rows[list(order)], tuple(1 + place // 3 for place in order)


@cache
def definition() -> float:
    """tr(Sigma_W Sigma_B^+) of the example."""
    features, labels = example()
    return metric({k: features[np.array(labels) == k].astype(float) for k in (1, 2, 3)})


def given() -> dict[str, Any]:
    """What the algorithm takes for the example, and the operations that it calls."""
    features, labels = example()
    return {
        "C": sp.Integer(max(labels)),
        "N": sp.Integer(len(labels)),
        "x": dict(enumerate(features, 1)),
        "y": dict(enumerate(labels, 1)),
        "f": lambda x: x,
        "s": {},
        "mu": {},
        "columns": lambda vectors: np.stack(vectors, axis=1),
        "matrix": np.array,
        "vector": np.array,
        "norm": lambda vector: sp.sqrt(sum(vector**2)),
        "diagonal": lambda matrix: {k: matrix[k - 1, k - 1] for k in range(1, max(labels) + 1)},
        "eigendecomposition": eigenvectors,
    }


def eigenvectors(matrix: NDArray[Any]) -> tuple[Mapping[tuple[int, int], Any], Any]:
    """Eigenvectors, by row and column from 1, and the diagonal matrix of eigenvalues; floats unless these are rational.

    The zero comes last: if it came first, it would not be noticed that an algorithm skips the first eigenvalue.
    """
    if all(value.is_Rational for value in sp.Matrix(matrix).eigenvals(rational=True)):
        pairs = [
            (value, vector / vector.norm())
            for value, _, space in sp.Matrix(matrix).eigenvects()
            for vector in sp.GramSchmidt(space)
        ]
    else:
        values, vectors = np.linalg.eigh(matrix.astype(float))
        pairs = list(zip(values, vectors.T, strict=True))
    pairs.sort(key=lambda pair: -pair[0])
    table = {(i + 1, j + 1): vector[i] for j, (_, vector) in enumerate(pairs) for i in range(len(pairs))}
    return table, np.diag(np.array([value for value, _ in pairs], dtype=object))


def value_of(algorithm: Algorithm) -> float:
    """What a whole algorithm returns for the example.

    Raises:
        ValueError: if it has totals of other classes than those of the example.
    """
    names = algorithm.run(**given())
    if set(names["s"]) != set(example()[1]):
        raise ValueError(f"s: got totals of {sorted(names['s'])}, needs those of the classes")
    return float(sp.re(names["returned"]))


def before(line: int) -> dict[str, Any]:
    """The names that the corrected algorithm has set before a line, for the example."""
    names = given()
    return {**names, **(lines(1, line - 1).run(**names) if line > 1 else {})}

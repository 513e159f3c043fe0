"""Algorithm 1 as printed and as corrected, and how it is run: exactly, in floating point, or with shapes alone.

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


def example() -> tuple[NDArray[Any], tuple[int, ...]]:
    """Nine features in four dimensions, exact numbers ``[sample, dimension]``, and their classes 1 to 3.

    The centred class means have perpendicular axes, so that all eigenvalues are whole numbers.
    """
    long, short, centre = (
        sp.Matrix([sp.Rational(3, 2)] * 2 + [0, 0]),
        sp.Matrix([1, -1, 2, 0]),
        sp.Matrix([2, -2, -2, 0]),
    )
    means = [centre + long + short, centre - long + short, centre - 2 * short]
    spread = [sp.Matrix([1, 0, 2, 1]), sp.Matrix([0, 2, -1, 1]), sp.Matrix([-1, -2, -1, -2])]
    rows = [list(mean + (k + 1) * step) for k, mean in enumerate(means) for step in spread]
    order = (6, 3, 0, 1, 7, 4, 2, 5, 8)
    return np.array(rows, dtype=object)[list(order)], tuple(1 + place // 3 for place in order)


def by_definition(features: NDArray[Any], labels: tuple[int, ...]) -> float:
    """tr(Sigma_W Sigma_B^+) of classes counted from 1."""
    return brute_force(features.astype(float), np.array(labels) - 1)


@cache
def definition() -> float:
    """tr(Sigma_W Sigma_B^+) of the example."""
    return by_definition(*example())


def given(features: NDArray[Any], labels: tuple[int, ...]) -> dict[str, Any]:
    """What the algorithm takes, and the operations that it calls; the features are exact numbers or floats."""
    is_exact = features.dtype == object
    classes, samples = max(labels), len(labels)
    return {
        "C": sp.Integer(classes) if is_exact else classes,
        "N": sp.Integer(samples) if is_exact else samples,
        "x": dict(enumerate(features, 1)),
        "y": dict(enumerate(labels, 1)),
        "f": lambda x: x,
        "s": {},
        "mu": {},
        "columns": lambda vectors: np.stack(vectors, axis=1),
        "matrix": np.array,
        "vector": np.array,
        "norm": lambda vector: sp.sqrt(sum(vector**2)) if is_exact else np.linalg.norm(vector),
        "diagonal": lambda matrix: {k: matrix[k - 1, k - 1] for k in range(1, classes + 1)},
        "eigendecomposition": exact_eigenvectors if is_exact else eigenvectors,
    }


def eigenvectors(matrix: NDArray[np.float64]) -> tuple[Mapping[tuple[int, int], Any], Any]:
    """Eigenvectors, by row and column from 1, and the diagonal matrix of eigenvalues."""
    values, vectors = np.linalg.eigh(matrix)
    return {(i + 1, j + 1): vectors[i, j] for i, j in np.ndindex(vectors.shape)}, np.diag(values)


def exact_eigenvectors(matrix: NDArray[Any]) -> tuple[Mapping[tuple[int, int], Any], Any]:
    """The same for exact numbers; in floating point if the eigenvalues are not rational.

    The zero comes last: if it came first, it would not be noticed that an algorithm skips the first eigenvalue.
    """
    values = sp.Matrix(matrix).eigenvals(rational=True)
    if not all(value.is_Rational for value in values):
        return eigenvectors(matrix.astype(float))
    pairs = [
        (value, vector / vector.norm())
        for value, _, space in sp.Matrix(matrix).eigenvects()
        for vector in sp.GramSchmidt(space)
    ]
    pairs.sort(key=lambda pair: -pair[0])
    table = {(i + 1, j + 1): pairs[j][1][i] for i in range(len(pairs)) for j in range(len(pairs))}
    return table, np.diag(np.array([value for value, _ in pairs], dtype=object))


def brute_force(features: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """tr(Sigma_W Sigma_B^+) with explicit covariances and numpy's pseudo-inverse, features shifted to their mean."""
    shifted = features - features.mean(axis=0)
    dimension = shifted.shape[1]
    within, between = np.zeros((dimension, dimension)), np.zeros((dimension, dimension))
    for c in range(labels.max() + 1):
        members = shifted[labels == c]
        centre = members.mean(axis=0)
        between += len(members) / len(shifted) * np.outer(centre, centre)
        for member in members:
            within += np.outer(member - centre, member - centre) / len(shifted)
    return float(np.trace(within @ np.linalg.pinv(between, rcond=1e-10, hermitian=True)))


def value_of(algorithm: Algorithm) -> float:
    """What a whole algorithm returns for the example, in exact arithmetic."""
    return float(sp.re(algorithm.run(**given(*example()))["returned"]))

r"""NC1 in exact rational numbers, as a reference for floating-point computations.

NC1 is computed in two ways: from the definition (D×D matrices), and by two passes over the samples as in Algorithm 1.
With *B* a basis of the span of the centred means, :math:`\tilde M = B K`, the pseudo-inverse is
:math:`\Sigma_B^+ = B\,(B^\top B\,S\,B^\top B)^{-1} B^\top`, :math:`S = K\,\mathrm{diag}(n_c/N)\,K^\top`. This needs no
eigenvalues or square roots and allows classes of any sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from closedform.checks.arrays import integer_array
from theory.core.numbers.exact import exact


def exact_rows(features: Any, labels: Any) -> tuple[sp.Matrix, list[int]]:
    """Return exact features [samples, D], and the labels 0 to C - 1; TypeError or ValueError if they are not such."""
    try:
        table = [list(row) for row in features]
    except TypeError:
        raise TypeError(f"features: got {type(features).__name__}, needs rows of numbers [samples, D]") from None
    rows = [[exact("features", value) for value in row] for row in table]
    if not rows or not rows[0] or len({len(row) for row in rows}) != 1:
        raise ValueError(f"features: got rows of the lengths {[len(row) for row in rows]}, needs numbers [samples, D]")
    return sp.Matrix(rows), [int(label) for label in class_labels(labels, len(rows))]


def scatter(rows: sp.Matrix, labels: Sequence[int]) -> tuple[list[int], sp.Matrix, sp.Matrix]:
    """Return class sizes, centred class means as columns [D, C], and residuals as columns [D, samples]."""
    count, sizes = max(labels) + 1, [0] * (max(labels) + 1)
    totals = sp.zeros(rows.cols, count)
    for n, c in enumerate(labels):
        sizes[c] += 1
        totals[:, c] += rows[n, :].T
    means = sp.Matrix.hstack(*(totals[:, c] / size for c, size in enumerate(sizes)))
    centre = totals * sp.ones(count, 1) / rows.rows
    residuals = sp.Matrix.hstack(*(rows[n, :].T - means[:, c] for n, c in enumerate(labels)))
    return sizes, means - centre * sp.ones(1, count), residuals


def exact_nc1(features: Any, labels: Any) -> sp.Expr:
    """Return tr(Sigma_W Sigma_B^+) from the definition, as an exact number.

    Args:
        features: numbers, or strings such as "1/3", [samples, D]; floats count as their exact binary fractions.
        labels: integers 0 to C - 1, [samples].

    Raises:
        TypeError, ValueError: if a value is invalid, or all class means coincide.

    >>> exact_nc1([[0, 0], [2, 1], [0, 3], [2, 5]], [0, 0, 1, 1])
    10/49
    """
    rows, classes = exact_rows(features, labels)
    sizes, centred, residuals = scatter(rows, classes)
    _require_signal(centred)
    between = centred * sp.diag(*sizes) * centred.T / rows.rows
    return (residuals * residuals.T / rows.rows * between.pinv()).trace()


def exact_two_pass_nc1(features: Any, labels: Any) -> sp.Expr:
    """Return NC1 by two passes over the samples, without any D×D matrix, as an exact number.

    >>> exact_two_pass_nc1([[0, 0], [2, 1], [0, 3], [2, 5]], [0, 0, 1, 1])
    10/49
    """
    rows, classes = exact_rows(features, labels)
    sizes, centred, residuals = scatter(rows, classes)
    _require_signal(centred)
    _, pivots = centred.rref()
    basis = centred[:, list(pivots)]
    gram = basis.T * basis
    coordinates = gram.inv() * basis.T * centred
    shape = gram * (coordinates * sp.diag(*sizes) * coordinates.T / rows.rows) * gram
    inverse = shape.inv()
    total = sp.S.Zero
    for n in range(rows.rows):
        z = basis.T * residuals[:, n]
        total += (z.T * inverse * z)[0]
    return total / rows.rows


def _require_signal(centred: sp.Matrix) -> None:
    if centred == sp.zeros(*centred.shape):
        raise ValueError("features: got class means that coincide exactly, needs some that differ")


def class_labels(labels: ArrayLike, samples: int) -> NDArray[np.int64]:
    """Return labels 0 to C - 1, [samples], each with at least one sample; TypeError or ValueError otherwise."""
    array = integer_array("labels", labels)
    if array.shape != (samples,):
        raise ValueError(f"labels: got shape {array.shape}, needs ({samples},), one for each row of features")
    if array.min() < 0 or len(np.unique(array)) != array.max() + 1:
        raise ValueError(f"labels: got {array.min()} to {array.max()}, needs 0 to C - 1 with every class present")
    if array.max() < 1:
        raise ValueError("labels: got one class, needs at least two")
    return array

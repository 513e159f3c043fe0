r"""Derivation of NC1 without D×D matrices, by the two passes of Algorithm 1 for classes of any sizes.

Pass one gives the class means; with :math:`\tilde M`, the centred means as columns, each times :math:`\sqrt{n_c/N}`,
:math:`\Sigma_B = \tilde M \tilde M^\top`. From the singular value decomposition :math:`\tilde M = U S V^\top`

.. math:: \mathrm{tr}(\Sigma_W \Sigma_B^+) = \frac1N \sum_n \|S^{-1} U^\top (h_n - \mu_{y_n})\|^2
   = \frac1N \sum_n \|S^{-2} V^\top \tilde M^\top (h_n - \mu_{y_n})\|^2 ,

so pass two needs C numbers per sample. The second form is the thesis' (with :math:`S^2` the eigenvalues of
:math:`\tilde M^\top \tilde M`), the first keeps twice the digits. Two classes need no decomposition:
``collapse.two_class_nc1``.

In exact rational numbers, as a reference for floating-point ones, NC1 is computed by definition and by two passes.
With *B* a basis of the span of the centred means, :math:`\tilde M = B K`, the pseudo-inverse is
:math:`\Sigma_B^+ = B\,(B^\top B\,S\,B^\top B)^{-1} B^\top`, :math:`S = K\,\mathrm{diag}(n_c/N)\,K^\top`, without
eigenvalues or square roots.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from closedform import checks
from closedform.checks.arrays import integer_array
from theory.collapse.symbols import A_SHARE, NC1, PRIOR, b11, b12, b22, prior, within
from theory.core import Argument, ClosedForm, Premise, Source, Status, Step, applied
from theory.core.numbers.exact import exact

distance2, along = sp.symbols("distance2 along", positive=True)
expression = along / (prior * (1 - prior) * distance2)

DISTANCE2 = Argument(
    distance2,
    "squared distance of the two class means",
    unit="feature^2",
    sample=(0.5, 3),
    latex=r"\mathrm{distance}^{2}",
)
ALONG = Argument(
    along,
    "within-class variance along the line through the means",
    unit="feature^2",
    sample=(0.1, 2),
)

# The means are 0 and d; the columns are the centred, weighted means.
d1, d2 = sp.symbols("d1 d2", real=True, nonzero=True)
# of the prior and of the other prior, in the ratio root1 : root2
root1, root2 = sp.symbols("root1 root2", positive=True)
difference = sp.Matrix([d1, d2])
share = root1**2 / (root1**2 + root2**2)
length = sp.sqrt(root1**2 + root2**2)
weighted = sp.Matrix.hstack(
    -difference * (1 - share) * root1 / length, difference * share * root2 / length
)
inverse = difference * difference.T / (share * (1 - share) * difference.dot(difference) ** 2)
singular2 = share * (1 - share) * difference.dot(difference)
right_singular = sp.Matrix([-root2, root1]) / length
outer = share * (1 - share) * difference * difference.T
eigenvalue = sp.Symbol("eigenvalue", positive=True)

MEANS = Premise(
    "Sigma_B is the sum of the products of the centred, weighted class means, the columns",
    weighted,
)
residual2 = (right_singular.T * weighted.T * within * weighted * right_singular)[0]
second_pass = residual2 / eigenvalue**2
RESIDUAL = Premise(
    "Algorithm 1: the mean of |kappa/eigenvalue|^2, kappa the projected residual", second_pass
)

LINE = Premise(
    "share of the first class, variance along the line through the means, and their squared distance",
    sp.Matrix(
        [
            share,
            (difference.T * within * difference)[0] / difference.dot(difference),
            difference.dot(difference),
        ]
    ),
)

between_step = Step(
    "Sigma_B of two classes of any sizes",
    sp.MatMul(weighted, weighted.T),
    outer,
    because="the centred means are -(1 - p) d and p d, p the second class' share",
    uses=(MEANS,),
)
inverse_step = Step(
    "its pseudo-inverse",
    sp.MatMul(outer, inverse, outer),
    outer,
    because="first condition of Moore and Penrose",
    uses=(between_step,),
)
back = Step(
    "and back",
    sp.MatMul(inverse, outer, inverse),
    inverse,
    because="second condition; both products are symmetric",
    uses=(between_step,),
)
singular = Step(
    "the only singular value",
    sp.MatMul(weighted.T, weighted, right_singular),
    sp.Subs(eigenvalue * right_singular, eigenvalue, singular2),
    because="right singular vector and its eigenvalue: what line 10 of Algorithm 1 finds",
    uses=(MEANS,),
)
STEPS = (
    between_step,
    inverse_step,
    back,
    singular,
)


@cache
def two_class_nc1() -> ClosedForm:
    """Return NC1 of two classes of any sizes and any covariance, dimensionless.

    >>> float(two_class_nc1()(prior=0.5, distance2=4, along=1))
    1.0
    """
    in_numbers = sp.Subs(expression, (prior, along, distance2), tuple(LINE.expression))
    return ClosedForm(
        name="collapse.two_class_nc1",
        meaning="NC1 of two classes, from the variance along the line through their means.",
        arguments=(PRIOR, ALONG, DISTANCE2),
        expression=expression,
        conditions=(A_SHARE,),
        steps=(
            *STEPS,
            applied(
                "by the pseudo-inverse",
                in_numbers,
                NC1,
                {b11: inverse[0, 0], b12: inverse[0, 1], b22: inverse[1, 1]},
                because="definition of NC1",
                uses=(inverse_step, back, LINE),
            ),
            Step(
                "by the second pass",
                in_numbers,
                sp.Subs(second_pass, eigenvalue, singular2),
                because="the residuals have the covariance within classes",
                uses=(singular, LINE, RESIDUAL),
            ),
        ),
        sources=(Source("cheong2025", "Sections 2.1 and B.1, Algorithm 1"),),
        status=Status.DERIVED,
    )


def exact_rows(features: Any, labels: Any) -> tuple[sp.Matrix, list[int]]:
    """Return exact features [samples, D], and the labels 0 to C - 1; TypeError or ValueError if they are not such."""
    table = checks.sequence("features", features, "rows [samples, D]")
    rows = []
    for row in table:
        rows.append([exact("features", value) for value in checks.sequence("features", row)])
    if not rows or not rows[0] or len({len(row) for row in rows}) != 1:
        raise ValueError(
            f"features: got rows of the lengths {[len(row) for row in rows]}, needs numbers [samples, D]"
        )
    return sp.Matrix(rows), [int(label) for label in class_labels(labels, len(rows))]


def scatter(features: Any, labels: Any) -> tuple[list[int], sp.Matrix, sp.Matrix]:
    """Return class sizes, centred class means as columns [D, C], and residuals as columns [D, samples]."""
    rows, classes = exact_rows(features, labels)
    count, sizes = max(classes) + 1, [0] * (max(classes) + 1)
    totals = sp.zeros(rows.cols, count)
    for n, c in enumerate(classes):
        sizes[c] += 1
        totals[:, c] += rows[n, :].T
    means = sp.Matrix.hstack(*(totals[:, c] / size for c, size in enumerate(sizes)))
    centre = totals * sp.ones(count, 1) / rows.rows
    residuals = sp.Matrix.hstack(*(rows[n, :].T - means[:, c] for n, c in enumerate(classes)))
    centred = means - centre * sp.ones(1, count)
    if centred == sp.zeros(*centred.shape):
        raise ValueError("features: got class means that coincide exactly, needs some that differ")
    return sizes, centred, residuals


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
    sizes, centred, residuals = scatter(features, labels)
    between = centred * sp.diag(*sizes) * centred.T / residuals.cols
    return (residuals * residuals.T / residuals.cols * between.pinv()).trace()


def exact_two_pass_nc1(features: Any, labels: Any) -> sp.Expr:
    """Return NC1 by two passes over the samples, without any D×D matrix, as an exact number.

    Args:
        features: exact features, ``[samples, dimensions]``: integers, fractions or sympy numbers.
        labels: class of each sample, integers ``[samples]``.

    >>> exact_two_pass_nc1([[0, 0], [2, 1], [0, 3], [2, 5]], [0, 0, 1, 1])
    10/49
    """
    sizes, centred, residuals = scatter(features, labels)
    _, pivots = centred.rref()
    basis = centred[:, list(pivots)]
    gram = basis.T * basis
    coordinates = gram.inv() * basis.T * centred
    shape = gram * (coordinates * sp.diag(*sizes) * coordinates.T / residuals.cols) * gram
    inverse = shape.inv()
    total = sp.S.Zero
    for n in range(residuals.cols):
        z = basis.T * residuals[:, n]
        total += (z.T * inverse * z)[0]
    return total / residuals.cols


def class_labels(labels: ArrayLike, samples: int) -> NDArray[np.int64]:
    """Return labels 0 to C - 1, [samples], each with at least one sample; TypeError or ValueError otherwise."""
    array = integer_array("labels", labels)
    if array.shape != (samples,):
        raise ValueError(
            f"labels: got shape {array.shape}, needs ({samples},), one for each row of features"
        )
    if array.min() < 0 or len(np.unique(array)) != array.max() + 1:
        raise ValueError(
            f"labels: got {array.min()} to {array.max()}, needs 0 to C - 1 with every class present"
        )
    if array.max() < 1:
        raise ValueError("labels: got one class, needs at least two")
    return array

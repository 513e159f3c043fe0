r"""Derivation of NC1 without D×D matrices, by the two passes of Algorithm 1 for classes of any sizes.

Pass one gives the class means; with :math:`\tilde M`, the centred means as columns, each times :math:`\sqrt{n_c/N}`,
:math:`\Sigma_B = \tilde M \tilde M^\top`. From the singular value decomposition :math:`\tilde M = U S V^\top`

.. math:: \mathrm{tr}(\Sigma_W \Sigma_B^+) = \frac1N \sum_n \|S^{-1} U^\top (h_n - \mu_{y_n})\|^2
   = \frac1N \sum_n \|S^{-2} V^\top \tilde M^\top (h_n - \mu_{y_n})\|^2 ,

so pass two needs C numbers per sample. The second form is the thesis' (with :math:`S^2` the eigenvalues of
:math:`\tilde M^\top \tilde M`), the first keeps twice the digits. Two classes need no decomposition:
``collapse.two_class_nc1``.
"""

from __future__ import annotations

import sympy as sp

from theory.collapse.symbols import A_SHARE, NC1, PRIOR, prior
from theory.core import Argument, ClosedForm, Premise, Source, Status, Step

distance2, along = sp.symbols("distance2 along", positive=True)
expression = along / (prior * (1 - prior) * distance2)

DISTANCE2 = Argument(
    distance2,
    "squared distance of the two class means",
    unit="feature^2",
    sample=(0.5, 3),
    latex=r"\mathrm{distance}^{2}",
)
ALONG = Argument(along, "within-class variance along the line through the means", unit="feature^2", sample=(0.1, 2))

# The means are 0 and d; the columns are the centred, weighted means.
d1, d2 = sp.symbols("d1 d2", real=True, nonzero=True)
w11, w12, w22 = sp.symbols("w11 w12 w22", real=True)
root1, root2 = sp.symbols(
    "root1 root2", positive=True
)  # of the prior and of the other prior, in the ratio root1 : root2
difference = sp.Matrix([d1, d2])
share = root1**2 / (root1**2 + root2**2)
length = sp.sqrt(root1**2 + root2**2)
weighted = sp.Matrix.hstack(-difference * (1 - share) * root1 / length, difference * share * root2 / length)
between = weighted * weighted.T
inverse = difference * difference.T / (share * (1 - share) * difference.dot(difference) ** 2)
within = sp.Matrix([[w11, w12], [w12, w22]])
singular2 = share * (1 - share) * difference.dot(difference)
right_singular = sp.Matrix([-root2, root1]) / length

MEANS = Premise("Sigma_B is the sum of the products of the centred, weighted class means, the columns", weighted)
second_pass = (right_singular.T * weighted.T * within * weighted * right_singular)[0] / singular2**2
RESIDUAL = Premise("Algorithm 1: the mean of |kappa/eigenvalue|^2, kappa the projected residual", second_pass)

STEPS = (
    between_step := Step(
        "Sigma_B of two classes of any sizes",
        sp.MatMul(weighted, weighted.T),
        share * (1 - share) * difference * difference.T,
        because="the centred means are -(1 - p) d and p d, p the second class' share",
        uses=(MEANS,),
    ),
    inverse_step := Step(
        "its pseudo-inverse",
        sp.MatMul(between, inverse, between),
        between,
        because="first condition of Moore and Penrose",
        uses=(between_step,),
    ),
    back := Step(
        "and back",
        sp.MatMul(inverse, between, inverse),
        inverse,
        because="second condition; both products are symmetric",
        uses=(between_step,),
    ),
    singular := Step(
        "the only singular value",
        sp.MatMul(weighted.T, weighted, right_singular),
        singular2 * right_singular,
        because="right singular vector and its eigenvalue: what line 10 of Algorithm 1 finds",
        uses=(MEANS,),
    ),
)


def two_class_nc1() -> ClosedForm:
    """Return NC1 of two classes of any sizes and any covariance, dimensionless.

    >>> float(two_class_nc1()(prior=0.5, distance2=4, along=1))
    1.0
    """
    unit_variance = (difference.T * within * difference)[0] / difference.dot(difference)
    in_numbers = sp.Subs(expression, (prior, along, distance2), (share, unit_variance, difference.dot(difference)))
    return ClosedForm(
        name="collapse.two_class_nc1",
        meaning="NC1 of two classes, from the variance along the line through their means.",
        arguments=(PRIOR, ALONG, DISTANCE2),
        expression=expression,
        conditions=(A_SHARE,),
        steps=(
            *STEPS,
            Step(
                "by the pseudo-inverse",
                in_numbers,
                sp.Trace(sp.MatMul(within, inverse)),
                because="definition of NC1",
                uses=(inverse_step, back, NC1),
            ),
            Step(
                "by the second pass",
                in_numbers,
                second_pass,
                because="the residuals have the covariance within classes",
                uses=(singular, RESIDUAL),
            ),
        ),
        sources=(Source("cheong2025", "Sections 2.1 and B.1, Algorithm 1"),),
        status=Status.DERIVED,
    )

r"""The cost of identity of a layer, a smooth measure of the dimension of its representation.

The cost of identity :math:`\|A \sigma(A)^+\|_F^2` is the squared norm of the smallest weights with
:math:`W \sigma(A) = A`. Without bias it is the rank of a non-negative *A*; with bias see
``theory.leaky_resnet.nonnegative``. It is bounded below by a ratio of norms, continuous and cheap. Deviation from
Proposition 1: :math:`\|\sigma(A)\|_F` includes the row of ones; without it the bound fails.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from closedform.checks import boolean
from closedform.checks.arrays import Array
from closedform.power_of_two import factor
from theory.core.formula.arguments import matrices, one_for_each, positive_array
from theory.leaky_resnet.norms import activated, own_norms


def cost_of_identity(A: ArrayLike, bias: bool = True, gamma: ArrayLike = 0.0) -> Array | np.float64:
    r"""Return the cost of identity :math:`\|A \sigma(A)^+\|_F^2`, or the stable one with :math:`(K + \gamma I)^{-1}`.

    Args:
        A: representations, [..., width, samples].
        bias: whether sigma appends a row of ones (the default).
        gamma: regulariser gamma >= 0, one number or one for each matrix, in the unit of A^2; 0 by default.

    Returns:
        One number for each matrix, dimensionless; ``inf`` at ``gamma`` = 0 where the rows of A do not lie in the row
        space of sigma(A), so that no weights map sigma(A) to A.

    Raises:
        TypeError, ValueError: if an argument has the wrong type, shape or value.

    Warns:
        IllConditionedWarning: if the relative error may exceed 1e-12; the warning states the condition number.

    Source: Section 1.3.

    >>> round(float(cost_of_identity([[1.0, 2.0], [2.0, 1.0]], bias=False)), 4)
    2.0
    """
    return own_norms(A, bias, gamma)


def cost_lower_bound(A: ArrayLike, bias: bool = True, gamma: ArrayLike = 0.0) -> Array | np.float64:
    r"""Return the lower bound :math:`\|A\|_*^2 / (\|\sigma(A)\|_F^2 + \gamma N)` on the cost of identity.

    Args:
        A: representations, [..., width, samples].
        bias: whether sigma appends a row of ones (the default).
        gamma: regulariser gamma >= 0 of the stable cost, one number or one for each matrix; 0 by default.

    Returns:
        One number for each matrix, dimensionless; 0 for A = 0.

    Raises:
        TypeError, ValueError: if an argument has the wrong type, shape or value.

    Source: Proposition 1, which has ||A||_F^2 in the denominator and holds without bias.

    >>> round(float(cost_lower_bound([[1.0, 2.0], [2.0, 1.0]], bias=False)), 4)
    1.6
    """
    representations = matrices("A", A)
    features = activated(representations, boolean("bias", bias))
    strength = one_for_each("gamma", positive_array("gamma", gamma, or_zero=True), representations.shape[:-2])
    times = factor(features)
    nuclear = np.linalg.svd(representations * times, compute_uv=False).sum(axis=-1)
    size = ((features * times) ** 2).sum(axis=(-2, -1)) + strength * times * times * representations.shape[-1]
    return np.divide(nuclear**2, size, out=np.zeros_like(size), where=size > 0)[()]

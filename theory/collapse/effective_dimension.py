r"""Effective dimension of features for the noise floor of NC1.

Features of covariance :math:`\Sigma` that are independent of their class have, where :math:`D_\mathrm{eff} \gg C`,

.. math:: \mathbb{E}\,\mathrm{tr}(\Sigma_W \Sigma_B^+) \approx \frac{(N - C)(C - 1)}{D_\mathrm{eff}}, \qquad
   D_\mathrm{eff} = \frac{(\mathrm{tr}\,\Sigma)^2}{\mathrm{tr}\,\Sigma^2} :

estimated means are :math:`\Sigma^{1/2} z`, nearly orthogonal, of squared length
:math:`z^\top \Sigma z \approx \mathrm{tr}\,\Sigma`, and the variance along such a direction is
:math:`z^\top \Sigma^2 z / z^\top \Sigma z \approx \mathrm{tr}\,\Sigma^2 / \mathrm{tr}\,\Sigma`. Isotropic features have
:math:`D_\mathrm{eff} = D`, and the exact floor then has :math:`D - C` in the denominator. This is an approximation of
relative error :math:`O(C/D_\mathrm{eff})`; for the exact floor of given features, shuffle their labels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from theory.core.formula.arguments import real_array


def effective_dimension_of(eigenvalues: ArrayLike) -> float:
    """Return (sum of eigenvalues)^2 / (sum of their squares), between 1 and their number; dimensionless.

    Args:
        eigenvalues: eigenvalues of the covariance of the features, non-negative, [D], in feature^2.

    Raises:
        TypeError, ValueError: if the eigenvalues are not such numbers, or all of them are zero.

    >>> effective_dimension_of([2, 2, 0])
    2.0
    """
    values = real_array("eigenvalues", eigenvalues, dimensions=1)
    if np.any(values < 0) or not np.any(values):
        raise ValueError(f"eigenvalues: got {values.min()} to {values.max()}, needs none negative, one positive")
    values = values / values.max()  # the squares of tiny numbers would underflow
    return float(values.sum() ** 2 / np.sum(values**2))

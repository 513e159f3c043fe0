r"""The matrix of the kernel that the self-supervised algorithm of Simon et al. learns from pairs of inputs.

From pairs :math:`(x_a, x_a')` it learns a kernel :math:`\kappa(x)^\top Q\, \kappa(y)` in the kernel's values at all
training inputs, whose metric is :math:`\partial\kappa^\top Q\, \partial\kappa`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from theory.core.numbers.arguments import integer, metrics, real_array

# Eigenvalues below this fraction of the largest one are rounding errors of a singular kernel matrix.
_RANK_TOLERANCE = 1e-12


def self_supervised_matrix(
    kernel_xx: ArrayLike, kernel_xp: ArrayLike, kernel_pp: ArrayLike, rank: int
) -> NDArray[np.float64]:
    r"""Return the matrix Q of the kernel that Simon et al. learn from positive pairs.

    :math:`Q = K^{-1/2} (K_\Gamma^{\le r})^+ K^{-1/2}` with :math:`K_\Gamma = K^{-1/2} Z K^{-1/2}`; Z correlates the
    kernel's columns at the two members of every pair. Inverse roots are pseudo-inverses.

    The kernels [pair, pair] are k(x_a, x_b), k(x_a, x_b') and k(x_a', x_b'); Q is [2 pair, 2 pair], symmetric, with the
    ``rank`` leading eigenvalues of K_Gamma. ValueError for negative eigenvalues of the kernel matrix, or a rank that
    exceeds the number of positive ones of K_Gamma.

    Source: Zavatone-Veth et al. (2023), Eqs. (F.13) to (F.18).
    """
    xx, xp, pp = (
        real_array(name, value)
        for name, value in (
            ("kernel_xx", kernel_xx),
            ("kernel_xp", kernel_xp),
            ("kernel_pp", kernel_pp),
        )
    )
    if not xx.ndim == 2 or not xx.shape == xp.shape == pp.shape or xx.shape[0] != xx.shape[1]:
        raise ValueError(
            f"kernel_xx, kernel_xp and kernel_pp: got shapes {xx.shape}, {xp.shape} and {pp.shape}, "
            "needs one [pair, pair]"
        )
    kernel = metrics("the kernel matrix of all inputs", np.block([[xx, xp], [xp.T, pp]]))
    pairs = len(xx)
    first, second = kernel[:, :pairs], kernel[:, pairs:]
    correlation = (first @ second.T + second @ first.T) / (2 * pairs)
    values, axes = np.linalg.eigh(kernel)
    kept = values > _RANK_TOLERANCE * values[-1]
    inverse_root = (axes[:, kept] / np.sqrt(values[kept])) @ axes[:, kept].T
    spectrum, modes = np.linalg.eigh(inverse_root @ correlation @ inverse_root)
    usable = int((spectrum > _RANK_TOLERANCE * np.abs(spectrum).max()).sum())
    rank = integer("rank", rank, 1, usable)  # the number of positive eigenvalues
    leading = inverse_root @ modes[:, -rank:]
    return (leading / spectrum[-rank:]) @ leading.T

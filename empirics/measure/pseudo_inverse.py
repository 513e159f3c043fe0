r"""Pseudo-inverse of a wide, badly conditioned matrix to more digits than a singular value decomposition gives.

A float64 decomposition :math:`M \approx U S V^\top` finds a direction of size s only to :math:`\epsilon \, s_1 / s`: at
condition number 1e8 the eighth digit is wrong. But the rows :math:`A = S^{-1} U^\top M` are orthonormal up to just that
error, so that their pseudo-inverse is computed to all digits, once A itself is; and A takes one matrix product with
more than 53 bits, done here with four ordinary ones on numbers cut in two (Ozaki, Ogita, Oishi and Rump 2012).
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from empirics.measure.double_double import MANTISSA, Pair

Matrix = NDArray[np.float64]


def dual_directions(left: Tensor, sizes: Tensor, weights: Tensor, matrix: Pair) -> Tensor:
    """Directions F of M = weights x matrix with ``M⁺ (M⁺)ᵀ = F S⁻² Fᵀ``.

    Only directions that are known to exist may be asked for: one of pure rounding would bend all others.

    Args:
        left: left singular vectors U of M, ``[C, rank]``, to float64 as a decomposition gives them.
        sizes: their singular values S, ``[rank]``, all positive.
        weights: of the rows, ``[C]``.
        matrix: ``[C, D]``, as a pair of float64; finite.

    Returns:
        F ``[D, rank]``: orthonormal up to rounding times condition.
    """
    if not len(sizes):
        return torch.zeros(matrix[0].shape[1], 0, dtype=torch.float64)
    turn = (weights[:, None] * left).T.numpy()
    rows = (_product(turn, matrix[0].numpy()) + turn @ matrix[1].numpy()) / sizes.numpy()[:, None]
    q, r = torch.linalg.qr(torch.from_numpy(rows.T))
    dual: Tensor = torch.linalg.solve_triangular(r.T, q, upper=False, left=False)  # q r⁻ᵀ
    return dual


def _product(a: Matrix, b: Matrix) -> Matrix:
    """``a @ b`` with an error of about 2^-75 |a| |b|, where large terms cancel, too."""
    bits = (MANTISSA - int(np.ceil(np.log2(a.shape[1])))) // 2  # so that the product of the leading parts is exact
    leading_a, leading_b = _leading(a, 1, bits), _leading(b, 0, bits)
    rest_a, rest_b = a - leading_a, b - leading_b
    product: Matrix = leading_a @ leading_b + (leading_a @ rest_b + (rest_a @ leading_b + rest_a @ rest_b))
    return product


def _leading(x: Matrix, axis: int, bits: int) -> Matrix:
    """``x`` rounded to ``bits`` bits below the largest number along ``axis``."""
    _, exponent = np.frexp(np.abs(x).max(axis=axis, keepdims=True))
    rounded: Matrix = np.ldexp(np.rint(np.ldexp(x, bits - exponent)), exponent - bits)
    return rounded

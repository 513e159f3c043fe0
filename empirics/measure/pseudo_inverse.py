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


def right_factor(weights: Tensor, matrix: Pair, rank: int) -> tuple[Tensor, Tensor]:
    """Sizes and dual directions of M = weights x matrix: ``M⁺ (M⁺)ᵀ = F S⁻² Fᵀ``.

    Args:
        weights: of the rows, ``[C]``.
        matrix: ``[C, D]``, as a pair of float64; finite.
        rank: the most that its rank can be, <= min(C, D); the smallest singular values beyond are left out.

    Returns:
        The largest ``rank`` singular values S, falling, and F ``[D, rank]``: orthonormal up to rounding times
        condition. Columns whose singular value is zero are zero.
    """
    left, sizes, _ = torch.linalg.svd(weights[:, None] * matrix[0], full_matrices=False)
    sizes = sizes[:rank]
    real = sizes > 0
    turn = (weights[:, None] * left[:, :rank][:, real]).T.numpy()
    rows = _product(turn, matrix[0].numpy()) + turn @ matrix[1].numpy()
    rows /= sizes[real].numpy()[:, None]
    q, r = torch.linalg.qr(torch.from_numpy(rows.T))
    dual = torch.zeros(matrix[0].shape[1], len(sizes), dtype=torch.float64)
    dual[:, real] = torch.linalg.solve_triangular(r.T, q, upper=False, left=False)  # q r⁻ᵀ
    return sizes, dual


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

r"""Double-double arithmetic: numbers as unevaluated sums of two float64, about 32 digits, for sums that cancel.

It rests on the error-free transformations of ``closedform.rounding``, elementwise on tensors. It gives the
pseudo-inverse of a wide, ill-conditioned matrix to more digits than a singular value decomposition: a float64
decomposition :math:`M \approx U S V^\top` determines the direction of a singular value s only to
:math:`\epsilon \, s_1 / s`: at a condition number of 1e8 the eighth digit is wrong. The rows
:math:`A = S^{-1} U^\top M`, however, are orthonormal up to that error, so that their pseudo-inverse can be computed to
all digits if A is. A takes one matrix product with more than 53 bits, done here by four ordinary products of numbers
split in two (Ozaki, Ogita, Oishi and Rump 2012).
"""

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from closedform.rounding import two_product, two_sum

MANTISSA = 53  # bits of a float64
TINY = 1e-280  # keeps the exponents below in range

Pair = tuple[Tensor, Tensor]  # a value and its rounding error


def add(a: Pair, b: Pair) -> Pair:
    """Add two pairs."""
    s, error = two_sum(a[0], b[0])
    return two_sum(s, error + a[1] + b[1])


def scale(a: Pair, factor: Tensor) -> Pair:
    """Multiply a pair by a float64 tensor."""
    p, error = two_product(a[0], factor)
    return two_sum(p, error + a[1] * factor)


def divide(a: Pair, divisor: Tensor) -> Pair:
    """Divide a pair by a float64 tensor."""
    quotient = a[0] / divisor
    product, error = two_product(quotient, divisor)
    return two_sum(quotient, ((a[0] - product) - error + a[1]) / divisor)


def exact_parts(x: Tensor, reference: Tensor) -> Pair:
    """Split x - reference ``[batch, D]`` into a part that float64 sums over the batch exactly, and a small rest."""
    apart, error = two_sum(x, -reference)
    # so that sums of the leading parts are exact
    bits = MANTISSA - math.ceil(math.log2(len(x) + 1))
    # x is rounded to ``bits`` bits below its largest entry by adding and subtracting a large power of two.
    largest = apart.abs().amax(0).clamp(min=TINY)
    push = 1.5 * torch.exp2(torch.ceil(torch.log2(largest)) + (MANTISSA - 1 - bits))
    leading = (apart + push) - push
    return leading, (apart - leading) + error


Matrix = NDArray[np.float64]


def dual_directions(left: Tensor, sizes: Tensor, weights: Tensor, matrix: Pair) -> Tensor:
    """Compute F ``[D, rank]`` of M = weights x matrix with ``M⁺ (M⁺)ᵀ = F S⁻² Fᵀ``; S must exceed rounding."""
    if not len(sizes):
        return torch.zeros(matrix[0].shape[1], 0, dtype=torch.float64)
    turn = (weights[:, None] * left).T.numpy()
    rows = (_product(turn, matrix[0].numpy()) + turn @ matrix[1].numpy()) / sizes.numpy()[:, None]
    q, r = torch.linalg.qr(torch.from_numpy(rows.T))
    dual: Tensor = torch.linalg.solve_triangular(r.T, q, upper=False, left=False)  # q r⁻ᵀ
    return dual


def _product(a: Matrix, b: Matrix) -> Matrix:
    """Return ``a @ b`` with an error of about 2^-75 |a| |b|, even where large terms cancel."""
    # so that the product of the leading parts is exact
    bits = (MANTISSA - int(np.ceil(np.log2(a.shape[1])))) // 2
    leading_a, leading_b = _leading(a, 1, bits), _leading(b, 0, bits)
    rest_a, rest_b = a - leading_a, b - leading_b
    product: Matrix = leading_a @ leading_b + (
        leading_a @ rest_b + (rest_a @ leading_b + rest_a @ rest_b)
    )
    return product


def _leading(x: Matrix, axis: int, bits: int) -> Matrix:
    """Round ``x`` to ``bits`` bits below the largest number along ``axis``."""
    _, exponent = np.frexp(np.abs(x).max(axis=axis, keepdims=True))
    rounded: Matrix = np.ldexp(np.rint(np.ldexp(x, bits - exponent)), exponent - bits)
    return rounded

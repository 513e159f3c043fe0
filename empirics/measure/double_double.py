"""Double-double arithmetic: numbers as unevaluated sums of two float64, about 32 digits, for sums that cancel.

It rests on the error-free transformations of ``closedform.double_double``, elementwise on tensors.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from closedform.double_double import two_product, two_sum

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
    """Split (x - reference) into a part that float64 sums over the batch without rounding, and a small rest.

    Args:
        x: samples ``[batch, D]``, float64.
        reference: the point to subtract, ``[D]``, float64.
    """
    apart, error = two_sum(x, -reference)
    bits = MANTISSA - math.ceil(math.log2(len(x) + 1))  # so that sums of the leading parts are exact
    # x is rounded to ``bits`` bits below its largest entry by adding and subtracting a large power of two.
    largest = apart.abs().amax(0).clamp(min=TINY)
    push = 1.5 * torch.exp2(torch.ceil(torch.log2(largest)) + (MANTISSA - 1 - bits))
    leading = (apart + push) - push
    return leading, (apart - leading) + error

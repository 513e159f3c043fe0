r"""Centred kernel alignment (CKA) of two representations of the same points, without bias, batch by batch.

With :math:`\mathrm{HSIC}(K, L)` the unbiased estimate of Song et al. (2012) for the matrices of inner products of the
two representations, :math:`\mathrm{CKA} = \mathrm{HSIC}(K, L) / \sqrt{\mathrm{HSIC}(K, K)\, \mathrm{HSIC}(L, L)}`. Its
three terms are averaged over batches (Nguyen, Raghu and Kornblith 2021), so that accumulators of different processes
can be merged. The usual biased estimate tends to one for any two representations of more features than points.
"""

from __future__ import annotations

from typing import Any

import torch
from jaxtyping import Float64, Real
from torch import Tensor

from closedform import checks
from empirics import tensor_checks

FEWEST = 4  # points in a batch, for an estimate without bias


class CKA:
    """Accumulator of CKA over batches.

    Attributes:
        sums: sums over batches of HSIC of the two representations, and of each with itself, ``[3]``, float64.
        batches: number of batches.

    >>> x = torch.tensor([[0.0, 1], [1, 0], [2, 2], [3, 1], [1, 4]])
    >>> round(CKA().update(x, 2 * x + 1).result(), 6)
    1.0
    """

    def __init__(self) -> None:
        self.sums = torch.zeros(3, dtype=torch.float64)
        self.batches = 0

    def update(self, x: Real[Tensor, "batch ..."] | Any, y: Real[Tensor, "batch ..."] | Any) -> CKA:
        """Add a batch of at least 4 points, and return the accumulator itself.

        Raises:
            TypeError, ValueError: if the numbers of points differ, there are too few, or a value is not finite.
        """
        self.sums = self.sums + alignments(x, y).cpu()
        self.batches += 1
        return self

    def merge(self, other: CKA) -> CKA:
        """Add the batches of another accumulator, and return this one."""
        checks.instance("other", other, CKA, "a CKA")
        self.sums, self.batches = self.sums + other.sums, self.batches + other.batches
        return self

    def result(self) -> float:
        """Return CKA, at most about 1; NaN without a batch or if one representation is constant."""
        return float(alignment(self.sums))


def cka(x: Real[Tensor, "N ..."] | Any, y: Real[Tensor, "N ..."] | Any) -> float:
    """Compute debiased CKA of two representations of the same points.

    Args:
        x: one representation ``[N, ...]``, flattened, of at least 4 points.
        y: the other one, with any number of features.

    Raises:
        TypeError, ValueError: under the conditions of :meth:`CKA.update`.

    >>> x = torch.tensor([[0.0, 1], [1, 0], [2, 2], [3, 1], [1, 4]])
    >>> round(cka(x, 2 * x + 1), 6)
    1.0
    """
    return CKA().update(x, y).result()


def alignment(sums: Float64[Tensor, " terms"]) -> Float64[Tensor, ""]:
    """Return CKA of summed alignments; NaN where one of the last two is not positive."""
    product = sums[1].clamp(min=0) * sums[2].clamp(min=0)
    return torch.where(product > 0, sums[0] / product.sqrt(), torch.nan)


def alignments(x: Any, y: Any) -> Float64[Tensor, " terms"]:
    """Return the unbiased HSIC of one batch: of the two representations, and of each with itself."""
    first, second = _products("x", x), _products("y", y)
    tensor_checks.shape("y", second, len(second) == len(first), f"{len(first)} points, as x has")
    return torch.stack([_hsic(first, second), _hsic(first, first), _hsic(second, second)])


def _products(name: str, value: Any) -> Tensor:
    """Return the inner products of centred points ``[N, N]`` with zeros on the diagonal; centring changes no HSIC."""
    points = tensor_checks.finite_numbers(name, value)
    tensor_checks.shape(name, points, points.ndim >= 2 and len(points) >= FEWEST, f"[N, ...] with N >= {FEWEST}")
    centred = points.flatten(1) - points.flatten(1).mean(0)
    return (centred @ centred.T).fill_diagonal_(0.0)


def _hsic(k: Tensor, m: Tensor) -> Tensor:
    n = len(k)
    total = (k * m).sum() + k.sum() * m.sum() / ((n - 1) * (n - 2)) - 2 * (k.sum(0) @ m.sum(1)) / (n - 2)
    return total / (n * (n - 3))

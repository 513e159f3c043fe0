r"""Centred kernel alignment (CKA) of two representations of the same points, without bias, batch by batch.

With :math:`\mathrm{HSIC}(K, L)` the unbiased estimate of Song et al. (2012) for the matrices of inner products of the
two representations, :math:`\mathrm{CKA} = \mathrm{HSIC}(K, L) / \sqrt{\mathrm{HSIC}(K, K)\, \mathrm{HSIC}(L, L)}`. Its
three terms are averaged over batches (Nguyen, Raghu and Kornblith 2021), so that accumulators of different processes
can be merged. The usual biased estimate tends to one for any two representations of more features than points.

HSIC is the mean of the products of the entries off the diagonal of two matrices that are centred without these entries
(Székely and Rizzo 2014). Points at equal distances, such as one-hot or whitened ones, leave zeros there, and CKA is
0/0. Entries that the rounding of the representation and of its inner products explains are therefore zeros.
"""

from __future__ import annotations

from typing import Any

import torch
from jaxtyping import Float64, Real
from torch import Tensor

from closedform import checks
from closedform.rounding import ROUNDING, ROUNDINGS, moderate
from empirics import tensor_checks
from empirics.measure.collapse.means import precision

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

    def update(
        self, x: Real[Tensor, "batch ..."] | Any, y: Real[Tensor, "batch ..."] | Any
    ) -> CKA:
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
        """Return CKA, at most about 1; NaN without a batch, or if all points of one are equally far apart."""
        return float(alignment(self.sums))


def cka(x: Real[Tensor, "N ..."] | Any, y: Real[Tensor, "N ..."] | Any) -> float:
    """Compute debiased CKA of two representations of the same points.

    Args:
        x: one representation ``[N, ...]``, flattened, of at least 4 points.
        y: the other one, with any number of features.

    Returns:
        CKA, at most about 1, dimensionless; NaN where it is 0/0 up to rounding, because all points of one
        representation are the same or equally far apart.

    Raises:
        TypeError, ValueError: under the conditions of :meth:`CKA.update`.

    >>> x = torch.tensor([[0.0, 1], [1, 0], [2, 2], [3, 1], [1, 4]])
    >>> round(cka(x, 2 * x + 1), 6)
    1.0
    """
    return CKA().update(x, y).result()


def alignment(sums: Float64[Tensor, " terms"]) -> Float64[Tensor, ""]:
    """Return CKA of summed alignments; NaN where one of the last two is zero, which rounding does not decide."""
    return torch.where(
        (sums[1] > 0) & (sums[2] > 0), sums[0] / sums[1].sqrt() / sums[2].sqrt(), torch.nan
    )


def alignments(x: Any, y: Any) -> Float64[Tensor, " terms"]:
    """Return the unbiased HSIC of one batch: of the two representations, and of each with itself."""
    first, second = _centred_products("x", x), _centred_products("y", y)
    tensor_checks.shape("y", second, len(second) == len(first), f"{len(first)} points, as x has")
    n = len(first)
    terms = [(a * b).sum() for a, b in ((first, second), (first, first), (second, second))]
    return torch.stack(terms) / (n * (n - 3))


def _centred_products(name: str, value: Any) -> Tensor:
    """Return the inner products of points ``[N, N]``, centred without the diagonal, which is zero.

    All are zero if their norm is within what rounding leaves of equal ones.
    """
    numbers = tensor_checks.real_numbers(name, value)
    points = moderate(tensor_checks.finite_numbers(name, value))
    tensor_checks.shape(
        name, points, points.ndim >= 2 and len(points) >= FEWEST, f"[N, ...] with N >= {FEWEST}"
    )
    points, n = points.flatten(1), len(points)
    centred = points - points.mean(0)
    products = (centred @ centred.T).fill_diagonal_(0.0)
    rows = products.sum(0) / (n - 2)
    products = (products - rows - rows[:, None] + rows.sum() / (n - 1)).fill_diagonal_(0.0)
    is_explained = torch.linalg.matrix_norm(products) <= _rounding(
        points, centred, precision(numbers.dtype)
    )
    return torch.where(is_explained, 0.0, products)


def _rounding(points: Tensor, centred: Tensor, epsilon: float) -> Tensor:
    """Return the norm of the errors of all inner products of centred points, from independent errors of the points.

    Every coordinate has an error of ``ROUNDINGS * epsilon`` times itself. The sums add roundings of float64.
    """
    error, spread, size = ROUNDINGS * epsilon, centred.square().sum(0), points.square().sum(0)
    of_points = error * torch.sqrt(2 * (spread * size).sum()) + error**2 * torch.sqrt(
        size.square().sum()
    )
    return of_points + ROUNDING * spread.sum()

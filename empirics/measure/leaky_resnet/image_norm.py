r"""Norms :math:`\|M\|_K^2 = \operatorname{Tr} M K^+ M^\top` and :math:`\|M\|_{K+\gamma}^2`, :math:`K = S^\top S`.

K is never formed: its condition number is the square of that of S. With the thin SVD :math:`S = U \Sigma V^\top`,

.. math::
    \|M\|_K^2 = \|M V \Sigma^{-1}\|_F^2, \qquad
    \|M\|_{K+\gamma}^2 = \|M V (\Sigma^2 + \gamma)^{-1/2}\|_F^2 + \gamma^{-1} \|M - M V V^\top\|_F^2 .

The first is infinite where a row of M has a part outside the image of :math:`S^\top`, a part that a pseudo-inverse
would silently drop. In floating point "outside" needs a threshold, so the relative residual is returned, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from closedform.rounding import is_nonzero


@dataclass(frozen=True)
class Image:
    """The row space of S, for a batch of matrices ``[..., row, point]``."""

    values: Tensor  # singular values Σ of S, [..., rank]
    basis: Tensor  # V, [..., point, rank]
    kept: Tensor  # which of them count as non-zero, [..., rank]

    @classmethod
    def of(cls, s: Tensor) -> Image:
        """Compute the row space of ``s`` ``[..., row, point]``."""
        _, values, vh = torch.linalg.svd(s, full_matrices=False)
        rows, points = s.shape[-2:]
        return cls(values, vh.mT, is_nonzero(values, rows, points, torch.finfo(s.dtype).eps))

    @property
    def condition(self) -> Tensor:
        """The ratio of the largest to the smallest non-zero singular value, ``[...]``, which amplifies rounding."""
        least = torch.where(self.kept, self.values, torch.inf).amin(-1)
        return self.values.amax(-1) / least

    def project(self, m: Tensor) -> SplitMatrix:
        """Split ``m`` ``[..., row, point]`` into its part in the row space and its part orthogonal to it."""
        basis = self.basis * self.kept[..., None, :]
        inside = m @ basis
        outside = m - inside @ basis.mT
        # repeated, so that a small remainder keeps its leading digits
        outside = outside - (outside @ basis) @ basis.mT
        return SplitMatrix(self, inside, outside, torch.linalg.matrix_norm(m))


@dataclass(frozen=True)
class SplitMatrix:
    """A batch of matrices M, split into a part in the row space of S and a part orthogonal to it."""

    image: Image  # the row space
    inside: (
        Tensor  # coefficients M V, [..., row, rank]; zero where a singular value counts as zero
    )
    outside: Tensor  # the orthogonal part M - M V Vᵀ, [..., row, point]
    size: Tensor  # Frobenius norm of M, [...]

    def norm2(self) -> Tensor:
        r"""Return :math:`\|M\|_K^2`, ``[...]``, of the part of M in the row space alone."""
        inverse = torch.where(self.image.kept, 1 / self.image.values, 0)
        return (self.inside * inverse[..., None, :]).square().sum((-2, -1))

    def residual(self) -> Tensor:
        """Return the fraction of M (Frobenius norm) outside the row space, ``[...]``; zero for a zero M."""
        is_nonzero = self.size > 0
        return torch.where(
            is_nonzero,
            torch.linalg.matrix_norm(self.outside) / torch.where(is_nonzero, self.size, 1),
            0,
        )

    def stable_norm2(self, gamma: Tensor) -> Tensor:
        r"""Return :math:`\|M\|_{K+\gamma}^2`, ``[...]``, for ``gamma`` > 0 ``[...]``; it is always finite."""
        scale = (self.image.values.square() + gamma[..., None]).rsqrt()
        inside = (self.inside * scale[..., None, :]).square().sum((-2, -1))
        return inside + self.outside.square().sum((-2, -1)) / gamma


def singular_values(m: Tensor) -> Tensor:
    """Return the singular values ``[..., min(row, point)]`` of ``m`` ``[..., row, point]``, in descending order."""
    # The QR factorisation first makes this faster for many points.
    values: Tensor = torch.linalg.svdvals(torch.linalg.qr(m.mT, mode="r").R)
    return values

r"""Norms :math:`\|M\|_K^2 = \operatorname{Tr} M K^+ M^\top` and :math:`\|M\|_{K+\gamma}^2`, :math:`K = S^\top S`.

K is never formed: its condition number is the square of that of S. With the thin SVD :math:`S = U \Sigma V^\top`,

.. math::
    \|M\|_K^2 = \|M V \Sigma^{-1}\|_F^2, \qquad
    \|M\|_{K+\gamma}^2 = \|M V (\Sigma^2 + \gamma)^{-1/2}\|_F^2 + \gamma^{-1} \|M - M V V^\top\|_F^2 .

The first is infinite where a row of M has a part outside the image of :math:`S^\top`, which a pseudo-inverse would drop
in silence. In floating point "outside" needs a threshold, so the relative residual is returned, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from empirics.rank import counts


@dataclass(frozen=True)
class Image:
    """The row space of S, of a batch of matrices ``[..., row, point]``.

    Attributes:
        values: singular values Σ of S, ``[..., rank]``, in the units of S.
        basis: V, ``[..., point, rank]``.
        kept: which singular values count as non-zero by :func:`empirics.rank.counts`, ``[..., rank]``.
    """

    values: Tensor
    basis: Tensor
    kept: Tensor

    @classmethod
    def of(cls, s: Tensor) -> Image:
        """The image of ``s``."""
        _, values, vh = torch.linalg.svd(s, full_matrices=False)
        return cls(values, vh.mT, counts(values, *s.shape[-2:]))

    @property
    def condition(self) -> Tensor:
        """Largest over least kept singular value, ``[...]``; relative errors are about this times the rounding."""
        least = torch.where(self.kept, self.values, torch.inf).amin(-1)
        return self.values.amax(-1) / least

    def project(self, m: Tensor) -> Projection:
        """``m`` ``[..., row, point]``, split into what lies in the image and what does not."""
        basis = self.basis * self.kept[..., None, :]
        inside = m @ basis
        outside = m - inside @ basis.mT
        outside = outside - (outside @ basis) @ basis.mT  # once more: a small rest keeps its leading digits
        return Projection(self, inside, outside, torch.linalg.matrix_norm(m))


@dataclass(frozen=True)
class Projection:
    """A batch of matrices M, split along the row space of S.

    Attributes:
        image: the row space.
        inside: coefficients M V, ``[..., row, rank]``; zero where a singular value does not count.
        outside: M - M V V', ``[..., row, point]``.
        size: Frobenius norm of M, ``[...]``.
    """

    image: Image
    inside: Tensor
    outside: Tensor
    size: Tensor

    def norm2(self) -> Tensor:
        r""":math:`\|M\|_K^2`, ``[...]``, without regard to what lies outside the image."""
        inverse = torch.where(self.image.kept, 1 / self.image.values, 0)
        return (self.inside * inverse[..., None, :]).square().sum((-2, -1))

    def residual(self) -> Tensor:
        """Fraction of M (Frobenius norm) outside the image, ``[...]``, dimensionless; zero for a zero M."""
        some = self.size > 0
        return torch.where(some, torch.linalg.matrix_norm(self.outside) / torch.where(some, self.size, 1), 0)

    def stable_norm2(self, gamma: Tensor) -> Tensor:
        r""":math:`\|M\|_{K+\gamma}^2` with ``gamma`` > 0 ``[...]``; always finite."""
        scale = (self.image.values.square() + gamma[..., None]).rsqrt()
        inside = (self.inside * scale[..., None, :]).square().sum((-2, -1))
        return inside + self.outside.square().sum((-2, -1)) / gamma


def singular_values(m: Tensor) -> Tensor:
    """Of ``[..., row, point]``, descending, ``[..., min(row, point)]``; QR first: faster for many points."""
    values: Tensor = torch.linalg.svdvals(torch.linalg.qr(m.mT, mode="r").R)
    return values

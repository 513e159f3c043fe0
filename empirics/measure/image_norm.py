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


@dataclass(frozen=True)
class Image:
    """The row space of S, of a batch of matrices ``[..., row, point]``.

    Attributes:
        values: singular values Σ of S, ``[..., rank]``, in the units of S.
        basis: V, ``[..., point, rank]``.
        kept: which singular values count as non-zero (above ``max(shape) * eps`` times the largest), ``[..., rank]``.
    """

    values: Tensor
    basis: Tensor
    kept: Tensor

    @classmethod
    def of(cls, s: Tensor) -> Image:
        """The image of ``s``."""
        _, values, vh = torch.linalg.svd(s, full_matrices=False)
        small = max(s.shape[-2:]) * torch.finfo(s.dtype).eps * values.amax(-1, keepdim=True)
        return cls(values, vh.mT, (values > small))

    @property
    def condition(self) -> Tensor:
        """Largest over least kept singular value, ``[...]``; relative errors are about this times the rounding."""
        least = torch.where(self.kept, self.values, torch.inf).amin(-1)
        return self.values.amax(-1) / least

    def norm2(self, m: Tensor) -> Tensor:
        r""":math:`\|M\|_K^2` of ``m`` ``[..., row, point]``, without regard to what lies outside the image."""
        scaled = (m @ self.basis) * torch.where(self.kept, 1 / self.values, 0)[..., None, :]
        return scaled.square().sum((-2, -1))

    def residual(self, m: Tensor) -> Tensor:
        """Fraction of ``m`` (Frobenius norm) outside the image, ``[...]``, dimensionless; zero for a zero ``m``."""
        size = torch.linalg.matrix_norm(m)
        return torch.where(size > 0, torch.linalg.matrix_norm(self._outside(m)) / torch.where(size > 0, size, 1), 0)

    def stable_norm2(self, m: Tensor, gamma: Tensor) -> Tensor:
        r""":math:`\|M\|_{K+\gamma}^2` with ``gamma`` > 0 ``[...]``; always finite."""
        inside = (m @ self.basis) * torch.where(self.kept, (self.values.square() + gamma[..., None]).rsqrt(), 0)[
            ..., None, :
        ]
        return inside.square().sum((-2, -1)) + self._outside(m).square().sum((-2, -1)) / gamma

    def _outside(self, m: Tensor) -> Tensor:
        basis = self.basis * self.kept[..., None, :]
        out = m - (m @ basis) @ basis.mT
        return out - (out @ basis) @ basis.mT  # once more: a small rest keeps its leading digits

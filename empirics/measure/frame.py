r"""Orthonormal frames of Jacobians, and how far rounding lets them be trusted.

:math:`J = QR` by Householder reflections, whose error is relative to each column by itself: the scales of the columns
do not matter, only how nearly dependent they are once scaled to length one. With :math:`\hat R` that scaled factor,
rounding in :math:`J` moves :math:`\log|\det R|` by about :math:`\varepsilon \|\hat R^{-1}\|`. Columns count as
dependent where a matrix within that rounding is singular, whatever the computed one is. (The Gram matrix :math:`J^T J`
would square the condition number: it loses everything at 1e8.)
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from empirics.rank import ROUNDINGS

EPSILON = torch.finfo(torch.float64).eps


@dataclass(frozen=True)
class Frame:
    """Factors of Jacobians whose rows are at least as many as their columns.

    Attributes:
        q: orthonormal columns, ``[batch, rows, columns]``.
        r: upper triangular, ``[batch, columns, columns]``.
        log_volume: sum of log|diagonal of r|, ``[batch]``; -inf where singular.
        error: expected error of ``log_volume``, ``[batch]``; inf where singular to rounding.
    """

    q: Tensor
    r: Tensor
    log_volume: Tensor
    error: Tensor

    @property
    def singular(self) -> Tensor:
        """Where columns are dependent to rounding, ``[batch]``, boolean."""
        return torch.isinf(self.error)


def frame(jacobian: Tensor, epsilon: float = EPSILON) -> Frame:
    """Orthonormal frame of the columns of ``jacobian``, ``[batch, rows, columns]`` in float64, rows >= columns.

    Args:
        jacobian: the matrices.
        epsilon: relative rounding error of their entries.
    """
    columns = jacobian.shape[2]
    lengths = torch.linalg.vector_norm(jacobian, dim=1)
    safe = torch.where(lengths > 0, lengths, 1.0)
    q, scaled = torch.linalg.qr(jacobian / safe[:, None, :])
    eye = torch.eye(columns, dtype=scaled.dtype, device=scaled.device)
    inverse = torch.linalg.solve_triangular(scaled, eye.expand_as(scaled), upper=True)
    error = ROUNDINGS * epsilon * torch.linalg.matrix_norm(inverse)
    # Rounding moves a singular value by up to ROUNDINGS * epsilon * sqrt(columns), and the least is above 1/|inverse|.
    singular = ~(error < columns**-0.5)
    diagonal = scaled.diagonal(dim1=1, dim2=2).abs()
    log_volume = torch.where(singular, -torch.inf, (diagonal.log() + safe.log()).sum(dim=1))
    r = scaled * safe[:, None, :]
    return Frame(q, r, log_volume, torch.where(singular, torch.inf, error))

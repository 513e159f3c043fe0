r"""Orthonormal frames of Jacobians, and how far rounding lets them be trusted.

:math:`J = QR` by Householder reflections, whose error is relative to each column by itself: the scales of the columns
do not matter, only how nearly dependent they are once scaled to length one. With :math:`\hat R` that scaled factor,
rounding in :math:`J` moves :math:`\log|\det R|` by about :math:`\varepsilon \|\hat R^{-1}\|`. (The Gram matrix
:math:`J^T J` would square the condition number: it loses everything at 1e8.)
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

EPSILON = torch.finfo(torch.float64).eps
SAFETY = 8  # rounding of a Jacobian's entries, in units of EPSILON: a few operations a layer


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
    zero = (lengths == 0).any(dim=1)
    safe = torch.where(lengths > 0, lengths, 1.0)
    q, scaled = torch.linalg.qr(jacobian / safe[:, None, :])
    diagonal = scaled.diagonal(dim1=1, dim2=2).abs()
    zero = zero | (diagonal == 0).any(dim=1)
    eye = torch.eye(columns, dtype=scaled.dtype, device=scaled.device)
    guarded = torch.where(zero[:, None, None], eye, scaled)
    inverse = torch.linalg.solve_triangular(guarded, eye.expand_as(guarded), upper=True)
    error = SAFETY * epsilon * torch.linalg.matrix_norm(inverse)
    singular = zero | ~(error < SAFETY * columns**-0.5)  # smallest singular value below epsilon times the largest
    log_volume = torch.where(singular, -torch.inf, (diagonal.log() + safe.log()).sum(dim=1))
    r = scaled * safe[:, None, :]
    return Frame(q, r, log_volume, torch.where(singular, torch.inf, error))

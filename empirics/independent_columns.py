"""Linear independence of columns of computed numbers, by the rule of ``closedform.rounding``."""

from __future__ import annotations

import torch
from torch import Tensor

from closedform.rounding import is_nonzero


def independent_columns(matrix: Tensor) -> Tensor:
    """Return whether the columns of each matrix are linearly independent beyond rounding, booleans ``[...]``.

    Columns are first scaled to length one, so that their units do not matter; a column of zeros is dependent.

    Args:
        matrix: matrices ``[..., row, column]``.
    """
    rows, columns = matrix.shape[-2:]
    lengths = torch.linalg.vector_norm(matrix, dim=-2, keepdim=True)
    scaled = matrix / torch.where(lengths > 0, lengths, 1)
    is_finite = torch.isfinite(scaled).all(-1).all(-1)
    values = torch.linalg.svdvals(torch.where(is_finite[..., None, None], scaled, 0))
    if rows < columns:
        return torch.zeros_like(is_finite)
    kept: Tensor = is_nonzero(values, rows, columns, torch.finfo(matrix.dtype).eps)
    return is_finite & kept.all(-1)

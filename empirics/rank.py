"""The one rule by which matrices of computed numbers count as singular, for everything measured or trained here.

Numbers computed with a few floating-point operations are known up to a few roundings. A matrix of such numbers counts
as singular if some matrix within these roundings is singular. Whether the computed matrix is exactly singular depends
on the order in which a processor adds and is therefore not used.
"""

from __future__ import annotations

import torch
from torch import Tensor

ROUNDINGS = 8  # relative error of an entry computed with a few operations, in units of the machine epsilon


def counts(values: Tensor, rows: int, columns: int, epsilon: float | None = None) -> Tensor:
    """Return which singular values of a matrix differ from zero by more than rounding.

    Independent errors of at most ``ROUNDINGS * epsilon`` times the size of the matrix in each entry change its singular
    values by at most about that times ``sqrt(rows) + sqrt(columns)``.

    Args:
        values: singular values ``[..., rank]``.
        rows: number of rows of the matrix.
        columns: number of its columns.
        epsilon: machine epsilon of the numbers from which the matrix was computed; None (default) takes that of
            ``values``.

    Returns:
        Booleans ``[..., rank]``; all False for a zero matrix.
    """
    eps = torch.finfo(values.dtype).eps if epsilon is None else epsilon
    threshold: float = ROUNDINGS * eps * (rows**0.5 + columns**0.5)
    return values > threshold * values.amax(-1, keepdim=True)


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
    return is_finite & counts(values, rows, columns).all(-1)

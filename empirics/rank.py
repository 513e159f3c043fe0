r"""When a matrix of computed numbers counts as singular: one rule for everything that is measured or trained here.

Numbers that come out of a few floating-point operations are known to a few roundings only, so that a matrix of them is
singular where a matrix within these roundings is. Which side of exact singularity the computed matrix falls on depends
on the order in which a processor adds, and decides nothing.
"""

from __future__ import annotations

import torch
from torch import Tensor

ROUNDINGS = 8  # relative error of a computed entry, in spacings of floating-point numbers: a few operations


def counts(values: Tensor, rows: int, columns: int, epsilon: float | None = None) -> Tensor:
    """Which singular values of a matrix are not zero to rounding.

    Entries with independent errors of at most ``ROUNDINGS * epsilon`` times the size of the matrix move its singular
    values by up to that times ``sqrt(rows) + sqrt(columns)``.

    Args:
        values: singular values ``[..., rank]``.
        rows: of the matrix.
        columns: of the matrix.
        epsilon: spacing of the numbers that the matrix was computed in; that of ``values`` where None.

    Returns:
        Booleans ``[..., rank]``; all False for a zero matrix.
    """
    spacing = torch.finfo(values.dtype).eps if epsilon is None else epsilon
    cut: float = ROUNDINGS * spacing * (rows**0.5 + columns**0.5)
    return values > cut * values.amax(-1, keepdim=True)


def independent_columns(matrix: Tensor, epsilon: float | None = None) -> Tensor:
    """Whether the columns of ``[..., row, column]`` are linearly independent beyond rounding, ``[...]``.

    Columns are first scaled to length one, so that their units do not matter; a column of zeros is dependent.

    Args:
        matrix: the matrices.
        epsilon: spacing of the numbers that they were computed in; that of ``matrix`` where None.
    """
    rows, columns = matrix.shape[-2:]
    lengths = torch.linalg.vector_norm(matrix, dim=-2, keepdim=True)
    scaled = matrix / torch.where(lengths > 0, lengths, 1)
    known = torch.isfinite(scaled).all(-1).all(-1)
    values = torch.linalg.svdvals(torch.where(known[..., None, None], scaled, 0))
    if rows < columns:
        return torch.zeros_like(known)
    return known & counts(values, rows, columns, epsilon).all(-1)

"""The kernel matrix of checked inputs, written tile by tile so that what is between stays in the processor's cache.

Textbook layers of large matrices are loops (``kernel_loops``) where numba is installed; all others are numpy's.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from closedform import loops
from closedform.checks.arrays import Array
from theory.activations import Activation
from theory.geometry.kernel_recursion import Recursion
from theory.geometry.kernel_rounding import settle_rounding
from theory.geometry.kernel_textbook import ErrorFunction, PiecewiseLinear

Inputs = tuple[Array, Array]  # [N, d], and their squared norms
# entries times layers for which loops are used: their import takes as long as fifty such matrices
FEWEST = 2**18
BOUNDED = 1e300  # diagonal up to which the entries of a textbook kernel are in the range of double precision
Fill = Callable[[Array, int, int], None]
Mirror = Callable[[Array, NDArray[Any], int, int], None]
_BELOW = np.tri(256, k=-1, dtype=bool)  # of a square that is higher than any tile
_ROWS, _COLUMNS = 64, 1024  # of a tile
# about as many entries for series, whose coefficients are computed for each side of a tile
_SQUARE = (192, 256)


def write(
    matrix: NDArray[Any], activation: Activation, network: Recursion, across: Inputs, along: Inputs
) -> None:
    """Write the kernel of the inputs ``across`` the rows and ``along`` the columns of a matrix.

    Args:
        matrix: array ``[N, M]`` of float32 or float64.
        activation: that of the network, for what an error says.
        network: recursion of the kernel.
        across: inputs ``[N, d]`` in the order of memory, and their squared norms ``[N]``.
        along: inputs ``[M, d]`` and squared norms; the same object for a symmetric matrix, of which only the tiles
            above the diagonal are computed.

    Raises:
        ArithmeticError: if the kernel exceeds the range of double precision.
    """
    (rows, squared), (columns, _) = across, along
    symmetric = columns is rows
    numbers = numbers_of_rows(rows, columns)
    distinct = symmetric and bool((numbers[0] == np.arange(len(rows))).all())
    down, diagonal = network.diagonal(squared)
    right, end = (down, diagonal) if symmetric else network.diagonal(along[1])
    require_finite(activation, network, diagonal, end, *down, *right)
    work = matrix.size * network.depth / (2 if symmetric else 1)
    fill, mirror = _ways(network, down, right, work)
    is_bounded = (
        _is_textbook(network) and max(map(np.max, (diagonal, end, *down, *right))) < BOUNDED
    )
    height, width = _SQUARE if network.layer.is_integral else (_ROWS, _COLUMNS)
    space = np.empty(min(height, len(rows)) * min(width, len(columns)))
    for top in range(0, len(rows), height):
        part = slice(top, top + height)
        for left in range(top if symmetric else 0, len(columns), width):
            other = slice(left, left + width)
            place = matrix[part, other]
            tile = space[: place.size].reshape(place.shape)
            np.matmul(rows[part], columns[other].T, out=tile)
            on_diagonal = symmetric and top == left
            if on_diagonal and network.layer.is_integral:
                np.fill_diagonal(tile, 0)  # equal inputs would need a double integral each
            fill(tile, top, left)
            if on_diagonal:
                np.fill_diagonal(tile, diagonal[part])
                square, below = tile[:, : len(tile)], _BELOW[: len(tile), : len(tile)]
                np.copyto(square, square.T, where=below)
            if not distinct:
                np.copyto(
                    tile, diagonal[part, None], where=numbers[0][part, None] == numbers[1][other]
                )
            if not is_bounded:
                require_finite(activation, network, tile)
            if symmetric:
                mirror(tile, matrix, top, left)
            place[...] = tile
    settle_rounding(
        matrix, activation, network, rows, columns, numbers, (down, right), (diagonal, end)
    )


def require_finite(activation: Activation, network: Recursion, *arrays: Array) -> None:
    """Raise ArithmeticError, which names the kernel, unless all entries of all arrays are finite."""
    if not all(map(is_finite, arrays)):
        kind = "ntk" if network.slopes else "nngp"
        raise ArithmeticError(
            f"the {kind} kernel matrix of {activation.name} exceeds the range of double precision"
        )


def is_finite(array: Array) -> bool:
    """Return whether all entries are; a finite sum of squares says so sooner than a look at each."""
    return bool((array.ndim == 1 and math.isfinite(array.dot(array))) or np.isfinite(array).all())


def _is_textbook(network: Recursion) -> bool:
    return isinstance(network.layer, PiecewiseLinear | ErrorFunction)


def _ways(
    network: Recursion, down: Sequence[Array], right: Sequence[Array], work: float
) -> tuple[Fill, Mirror]:
    """Return the functions that compute a tile in place, and that write its mirror image."""
    if _is_textbook(network) and work >= FEWEST and loops.is_installed():
        from theory.geometry import kernel_loops

        return kernel_loops.tile_loop(network, down, right), kernel_loops.mirror

    def fill(tile: Array, top: int, left: int) -> None:
        rows, columns = slice(top, top + len(tile)), slice(left, left + tile.shape[1])
        tile[...] = network.kernel(tile, [v[rows] for v in down], [v[columns] for v in right])

    return fill, _mirror


def _mirror(tile: Array, matrix: NDArray[Any], top: int, left: int) -> None:
    matrix[left : left + tile.shape[1], top : top + len(tile)] = tile.T


def numbers_of_rows(rows: Array, columns: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return numbers of the rows of both arrays, of which two are the same if and only if the rows are equal."""
    if columns is rows and rows.size and len(np.unique(rows[:, 0])) == len(rows):
        return np.arange(len(rows)), np.arange(len(rows))
    known: dict[bytes, int] = {}
    row_numbers = np.array(
        [known.setdefault(row.tobytes(), index) for index, row in enumerate(rows + 0.0)]
    )
    if columns is rows:
        return row_numbers, row_numbers
    return row_numbers, np.array([known.get(row.tobytes(), -1) for row in columns + 0.0])

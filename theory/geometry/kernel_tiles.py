"""The kernel matrix of checked inputs, written tile by tile so that what is between stays in the processor's cache."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from closedform.checks.arrays import Array

Fill = Callable[[Array, int, int], None]
Mirror = Callable[[Array, NDArray[Any], int, int], None]
Numbers = tuple[NDArray[np.int64], NDArray[np.int64]]


def mirror(tile: Array, matrix: NDArray[Any], top: int, left: int) -> None:
    """Write a tile whose place is at ``[top, left]`` into its mirror image at ``[left, top]``."""
    matrix[left : left + tile.shape[1], top : top + len(tile)] = tile.T


@dataclass(frozen=True)
class Tiles:
    """How the tiles of a kernel matrix are computed.

    Attributes:
        fill: function that writes the kernel into a tile, from its first row and its first column in the matrix.
        height: rows of a tile.
        width: columns of a tile, at least as many.
        mirror: function that writes the mirror image of a tile of a symmetric matrix.
        is_bounded: whether all entries are known to be in the range of double precision.
    """

    fill: Fill
    height: int
    width: int
    mirror: Mirror = mirror
    is_bounded: bool = False


def write(
    matrix: NDArray[Any], tiles: Tiles, numbers: Numbers, diagonal: Array, kernel: str
) -> None:
    """Write a kernel into a matrix.

    Args:
        matrix: array ``[N, M]`` of float32 or float64.
        tiles: how its tiles are computed.
        numbers: numbers of the inputs of rows and columns, equal where these are; the same object for a symmetric
            matrix, of which only the tiles above the diagonal are computed.
        diagonal: kernel of each input of the rows with itself, ``[N]``.
        kernel: name of the kernel, for what an error says.

    Raises:
        ArithmeticError: if the kernel exceeds the range of double precision.
    """
    count, across = matrix.shape
    symmetric = numbers[1] is numbers[0]
    distinct = symmetric and bool((numbers[0] == np.arange(count)).all())
    space = np.empty(min(tiles.height, count) * min(tiles.width, across))
    for top in range(0, count, tiles.height):
        part = slice(top, top + tiles.height)
        for left in range(top if symmetric else 0, across, tiles.width):
            other = slice(left, left + tiles.width)
            place = matrix[part, other]
            tile = space[: place.size].reshape(place.shape)
            tiles.fill(tile, top, left)
            if symmetric and top == left:
                np.fill_diagonal(tile, diagonal[part])
                square = tile[:, : len(tile)]
                np.copyto(square, square.T, where=_below_diagonal(len(tile)))
            if not distinct:
                is_equal = numbers[0][part, None] == numbers[1][other]
                np.copyto(tile, diagonal[part, None], where=is_equal)
            if not tiles.is_bounded:
                require_finite(kernel, tile)
            if symmetric:
                tiles.mirror(tile, matrix, top, left)
            place[...] = tile


@lru_cache(maxsize=8)
def _below_diagonal(size: int) -> NDArray[np.bool_]:
    """Return which entries of a square are below its diagonal."""
    return np.tri(size, k=-1, dtype=bool)


def require_finite(kernel: str, *arrays: Array) -> None:
    """Raise ArithmeticError, which names the kernel, unless all entries of all arrays are finite."""
    if not all(map(is_finite, arrays)):
        raise ArithmeticError(f"the {kernel} exceeds the range of double precision")


def is_finite(array: Array) -> bool:
    """Return whether all entries are; a finite sum of squares says so sooner than a look at each."""
    return bool((array.ndim == 1 and math.isfinite(array.dot(array))) or np.isfinite(array).all())


def numbers_of_rows(rows: Array, columns: Array) -> Numbers:
    """Return numbers of the rows of both arrays, of which two are the same if and only if the rows are equal.

    Of the same array twice, they are the same object.
    """
    if columns is rows and rows.size and len(np.unique(rows[:, 0])) == len(rows):
        distinct = np.arange(len(rows))
        return distinct, distinct
    known: dict[bytes, int] = {}
    row_numbers = np.array(
        [known.setdefault(row.tobytes(), index) for index, row in enumerate(rows + 0.0)]
    )
    if columns is rows:
        return row_numbers, row_numbers
    return row_numbers, np.array([known.get(row.tobytes(), -1) for row in columns + 0.0])

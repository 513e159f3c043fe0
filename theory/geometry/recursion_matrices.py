"""Kernel matrices of deep networks with one activation, and the entries that rounding spoils.

Textbook layers of large matrices are loops (``kernel_loops``) where numba is installed; all others are numpy's.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from closedform import loops
from closedform.checks.arrays import Array
from theory.activations import Activation
from theory.geometry.kernel_recursion import Recursion
from theory.geometry.kernel_rounding import (
    HARMLESS,
    WITH_A_KINK,
    WORTH_A_WARNING,
    grows,
    in_balls,
    settle,
)
from theory.geometry.kernel_textbook import ErrorFunction, PiecewiseLinear
from theory.geometry.kernel_tiles import (
    Fill,
    Mirror,
    Tiles,
    mirror,
    numbers_of_rows,
    require_finite,
    write,
)
from theory.geometry.network_matrices import errors_of_pairs, words_of

Inputs = tuple[Array, Array]  # [N, d], and their squared norms
# entries times layers for which loops are used: their import takes as long as fifty such matrices
FEWEST = 2**18
BOUNDED = 1e300  # diagonal up to which the entries of a textbook kernel are in the range of double precision
_ROWS, _COLUMNS = 64, 1024  # of a tile
# about as many entries for series, whose coefficients are computed for each side of a tile
_SQUARE = (192, 256)


def matrix_of_recursion(
    matrix: NDArray[Any],
    activation: Activation,
    recursion: Recursion,
    kind: str,
    across: Inputs,
    along: Inputs,
) -> None:
    """Write the kernel of the inputs ``across`` the rows and ``along`` the columns into a matrix.

    Args:
        matrix: array ``[N, M]`` of float32 or float64.
        activation: that of the network.
        recursion: recursion of the kernel.
        kind: "nngp", "ntk" or "scaled_ntk".
        across: inputs ``[N, d]`` in the order of memory, and their squared norms ``[N]``.
        along: inputs ``[M, d]`` and squared norms; the same object for a symmetric matrix.

    Raises:
        ArithmeticError: if the kernel exceeds the range of double precision.
    """
    (rows, squared), (columns, other) = across, along
    numbers, kernel = numbers_of_rows(rows, columns), f"{kind} kernel matrix of {activation.name}"
    sides = [recursion.diagonal(squared)]
    sides.append(sides[0] if columns is rows else recursion.diagonal(other))
    variances, diagonals = zip(*sides, strict=True)
    known = (*diagonals, *variances[0], *variances[1])
    require_finite(kernel, *known)
    is_bounded = _is_textbook(recursion) and max(map(np.max, known)) < BOUNDED
    tiles = _tiles(recursion, (rows, columns), variances, is_bounded)
    write(matrix, tiles, numbers, diagonals[0], kernel)
    large = [np.flatnonzero(np.prod(np.maximum(v, 1), axis=0) > HARMLESS) for v in variances]
    if not (large[0].size and large[1].size and grows(activation, recursion.slopes)):
        return
    scales = recursion.weights, recursion.biases, recursion.readout
    net = words_of(activation, [None] * recursion.depth, kind, scales)
    settle(
        matrix,
        (rows, columns),
        numbers,
        large,
        errors_of_pairs(net, kind, (rows, columns), diagonals),
        diagonals,
        (variances[0][0], variances[1][0]),
        WITH_A_KINK if recursion.slopes and not activation.smooth else WORTH_A_WARNING,
        lambda x, y: in_balls(activation, recursion, x, y),
    )


def _is_textbook(recursion: Recursion) -> bool:
    return isinstance(recursion.layer, PiecewiseLinear | ErrorFunction)


def _tiles(
    recursion: Recursion,
    inputs: tuple[Array, Array],
    variances: Sequence[Sequence[Array]],
    is_bounded: bool,
) -> Tiles:
    """Return how tiles are computed from inner products of the inputs and the variances of each."""
    (rows, columns), (down, right) = inputs, variances
    symmetric, is_integral = columns is rows, recursion.layer.is_integral
    work = len(rows) * len(columns) * recursion.depth / (2 if symmetric else 1)

    def of_products(tile: Array, top: int, left: int) -> None:
        part, other = slice(top, top + len(tile)), slice(left, left + tile.shape[1])
        tile[...] = recursion.kernel(tile, [v[part] for v in down], [v[other] for v in right])

    kernel: Fill = of_products
    turned: Mirror = mirror
    if _is_textbook(recursion) and work >= FEWEST and loops.is_installed():
        from theory.geometry import kernel_loops

        kernel, turned = kernel_loops.tile_loop(recursion, down, right), kernel_loops.mirror

    def fill(tile: Array, top: int, left: int) -> None:
        np.matmul(rows[top : top + len(tile)], columns[left : left + tile.shape[1]].T, out=tile)
        if is_integral and symmetric and top == left:
            np.fill_diagonal(tile, 0)  # equal inputs would need a double integral each
        kernel(tile, top, left)

    return Tiles(fill, *(_SQUARE if is_integral else (_ROWS, _COLUMNS)), turned, is_bounded)

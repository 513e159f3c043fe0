"""Kernels of textbook layers through a deep network, as loops by numba; formulas are those of ``kernel_textbook``.

Each loop takes a tile of the matrix, in which the inner products of the inputs are, through all layers, row by row, so
that a row stays in the processor's first cache.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from closedform.checks.arrays import Array
from closedform.loops.elementary import asin, inlined
from closedform.loops.machine_code import compiled
from theory.geometry.kernel_recursion import Recursion
from theory.geometry.kernel_textbook import EPS, ErrorFunction, PiecewiseLinear, inverse

LANES = 4  # rows and columns that are turned around at once, in registers


def tile_loop(
    network: Recursion, down: Sequence[Array], right: Sequence[Array]
) -> Callable[[Array, int, int], None]:
    """Return the loop that turns the inner products of a tile into the kernel, in place.

    Args:
        network: recursion through textbook layers.
        down: variances of the inputs of the rows in every layer, ``[N]`` each.
        right: variances of the inputs of the columns in every layer, ``[M]`` each.

    Returns:
        Function of the tile, an array in the order of memory, its first row and its first column in the matrix.
    """
    layer = network.layer
    variances = np.stack(down), np.stack(right)
    if isinstance(layer, PiecewiseLinear):
        roots = [np.sqrt(side) for side in variances]
        inverses = [inverse(root) for root in roots]
        numbers: tuple[float, ...] = (layer.linear, 2 / np.pi * layer.absolute)
    else:
        assert isinstance(layer, ErrorFunction)
        roots = inverses = [layer.inverse(side) for side in variances]
        numbers = (layer.constant, 2 / np.pi * layer.scale, layer.gain)
    loop = _loop(isinstance(layer, PiecewiseLinear), network.slopes)
    return lambda tile, top, left: loop(
        tile, top, left, *roots, *inverses, numbers, network.scales
    )


def mirror(tile: Array, matrix: NDArray[Any], top: int, left: int) -> None:
    """Write a tile ``[rows, columns]`` whose place is at ``[top, left]`` into its mirror image at ``[left, top]``."""
    rows, columns = tile.shape
    if min(rows, columns) < LANES:
        matrix[left : left + columns, top : top + rows] = tile.T
    else:
        _turned(tile, matrix, top, left)


@compiled
def _turned(tile: Array, matrix: NDArray[Any], top: int, left: int) -> None:
    rows, columns = tile.shape
    for across in range(0, columns, LANES):
        first_column = min(across, columns - LANES)
        for down in range(0, rows, LANES):
            first_row = min(down, rows - LANES)
            for i in range(LANES):
                for j in range(LANES):
                    matrix[left + first_column + j, top + first_row + i] = tile[
                        first_row + i, first_column + j
                    ]


@inlined
def _piecewise_linear(
    c: float, root: float, inverse_root: float, linear: float, absolute: float
) -> tuple[float, float]:
    ratio = min(1.0, max(-1.0, c * inverse_root))
    slope = linear + absolute * asin(ratio)
    return absolute * root * math.sqrt((1.0 - ratio) * (1.0 + ratio)) + c * slope, slope


@inlined
def _error_function(
    c: float, inverse_root: float, constant: float, scale: float, gain: float
) -> tuple[float, float]:
    ratio = min(1.0, max(-1.0, gain * c * inverse_root))
    slope = scale * gain * inverse_root / math.sqrt((1.0 - ratio) * (1.0 + ratio) + EPS)
    return constant + scale * asin(ratio), slope


@cache
def _loop(is_piecewise_linear: bool, is_tangent: bool) -> Callable[..., Any]:
    """Return the loop of one kind of layer, for the NNGP kernel or the tangent kernel."""

    @compiled
    def loop(
        tile: Array,
        top: int,
        left: int,
        roots: Array,
        roots_right: Array,
        inverses: Array,
        inverses_right: Array,
        numbers: tuple[float, ...],
        scales: tuple[float, ...],
    ) -> None:
        weights, biases, depth = scales[0], scales[1], inverses.shape[0]
        tangent = np.empty(tile.shape[1])
        for i in range(tile.shape[0]):
            row = tile[i]
            if is_tangent:
                for j in range(tile.shape[1]):
                    tangent[j] = scales[4] + scales[3] * row[j]
            for level in range(depth):
                root, inverse_root = roots[level, top + i], inverses[level, top + i]
                root_right, inverse_right = roots_right[level, left:], inverses_right[level, left:]
                if is_tangent:
                    of_one, of_kernel, of_tangent = scales[4], scales[3], weights
                    if level == depth - 1:
                        of_one, of_kernel, of_tangent = 0.0, scales[5], scales[2]
                for j in range(tile.shape[1]):
                    c, inverse_spread = weights * row[j] + biases, inverse_root * inverse_right[j]
                    if is_piecewise_linear:
                        spread = root * root_right[j]
                        row[j], slope = _piecewise_linear(c, spread, inverse_spread, *numbers)
                    else:
                        row[j], slope = _error_function(c, inverse_spread, *numbers)
                    if is_tangent:
                        tangent[j] = of_one + of_kernel * row[j] + of_tangent * slope * tangent[j]
            if is_tangent:
                for j in range(tile.shape[1]):
                    row[j] = tangent[j]

    return loop

"""Kernels of textbook layers through a deep network, as loops by numba; formulas are those of ``kernel_textbook``.

Each loop takes a tile of the matrix, in which the inner products of the inputs are, through all layers, row by row, so
that a row stays in the processor's first cache.
"""

import math
from collections.abc import Callable, Sequence
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
    scales: tuple[Any, ...] = (network.weights, network.biases)
    if network.slopes:
        scales = (*scales, network.readout, *network.gains)
    if isinstance(layer, PiecewiseLinear):
        roots = np.sqrt(np.stack(down)), np.sqrt(np.stack(right))
        loop = _piecewise_linear_ntk if network.slopes else _piecewise_linear_nngp
        inputs: tuple[Array, ...] = (*roots, *map(inverse, roots))
        numbers: tuple[float, ...] = (layer.linear, 2 / np.pi * layer.absolute)
    else:
        assert isinstance(layer, ErrorFunction)
        loop = _error_function_ntk if network.slopes else _error_function_nngp
        inputs = (layer.inverse(np.stack(down)), layer.inverse(np.stack(right)))
        numbers = (layer.constant, 2 / np.pi * layer.scale, layer.gain)
    return lambda tile, top, left: loop(tile, top, left, *inputs, *numbers, *scales)


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


@compiled
def _piecewise_linear_nngp(
    tile: Array,
    top: int,
    left: int,
    roots: Array,
    roots_right: Array,
    inverses: Array,
    inverses_right: Array,
    linear: float,
    absolute: float,
    weights: float,
    biases: float,
) -> None:
    for i in range(tile.shape[0]):
        row = tile[i]
        for level in range(roots.shape[0]):
            root, inverse_root = roots[level, top + i], inverses[level, top + i]
            root_right, inverse_right = roots_right[level, left:], inverses_right[level, left:]
            for j in range(tile.shape[1]):
                c = weights * row[j] + biases
                spread, inverse_spread = root * root_right[j], inverse_root * inverse_right[j]
                row[j] = _piecewise_linear(c, spread, inverse_spread, linear, absolute)[0]


@compiled
def _error_function_nngp(
    tile: Array,
    top: int,
    left: int,
    inverses: Array,
    inverses_right: Array,
    constant: float,
    scale: float,
    gain: float,
    weights: float,
    biases: float,
) -> None:
    for i in range(tile.shape[0]):
        row = tile[i]
        for level in range(inverses.shape[0]):
            inverse_root, inverse_right = inverses[level, top + i], inverses_right[level, left:]
            for j in range(tile.shape[1]):
                c = weights * row[j] + biases
                row[j] = _error_function(
                    c, inverse_root * inverse_right[j], constant, scale, gain
                )[0]


@compiled
def _piecewise_linear_ntk(
    tile: Array,
    top: int,
    left: int,
    roots: Array,
    roots_right: Array,
    inverses: Array,
    inverses_right: Array,
    linear: float,
    absolute: float,
    weights: float,
    biases: float,
    readout: float,
    *gains: float,
) -> None:
    tangent = np.empty(tile.shape[1])
    for i in range(tile.shape[0]):
        row = tile[i]
        for j in range(tile.shape[1]):
            tangent[j] = gains[1] + gains[0] * row[j]
        for level in range(roots.shape[0]):
            of_one, of_kernel, of_tangent = gains[1], gains[0], weights
            if level == roots.shape[0] - 1:
                of_one, of_kernel, of_tangent = 0.0, gains[2], readout
            root, inverse_root = roots[level, top + i], inverses[level, top + i]
            root_right, inverse_right = roots_right[level, left:], inverses_right[level, left:]
            for j in range(tile.shape[1]):
                c, spread = weights * row[j] + biases, root * root_right[j]
                kernel, slope = _piecewise_linear(
                    c, spread, inverse_root * inverse_right[j], linear, absolute
                )
                row[j] = kernel
                tangent[j] = of_one + of_kernel * kernel + of_tangent * slope * tangent[j]
        for j in range(tile.shape[1]):
            row[j] = tangent[j]


@compiled
def _error_function_ntk(
    tile: Array,
    top: int,
    left: int,
    inverses: Array,
    inverses_right: Array,
    constant: float,
    scale: float,
    gain: float,
    weights: float,
    biases: float,
    readout: float,
    *gains: float,
) -> None:
    tangent = np.empty(tile.shape[1])
    for i in range(tile.shape[0]):
        row = tile[i]
        for j in range(tile.shape[1]):
            tangent[j] = gains[1] + gains[0] * row[j]
        for level in range(inverses.shape[0]):
            of_one, of_kernel, of_tangent = gains[1], gains[0], weights
            if level == inverses.shape[0] - 1:
                of_one, of_kernel, of_tangent = 0.0, gains[2], readout
            inverse_root, inverse_right = inverses[level, top + i], inverses_right[level, left:]
            for j in range(tile.shape[1]):
                c = weights * row[j] + biases
                kernel, slope = _error_function(
                    c, inverse_root * inverse_right[j], constant, scale, gain
                )
                row[j] = kernel
                tangent[j] = of_one + of_kernel * kernel + of_tangent * slope * tangent[j]
        for j in range(tile.shape[1]):
            row[j] = tangent[j]

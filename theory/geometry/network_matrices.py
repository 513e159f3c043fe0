"""Kernel matrices of networks in words, written block by block, and what rounding may have done to them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from closedform import networks
from closedform.checks.arrays import Array
from theory.activations.naming import activation
from theory.geometry.kernel_networks import final_kernel
from theory.geometry.kernel_rounding import (
    HARMLESS,
    PRODUCT,
    WITH_A_KINK,
    WORTH_A_WARNING,
    lost,
    warn,
)
from theory.geometry.kernel_state import of_inputs
from theory.geometry.kernel_tiles import numbers_of_rows

LARGEST_BLOCK = 2**20  # entries of a kernel between positions that are computed at once


def matrix_of_network(
    net: networks.Network, kind: str, rows: Array, columns: Array, matrix: NDArray[Any]
) -> None:
    """Write the kernel of a network between rows and columns of inputs into a matrix.

    Args:
        net: the network, whose variances are numbers.
        kind: "nngp", "ntk" or "scaled_ntk".
        rows: inputs ``[N, d]``, or images ``[N, *positions, channels]``.
        columns: inputs ``[M, ...]``; the same object for a symmetric matrix, of which half is computed.
        matrix: array ``[N, M]`` of float32 or float64.

    Raises:
        ValueError: if the network does not fit the inputs, or a variance is no number.
        ArithmeticError: if the kernel exceeds the range of double precision.
    """
    is_symmetric, pairs = columns is rows, "all" if _has(net, networks.Pool) else "equal"
    positions = int(np.prod(rows.shape[1:-1])) ** (2 if pairs == "all" else 1)
    flat_rows = rows.reshape(len(rows), -1)
    flat = flat_rows, flat_rows if is_symmetric else columns.reshape(len(columns), -1)
    numbers = numbers_of_rows(*flat)
    diagonal = diagonal_of_network(net, kind, rows)
    size = max(1, math.isqrt(LARGEST_BLOCK // positions))
    for top in range(0, len(rows), size):
        part = slice(top, top + size)
        for left in range(top if is_symmetric else 0, len(columns), size):
            other = slice(left, left + size)
            is_equal = numbers[0][part, None] == numbers[1][None, other]
            start = of_inputs(rows[part], columns[other], kind, pairs)
            block = np.where(is_equal, diagonal[part, None], final_kernel(net, start, kind))
            if not np.isfinite(block).all():
                raise ArithmeticError(
                    f"the {kind} kernel matrix of {net} exceeds the range of double precision"
                )
            if is_symmetric and top == left:
                block = np.triu(block) + np.triu(block, 1).T
            if is_symmetric:
                matrix[other, part] = block.T
            matrix[part, other] = block
    if pairs == "equal":
        _warn_of_rounding(net, kind, (rows, columns), flat, numbers, diagonal)


def _warn_of_rounding(
    net: networks.Network,
    kind: str,
    inputs: tuple[Array, Array],
    flat: tuple[Array, Array],
    numbers: Sequence[NDArray[np.int64]],
    diagonal: Array,
) -> None:
    """Warn of nearly parallel inputs whose kernels change with the rounding of covariances."""
    rows, columns = inputs
    squared = [np.einsum("nd,nd->n", side, side) for side in flat]
    large = [np.flatnonzero(side > HARMLESS) for side in squared]
    if not (large[0].size and large[1].size):
        return
    other = diagonal if columns is rows else diagonal_of_network(net, kind, columns)

    def error(i: NDArray[np.int64], j: NDArray[np.int64]) -> Array:
        start = of_inputs(rows[i], columns[j], kind, "each")
        try:
            low, middle, high = (
                final_kernel(net, replace(start, rounding=sign * PRODUCT), kind)
                for sign in (-1, 0, 1)
            )
        except ArithmeticError:  # a quadrature that does not converge there
            return np.ones(len(i))
        most = np.maximum(np.abs(low - middle), np.abs(high - middle))
        return np.asarray(most / np.sqrt(diagonal[i] * other[j]))

    acts = (part for part in networks.every(net) if isinstance(part, networks.Act))
    is_smooth = all(activation("activation", act.activation).smooth for act in acts)
    least = WORTH_A_WARNING if kind == "nngp" or is_smooth else WITH_A_KINK
    pairs, _ = lost(error, *flat, numbers, large, least)
    if pairs:
        worst, first, second = pairs[0]
        warn(worst, (first, second), (squared[0][first], squared[1][second]))


def diagonal_of_network(net: networks.Network, kind: str, rows: Array) -> Array:
    """Return the kernel of every input with itself, ``[N]``.

    Args:
        net, kind, rows: as for :func:`matrix_of_network`.

    Raises:
        ValueError: as :func:`matrix_of_network`.
    """
    if not _has(net, networks.Pool):
        return final_kernel(net, of_inputs(rows, rows, kind, "same"), kind)
    alone = (rows[index : index + 1] for index in range(len(rows)))
    return np.array(
        [final_kernel(net, of_inputs(row, row, kind, "all"), kind)[0, 0] for row in alone]
    )


def _has(net: networks.Network, kind: type) -> bool:
    return any(isinstance(part, kind) for part in networks.every(net))

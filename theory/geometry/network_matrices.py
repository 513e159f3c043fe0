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
from theory.activations import ActivationLike
from theory.activations.naming import activation as chosen_activation
from theory.geometry.kernel_networks import final_kernel
from theory.geometry.kernel_rounding import (
    HARMLESS,
    PRODUCT,
    WITH_A_KINK,
    WORTH_A_WARNING,
    Error,
    settle,
)
from theory.geometry.kernel_state import of_inputs
from theory.geometry.kernel_tiles import Tiles, numbers_of_rows, write

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
    numbers, diagonal = numbers_of_rows(*flat), diagonal_of_network(net, kind, rows)
    size = max(1, math.isqrt(LARGEST_BLOCK // positions))

    def fill(tile: Array, top: int, left: int) -> None:
        part, other = rows[top : top + size], columns[left : left + size]
        tile[...] = final_kernel(net, of_inputs(part, other, kind, pairs), kind)

    write(matrix, Tiles(fill, size, size), numbers, diagonal, f"{kind} kernel matrix of {net}")
    squared = [np.einsum("nd,nd->n", side, side) for side in flat]
    large = [np.flatnonzero(side > HARMLESS) for side in squared]
    if pairs == "all" or not (large[0].size and large[1].size):
        return
    diagonals = diagonal, diagonal if is_symmetric else diagonal_of_network(net, kind, columns)
    acts = (part for part in networks.every(net) if isinstance(part, networks.Act))
    is_smooth = all(chosen_activation("activation", act.activation).smooth for act in acts)
    least = WORTH_A_WARNING if kind == "nngp" or is_smooth else WITH_A_KINK
    error = errors_of_pairs(net, kind, (rows, columns), diagonals)
    settle(matrix, flat, numbers, large, error, diagonals, (squared[0], squared[1]), least)


def errors_of_pairs(
    net: networks.Network, kind: str, inputs: tuple[Array, Array], diagonals: Sequence[Array]
) -> Error:
    """Return how much kernels change with the rounding of covariances, as a function of the numbers of some pairs.

    Args:
        net, kind: as for :func:`matrix_of_network`.
        inputs: those of rows and of columns.
        diagonals: kernel of each of them with itself, to whose roots errors are relative.
    """

    def error(i: NDArray[np.int64], j: NDArray[np.int64]) -> Array:
        start = of_inputs(inputs[0][i], inputs[1][j], kind, "each")
        try:
            low, middle, high = (
                final_kernel(net, replace(start, rounding=sign * PRODUCT), kind)
                for sign in (-1, 0, 1)
            )
        except ArithmeticError:  # a quadrature that does not converge there
            return np.ones(len(i))
        with np.errstate(all="ignore"):
            most = np.maximum(np.abs(low - middle), np.abs(high - middle))
            errors = most / np.sqrt(diagonals[0][i]) / np.sqrt(diagonals[1][j])
        return np.minimum(np.nan_to_num(errors, nan=1.0, posinf=1.0), 1.0)

    return error


def words_of(
    activation: ActivationLike,
    widths: Sequence[int | None],
    kind: str,
    variances: Sequence[float],
) -> networks.Network:
    """Return a deep network with one activation in words, up to the readout of its kernel.

    Args:
        activation: that of every hidden layer.
        widths: number of units of each hidden layer, or None where it does not matter.
        kind: "nngp", "ntk" or "scaled_ntk".
        variances: those of weights, biases and readout weights.
    """
    weights, biases, readout = variances
    is_unscaled, net = kind == "ntk", networks.Chain()
    for width in widths:
        gains = (1, 1) if is_unscaled else None
        net = (
            net
            >> networks.Dense(weights, biases, gains=gains, width=width)
            >> networks.Act(activation)
        )
    # the kernel of the features is a plain mean over the units; the readout of the tangent kernel has no bias
    if kind == "nngp":
        return net >> networks.Dense()
    return net >> networks.Dense(readout, gains=(1, 0) if is_unscaled else None)


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

r"""Kernel matrices (Gram matrices) of deep infinitely wide networks: the NNGP kernel and the tangent kernel (NTK).

The network has the pre-activations :math:`z^1 = W x + b` and :math:`z^{\ell+1} = n^{-1/2} W \varphi(z^\ell) + b`, with
weights :math:`w \sim N(0, \sigma^2)` and biases :math:`b \sim N(0, \zeta^2)`, and the output :math:`n^{-1/2} v \cdot
\varphi(z^L)` with :math:`v \sim N(0, \xi^2)`. From :math:`k_0(x, y) = x \cdot y` and :math:`\Theta_0 = 1 + x \cdot y`,

.. math:: k_\ell = E[\varphi(z_x) \varphi(z_y)], \qquad
    \Theta_\ell = 1 + k_\ell + \sigma^2 E[\varphi'(z_x) \varphi'(z_y)]\, \Theta_{\ell-1},

where the pre-activations have the covariance :math:`\sigma^2 k_{\ell-1} + \zeta^2`. The NNGP kernel is :math:`k_L`. The
tangent kernel is :math:`k_L + \xi^2 E[\varphi'(z_x) \varphi'(z_y)]\, \Theta_{L-1}`, since the output has no bias.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from closedform.checks import one_of
from closedform.checks.arrays import Array
from theory.activations import Activation, ActivationLike
from theory.activations.naming import activation as chosen_activation
from theory.core.formula.arguments import in_domain, integer
from theory.geometry.families import DEEPEST
from theory.geometry.kernel_arrays import inputs, like, number, result
from theory.geometry.kernel_layers import wide_layer
from theory.geometry.kernel_mirror import mirror
from theory.geometry.kernel_recursion import Recursion
from theory.geometry.kernel_rounding import settle_rounding
from theory.geometry.ntk_metric import XI
from theory.geometry.symbols import SIGMA, ZETA

Inputs = tuple[Array, Array]  # [N, d], and their squared norms
_KINDS = ("nngp", "ntk", "scaled_ntk")
SMALLEST = 1e-145  # an input whose square still has all digits
_ROWS, _COLUMNS = 64, 1024  # of a tile, whose intermediate results then fit into the cache
_SQUARE = 192, 256  # about as many entries for series, whose coefficients are computed for each side of a tile
SMALLEST_BUFFER = 16  # of numpy, in entries


def kernel_matrix(
    activation: ActivationLike,
    X: Any,
    X2: Any = None,
    depth: int = 1,
    kind: Literal["nngp", "ntk", "scaled_ntk"] = "nngp",
    *,
    sigma: float = 1.0,
    zeta: float = 0.0,
    xi: float = 1.0,
    dtype: Any = None,
    out: Any = None,
) -> Any:
    r"""Return the kernel between every input of ``X`` and every input of ``X2`` (default: of ``X``).

    Beside the result, memory is needed for the inputs, some numbers of each in every layer, and some twenty tiles of 64
    x 1024 entries. With one set of inputs the matrix is symmetric to the last bit. The entry of two equal inputs, as on
    the diagonal, is computed from their variance alone and does not suffer from the rounding of a correlation near 1.
    For inputs that are nearly or exactly parallel, but not equal, errors of the tangent kernel of an activation with a
    kink are at most 2e-8 times the depth.

    Errors are of the size of rounding relative to the kernels of both inputs with themselves, not to the entry. An
    entry that is far smaller than these, as of ReLU at nearly opposite inputs, has fewer or no correct digits, and so
    have all at small variances for an activation that is flat at zero, of which a warning says when nine are lost;
    ``nngp_kernel(activation).evaluate`` has as many as are asked for. At an input of zero and without biases, the slope
    of a kink at zero counts as the mean of both sides.

    Args:
        activation: activation of every hidden layer, its name, or an expression in ``z``. Without a closed form of its
            kernel, every entry is a series, which takes 1 to 20 microseconds per layer, or where its terms do not
            suffice, as for kinks and nearly parallel inputs at large variances, a double integral of milliseconds.
        X: inputs ``[N, d]``, a real array or tensor. Tensors are computed with on the CPU, without gradients.
        X2: other inputs ``[M, d]``. Default: None, the inputs ``X`` themselves, for which half the work is done.
        depth: number of hidden layers, at least 1. Default: 1.
        kind: "nngp" (default) for the kernel of the features of the last hidden layer, "ntk" for the tangent kernel of
            a scalar output when all weights and biases are trained, "scaled_ntk" for that of the literature, where
            what is trained has unit variance, and sigma, zeta and xi are factors in front. The readout has no bias;
            with one of standard deviation zeta, that kernel is larger by zeta^2.
        sigma: standard deviation of each weight, positive; 1/input in the first layer, not divided by the square root
            of d. Default: 1.
        zeta: standard deviation of each bias, not negative. Default: 0.
        xi: standard deviation of each readout weight, positive, for the tangent kernel. Default: 1.
        dtype: float32 or float64, in which the result is stored; it is computed in float64. Default: that of ``out``,
            or else float64.
        out: array ``[N, M]`` of this type into which the kernel is written, such as a mapped file. It shares no memory
            with the inputs, which are read until the end. Default: a new one.

    Returns:
        Kernel ``[N, M]``, dimensionless: ``out`` if it is given, and a tensor on the device of ``X`` if that is one.

    Raises:
        TypeError: if the activation, an array or a number has the wrong type, or a number is a tensor that
                requires a gradient.
        ValueError: if a shape or a value is not as described, or the activation has a jump and ``kind`` is "ntk".
        ArithmeticError: if the kernel, or the square of an input without biases, exceeds the range of double precision.

    Warns:
        RuntimeWarning: if more than 256 pairs of different inputs are so nearly parallel, at such large variances, that
            rounding of their inner product reaches 1e-10 of the kernels of both with themselves; up to 256 are computed
            with as many digits as they need. It names the worst pair and its error, an estimate without a closed form.

    Source: Zavatone-Veth et al. (2023), Eqs. (C.3) and (D.4), for one hidden layer; the recursion is derived here.

    >>> kernel_matrix("relu", [[1.0, 0.0], [0.0, 2.0]], depth=2).round(4).tolist()
    [[0.25, 0.2469], [0.2469, 1.0]]
    """
    activation, network = _chosen(activation, depth, kind, sigma, zeta, xi)
    with np.errstate(all="ignore"):
        one = rows, _ = _squared(network, "X", X)
        other = columns, _ = one if X2 is None else _squared(network, "X2", X2)
        if columns.shape[1] != rows.shape[1]:
            raise ValueError(f"X2: got shape {columns.shape}, needs the {rows.shape[1]} columns of X")
        given = {"X": X, "X2": X2, "the inputs X": rows, "the inputs X2": columns}
        matrix = result((len(rows), len(columns)), dtype, out, given)
        np.setbufsize(SMALLEST_BUFFER)  # until the end of this context; numpy would copy rows and columns otherwise
        _write(matrix, activation, network, one, other)
    return matrix if out is not None else like(X, matrix)


def kernel_diagonal(
    activation: ActivationLike,
    X: Any,
    depth: int = 1,
    kind: Literal["nngp", "ntk", "scaled_ntk"] = "nngp",
    *,
    sigma: float = 1.0,
    zeta: float = 0.0,
    xi: float = 1.0,
) -> Any:
    """Return the kernel of every input with itself: the diagonal of ``kernel_matrix``, to the last bit, without it.

    The arguments are those of ``kernel_matrix``.

    Returns:
        Kernel ``[N]`` in float64, dimensionless; a tensor on the device of ``X`` if ``X`` is a tensor.

    Raises:
        TypeError, ValueError, ArithmeticError: as ``kernel_matrix``.

    >>> kernel_diagonal("relu", [[1.0, 0.0], [0.0, 2.0]]).tolist()
    [0.5, 2.0]
    """
    activation, network = _chosen(activation, depth, kind, sigma, zeta, xi)
    with np.errstate(all="ignore"):
        _, squared = _squared(network, "X", X)
        variances, diagonal = network.diagonal(squared)
    _require_finite(activation, network, diagonal, *(variances if network.correlated else []))
    return like(X, diagonal)


def _chosen(
    activation: ActivationLike, depth: Any, kind: Any, sigma: Any, zeta: Any, xi: Any
) -> tuple[Activation, Recursion]:
    """Return activation and recursion of a network; raise TypeError or ValueError if one is not as described.

    Numbers are kept as numbers: an array or a tensor with one number is the same object after its number has changed.
    """
    scales = number("sigma", sigma), number("zeta", zeta), number("xi", xi)
    layers = integer("depth", depth, 1, DEEPEST)
    if not isinstance(activation, (str, sp.Expr)):
        activation = chosen_activation("activation", activation)
    return _network(activation, layers, one_of("kind", kind, _KINDS), *scales)


@lru_cache(maxsize=256)
def _network(
    activation: ActivationLike, depth: int, kind: str, sigma: float, zeta: float, xi: float
) -> tuple[Activation, Recursion]:
    chosen = chosen_activation("activation", activation)
    in_domain((SIGMA, ZETA, XI), (sigma, zeta, xi))
    slopes = kind != "nngp"
    layer = wide_layer(chosen, slopes)
    weights, biases, readout = (scale**2 for scale in (sigma, zeta, xi))
    gains = (weights, biases, readout) if kind == "scaled_ntk" else (1.0, 1.0, 1.0) if slopes else ()
    return chosen, Recursion(layer, slopes, depth, weights, biases, readout, gains)


def _write(matrix: NDArray[Any], activation: Activation, network: Recursion, one: Inputs, other: Inputs) -> None:
    """Write the kernel matrix, tile by tile; of a symmetric matrix only the tiles above the diagonal are computed."""
    (rows, squared), (columns, _) = one, other
    symmetric = columns is rows
    row_numbers, column_numbers = numbers = _numbers(rows, columns)
    distinct = symmetric and bool((row_numbers == np.arange(len(rows))).all())
    variances, diagonal = network.diagonal(squared)
    across, end = (variances, diagonal) if symmetric else network.diagonal(other[1])
    if network.correlated:
        _require_finite(activation, network, *variances, diagonal, *([] if symmetric else [*across, end]))
    height, width = _SQUARE if network.layer.is_integral else (_ROWS, _COLUMNS)
    most = min(height, len(rows)) * min(width, len(columns))  # entries of a tile
    is_direct = matrix.dtype == np.float64 and matrix.strides[1] == matrix.itemsize
    space = matrix if is_direct else np.empty(most)
    fill = network.tiles(rows, columns.T, (variances, across), space, most)
    for top in range(0, len(rows), height):
        down = slice(top, top + height)
        for left in range(top if symmetric else 0, len(columns), width):
            right = slice(left, left + width)
            place = matrix[down, right]
            tile = place if is_direct else space[: place.size].reshape(place.shape)
            is_finite = fill(tile, top, left)
            if symmetric and top == left:
                np.fill_diagonal(tile, diagonal[down])
            if not distinct:
                np.copyto(tile, diagonal[down, None], where=row_numbers[down, None] == column_numbers[right])
            if not (is_finite or network.correlated):
                _require_finite(activation, network, tile)
            if not is_direct:
                place[...] = tile
            if symmetric:
                mirror(matrix, top, left, *tile.shape)  # while it is in the cache
    settle_rounding(matrix, activation, network, rows, columns, numbers, (variances, across), (diagonal, end))


def _is_finite(array: Array) -> bool:
    """Return whether all entries are; a finite sum of squares says so sooner than a look at each."""
    return bool((array.ndim == 1 and math.isfinite(array.dot(array))) or np.isfinite(array).all())


def _require_finite(activation: Activation, network: Recursion, *arrays: Array) -> None:
    if not all(map(_is_finite, arrays)):
        kind = "ntk" if network.slopes else "nngp"
        raise ArithmeticError(f"the {kind} kernel matrix of {activation.name} exceeds the range of double precision")


def _squared(network: Recursion, name: str, value: Any) -> Inputs:
    """Return inputs and their squared norms; ArithmeticError if squares without biases lose digits by underflow."""
    array = inputs(name, value, finite=True)
    if network.biases == 0:
        largest = np.abs(array).max(axis=1, initial=0.0)
        if ((largest > 0) & (largest < SMALLEST)).any():
            raise ArithmeticError(f"the inputs reach down to {largest[largest > 0].min():.1e}; their squares underflow")
    squared = np.einsum("ni,ni->n", array, array)
    return (array, squared) if _is_finite(squared) else (inputs(name, value), squared)


def _numbers(rows: Array, columns: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return numbers of the rows of both arrays, of which two are the same if and only if the rows are equal."""
    if columns is rows and rows.size and len(np.unique(rows[:, 0])) == len(rows):
        return np.arange(len(rows)), np.arange(len(rows))
    known: dict[bytes, int] = {}
    row_numbers = np.array([known.setdefault(row.tobytes(), index) for index, row in enumerate(rows + 0.0)])
    if columns is rows:
        return row_numbers, row_numbers
    return row_numbers, np.array([known.get(row.tobytes(), -1) for row in columns + 0.0])

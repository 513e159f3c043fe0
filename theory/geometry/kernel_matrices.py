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

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from theory.activations import Activation, ActivationLike
from theory.activations.naming import activation as chosen_activation
from theory.core.arguments import in_domain, integer, real_array, real_number
from theory.core.backends import load
from theory.geometry.kernel_layers import WideLayer, wide_layer
from theory.geometry.kernel_rounding import warn_of_rounding
from theory.geometry.ntk_metric import XI
from theory.geometry.symbols import SIGMA, ZETA

Array = NDArray[np.float64]
_KINDS = ("nngp", "ntk")
SMALLEST = 1e-145  # an input whose square still has all digits
_ROWS, _COLUMNS = 48, 1024  # of a tile, whose intermediate results then fit into the cache


def kernel_matrix(
    activation: ActivationLike,
    X: Any,
    X2: Any = None,
    depth: int = 1,
    kind: Literal["nngp", "ntk"] = "nngp",
    *,
    sigma: float = 1.0,
    zeta: float = 0.0,
    xi: float = 1.0,
) -> Any:
    r"""Return the kernel between every input of ``X`` and every input of ``X2`` (default: of ``X``).

    Beside the result, memory is needed for the inputs and a few tiles of 48 x 1024 entries only. With one set of inputs
    the matrix is symmetric to the last bit. The entry of two equal inputs, as on the diagonal, is computed from their
    variance alone and does not suffer from the rounding of a correlation near 1. For inputs that are nearly or exactly
    parallel, but not equal, the tangent kernel of an activation with a kink keeps 8 digits.

    Errors are of the size of rounding relative to the kernels of both inputs with themselves, not to the entry. An
    entry that is far smaller than these, as of ReLU at nearly opposite inputs, has fewer or no correct digits;
    ``nngp_kernel(activation).evaluate`` has as many as are asked for. At an input of zero and without biases, the slope
    of a kink at zero counts as the mean of both sides.

    Args:
        activation: activation of every hidden layer, its name, or an expression in ``z``. Without a closed form of its
            kernel, every entry is a numerical double integral, which takes about a millisecond per layer.
        X: inputs ``[N, d]``, a real array or tensor. Tensors are computed with on the CPU, without gradients.
        X2: other inputs ``[M, d]``. Default: None, the inputs ``X`` themselves, for which half the work is done.
        depth: number of hidden layers, at least 1. Default: 1.
        kind: "nngp" (default) for the kernel of the features of the last hidden layer, "ntk" for the tangent kernel of
            a scalar output when all weights and biases are trained.
        sigma: standard deviation of each weight, positive; 1/input in the first layer, not divided by the square root
            of d. Default: 1.
        zeta: standard deviation of each bias, not negative. Default: 0.
        xi: standard deviation of each readout weight, positive, for the tangent kernel. Default: 1.

    Returns:
        Kernel ``[N, M]`` in float64, dimensionless; a tensor on the device of ``X`` if ``X`` is a tensor.

    Raises:
        TypeError: if the activation, an array or a number has the wrong type, or a tensor requires a gradient.
        ValueError: if a shape or a value is not as described, or the activation has a jump and ``kind`` is "ntk".
        ArithmeticError: if the kernel, or the square of an input without biases, exceeds the range of double precision.

    Warns:
        RuntimeWarning: if different inputs are so nearly parallel, at such large variances, that rounding of their
            inner product reaches 1e-10 of the kernels of both with themselves. Homogeneous activations as ReLU are
            exempt: their NNGP kernel loses nothing.

    Source: Zavatone-Veth et al. (2023), Eqs. (C.3) and (D.4), for one hidden layer; the recursion is derived here.
    """
    activation = chosen_activation("activation", activation)
    if kind not in _KINDS:
        raise ValueError(f"kind must be one of {', '.join(_KINDS)}, got {kind!r}")
    scales = [real_number(name, value) for name, value in (("sigma", sigma), ("zeta", zeta), ("xi", xi))]
    in_domain((SIGMA, ZETA, XI), scales)
    slopes = kind == "ntk"
    network = _Network(
        wide_layer(activation, slopes), slopes, integer("depth", depth, 1), *(scale**2 for scale in scales)
    )
    rows = _inputs("X", X)
    columns = rows if X2 is None else _inputs("X2", X2)
    if columns.shape[1] != rows.shape[1]:
        raise ValueError(f"X2 must have the {rows.shape[1]} columns of X, got shape {columns.shape}")
    _check_squares(network, rows, columns)
    with np.errstate(all="ignore"):
        matrix = _matrix(activation, network, rows, columns)
    return load("torch").torch().as_tensor(matrix, device=X.device) if _is_tensor(X) else matrix


@dataclass(frozen=True)
class _Network:
    """The recursion through all layers; ``weights``, ``biases`` and ``readout`` are variances."""

    layer: WideLayer
    slopes: bool
    depth: int
    weights: float
    biases: float
    readout: float

    def diagonal(self, squared: Array) -> tuple[list[Array], Array]:
        """Return the variances of the pre-activations of every layer and the kernel, from squared norms ``[n]``."""
        variances: list[Array] = []
        kernel, tangent = squared, 1 + squared
        for level in range(self.depth):
            variances.append(self.weights * kernel + self.biases)
            kernel, *slopes = self.layer.diagonal(variances[level])
            tangent = self._above(level, kernel, slopes, tangent)
        return variances, tangent

    def tile(self, products: Array, rows: list[Array], columns: list[Array]) -> Array | float:
        """Return the kernel ``[n, m]`` from the variances of every layer and the inner products, which are overwritten.

        The kernel of a constant activation is one number.
        """
        kernel: Array | float = products
        tangent = 1 + products if self.slopes else kernel
        for level in range(self.depth):
            covariances = np.multiply(self.weights, kernel, out=products)
            covariances += self.biases
            kernel, *slopes = self.layer.pair(rows[level][:, None], columns[level][None], covariances)
            tangent = self._above(level, kernel, slopes, tangent)
        return tangent

    def _above(self, level: int, kernel: Array | float, slopes: list[Array], tangent: Array | float) -> Any:
        """Return the tangent kernel above a layer; without slopes, the kernel of the features."""
        if not slopes:
            return kernel
        if level == self.depth - 1:
            return kernel + self.readout * slopes[0] * tangent
        return 1 + kernel + self.weights * slopes[0] * tangent


def _matrix(activation: Activation, network: _Network, rows: Array, columns: Array) -> Array:
    """Return the kernel matrix, tile by tile; of a symmetric matrix only the tiles above the diagonal are computed."""
    symmetric = columns is rows
    row_numbers, column_numbers = _numbers(rows, columns)
    distinct = symmetric and bool((row_numbers == np.arange(len(rows))).all())
    variances, diagonal = network.diagonal(np.einsum("ni,ni->n", rows, rows))
    across = variances if symmetric else network.diagonal(np.einsum("ni,ni->n", columns, columns))[0]
    warn_of_rounding(activation, network.slopes, rows, columns, (row_numbers, column_numbers), (variances, across))
    matrix = np.empty((len(rows), len(columns)))
    for top in range(0, len(rows), _ROWS):
        down = slice(top, top + _ROWS)
        for left in range(top if symmetric else 0, len(columns), _COLUMNS):
            right = slice(left, left + _COLUMNS)
            tile = matrix[down, right]
            products = rows[down] @ columns[right].T
            tile[...] = network.tile(products, [v[down] for v in variances], [v[right] for v in across])
            if symmetric and top == left:
                square = matrix[down, down]
                square[...] = (square + square.T) / 2
                np.fill_diagonal(square, diagonal[down])
            if not distinct:
                np.copyto(tile, diagonal[down, None], where=row_numbers[down, None] == column_numbers[right])
            if not np.isfinite(tile).all():
                kind = "ntk" if network.slopes else "nngp"
                raise ArithmeticError(
                    f"the {kind} kernel matrix of {activation.name} exceeds the range of double precision"
                )
            if symmetric:  # while the tile is in the cache
                beside = slice(max(left, down.stop), right.stop)
                matrix[beside, down] = matrix[down, beside].T
    return matrix


def _check_squares(network: _Network, *inputs: Array) -> None:
    """Raise ArithmeticError if squares of inputs without biases lose digits below the range of double precision."""
    for array in inputs if network.biases == 0 else ():
        largest = np.abs(array).max(axis=1, initial=0.0)
        if ((largest > 0) & (largest < SMALLEST)).any():
            raise ArithmeticError(f"the inputs reach down to {largest[largest > 0].min():.1e}; their squares underflow")


def _numbers(rows: Array, columns: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return numbers of the rows of both arrays, of which two are the same if and only if the rows are equal."""
    if columns is rows and rows.size and len(np.unique(rows[:, 0])) == len(rows):
        return np.arange(len(rows)), np.arange(len(rows))
    known: dict[bytes, int] = {}
    row_numbers = np.array([known.setdefault(row.tobytes(), index) for index, row in enumerate(rows)])
    if columns is rows:
        return row_numbers, row_numbers
    return row_numbers, np.array([known.get(row.tobytes(), -1) for row in columns])


def _is_tensor(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] == "torch"


def _inputs(name: str, value: Any) -> Array:
    """Return inputs as a float64 array ``[N, d]`` without negative zeros; raise TypeError or ValueError otherwise."""
    if _is_tensor(value):
        (tensor,), _ = load("torch").convert([name], [value])
        value = tensor.double().cpu()
    return np.ascontiguousarray(real_array(name, value, dimensions=2)) + 0.0

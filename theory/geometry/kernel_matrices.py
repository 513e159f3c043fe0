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

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import sympy as sp

from closedform.checks import MOST_LAYERS, one_of
from closedform.checks.arrays import Array
from closedform.networks import Network
from theory.activations import Activation, ActivationLike
from theory.activations.naming import activation as chosen_activation
from theory.core.numbers.arguments import in_domain, integer
from theory.geometry.kernel_arrays import inputs, like, number, result
from theory.geometry.kernel_layers import wide_layer
from theory.geometry.kernel_recursion import Recursion
from theory.geometry.kernel_spread import KernelAtWidth, kernel_spread
from theory.geometry.kernel_textbook import textbook_layer
from theory.geometry.kernel_tiles import is_finite, require_finite
from theory.geometry.network_matrices import diagonal_of_network, matrix_of_network
from theory.geometry.ntk_metric import XI
from theory.geometry.recursion_matrices import Inputs, matrix_of_recursion
from theory.geometry.symbols import SIGMA, ZETA

_KINDS: tuple[Any, ...] = ("nngp", "ntk", "scaled_ntk")
SMALLEST = 1e-145  # an input whose square still has all digits


def kernel_matrix(
    activation: ActivationLike | Network,
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
    width: int | Sequence[int] | None = None,
) -> Any:
    r"""Return the kernel between every input of ``X`` and every input of ``X2`` (default: of ``X``).

    Beside the result, memory is needed for the inputs, some numbers of each in every layer, and some twenty tiles of 64
    x 1024 entries. With one set of inputs the matrix is symmetric to the last bit. The entry of two equal inputs, as on
    the diagonal, is computed from their variance alone and does not suffer from the rounding of a correlation near 1.
    For inputs that are nearly or exactly parallel, but not equal, errors of the tangent kernel of an activation with a
    kink are at most 2e-8 times the depth.

    Of piecewise linear activations and of error functions, matrices of 262,144 entries times layers or more are loops
    by numba if the extra ``fast`` is installed; a symmetric matrix has half of its entries computed. The first one in a
    process waits about a second for numba, and the first one ever some seconds. Both ways differ by rounding.

    The kernel is that of infinite width. With ``width=`` the call also says how far the kernel of a random network of
    your width is expected to be from it; :func:`kernel_spread` says it without the matrix.

    Errors are of the size of rounding relative to the kernels of both inputs with themselves, not to the entry. An
    entry that is far smaller than these, as of ReLU at nearly opposite inputs, has fewer or no correct digits, and so
    have all at small variances for an activation that is flat at zero, of which a warning says when nine are lost;
    ``nngp_kernel(activation).evaluate`` has as many as are asked for. At an input of zero and without biases, the slope
    of a kink at zero counts as the mean of both sides.

    Args:
        activation: activation of every hidden layer, its name, or an expression in ``z``. Without a closed form of its
            kernel, every entry is a series, which takes 1 to 20 microseconds per layer, or where its terms do not
            suffice, as for kinks and nearly parallel inputs at large variances, a double integral of milliseconds.
            Or a network in the words of ``theory.engine``, with numbers in its layers and none in the other arguments;
            entries of nearly parallel inputs are not settled, and with ``Pool`` no warning speaks of them.
        X: inputs ``[N, d]``, a real array or tensor; of a network with convolutions, images ``[N, height, width,
            channels]`` or sequences ``[N, length, channels]``. Tensors are computed with on the CPU, without gradients.
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
        width: number of units of every hidden layer of your network, or one number for each, for what is expected at
            this width. Default: none, and the matrix alone is returned.

    Returns:
        Kernel ``[N, M]``, dimensionless: ``out`` if it is given, and a tensor on the device of ``X`` if that is one.
        With ``width``, a pair of this kernel and its relative spread over random networks, a
        :class:`theory.engine.ExpectedSpread` at the mean squared norm of ``X``; printed, the pair says it in words.

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
    >>> kernel, spread = kernel_matrix("relu", [[1.0, 0.0]], depth=6, sigma=2**0.5, width=100)
    >>> spread.sentence[:81]
    'The kernel is expected to have a relative spread of 0.3 at width 100, depth 6, to'
    """
    if width is not None:
        spread = kernel_spread(
            activation, X, depth, kind, width=width, sigma=sigma, zeta=zeta, xi=xi
        )
        kernel = kernel_matrix(
            activation, X, X2, depth, kind, sigma=sigma, zeta=zeta, xi=xi, dtype=dtype, out=out
        )
        return KernelAtWidth(kernel, spread)
    if isinstance(activation, Network):
        _require_no_numbers(depth, sigma, zeta, xi)
        return _of_network(activation, X, X2, str(one_of("kind", kind, _KINDS)), dtype, out)
    activation, network = _chosen(activation, depth, kind, sigma, zeta, xi)
    with np.errstate(all="ignore"):
        squared_x = rows, _ = _squared(network, "X", X)
        other = columns, _ = squared_x if X2 is None else _squared(network, "X2", X2)
        if columns.shape[1] != rows.shape[1]:
            raise ValueError(
                f"X2: got shape {columns.shape}, needs the {rows.shape[1]} columns of X"
            )
        arrays = {"X": X, "X2": X2, "the inputs X": rows, "the inputs X2": columns}
        matrix = result((len(rows), len(columns)), dtype, out, arrays)
        matrix_of_recursion(matrix, activation, network, kind, squared_x, other)
    return matrix if out is not None else like(X, matrix)


def kernel_diagonal(
    activation: ActivationLike | Network,
    X: Any,
    depth: int = 1,
    kind: Literal["nngp", "ntk", "scaled_ntk"] = "nngp",
    *,
    sigma: float = 1.0,
    zeta: float = 0.0,
    xi: float = 1.0,
) -> Any:
    """Return the kernel of every input with itself: the diagonal of ``kernel_matrix``, to the last bit, without it.

    Args:
        activation, depth, kind, sigma, zeta, xi: as for ``kernel_matrix``, with its defaults.
        X: inputs ``[N, d]``, array or tensor.

    Returns:
        Kernel ``[N]`` in float64, dimensionless; a tensor on the device of ``X`` if ``X`` is a tensor.

    Raises:
        TypeError, ValueError, ArithmeticError: as ``kernel_matrix``.

    >>> kernel_diagonal("relu", [[1.0, 0.0], [0.0, 2.0]]).tolist()
    [0.5, 2.0]
    """
    if isinstance(activation, Network):
        _require_no_numbers(depth, sigma, zeta, xi)
        chosen = str(one_of("kind", kind, _KINDS))
        return like(X, diagonal_of_network(activation, chosen, images("X", X)))
    activation, network = _chosen(activation, depth, kind, sigma, zeta, xi)
    with np.errstate(all="ignore"):
        _, squared = _squared(network, "X", X)
        variances, diagonal = network.diagonal(squared)
    require_finite(f"{kind} kernel matrix of {activation.name}", diagonal, *variances)
    return like(X, diagonal)


def _of_network(net: Network, X: Any, X2: Any, kind: str, dtype: Any, out: Any) -> Any:
    """Return the kernel matrix of a network in words; see :func:`kernel_matrix`."""
    rows = images("X", X)
    columns = rows if X2 is None else images("X2", X2)
    if columns.shape[1:] != rows.shape[1:]:
        raise ValueError(f"X2: got shape {columns.shape}, needs inputs of shape {rows.shape[1:]}")
    arrays = {"X": X, "X2": X2, "the inputs X": rows, "the inputs X2": columns}
    matrix = result((len(rows), len(columns)), dtype, out, arrays)
    matrix_of_network(net, kind, rows, columns, matrix)
    return matrix if out is not None else like(X, matrix)


def images(name: str, value: Any) -> Array:
    """Return inputs ``[N, d]`` or images ``[N, *positions, channels]`` in float64; TypeError or ValueError else."""
    dimensions = np.ndim(value)
    return inputs(name, value, dimensions=dimensions if dimensions in (2, 3, 4) else 2)


def _require_no_numbers(depth: Any, sigma: Any, zeta: Any, xi: Any) -> None:
    """Raise ValueError if numbers are given beside a network, which has them in its layers."""
    if (depth, sigma, zeta, xi) != (1, 1.0, 0.0, 1.0):
        raise ValueError(
            "depth, sigma, zeta, xi: got some beside a network, which has its own in its layers"
        )


def _chosen(
    activation: ActivationLike, depth: Any, kind: Any, sigma: Any, zeta: Any, xi: Any
) -> tuple[Activation, Recursion]:
    """Return activation and recursion of a network; raise TypeError or ValueError if one is not as described.

    Numbers are kept as numbers: an array or a tensor with one number is the same object after its number has changed.
    """
    scales = number("sigma", sigma), number("zeta", zeta), number("xi", xi)
    layers = integer("depth", depth, 1, MOST_LAYERS)
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
    layer = textbook_layer(chosen, slopes) or wide_layer(chosen, slopes)
    weights, biases, readout = (scale**2 for scale in (sigma, zeta, xi))
    gains = (
        (weights, biases, readout) if kind == "scaled_ntk" else (1.0, 1.0, 1.0) if slopes else ()
    )
    return chosen, Recursion(layer, slopes, depth, weights, biases, readout, gains)


def _squared(network: Recursion, name: str, value: Any) -> Inputs:
    """Return inputs and their squared norms; ArithmeticError if squares without biases lose digits by underflow."""
    array = inputs(name, value, finite=True)
    if network.biases == 0:
        largest = np.abs(array).max(axis=1, initial=0.0)
        if ((largest > 0) & (largest < SMALLEST)).any():
            raise ArithmeticError(
                f"the inputs reach down to {largest[largest > 0].min():.1e}; their squares underflow"
            )
    squared = np.einsum("ni,ni->n", array, array)
    return (array, squared) if is_finite(squared) else (inputs(name, value), squared)

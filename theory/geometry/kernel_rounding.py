r"""Entries of a kernel matrix whose digits rounding of the covariances reaches: right by balls, or a warning.

A covariance *c* of variances *a* and *b* is known to :math:`\epsilon\sqrt{ab}`. By Price's theorem
:math:`\partial_c E[\varphi\varphi] = E[\varphi'\varphi']`, so an error of relative size *e* in a layer becomes at most
:math:`a\,E[\varphi'^2]/E[\varphi^2]\,e` above it, which grows with the variance unless the activation is homogeneous.
The kernels of nearly parallel inputs of large variance are computed again with covariances that differ by their
rounding in every layer; those that change, in balls. A few are written into the matrix; of many the largest error is
told.
"""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp
from flint import arb
from numpy.typing import NDArray

from closedform.checks.arrays import Array
from theory.activations import Activation
from theory.activations.naming import cached
from theory.core.numbers.backends import ball_backend
from theory.core.numbers.backends.source import compile_expression
from theory.gaussian.kernel_formula import kernel_formula, slope_kernel_formula
from theory.gaussian.moments import second_moment
from theory.gaussian.symbols import covariance, variance, variance_x, variance_y
from theory.geometry.kernel_layers import wide_layer
from theory.geometry.kernel_recursion import Recursion, through
from theory.geometry.metric import directions

Error = Callable[[NDArray[np.int64], NDArray[np.int64]], Array]
HARMLESS = 5e3  # product of variances through the layers at which no error is worth to be settled
# rounding of an inner product and of the correlation, with its two roots
PRODUCT = 8 * np.finfo(float).eps
WORTH_A_WARNING = 1e-10  # error relative to the kernels of both inputs with themselves
WITH_A_KINK = 1e-7  # the same of the tangent kernel of an activation with a kink
PARALLEL = 1e-4  # of 1 - correlation^2; error and slope kernel are small for other inputs
SETTLED = 0.1  # of an error that is worth a warning; the estimate may be too small by this factor
# inputs of a block of pairs, and pairs of it that are computed with other covariances
_BLOCK, _PAIRS = (512, 256)


def settle(
    matrix: NDArray[Any],
    inputs: tuple[Array, Array],
    numbers: Sequence[NDArray[np.int64]],
    large: Sequence[NDArray[np.int64]],
    error: Error,
    diagonals: Sequence[Array],
    variances: tuple[Array, Array],
    least: float,
    exact: Callable[[Array, Array], float | None] = lambda x, y: None,
) -> None:
    """Compute the entries of nearly parallel inputs whose digits rounding reaches again, or warn if they are many.

    Args:
        matrix: the kernel ``[N, M]``.
        inputs: those of rows and of columns, the same object for a symmetric matrix.
        numbers: numbers of both, equal where inputs are.
        large: those of rows and of columns whose error may matter.
        error: function of the numbers of rows and columns of some pairs, to the relative error of each.
        diagonals: kernel of each input with itself, to whose roots errors are relative.
        variances: those of the pre-activations in the first layer, or squared norms, for the warning.
        least: error that is worth a warning.
        exact: function of two inputs that has all digits, or None. Default: None of any.
    """
    rows, columns = inputs
    pairs, is_whole = lost(error, rows, columns, numbers, large, SETTLED * least)
    values = [exact(rows[i], columns[j]) for _, i, j in pairs[:_PAIRS]]
    if None not in values and is_whole and len(pairs) == len(values):
        for (_, i, j), value in zip(pairs, values, strict=True):
            matrix[i, j] = value
            if columns is rows:
                matrix[j, i] = value
        return
    if not pairs:
        return
    eps = np.finfo(matrix.dtype).eps  # of the rounding to float32
    worst, first, second = max(
        (
            change
            if value is None
            else (abs(matrix[i, j] - value) - eps * abs(value))
            / np.sqrt(diagonals[0][i] * diagonals[1][j]),
            i,
            j,
        )
        for (change, i, j), value in zip(pairs, values, strict=False)
    )
    if worst > least:
        warnings.warn(
            f"kernel_matrix: the inputs {first} and {second} differ, but are nearly parallel, and their variances are"
            f" {variances[0][first]:.1e} and {variances[1][second]:.1e}; relative to the kernels of both with"
            f" themselves, errors may reach {worst:.1e}",
            RuntimeWarning,
            stacklevel=5,
        )


def lost(
    error: Error,
    rows: Array,
    columns: Array,
    numbers: Sequence[NDArray[np.int64]],
    large: Sequence[NDArray[np.int64]],
    least: float,
) -> tuple[list[tuple[float, int, int]], bool]:
    """Return errors above ``least`` with their row and column, the largest first, and whether all pairs were tried.

    Args:
        error: function of the numbers of rows and columns of some pairs, to the error of each, relative.
        rows, columns: inputs ``[N, d]`` and ``[M, d]``, the same object for a symmetric matrix.
        numbers: numbers of both, equal where inputs are.
        large: those of rows and of columns whose error may matter.
        least: error from which a pair counts.
    """
    symmetric, pairs, is_whole = columns is rows, list[tuple[float, int, int]](), True
    axes = [
        directions(x[at], np.square(x[at]).sum(axis=1))
        for x, at in zip((rows, columns), large, strict=True)
    ]
    for top in range(0, len(large[0]), _BLOCK):
        down = slice(top, top + _BLOCK)
        for left in range(top if symmetric else 0, len(large[1]), _BLOCK):
            right = slice(left, left + _BLOCK)
            apart = 1 - (axes[0][down] @ axes[1][right].T) ** 2
            is_close = apart < PARALLEL
            is_close &= numbers[0][large[0][down], None] != numbers[1][large[1][right]]
            i, j = np.nonzero(np.triu(is_close) if symmetric and top == left else is_close)
            nearest = np.argsort(apart[i, j], kind="stable")[:_PAIRS]
            is_whole &= i.size <= _PAIRS
            if not i.size:
                continue
            i, j = large[0][top + i[nearest]], large[1][left + j[nearest]]
            errors = error(i, j)
            pairs += [
                (errors[at], int(i[at]), int(j[at])) for at in np.flatnonzero(errors > least)
            ]
    return sorted(pairs, reverse=True), is_whole


def in_balls(activation: Activation, network: Recursion, x: Array, y: Array) -> float | None:
    """Return the kernel of two inputs ``[d]``, right to the last digit, or None if that needs an integral."""
    try:
        slope_kernel, slope_derivative = _layer_in_balls(activation, network.slopes)
    except NotImplementedError:
        return None

    def product(first: Array, second: Array) -> Any:
        return sum((arb(p) * arb(q) for p, q in zip(first, second, strict=True)), arb(0))

    def kernel() -> Any:
        v, w, c = product(x, x), product(y, y), product(x, y)

        def layer(level: int, covariance: Any) -> Any:
            nonlocal v, w
            v, w = (network.weights * value + network.biases for value in (v, w))
            values = slope_derivative(v, w, covariance)
            v, w = slope_kernel(v), slope_kernel(w)
            return values

        return through(network.scales, network.depth, c, layer)

    return ball_backend.nearest(kernel)


@cached(64)
def _layer_in_balls(
    activation: Activation, slopes: bool
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    kernels = [kernel_formula(activation).expression]
    if slopes:
        kernels.append(slope_kernel_formula(activation).expression)
    two = compile_expression(
        sp.Tuple(*kernels), [variance_x, variance_y, covariance], ball_backend
    )
    return compile_expression(second_moment(activation)[0], [variance], ball_backend), two


def grows(activation: Activation, slopes: bool) -> bool:
    """Return whether errors grow with the variance; those of a homogeneous activation, or one with a jump, do not."""
    if slopes and activation.smooth:
        return True
    try:
        kernel, slope = wide_layer(activation, True).diagonal(np.array([1.0, 4.0]))
    except ValueError:  # a jump, whose kernel keeps eight digits for all variances
        return False
    return not np.isclose(slope[0] / kernel[0], 4 * slope[1] / kernel[1], rtol=1e-9)

r"""Warning where rounding of the covariances reaches the digits of a kernel matrix.

A covariance *c* of variances *a* and *b* is known to :math:`\epsilon\sqrt{ab}`. By Price's theorem
:math:`\partial_c E[\varphi\varphi] = E[\varphi'\varphi']`, which is at most the root of the product of both
:math:`E[\varphi'^2]`, so an error of relative size *e* in a layer becomes at most *f e* in the kernel above it, with
:math:`f = a\,E[\varphi'^2]/E[\varphi^2]` of each input. Homogeneous activations have one *f* for all variances. For
others *f* grows with the variance, as *a* for a sine and as :math:`\sqrt a` for erf, and inputs that are nearly
parallel come close to the bound.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from theory.activations import Activation
from theory.geometry.kernel_layers import wide_layer

Array = NDArray[np.float64]
HARMLESS = 1e5  # product of variances through the layers that costs less than six digits
PRODUCT = 4 * np.finfo(float).eps  # rounding of an inner product and of the correlation
WORTH_A_WARNING = 1e-10  # error relative to the kernels of both inputs with themselves
PARALLEL = 1e-4  # of 1 - correlation^2; error and slope kernel are small for other inputs
_BLOCK = 512


def warn_of_rounding(
    activation: Activation,
    slopes: bool,
    rows: Array,
    columns: Array,
    numbers: Sequence[NDArray[np.int64]],
    variances: Sequence[Sequence[Array]],
) -> None:
    """Warn if two different inputs are so nearly parallel, at such variances, that the kernel loses digits.

    Args:
        activation: activation of every layer.
        slopes: whether the matrix is the tangent kernel, whose slopes lose more.
        rows: inputs ``[N, d]``.
        columns: other inputs ``[M, d]``.
        numbers: of the inputs of both, ``[N]`` and ``[M]``, equal where the inputs are equal.
        variances: of the pre-activations of every layer for both, ``[N]`` and ``[M]``, dimensionless.
    """
    if all(np.prod([np.maximum(v, 1).max(initial=1) for v in side]) < HARMLESS for side in variances):
        return
    errors = [_error(activation, slopes, side) for side in variances]
    large = [np.flatnonzero(error > WORTH_A_WARNING) for error in errors]
    directions = [_normalised(inputs[where]) for inputs, where in zip((rows, columns), large, strict=True)]
    for top in range(0, len(large[0]), _BLOCK):
        down = slice(top, top + _BLOCK)
        for left in range(0, len(large[1]), _BLOCK):
            right = slice(left, left + _BLOCK)
            correlation = directions[0][down] @ directions[1][right].T
            is_close = 1 - correlation**2 < PARALLEL
            is_close &= numbers[0][large[0][down], None] != numbers[1][large[1][right]]
            if is_close.any():
                i, j = (int(index) for index in np.argwhere(is_close)[0])
                i, j = int(large[0][top + i]), int(large[1][left + j])
                error = np.sqrt(errors[0][i] * errors[1][j])
                warnings.warn(
                    f"kernel_matrix: the inputs {i} and {j} differ, but are nearly parallel, and their variances are"
                    f" {variances[0][0][i]:.1e} and {variances[1][0][j]:.1e}; relative to the kernels of both with"
                    f" themselves, errors may reach {min(error, 1.0):.1e}",
                    RuntimeWarning,
                    stacklevel=4,
                )
                return


def _error(activation: Activation, slopes: bool, variances: Sequence[Array]) -> Array:
    """Return the size of the errors that rounding of the first products causes, relative to the kernel, ``[n]``."""
    error = np.full(len(variances[0]), PRODUCT)
    try:
        layer = wide_layer(activation, True)
    except ValueError:  # a jump, whose kernel keeps eight digits for all variances
        return error
    with np.errstate(all="ignore"):
        for v in variances:
            kernel, slope = layer.diagonal(v)
            kernel_4, slope_4 = layer.diagonal(4 * v)
            factor = np.nan_to_num(v * slope / kernel, nan=1.0, posinf=1e300)
            is_homogeneous = np.isclose(4 * v * slope_4 / kernel_4, factor, rtol=1e-9)
            growth = np.where(is_homogeneous, 1.0, np.maximum(factor, v if slopes else 1.0))
            error = PRODUCT + growth * error
    return np.asarray(error)


def _normalised(inputs: Array) -> Array:
    largest = np.abs(inputs).max(axis=1, keepdims=True)
    scaled = inputs / np.where(largest > 0, largest, 1.0)
    norm = np.linalg.norm(scaled, axis=1, keepdims=True)
    return np.asarray(scaled / np.where(norm > 0, norm, 1.0))

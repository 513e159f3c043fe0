r"""A shallow network with its inputs, checked, and its weights in coordinates in which the metric is the identity.

With :math:`J_{ai} = n^{-1/2} \varphi'(z_a) w_{ai}`, the metric is :math:`J^\top J`. The triangular factor of
:math:`J = QR` gives such coordinates without forming the metric, which would square the condition number: in
:math:`R\,x` the metric at the point is the identity, and the weights are :math:`u_a = R^{-\top} w_a`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from closedform.checks import one_of
from theory.activations import Activation, z
from theory.activations.naming import ActivationLike, activation
from theory.core.numbers.arguments import real_array

WhenSingular = Literal["raise", "nan"]
RESPONSES = get_args(WhenSingular)

# Number of float64 values per block, 32 MiB, so that the largest intermediate arrays stay small.
NUMBERS_AT_ONCE = 2**22
# Above this condition number of J fewer than about four digits of a curvature would be correct.
LARGEST_CONDITION = 1e12
# Dimension from which products with a triangular matrix save more than the calls for one input at a time cost.
_LARGE = 64


@dataclass(frozen=True)
class Layer:
    """A hidden layer and the inputs at which its geometry is computed, both checked."""

    weights: NDArray[np.float64]  # [width, d], in 1/input
    biases: NDArray[np.float64]  # [width], dimensionless
    points: NDArray[np.float64]  # inputs, [point, d]
    shape: tuple[int, ...]  # leading shape of the inputs as given, to which results are reshaped
    act: Activation

    @property
    def width(self) -> int:
        """Return the number of hidden units."""
        return self.weights.shape[0]

    @property
    def dimension(self) -> int:
        """Return the input dimension d."""
        return self.weights.shape[1]


def checked(weights: ArrayLike, biases: ArrayLike, x: ArrayLike, act: ActivationLike) -> Layer:
    """Return the arguments as float64 arrays of shapes that fit; TypeError or ValueError if they are not such."""
    act = activation("act", act)
    weights, biases, x = (
        real_array(n, v) for n, v in (("weights", weights), ("biases", biases), ("x", x))
    )
    if weights.ndim != 2:
        raise ValueError(f"weights: got shape {weights.shape}, needs [width, d]")
    if biases.shape != weights.shape[:1]:
        raise ValueError(f"biases: got shape {biases.shape}, needs [width] = {weights.shape[:1]}")
    if x.ndim < 1 or x.shape[-1] != weights.shape[1]:
        raise ValueError(
            f"x: got shape {x.shape}, needs [..., d] with d = {weights.shape[1]} as in weights"
        )
    return Layer(weights, biases, x.reshape(-1, x.shape[-1]), x.shape[:-1], act)


def checked_for_curvature(
    weights: ArrayLike, biases: ArrayLike, x: ArrayLike, act: ActivationLike
) -> Layer:
    """Return :func:`checked` arguments; ValueError for one input, or a slope that jumps, as that of ReLU does."""
    layer = checked(weights, biases, x, act)
    jumps = _jumps(layer.act)
    if jumps:
        raise ValueError(
            f"act: got {layer.act.name}, needs a continuous first derivative for a curvature; this one jumps at "
            f"{', '.join(map(str, jumps))}, so the metric is piecewise smooth and its curvature not defined there"
        )
    if layer.dimension < 2:
        raise ValueError(
            f"weights: got shape {layer.weights.shape}, needs d >= 2 columns for a curvature"
        )
    return layer


@lru_cache(maxsize=256)
def _jumps(act: Activation) -> tuple[sp.Expr, ...]:
    slope = act.derivative(1)
    return tuple(
        point
        for point in act.kinks or ()
        if sp.simplify(sp.limit(slope, z, point, "+") - sp.limit(slope, z, point, "-")) != 0
    )


@dataclass(frozen=True)
class Frame:
    """A block of inputs with an orthonormal frame at each of them."""

    points: slice  # of the inputs of the layer
    # R of J = QR, [point, d, d], with positive diagonal; the identity where singular
    triangle: NDArray[np.float64]
    preactivations: NDArray[np.float64]  # [point, width], dimensionless
    slopes: NDArray[np.float64]  # of the activation, [point, width], dimensionless
    singular: NDArray[np.bool_]  # whether the metric is, to working precision, [point]
    # of J with columns of length one, [point]; infinite where singular
    condition: NDArray[np.float64]
    inverse: NDArray[np.float64]  # of the triangle, [point, d, d]


def frames(layer: Layer, numbers_per_point: int, when_singular: WhenSingular) -> Iterator[Frame]:
    """Yield blocks of inputs that need at most about 32 MiB each; ArithmeticError where the metric is singular."""
    one_of("when_singular", when_singular, RESPONSES)
    if layer.width < layer.dimension:
        raise ValueError(
            f"weights: got width {layer.width} < d = {layer.dimension}, needs at least as many units as inputs: "
            "the metric is singular"
        )
    slope = layer.act.function(1)
    size = max(1, NUMBERS_AT_ONCE // numbers_per_point)
    for start in range(0, len(layer.points), size):
        part = slice(start, min(start + size, len(layer.points)))
        preactivations = layer.points[part] @ layer.weights.T + layer.biases
        slopes = slope(preactivations)
        if not (np.isfinite(preactivations).all() and np.isfinite(slopes).all()):
            raise ArithmeticError(
                f"pre-activations or slopes of {layer.act.name} exceed the range of double precision"
            )
        triangle = np.linalg.qr(
            (slopes / np.sqrt(layer.width))[..., None] * layer.weights, mode="r"
        )
        triangle = (
            np.where(np.diagonal(triangle, axis1=1, axis2=2) < 0, -1, 1)[..., None] * triangle
        )
        inverse, condition = _inverse_and_condition(triangle)
        singular = ~(condition < LARGEST_CONDITION)
        if singular.any() and when_singular == "raise":
            where = layer.points[start + int(np.argmax(singular))]
            raise ArithmeticError(
                f"the metric is singular to working precision at {int(singular.sum())} of the inputs, the first of "
                f'them x = {np.array2string(where, threshold=6, precision=4)}; when_singular="nan" marks them instead'
            )
        triangle[singular] = inverse[singular] = np.eye(layer.dimension)
        yield Frame(part, triangle, preactivations, slopes, singular, condition, inverse)


def in_frame(weights: NDArray[np.float64], inverse: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights u_a in the frame at one input, [width, d], without the products with the inverse's zeros."""
    if len(inverse) >= _LARGE:
        from scipy.linalg import blas

        return np.asarray(blas.dtrmm(1.0, inverse.T, weights.T, lower=1).T)
    return weights @ inverse


def _inverse_and_condition(
    triangle: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return R⁻¹ and the Frobenius condition number of R with columns of norm one, infinite where R is singular."""
    # The common factor does not change the result, and it keeps the squares in the range of double precision.
    largest = np.abs(triangle).max(axis=(1, 2), keepdims=True)
    largest[largest == 0] = 1
    triangle = triangle / largest
    lengths = np.sqrt(np.einsum("pij,pij->pj", triangle, triangle))
    degenerate = ~(
        (np.diagonal(triangle, axis1=1, axis2=2) > 0).all(axis=-1) & (lengths > 0).all(axis=-1)
    )
    lengths[degenerate] = 1.0
    scaled = triangle / lengths[:, None, :]
    scaled[degenerate] = np.eye(triangle.shape[-1])
    # an overflow means a singular matrix
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        inverse = _inverse(scaled)
        condition = np.linalg.norm(scaled, axis=(1, 2)) * np.linalg.norm(inverse, axis=(1, 2))
        inverse /= lengths[:, :, None] * largest
    return inverse, np.where(degenerate, np.inf, condition)


def _inverse(triangle: NDArray[np.float64]) -> NDArray[np.float64]:
    if triangle.shape[-1] == 2:  # numpy's inverse costs more than everything else here
        inverse = np.zeros_like(triangle)
        inverse[:, 0, 0] = 1 / triangle[:, 0, 0]
        inverse[:, 1, 1] = 1 / triangle[:, 1, 1]
        inverse[:, 0, 1] = -triangle[:, 0, 1] * inverse[:, 0, 0] * inverse[:, 1, 1]
        return inverse
    if triangle.shape[-1] >= _LARGE:  # a third of the operations
        from scipy.linalg import lapack

        return np.array([lapack.dtrtri(matrix.T, lower=1)[0].T for matrix in triangle])
    return np.asarray(np.linalg.inv(triangle), dtype=np.float64)

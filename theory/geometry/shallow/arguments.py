"""Checks of the weights, biases and inputs that the functions of shallow networks take."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from theory.activations import Activation, z
from theory.activations.naming import ActivationLike, activation
from theory.core.formula.arguments import real_array


@dataclass(frozen=True)
class Layer:
    """A hidden layer and the inputs at which its geometry is computed, both checked.

    Args:
        weights: weights, [width, d], in 1/input.
        biases: biases, [width], dimensionless.
        points: inputs, [point, d].
        shape: leading shape of the inputs as given, to which results are reshaped.
        act: the activation.
    """

    weights: NDArray[np.float64]
    biases: NDArray[np.float64]
    points: NDArray[np.float64]
    shape: tuple[int, ...]
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
    """Return the arguments as float64 arrays of consistent shapes.

    Raises:
        TypeError: if ``act`` is not an activation, its name or an expression, or an array does not hold real numbers.
        ValueError: if ``act`` is an unknown name, or an array is empty, not finite or of a shape that does not fit.
    """
    act = activation("act", act)
    weights, biases, x = (real_array(n, v) for n, v in (("weights", weights), ("biases", biases), ("x", x)))
    if weights.ndim != 2:
        raise ValueError(f"weights: got shape {weights.shape}, needs [width, d]")
    if biases.shape != weights.shape[:1]:
        raise ValueError(f"biases: got shape {biases.shape}, needs [width] = {weights.shape[:1]}")
    if x.ndim < 1 or x.shape[-1] != weights.shape[1]:
        raise ValueError(f"x: got shape {x.shape}, needs [..., d] with d = {weights.shape[1]} as in weights")
    return Layer(weights, biases, x.reshape(-1, x.shape[-1]), x.shape[:-1], act)


def checked_for_curvature(weights: ArrayLike, biases: ArrayLike, x: ArrayLike, act: ActivationLike) -> Layer:
    """Return :func:`checked` arguments; ValueError for one input, or a slope that jumps, as that of ReLU does.

    The metric of such a network is piecewise flat with jumps, so that its curvature is not a function.
    """
    layer = checked(weights, biases, x, act)
    if jumps := _jumps(layer.act):
        raise ValueError(
            f"act: got {layer.act.name}, needs a continuous first derivative for a curvature; this one jumps at "
            f"{', '.join(map(str, jumps))}, so the metric is piecewise smooth and its curvature not defined there"
        )
    if layer.dimension < 2:
        raise ValueError(f"weights: got shape {layer.weights.shape}, needs d >= 2 columns for a curvature")
    return layer


@lru_cache(maxsize=256)
def _jumps(act: Activation) -> tuple[sp.Expr, ...]:
    slope = act.derivative(1)
    return tuple(
        point
        for point in act.kinks or ()
        if sp.simplify(sp.limit(slope, z, point, "+") - sp.limit(slope, z, point, "-")) != 0
    )

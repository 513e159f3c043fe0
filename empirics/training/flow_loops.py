"""The hidden layer of ReLU networks as loops by numba over float32 numbers, with the interface of ``hidden_layer``.

One loop computes the preactivations of a point and of some neurons, adds to its output, and keeps which are active; the
other adds the forces where they are. Sums are made in another order than by products of matrices.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from closedform.loops.machine_code import compiled

Singles = NDArray[np.float32]
# in a block: then which neurons are active stays in the second cache of the processor
POINTS = 128
_NEURONS = 1024  # that are taken together: their weights stay in the first cache
_TOGETHER = 8  # points whose forces are added at once
_ZERO = np.float32(0)


@cache
def _outputs(inputs: int) -> Callable[..., Any]:
    """Return the loop that adds to the outputs and keeps which neurons are active, for a constant number of inputs."""

    @partial(compiled, sums=True)
    def loop(
        x: Singles, weights: Singles, output: Singles, active: NDArray[np.uint8], values: Singles
    ) -> None:
        points, neurons = active.shape
        # Weights to the neurons, weights of the output, and activations: rows of one block, which are never taken to
        # overlap.
        block = np.empty((inputs + 2, _NEURONS), np.float32)
        for first in range(0, neurons, _NEURONS):
            size = min(_NEURONS, neurons - first)
            for k in range(inputs):
                block[k, :size] = weights[k, first : first + size]
            block[inputs, :size] = output[first : first + size]
            for point in range(points):
                for neuron in range(size):
                    z = x[point, 0] * block[0, neuron]
                    for k in range(1, inputs):
                        z += x[point, k] * block[k, neuron]
                    block[inputs + 1, neuron] = _ZERO if z <= _ZERO else z  # NaN stays, to be seen
                # This loop writes to no array. Of a sum beside which one is written, the compiler makes two versions in
                # different orders, and the addresses of the arrays decide which of them runs.
                total = _ZERO
                for neuron in range(size):
                    total += block[inputs + 1, neuron] * block[inputs, neuron]
                values[point] += total
                flags = active[point, first : first + size]
                for neuron in range(size):
                    flags[neuron] = not block[inputs + 1, neuron] <= _ZERO

    return loop


@partial(compiled, sums=True)
def _add_forces(pulls: Singles, active: NDArray[np.uint8], forces: Singles) -> None:
    """Add to the forces of neurons the pulls of the points at which they are active."""
    (points, neurons), inputs = active.shape, pulls.shape[1]
    # Sums of some points, which are added to the others when they are complete: fewer rounding errors add up.
    sums, masks = (
        np.empty((inputs, _NEURONS), np.float32),
        np.empty((_TOGETHER, _NEURONS), np.float32),
    )
    for first in range(0, neurons, _NEURONS):
        size = min(_NEURONS, neurons - first)
        sums[:] = _ZERO
        for point in range(0, points, _TOGETHER):
            for i in range(_TOGETHER):
                mask, flags = masks[i], active[min(point + i, points - 1), first : first + size]
                factor = np.float32(point + i < points)
                for neuron in range(size):
                    mask[neuron] = flags[neuron] * factor
            a, b, c, d, e, f, g, h = (
                masks[0],
                masks[1],
                masks[2],
                masks[3],
                masks[4],
                masks[5],
                masks[6],
                masks[7],
            )
            for k in range(inputs):
                total, last = sums[k], points - 1
                pa, pb, pc, pd = (
                    pulls[point, k],
                    pulls[min(point + 1, last), k],
                    pulls[min(point + 2, last), k],
                    pulls[min(point + 3, last), k],
                )
                pe, pf, pg, ph = (
                    pulls[min(point + 4, last), k],
                    pulls[min(point + 5, last), k],
                    pulls[min(point + 6, last), k],
                    pulls[min(point + 7, last), k],
                )
                for n in range(size):
                    half = pa * a[n] + pb * b[n] + pc * c[n] + pd * d[n]
                    total[n] += half + (pe * e[n] + pf * f[n] + pg * g[n] + ph * h[n])
        for k in range(inputs):
            total, force = sums[k], forces[k, first : first + size]
            for neuron in range(size):
                force[neuron] += total[neuron]


class LoopedLayer:
    """A :class:`empirics.training.hidden_layer.HiddenLayer` by loops, one network after the other.

    Args:
        hidden: weights and biases of the neurons, ``[row, neuron, d + 1]``, float32.
        output: output weights ``[row, neuron]``, float32.

    Attributes:
        block: number of points to take at once.
    """

    block = POINTS

    def __init__(self, hidden: Tensor, output: Tensor) -> None:
        self._weights, self._output = hidden.mT.contiguous(), output.contiguous()
        self._forces = torch.zeros_like(self._weights)

    def outputs(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return *f* ``[row, point]`` at extended points ``[row, point, d + 1]``, and which neurons are active."""
        x, (rows, inputs, neurons) = x.contiguous(), self._weights.shape
        active, values = (
            x.new_empty(rows, x.shape[1], neurons, dtype=torch.uint8),
            x.new_zeros(*x.shape[:2]),
        )
        for parts in zip(x, self._weights, self._output, active, values, strict=True):
            _outputs(inputs)(*(part.numpy() for part in parts))
        return math.sqrt(2) / neurons * values, active

    def pull(self, pulls: Tensor, active: Tensor) -> None:
        """Add to the forces of the active neurons ``pulls [row, point, d + 1]``."""
        for ours, flags, forces in zip(pulls, active, self._forces, strict=True):
            acting = ours.any(dim=1)
            if 2 * int(acting.sum()) < len(ours):  # fitted points pull at nothing
                ours, flags = ours[acting], flags[acting]
            if len(ours):
                _add_forces(ours.contiguous().numpy(), flags.numpy(), forces.numpy())

    @property
    def forces(self) -> Tensor:
        """The sum of all pulls, ``[row, neuron, d + 1]``."""
        return self._forces.mT.contiguous()

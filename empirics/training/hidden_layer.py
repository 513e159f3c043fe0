"""The hidden layer of ReLU networks at many points: what it puts out, and the forces with which points pull at neurons.

Everything is computed in blocks of points: by products of matrices, or by :mod:`empirics.training.flow_loops` where
numba is installed. The size of a network and of its training set decides, and not what was computed before.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from closedform import loops

if TYPE_CHECKING:
    from empirics.training.flow_loops import LoopedLayer

# preactivations in a block: they fit into a CPU's cache, or keep a GPU busy
BLOCK = {"cpu": 1 << 19, "cuda": 1 << 28}
FEWEST = 2**18  # pairs of a point and a neuron for which loops are used
MOST_INPUTS = 12  # whose sums the loops keep in registers
LEAST = 8  # points in a block, below which the sums over blocks take longer than the blocks


class HiddenLayer:
    """Neurons of a batch of networks, ``hidden [row, neuron, d + 1]`` and ``output [row, neuron]``, and their forces.

    Attributes:
        block: number of points to take at once.
    """

    def __init__(self, hidden: Tensor, output: Tensor) -> None:
        self.block = max(
            1, BLOCK.get(hidden.device.type, BLOCK["cpu"]) // (hidden.shape[0] * hidden.shape[1])
        )
        self._numbers, self._output, self._forces = hidden.mT, output, torch.zeros_like(hidden.mT)

    def outputs(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return *f* ``[row, point]`` at extended points ``[row, point, d + 1]``, and which neurons are active."""
        active = (x @ self._numbers).clamp_min_(0)
        return math.sqrt(2) / self._output.shape[1] * (self._output[:, None] @ active.mT)[
            :, 0
        ], active

    def pull(self, pulls: Tensor, active: Tensor) -> None:
        """Add to the forces of the active neurons ``pulls [row, point, d + 1]``; ``active`` is used up."""
        # torch multiplies such thin matrices an order of magnitude faster with the long axis on the right.
        self._forces += pulls.mT @ active.sign_()

    @property
    def forces(self) -> Tensor:
        """The sum of all pulls, ``[row, neuron, d + 1]``."""
        return self._forces.mT.contiguous()


def hidden_layer(points: Tensor, hidden: Tensor, output: Tensor) -> HiddenLayer | LoopedLayer:
    """Return the layer of a batch of networks, which is computed by loops where extended points are many.

    Args:
        points: extended points, ``[row, point, d + 1]``.
        hidden: weights and biases of the neurons, ``[row, neuron, d + 1]``.
        output: output weights, ``[row, neuron]``.
    """
    if pays(points, hidden) and loops.is_installed():
        from empirics.training.flow_loops import LoopedLayer

        return LoopedLayer(hidden, output)
    return HiddenLayer(hidden, output)


def pays(points: Tensor, hidden: Tensor) -> bool:
    """Return whether loops save time for networks ``[row, neuron, inputs]`` at points ``[row, point, inputs]``."""
    fits = hidden.device.type == "cpu" and hidden.dtype == points.dtype == torch.float32
    return fits and points.shape[1] * hidden.shape[1] >= FEWEST and hidden.shape[2] <= MOST_INPUTS


def values(points: Tensor, hidden: Tensor, output: Tensor) -> Tensor:
    """Return the network's output *f*, ``[row, point]``, at extended points ``[row, point, d + 1]``."""
    layer = hidden_layer(points, hidden, output)
    return torch.cat(
        [layer.outputs(part)[0] for part in torch.split(points, layer.block, dim=1)], dim=1
    )

"""The record of a run: the distance of the two points in chosen layers, and the outputs, at every epoch.

Values stay on the device until a block of epochs is full, so that the host does not wait for a GPU in every epoch.
Differences are computed in float64, since nearly equal representations would lose their leading digits in float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

Array = NDArray[np.float64]


@dataclass(frozen=True)
class TrainingRecord:
    """Values recorded during a run.

    Attributes:
        dh2: squared distance of the two representations, ``[epoch, seed, layer]``.
        outputs: outputs of the networks, ``[epoch, seed, point, output]``.
    """

    dh2: Array
    outputs: Array


class EpochBuffers:
    """Buffers for a block of ``epochs`` on the device of the outputs ``like``; ``layers`` are counted from 1."""

    def __init__(self, epochs: int, layers: Sequence[int], like: Tensor) -> None:
        self._layers = [layer - 1 for layer in layers]
        self._dh2 = torch.empty(epochs, like.shape[0], len(layers), dtype=torch.float64, device=like.device)
        self._outputs = torch.empty((epochs, *like.shape), dtype=torch.float64, device=like.device)
        self._filled = 0

    def write(self, hidden: Sequence[Tensor], outputs: Tensor) -> None:
        """Record one epoch: the representations of all layers, each ``[seed, point, unit]``, and the outputs."""
        row = self._dh2[self._filled]
        for column, layer in enumerate(self._layers):
            h = hidden[layer].double()
            torch.sum((h[:, 1] - h[:, 0]).flatten(1).square_(), dim=-1, out=row[:, column])
        self._outputs[self._filled].copy_(outputs)
        self._filled += 1

    def take(self) -> TrainingRecord:
        """Return the epochs written since the last call, on the host."""
        n, self._filled = self._filled, 0
        return TrainingRecord(self._dh2[:n].cpu().numpy().copy(), self._outputs[:n].cpu().numpy().copy())

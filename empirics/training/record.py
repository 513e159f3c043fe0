"""What a run remembers: the distance of the two points in chosen layers, and the outputs, at every epoch.

Values stay on the device until a block of epochs is full, so that a GPU is never waited for between epochs.
Differences are taken in float64: representations that nearly coincide would lose their leading digits in float32.
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
class Record:
    """Raw observations of a run.

    Attributes:
        dh2: ``[epoch, seed, layer]``, squared distance of the two representations.
        outputs: ``[epoch, seed, point, output]``.
    """

    dh2: Array
    outputs: Array


class Block:
    """Device buffers for a block of epochs.

    Args:
        epochs: how many fit.
        layers: 1-based hidden layers to watch.
        like: the networks' output ``[seed, point, output]``, for sizes and device.
    """

    def __init__(self, epochs: int, layers: Sequence[int], like: Tensor) -> None:
        self._layers = [layer - 1 for layer in layers]
        self._dh2 = torch.empty(epochs, like.shape[0], len(layers), dtype=torch.float64, device=like.device)
        self._outputs = torch.empty((epochs, *like.shape), dtype=torch.float64, device=like.device)
        self._filled = 0

    def write(self, hidden: Sequence[Tensor], outputs: Tensor) -> None:
        """Remember one epoch: ``hidden`` of layers 1 ... depth, ``outputs [seed, point, output]``."""
        row = self._dh2[self._filled]
        for column, layer in enumerate(self._layers):
            h = hidden[layer].double()
            torch.sum((h[:, 1] - h[:, 0]).flatten(1).square_(), dim=-1, out=row[:, column])
        self._outputs[self._filled].copy_(outputs)
        self._filled += 1

    def take(self) -> Record:
        """The epochs written since the last call, on the host."""
        n, self._filled = self._filled, 0
        return Record(self._dh2[:n].cpu().numpy().copy(), self._outputs[:n].cpu().numpy().copy())

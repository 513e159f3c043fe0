"""Samples divided into batches: always the same ones for measuring, new ones in every epoch for training.

The outputs of a network whose batch normalisation uses the batch's statistics depend on the other samples of the batch.
A measurement in two passes must therefore see the same batches twice, and batches sorted by class would give other
numbers than mixed ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from closedform import checks
from empirics import tensor_checks
from empirics.seeding import generator

Batch = tuple[Tensor, Tensor]


@dataclass(frozen=True, eq=False)
class Partition:
    """Inputs and labels in fixed, shuffled batches; every iteration gives the same ``(inputs, labels)`` batches.

    No sample is left out. The sizes of the batches differ by one at most, so that no batch is too small for batch
    statistics.

    Attributes:
        inputs: ``[N, ...]``.
        labels: ``[N]``.
        batch_size: largest number of samples in a batch, default 100.
        seed: seed of the shuffle; non-negative integer, default 0.

    Raises:
        TypeError: if inputs or labels are not tensors.
        ValueError: if there are no samples, or not as many labels as inputs, or ``batch_size`` is not positive.

    >>> data = Partition(torch.zeros(10, 2), torch.arange(10) % 2, batch_size=4)
    >>> [len(labels) for _, labels in data]
    [4, 3, 3]
    """

    inputs: Tensor
    labels: Tensor
    batch_size: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        checks.instance("inputs", self.inputs, Tensor, "a tensor")
        checks.instance("labels", self.labels, Tensor, "a tensor")
        checks.require(self.inputs.ndim > 0, "inputs", "a single number", "[N, ...]")
        fits = len(self.inputs) > 0 and self.labels.shape[:1] == self.inputs.shape[:1]
        tensor_checks.shape(
            "labels",
            self.labels,
            fits,
            f"one for each of the inputs {list(self.inputs.shape)}, at least one",
        )
        checks.size("batch_size", self.batch_size)
        checks.seed("seed", self.seed)

    def __iter__(self) -> Iterator[Batch]:
        return self.epoch(generator(self.seed, "batches"))

    def __len__(self) -> int:
        """Return the number of batches."""
        return -(-len(self.inputs) // self.batch_size)

    def epoch(self, stream: torch.Generator) -> Iterator[Batch]:
        """Yield all samples once, in batches drawn from ``stream``; each call gives another epoch of training."""
        for rows in torch.randperm(len(self.inputs), generator=stream).tensor_split(len(self)):
            indices = rows.to(self.inputs.device)
            yield self.inputs[indices], self.labels[indices]


def partition_of(name: str, data: Any) -> Partition:
    """Return a pair of inputs ``[N, ...]`` and class indices ``[N]``, tensors or arrays, in fixed batches."""
    try:
        inputs, labels = data
        inputs, labels = (
            tensor_checks.tensor("inputs", inputs),
            tensor_checks.tensor("labels", labels),
        )
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(
            f"{name}: got {type(data).__name__}, needs a Partition or (inputs, labels); {error}"
        ) from error
    tensor_checks.class_indices("labels", labels)
    return Partition(inputs, labels.to(torch.int64))

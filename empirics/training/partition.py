"""Samples put into batches: once and for all for measuring, afresh in every epoch for training.

A network whose batch normalisation uses the batch's statistics gives outputs that depend on the company a sample is in,
so whatever looks twice must see the same batches twice; and batches sorted by class would give other numbers than mixed
ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from empirics import check
from empirics.seeding import generator

Batch = tuple[Tensor, Tensor]


@dataclass(frozen=True, eq=False)
class Partition:
    """Inputs and labels in fixed, shuffled batches; iterating gives the same ``(inputs, labels)`` batches every time.

    No sample is left out; the batches' sizes differ by one at most, so that none has too few for batch statistics.

    Attributes:
        inputs: ``[N, ...]``.
        labels: ``[N]``.
        batch_size: the most samples in a batch.
        seed: of the shuffle; non-negative integer, dimensionless.

    Raises:
        ValueError: if there are no samples, not as many labels, or ``batch_size`` is not positive.
    """

    inputs: Tensor
    labels: Tensor
    batch_size: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        fits = len(self.inputs) > 0 and self.labels.shape[:1] == self.inputs.shape[:1]
        check.shape("labels", self.labels, fits, f"one for each of the inputs {list(self.inputs.shape)}, at least one")
        check.whole("batch_size", self.batch_size)

    def __iter__(self) -> Iterator[Batch]:
        return self.epoch(generator(self.seed, "batches"))

    def __len__(self) -> int:
        """Number of batches."""
        return -(-len(self.inputs) // self.batch_size)

    def epoch(self, stream: torch.Generator) -> Iterator[Batch]:
        """All samples once, in batches drawn from ``stream``: another epoch of training at each call."""
        for rows in torch.randperm(len(self.inputs), generator=stream).tensor_split(len(self)):
            where = rows.to(self.inputs.device)
            yield self.inputs[where], self.labels[where]

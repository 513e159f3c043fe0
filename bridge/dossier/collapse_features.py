"""Features of the layers of a dossier: at how many points the memory and the budget allow, and as points of classes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from bridge.dossier.cost import FEWEST, Budget
from bridge.dossier.network import MeasuredNetwork

if TYPE_CHECKING:
    from torch import Tensor

    from empirics.measure.models.call_sites import CallSite

RESAMPLINGS = 100
PASSES = 30  # over the features, in which sums are kept to twice the precision
MOST = 2000  # positions, of tokens or pixels


def in_memory(network: MeasuredNetwork, memory: str, seed: int) -> MeasuredNetwork:
    """Return the network with as many of its points as the widest layer allows."""
    from empirics.measure.models.memory import bytes_of

    size, widest = bytes_of(memory), max(layer.features for layer in network.layers)
    points = size // (3 * widest * network.example.element_size())
    if widest > points:
        points = min(points, math.isqrt(size // 32))  # four matrices of products, in float64
    return network.some(max(int(points), 2), seed)


def in_budget(network: MeasuredNetwork, memory: str, budget: Budget) -> tuple[int, float]:
    """Return how many of the points the budget allows, and the work for all of them."""
    from empirics.measure.models.work import CALL, NUMBERS, OPERATIONS, work_of

    forward = work_of(lambda: outputs_at(network, network.inputs[:2], [network.layers[-1].name])) / 2
    groups = len([*_groups(network, memory)]) + 1
    positions = network.labels[0].numel() if network.labels is not None else 1

    present = min(network.classes, len(network.inputs) * positions)

    def work(points: int) -> float:
        total = groups * points * forward
        n = min(points * positions, max(points, MOST))
        for layer in network.layers:
            size = max(1, layer.features // positions)
            k, classes = min(n, size), network.classes
            one = (6 * n * k * classes + 10 * classes * k * min(classes, k)) / OPERATIONS + 30 * CALL
            total += (2 * RESAMPLINGS + present) * one + 2 * n * size * k / OPERATIONS + PASSES * n * size / NUMBERS
        return total

    points = len(network.inputs)
    count = points
    while count >= FEWEST and work(count) > budget.seconds:
        count = int(0.9 * count)
    return count, work(points)


def outputs_at(network: MeasuredNetwork, inputs: Tensor, names: list[str]) -> dict[str, Tensor]:
    """Return what layers give at some inputs."""
    import torch

    from empirics.measure.models.layer_outputs import outputs_of

    with torch.no_grad():
        return outputs_of(network.model, inputs.clone(), names)[1]


def _groups(network: MeasuredNetwork, memory: str) -> Iterator[tuple[CallSite, ...]]:
    """Yield the layers, as many at a time as fit into the memory."""
    from empirics.measure.models.layers import in_groups
    from empirics.measure.models.memory import bytes_of

    return in_groups(network.layers, bytes_of(memory) / (3 * len(network.inputs) * network.example.element_size()))


def features_of(network: MeasuredNetwork, memory: str) -> Iterator[tuple[CallSite, Tensor]]:
    """Yield the features ``[N, ...]`` of every layer, of as many layers at a time as fit into the memory."""
    import torch

    for group in _groups(network, memory):
        names = [layer.name for layer in group]
        parts = [outputs_at(network, inputs, names) for inputs in network.batches()]
        for layer in group:
            yield layer, torch.cat([part.pop(layer.name) for part in parts])


def as_points(
    features: Tensor, network: MeasuredNetwork, decision: Tensor | None, seed: int
) -> tuple[Tensor, Tensor, Tensor | None] | None:
    """Return features ``[n, D]``, labels ``[n]`` and predictions of points, or of at most :data:`MOST` positions.

    None if the features do not have the positions of the labels.
    """
    import torch

    labels = network.labels
    assert labels is not None
    if labels.ndim == 1:
        return features.flatten(1), labels, decision
    features = features.movedim(1, -1) if network.task.name == "dense" else features
    if features.shape[:-1] != labels.shape:
        return None
    order = torch.randperm(labels.numel(), generator=torch.Generator().manual_seed(seed))[:MOST].sort().values
    order = order.to(labels.device)
    return (
        features.flatten(0, -2)[order],
        labels.flatten()[order],
        None if decision is None else decision.flatten()[order],
    )

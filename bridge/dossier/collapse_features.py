"""At how many points the memory and the budget allow to measure the collapse of the layers of a dossier."""

from __future__ import annotations

import math

from bridge.dossier.cost import FEWEST, Budget
from bridge.dossier.network import MeasuredNetwork
from empirics.measure.models.memory import bytes_of
from empirics.measure.models.model_on_data import MOST
from empirics.measure.models.work import CALL, NUMBERS, OPERATIONS, work_of

RESAMPLINGS = 100
PASSES = 30  # over the features, in which sums are kept to twice the precision


def in_memory(network: MeasuredNetwork, memory: str, seed: int) -> MeasuredNetwork:
    """Return the network with as many of its points as the widest layer allows."""
    size, widest = bytes_of(memory), max(layer.features for layer in network.layers)
    points = size // (3 * widest * network.example.element_size())
    if widest > points:
        points = min(points, math.isqrt(size // 32))  # four matrices of products, in float64
    return network.some(max(int(points), 2), seed)


def in_budget(network: MeasuredNetwork, memory: str, budget: Budget) -> tuple[int, float]:
    """Return how many of the points the budget allows, and the work for all of them."""
    forward = work_of(lambda: network.outputs_at(network.inputs[:2], [network.layers[-1].name])) / 2
    groups = len([*network.groups_of_layers(memory)]) + 1
    positions = network.labels[0].numel() if network.labels is not None else 1

    def work(points: int) -> float:
        total = groups * points * forward
        n = min(points * positions, max(points, MOST))
        for layer in network.layers:
            size = max(1, layer.features // positions)
            k, classes = min(n, size), min(network.present, n)
            one = (6 * n * k * classes + 10 * classes * k * min(classes, k)) / OPERATIONS + 30 * CALL
            total += (2 * RESAMPLINGS + classes) * one + 2 * n * size * k / OPERATIONS + PASSES * n * size / NUMBERS
        return total

    points = len(network.inputs)
    count = points
    while count >= FEWEST and work(count) > budget.seconds:
        count = int(0.9 * count)
    return count, work(points)

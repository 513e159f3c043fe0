"""How a tangent kernel is measured within a budget: exactly or by random projections of the outputs, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bridge.dossier.cost import Budget
from bridge.dossier.network import MeasuredNetwork

if TYPE_CHECKING:
    from empirics.measure.kernels.tangent_sketch import TangentSketch

PROJECTIONS = (8, 4)  # of the outputs: as many as fit


@dataclass(frozen=True)
class KernelPlan:
    """How the kernel is measured.

    Attributes:
        points: number of points; too few where the budget does not suffice.
        projections: number of random projections; 0 for the exact kernel.
        said: the sentence on points that are left out, or empty.
    """

    points: int
    projections: int
    said: str


def planned(network: MeasuredNetwork, memory: str, budget: Budget) -> KernelPlan:
    """Return the plan; the work of one projection is counted at two points, each output takes as much."""
    import torch

    from empirics import measure
    from empirics.measure.kernels.tangent_sketch import Projected, outputs_of_one
    from empirics.measure.models.work import OPERATIONS, work_of

    outputs, points = outputs_of_one(network.model, network.inputs), len(network.inputs)
    one = Projected(network.model, torch.ones(outputs, dtype=network.example.dtype, device=network.example.device))
    each = work_of(lambda: measure.neural_tangent_gram(one, network.inputs[:2], memory=memory)) / 2
    trained = sum(p.numel() for p in network.model.parameters() if p.requires_grad)
    pair = 2 * trained / OPERATIONS
    for projections in (0, *PROJECTIONS) if outputs > PROJECTIONS[-1] else (0,):
        times = projections or outputs
        count = budget.affordable(points, times * each, times * pair)
        if count == points:
            break
    needed = times * (points * each + points**2 * pair)
    return KernelPlan(count, projections, budget.said("tangent kernel", count, points, needed))


def gram_of(network: MeasuredNetwork, plan: KernelPlan, memory: str, seed: int) -> TangentSketch:
    """Return the kernel ``[N, N]`` at all points of the network, exact or with independent estimates."""
    from empirics import measure
    from empirics.measure.kernels.tangent_sketch import TangentSketch

    if plan.projections:
        return measure.neural_tangent_sketch(
            network.model, network.inputs, projections=plan.projections, seed=seed, memory=memory
        )
    gram = measure.neural_tangent_gram(network.model, network.inputs, memory=memory)
    return TangentSketch(gram.unsqueeze(0), is_exact=True)

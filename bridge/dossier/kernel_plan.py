"""How a tangent kernel is measured within a budget: exactly or by random projections of the outputs, and where."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from bridge.dossier.cost import Budget
from bridge.dossier.network import MeasuredNetwork
from empirics import measure
from empirics.measure.kernels.neural_tangent import points_at_once
from empirics.measure.kernels.tangent_sketch import Projected, TangentSketch, outputs_of_one
from empirics.measure.models.work import OPERATIONS, work_of

EXACT = 2  # times the work, in float64
FEW = (2, 6)  # points at which work is counted
PROJECTIONS = (8, 4)  # of the outputs: as many as fit


@dataclass(frozen=True)
class KernelPlan:
    """How the kernel is measured."""

    points: int  # too few where the budget does not suffice
    projections: int  # number of random projections; 0 for the exact kernel
    said: str  # the sentence on points that are left out, or empty


def planned(network: MeasuredNetwork, memory: str, budget: Budget) -> KernelPlan:
    """Return the plan; the work of one projection is counted at two points, each output takes as much."""
    outputs, points = outputs_of_one(network.model, network.inputs), len(network.inputs)
    one = Projected(network.model, torch.ones(outputs, dtype=network.example.dtype, device=network.example.device))

    def work(points: int) -> float:
        return work_of(
            lambda: measure.neural_tangent_gram(one, network.inputs[:points], memory=memory, precision="model")
        )

    each = (work(FEW[1]) - work(FEW[0])) / (FEW[1] - FEW[0])  # without what is done once
    trained = sum(p.numel() for p in network.model.parameters() if p.requires_grad)
    at_once = points_at_once(one, network.inputs, memory, "model")
    pair = 2 * trained / OPERATIONS
    for projections in (0,) if outputs == 1 else (0, *PROJECTIONS):
        times = projections or EXACT * outputs
        within = budget.affordable(points, times * each, times * pair)
        count = min(within, at_once if projections else at_once // times)
        if count == points:
            break
    if count < within:
        return KernelPlan(count, projections, f"tangent kernel: {count} of {points} points; memory= allows more")
    needed = times * (points * each + points**2 * pair)
    return KernelPlan(count, projections, budget.said("tangent kernel", count, points, needed))


def gram_of(network: MeasuredNetwork, plan: KernelPlan, memory: str, seed: int) -> TangentSketch:
    """Return the kernel ``[N, N]`` at all points of the network, exact or with independent estimates."""
    if plan.projections:
        return measure.neural_tangent_sketch(
            network.model, network.inputs, projections=plan.projections, seed=seed, memory=memory
        )
    gram = measure.neural_tangent_gram(network.model, network.inputs, memory=memory)
    return TangentSketch(gram.unsqueeze(0), is_exact=True)

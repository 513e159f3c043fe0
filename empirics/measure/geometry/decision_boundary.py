r"""Distance of an input from the decision boundary of a classifier.

A point of another class is sought by repeated projection onto the nearest of the linearised boundaries between classes
(DeepFool, Moosavi-Dezfooli et al. 2016), and the segment to it is then bisected. The resulting point lies on the
boundary, so that the result is an upper bound of the true distance; for an affine classifier it is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float64, Real
from torch import Tensor

from closedform import checks
from closedform.rounding import ROUNDINGS
from empirics.measure.models.differentiation import grad
from empirics.measure.models.feature_map import prepare

STEPS = 100  # projections before giving up
OVERSHOOT = 0.02  # fraction of the step by which a projection goes beyond the linearised boundary
BISECTIONS = 60  # enough to shrink a segment to rounding


def boundary_distance(
    classifier: Callable[[Tensor], Tensor],
    x: Real[Tensor, "batch ..."] | Any,
    *,
    steps: int = STEPS,
) -> Float64[Tensor, " batch"]:
    """Return an upper bound of the distance from every input to the decision boundary.

    Args:
        classifier: any callable or module ``[batch, *input] -> logits [batch, C]``, C >= 2, that acts on each point by
            itself. A module is copied with its numbers in float64.
        x: inputs ``[batch, *input]``, tensor or array.
        steps: number of projections before giving up, at least 1, default 100.

    Returns:
        Distances ``[batch]``, float64, in the units of the inputs; inf where no point of another class was found.

    Raises:
        TypeError, ValueError: for impossible arguments, or if there is one logit only.

    >>> plane = lambda x: torch.stack([x[:, 0], -x[:, 0]], dim=1)
    >>> boundary_distance(plane, [[0.5, 2.0]]).round(decimals=3).tolist()
    [0.5]
    """
    checks.size("steps", steps)
    checks.function("classifier", classifier, "a callable or an nn.Module")
    ready = prepare(classifier, x)
    if ready.features < 2:
        raise ValueError(f"classifier: gives {ready.features} logit, needs at least two")
    start = ready.x
    with torch.no_grad():
        predicted = ready.call(start).argmax(dim=1)
    there = start.clone()
    searching = torch.ones(len(start), dtype=torch.bool, device=start.device)
    for _ in range(steps):
        rows = searching.nonzero().flatten()
        if len(rows) == 0:
            break
        moved = there[rows] + (1 + OVERSHOOT) * _step(ready.call, there[rows], predicted[rows])
        with torch.no_grad():
            logits = ready.call(moved)
        sound = torch.isfinite(logits).all(dim=1)  # False where a step overflowed
        there[rows] = torch.where(sound[:, None], moved, there[rows])
        searching[rows] = ~sound | (logits.argmax(dim=1) == predicted[rows])
    low, high = torch.zeros(len(start), 1).to(start), torch.ones(len(start), 1).to(start)
    with torch.no_grad():
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            is_same_class = (
                ready.call(start + middle * (there - start)).argmax(dim=1) == predicted
            )[:, None]
            low, high = (
                torch.where(is_same_class, middle, low),
                torch.where(is_same_class, high, middle),
            )
    distance = torch.linalg.vector_norm(high * (there - start), dim=1).double()
    return torch.where(searching, torch.inf, distance)


def _step(call: Callable[[Tensor], Tensor], x: Tensor, predicted: Tensor) -> Tensor:
    """Return the step to the nearest linearised boundary between a point's class and the others; zero without one."""
    x = x.detach().requires_grad_()
    with torch.enable_grad():
        logits = call(x)
        rows = [grad(logits[:, c].sum(), x, retain_graph=True)[0] for c in range(logits.shape[1])]
    gradients = torch.stack(rows, dim=1)
    across = gradients - gradients.gather(1, predicted[:, None, None].expand(-1, 1, x.shape[1]))
    lead = (logits.gather(1, predicted[:, None]) - logits).detach()
    length, rounding = (
        torch.linalg.vector_norm(across, dim=2),
        ROUNDINGS * torch.finfo(x.dtype).eps,
    )
    sizes = torch.linalg.vector_norm(gradients, dim=2)
    parallel = length <= rounding * (sizes + sizes.gather(1, predicted[:, None]))
    distance = torch.where(parallel, torch.inf, lead / length).scatter(
        1, predicted[:, None], torch.inf
    )
    index = torch.arange(len(x), device=x.device)
    # Of boundaries that are equally near up to rounding the first is taken, so that the path is reproducible.
    least = distance.amin(dim=1, keepdim=True)
    nearest = (distance <= least + rounding * least.abs()).int().argmax(dim=1)
    normal, size = across[index, nearest], length[index, nearest]
    step = (lead[index, nearest] / size)[:, None] * (normal / size[:, None])
    return torch.where(
        torch.isfinite(step).all(dim=1, keepdim=True) & torch.isfinite(least), step, 0.0
    )

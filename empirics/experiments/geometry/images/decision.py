r"""What a classifier makes of points: its logits, and how far each point is from the decision boundary.

The boundary is where the largest two logits coincide. To first order it is
:math:`(z_{(1)} - z_{(2)}) / \|\nabla_x (z_{(1)} - z_{(2)})\|` away, in units of the network's (normalised) input.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

CHUNK = 512  # points at a time


def decide(model: nn.Module, points: Tensor) -> tuple[Tensor, Tensor]:
    """Logits, and the distance to the decision boundary to first order.

    Args:
        model: ``[batch, *input] -> logits [batch, C]``, in evaluation mode.
        points: ``[n, *input]``.

    Returns:
        ``[n, C]`` and ``[n]``, float64, on the CPU. A distance is inf where the gap of the logits is flat.

    Raises:
        ValueError: if the model is in training mode.
    """
    if any(module.training for module in model.modules()):
        raise ValueError("model: is in training mode, so that points would act on each other; call .eval()")
    logits, distances = [], []
    for chunk in torch.split(points, CHUNK):
        x = chunk.detach().clone().requires_grad_()
        with torch.enable_grad():
            z = model(x)
            best = z.topk(2, dim=1).values
            gap = best[:, 0] - best[:, 1]
            (slope,) = torch.autograd.grad(gap.sum(), x)
        norm = torch.linalg.vector_norm(slope.double().flatten(1), dim=1)
        distances.append(torch.where(norm > 0, gap.detach().double() / norm, torch.inf).cpu())
        logits.append(z.detach().double().cpu())
    return torch.cat(logits), torch.cat(distances)

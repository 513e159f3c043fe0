r"""Logits of a classifier, and the distance of points from its decision boundary.

On the boundary the two largest logits are equal. To first order its distance is
:math:`(z_{(1)} - z_{(2)}) / \|\nabla_x (z_{(1)} - z_{(2)})\|`, in units of the network's (normalised) input.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

CHUNK = 512  # points evaluated at once


def decide(model: nn.Module, points: Tensor) -> tuple[Tensor, Tensor]:
    """Return the logits, and the distance to the decision boundary to first order.

    Args:
        model: maps ``[batch, *input]`` to logits ``[batch, C]``; in evaluation mode.
        points: ``[n, *input]``.

    Returns:
        Logits ``[n, C]`` and distances ``[n]``, float64, on the CPU. The distance is inf where the gradient of the
        difference of the logits vanishes.

    Raises:
        ValueError: if the model is in training mode.
    """
    if any(module.training for module in model.modules()):
        raise ValueError("model: got training mode, in which points of a batch affect each other; call .eval() first")
    logits, distances = [], []
    for chunk in torch.split(points, CHUNK):
        x = chunk.detach().clone().requires_grad_()
        with torch.enable_grad():
            z = model(x)
            largest = z.topk(2, dim=1).values
            gap = largest[:, 0] - largest[:, 1]
            (gradient,) = torch.autograd.grad(gap.sum(), x)
        norm = torch.linalg.vector_norm(gradient.double().flatten(1), dim=1)
        distances.append(torch.where(norm > 0, gap.detach().double() / norm, torch.inf).cpu())
        logits.append(z.detach().double().cpu())
    return torch.cat(logits), torch.cat(distances)

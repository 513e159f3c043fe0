"""The network of the hinge flow: extended inputs, values in blocks of points, and checks of its tensors."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from closedform import checks
from empirics import tensor_checks

BLOCK = {"cpu": 1 << 19, "cuda": 1 << 28}  # preactivations in a block: they fit into a CPU's cache, or keep a GPU busy


def extended(inputs: Tensor) -> Tensor:
    """Return the inputs scaled and with a constant appended, ``(x/sqrt(d), 1)``, ``[..., d + 1]``."""
    one = torch.ones_like(inputs[..., :1])
    return torch.cat([inputs / math.sqrt(inputs.shape[-1]), one], dim=-1)


def values(points: Tensor, hidden: Tensor, output: Tensor) -> Tensor:
    """Return the network's output *f*, ``[realisation, point]``, at extended points ``[realisation, point, d + 1]``."""
    blocks = torch.split(points, block_of(hidden), dim=1)
    return torch.cat([mean_output((part @ hidden.mT).clamp_min_(0), output) for part in blocks], dim=1)


def mean_output(active: Tensor, output: Tensor) -> Tensor:
    """Return *f* ``[realisation, point]`` from the preactivations' positive parts, ``[realisation, point, neuron]``."""
    return math.sqrt(2) / output.shape[1] * (output[:, None] @ active.mT)[:, 0]


def block_of(hidden: Tensor) -> int:
    """Return the number of points whose preactivations are computed at once."""
    return max(1, BLOCK.get(hidden.device.type, BLOCK["cpu"]) // (hidden.shape[0] * hidden.shape[1]))


def turned(before: Tensor, after: Tensor, output: Tensor) -> Tensor:
    """Return ``|g - g'|^2/(|g||g'|)``, ``[realisation]``, with g the forces times the output weights, before, after."""
    weight = output.to(torch.float64)[..., None]
    change = ((before - after) * weight).square().sum(dim=(1, 2))
    sizes = [(forces * weight).square().sum(dim=(1, 2)).sqrt() for forces in (before, after)]
    return torch.where(change == 0, 0.0, change / (sizes[0] * sizes[1]))


def require(inputs: Tensor, labels: Tensor, hidden: Tensor, output: Tensor) -> None:
    """Check that the tensors are a batch of networks with their training sets; ValueError otherwise."""
    tensor_checks.shape("inputs", inputs, inputs.ndim == 3 and inputs.numel() > 0, "[realisation, point, d]")
    realisations, points, d = inputs.shape
    tensor_checks.shape("labels", labels, labels.shape == (realisations, points), f"[{realisations}, {points}]")
    fits = hidden.ndim == 3 and (hidden.shape[0], hidden.shape[2]) == (realisations, d + 1) and hidden.numel() > 0
    tensor_checks.shape("hidden", hidden, fits, f"[{realisations}, neuron, {d + 1}]")
    tensor_checks.shape("output", output, output.shape == hidden.shape[:2], str(list(hidden.shape[:2])))
    checks.require(bool((labels.abs() == 1).all()), "labels", "others", "+1 and -1 only")
    for name, given in (("inputs", inputs), ("hidden", hidden), ("output", output)):
        if not given.is_floating_point() or not torch.isfinite(given).all():
            raise ValueError(f"{name}: needs finite floating-point numbers")
        if given.dtype != inputs.dtype or given.device != inputs.device:
            raise ValueError(f"{name}: got {given.dtype} on {given.device}, needs {inputs.dtype} on {inputs.device}")

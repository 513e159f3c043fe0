r"""Gradients of the outputs in the parameters of one layer, from what enters it and from derivatives at its output.

With patches :math:`a_p` and derivatives :math:`\delta_p` at the positions p of a convolution or of a sequence, the
gradient in the weights is :math:`\sum_p \delta_p a_p^\top`: one matrix product per point. That of a normalisation is
the sum of :math:`\delta` times the normalised input. Attention has four linear layers, between which autograd takes
:math:`\delta` from the last to the others.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from empirics.measure.models.differentiation import grad

Inputs = tuple[Tensor, ...]
Gradient = Callable[[nn.Module, Inputs, Tensor], dict[str, Tensor]]
SEPARATE = ("q_proj_weight", "k_proj_weight", "v_proj_weight")  # of keys and values of other sizes than the queries


def gradients(layer: nn.Module, inputs: Inputs, delta: Tensor) -> dict[str, Tensor]:
    """Compute gradients ``[points, outputs, *shape]`` by parameter from ``delta`` ``[outputs, points, ...]``."""
    return GRADIENTS[type(layer)](layer, inputs, delta)


def _linear(layer: nn.Module, inputs: Inputs, delta: Tensor) -> dict[str, Tensor]:
    """Return the gradients of a linear layer on one or several vectors a point."""
    a = inputs[0].flatten(1, -2) if inputs[0].ndim > 2 else inputs[0].unsqueeze(1)
    at_positions = delta.reshape(len(delta), *a.shape[:2], -1).permute(1, 0, 3, 2)
    return _products(at_positions, a)


def _convolution(layer: nn.Module, inputs: Inputs, delta: Tensor) -> dict[str, Tensor]:
    """Return the gradients of a convolution over one or two dimensions, of any stride, dilation, padding and groups."""
    assert isinstance(layer, nn.Conv1d | nn.Conv2d)
    (image,) = inputs
    mode = "constant" if layer.padding_mode == "zeros" else layer.padding_mode
    image = F.pad(image, layer._reversed_padding_repeated_twice, mode=mode)
    kernel, dilation, stride = layer.kernel_size, layer.dilation, layer.stride
    if isinstance(layer, nn.Conv1d):
        image, kernel, dilation, stride = image.unsqueeze(2), (1, *kernel), (1, *dilation), (1, *stride)
    patches = F.unfold(image, kernel, dilation, 0, stride)
    points, groups, outputs = len(image), layer.groups, len(delta)
    patches = patches.reshape(points, groups, -1, patches.shape[2]).transpose(2, 3)
    by_group = delta.reshape(outputs, points, groups, -1, patches.shape[2]).permute(1, 2, 0, 3, 4)
    weight = by_group.flatten(2, 3) @ patches  # [points, groups, outputs * channels of a group, patch]
    weight = weight.reshape(points, groups, outputs, -1).transpose(1, 2)
    return {
        "weight": weight.reshape(points, outputs, *layer.weight.shape),
        "bias": delta.flatten(3).sum(3).transpose(0, 1),
    }


def _products(at_positions: Tensor, a: Tensor) -> dict[str, Tensor]:
    """Sum outer products of ``[points, outputs, m, positions]`` and ``[points, positions, n]`` over positions."""
    weight = at_positions.flatten(1, 2) @ a
    return {"weight": weight.reshape(*at_positions.shape[:3], -1), "bias": at_positions.sum(3)}


def _layer_norm(layer: nn.Module, inputs: Inputs, delta: Tensor) -> dict[str, Tensor]:
    assert isinstance(layer, nn.LayerNorm)
    normalised = F.layer_norm(inputs[0], layer.normalized_shape, eps=layer.eps)
    positions = tuple(range(2, delta.ndim - len(layer.normalized_shape)))
    return _scaled(normalised, delta, positions)


def _batch_norm(layer: nn.Module, inputs: Inputs, delta: Tensor) -> dict[str, Tensor]:
    assert isinstance(layer, nn.modules.batchnorm._BatchNorm)
    normalised = F.batch_norm(inputs[0], layer.running_mean, layer.running_var, eps=layer.eps)
    return _scaled(normalised, delta, tuple(range(3, delta.ndim)))


def _group_norm(layer: nn.Module, inputs: Inputs, delta: Tensor) -> dict[str, Tensor]:
    assert isinstance(layer, nn.GroupNorm)
    normalised = F.group_norm(inputs[0], layer.num_groups, eps=layer.eps)
    return _scaled(normalised, delta, tuple(range(3, delta.ndim)))


def _scaled(normalised: Tensor, delta: Tensor, positions: tuple[int, ...]) -> dict[str, Tensor]:
    weight, bias = normalised * delta, delta
    if positions:
        weight, bias = weight.sum(positions), bias.sum(positions)
    return {"weight": weight.transpose(0, 1), "bias": bias.transpose(0, 1)}


def _attention(layer: nn.Module, inputs: Inputs, delta: Tensor) -> dict[str, Tensor]:
    """Return the gradients of multi-head attention with points first, without masks and additional keys."""
    assert isinstance(layer, nn.MultiheadAttention)
    one = layer.in_proj_weight is not None
    weights = layer.in_proj_weight.chunk(3) if one else [getattr(layer, name) for name in SEPARATE]
    biases = (None, None, None) if layer.in_proj_bias is None else layer.in_proj_bias.chunk(3)
    projected = [F.linear(*three).detach().requires_grad_() for three in zip(inputs, weights, biases, strict=True)]
    with torch.enable_grad():
        query, key, value = (p.reshape(*p.shape[:2], layer.num_heads, -1).transpose(1, 2) for p in projected)
        attention = (query @ key.mT / query.shape[-1] ** 0.5).softmax(-1)
        mixed = (attention @ value).transpose(1, 2).flatten(2)
    directions = delta @ layer.out_proj.weight.detach()
    rows = [grad(mixed, projected, direction, retain_graph=True) for direction in directions]
    shares = [_linear(layer, (a,), torch.stack(d)) for a, d in zip(inputs, zip(*rows, strict=True), strict=True)]
    inward = [share["weight"] for share in shares]
    outward = _linear(layer, (mixed.detach(),), delta)
    return {
        **({"in_proj_weight": torch.cat(inward, 2)} if one else dict(zip(SEPARATE, inward, strict=True))),
        "in_proj_bias": torch.cat([share["bias"] for share in shares], 2),
        "out_proj.weight": outward["weight"],
        "out_proj.bias": outward["bias"],
    }


GRADIENTS: dict[type[nn.Module], Gradient] = {
    nn.Linear: _linear,
    nn.Conv1d: _convolution,
    nn.Conv2d: _convolution,
    nn.LayerNorm: _layer_norm,
    nn.BatchNorm1d: _batch_norm,
    nn.BatchNorm2d: _batch_norm,
    nn.BatchNorm3d: _batch_norm,
    nn.GroupNorm: _group_norm,
    nn.MultiheadAttention: _attention,
}

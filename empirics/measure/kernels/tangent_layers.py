r"""Gradients of the outputs in the parameters of one layer, from what enters it and from derivatives at its output.

With patches :math:`a_p` and derivatives :math:`\delta_p` at the positions p of a convolution or of a sequence, the
gradient in the weights is :math:`\sum_p \delta_p a_p^\top`: one matrix product per point. That of a normalisation is
the sum of :math:`\delta` times the normalised input. Attention has four linear layers, between which autograd takes
:math:`\delta` from the last to the others.
"""

import math
from collections.abc import Callable, Iterable, Iterator

import torch
from torch import Tensor, nn
from torch.func import functional_call
from torch.nn import functional as F

from empirics.measure.models.differentiation import grad

Inputs = tuple[Tensor, ...]
Gradients = Iterator[dict[str, Tensor]]
# of keys and values of other sizes than the queries
SEPARATE = ("q_proj_weight", "k_proj_weight", "v_proj_weight")


def gradients(layer: nn.Module, inputs: Inputs, deltas: Iterable[Tensor]) -> Gradients:
    """Yield, for each output's ``delta`` ``[points, ...]``, gradients ``[points, *shape]`` by parameter."""
    return GRADIENTS[type(layer)](layer, inputs, deltas)


def _linear(layer: nn.Module, inputs: Inputs, deltas: Iterable[Tensor]) -> Gradients:
    """Yield the gradients of a linear layer on one or several vectors a point."""
    a = inputs[0].reshape(len(inputs[0]), -1, inputs[0].shape[-1])
    for delta in deltas:
        at_positions = delta.reshape(*a.shape[:2], -1)
        yield {"weight": at_positions.mT @ a, "bias": at_positions.sum(1)}


def _convolution(layer: nn.Module, inputs: Inputs, deltas: Iterable[Tensor]) -> Gradients:
    """Yield the gradients of a convolution over one or two dimensions, of any stride, dilation, padding and groups."""
    assert isinstance(layer, nn.Conv1d | nn.Conv2d)
    mode = "constant" if layer.padding_mode == "zeros" else layer.padding_mode
    image = F.pad(inputs[0], layer._reversed_padding_repeated_twice, mode=mode)
    axes = len(layer.kernel_size)
    for axis, kernel, dilation, stride in zip(
        (2, 3), layer.kernel_size, layer.dilation, layer.stride, strict=False
    ):
        image = image.unfold(axis, dilation * (kernel - 1) + 1, stride)[..., ::dilation]  # a view
    patches = image.permute(0, 1, *range(2 + axes, 2 + 2 * axes), *range(2, 2 + axes))
    patches = patches.reshape(
        len(image), layer.groups, -1, math.prod(image.shape[2 : 2 + axes])
    ).mT
    for delta in deltas:
        at_positions = delta.reshape(*patches.shape[:2], -1, patches.shape[2])
        weight = at_positions @ patches  # [points, groups, channels of a group, patch]
        yield {"weight": weight.reshape(-1, *layer.weight.shape), "bias": delta.flatten(2).sum(2)}


def _normalisation(layer: nn.Module, inputs: Inputs, deltas: Iterable[Tensor]) -> Gradients:
    neutral = {
        name: torch.full_like(p, float(name == "weight")) for name, p in layer.named_parameters()
    }
    normalised = functional_call(layer, neutral, inputs).detach()
    first, last = (1, len(layer.normalized_shape)) if isinstance(layer, nn.LayerNorm) else (2, 0)
    positions = range(first, normalised.ndim - last)
    for delta in deltas:
        parts = {"weight": normalised * delta, "bias": delta}
        yield (
            {name: part.sum([*positions]) for name, part in parts.items()} if positions else parts
        )


def _attention(layer: nn.Module, inputs: Inputs, deltas: Iterable[Tensor]) -> Gradients:
    """Yield the gradients of multi-head attention with points first, without masks and additional keys."""
    assert isinstance(layer, nn.MultiheadAttention)
    is_joint = layer.in_proj_weight is not None
    weights = (
        layer.in_proj_weight.chunk(3) if is_joint else [getattr(layer, name) for name in SEPARATE]
    )
    biases = (None, None, None) if layer.in_proj_bias is None else layer.in_proj_bias.chunk(3)
    projected = [
        F.linear(*three).detach().requires_grad_()
        for three in zip(inputs, weights, biases, strict=True)
    ]
    with torch.enable_grad():
        query, key, value = (
            p.reshape(*p.shape[:2], layer.num_heads, -1).transpose(1, 2) for p in projected
        )
        mixed = F.scaled_dot_product_attention(query, key, value).transpose(1, 2).flatten(2)
    for delta in deltas:
        rows = grad(mixed, projected, delta @ layer.out_proj.weight.detach(), retain_graph=True)
        inward = [row.mT @ a for row, a in zip(rows, inputs, strict=True)]
        yield {
            **(
                {"in_proj_weight": torch.cat(inward, 1)}
                if is_joint
                else dict(zip(SEPARATE, inward, strict=True))
            ),
            "in_proj_bias": torch.cat([row.sum(1) for row in rows], 1),
            "out_proj.weight": delta.mT @ mixed.detach(),
            "out_proj.bias": delta.sum(1),
        }


GRADIENTS: dict[type[nn.Module], Callable[[nn.Module, Inputs, Iterable[Tensor]], Gradients]] = {
    nn.Linear: _linear,
    nn.Conv1d: _convolution,
    nn.Conv2d: _convolution,
    nn.LayerNorm: _normalisation,
    nn.BatchNorm1d: _normalisation,
    nn.BatchNorm2d: _normalisation,
    nn.BatchNorm3d: _normalisation,
    nn.GroupNorm: _normalisation,
    nn.MultiheadAttention: _attention,
}

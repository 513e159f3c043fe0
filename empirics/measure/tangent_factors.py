r"""Gradients of linear layers as outer products: at a point, :math:`\partial f_o / \partial W = \delta_o a^T`.

Here a is the input of the layer and :math:`\delta_o` the derivative of the network's output o with respect to the
layer's output. Neither the gradients nor their inner products therefore need n times m numbers per point.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from empirics.measure.feature_map import FeatureMap


@dataclass(frozen=True)
class Factors:
    """The factors of one layer's gradients at some points.

    Attributes:
        taken: inputs a of the layer, ``[points, n]``, float64; None if the weight is not trained.
        delta: derivatives δ, ``[outputs, points, m]``, float64.
        bias: whether the bias is trained; its gradient is δ itself.
    """

    taken: Tensor | None
    delta: Tensor
    bias: bool

    def contract(self, other: Factors) -> Tensor:
        """Return the inner products of the gradients, summed over outputs, ``[points, other points]``."""
        deltas = self.delta.transpose(0, 1).flatten(1) @ other.delta.transpose(0, 1).flatten(1).T
        inputs = float(self.bias)
        if self.taken is not None and other.taken is not None:
            return deltas * (self.taken @ other.taken.T + inputs)
        return deltas * inputs


def factored_layers(module: nn.Module, feature_map: FeatureMap) -> list[nn.Linear]:
    """Return the linear layers whose gradients are outer products.

    Such a layer is reached once per forward pass, on one vector per point, and shares no parameters.

    Args:
        module: the network, with ``requires_grad`` set for the parameters to differentiate.
        feature_map: the map that calls ``module``; at its first point the factors are compared with autograd's
            gradients.
    """
    owners: dict[int, int] = {}
    for _, parameter in module.named_parameters(remove_duplicate=False):
        owners[id(parameter)] = owners.get(id(parameter), 0) + 1
    layers = [
        layer
        for layer in module.modules()
        if type(layer) is nn.Linear
        and any(p.requires_grad for p in layer.parameters())
        and all(owners[id(p)] == 1 for p in layer.parameters())
    ]
    x = feature_map.x[:1]
    inputs, outputs, output = _pass(layers, feature_map.call, x)
    layers = [layer for layer in layers if len(inputs[layer]) == 1 and inputs[layer][0].ndim == 2]
    if not layers:
        return []
    generator = torch.Generator().manual_seed(0)
    with torch.enable_grad():
        score = (output * torch.randn(output.shape, generator=generator, dtype=torch.float64).to(output)).sum()
    trained = [p for layer in layers for p in layer.parameters() if p.requires_grad]
    exact = torch.autograd.grad(score, trained, retain_graph=True, allow_unused=True)
    deltas = torch.autograd.grad(score, [outputs[layer][0] for layer in layers], materialize_grads=True)
    gradient = {id(p): g for p, g in zip(trained, exact, strict=True)}
    result = []
    for layer, delta in zip(layers, deltas, strict=True):
        for parameter in layer.parameters():
            derivative = gradient.get(id(parameter))
            product = delta.T @ inputs[layer][0] if parameter.ndim == 2 else delta.sum(dim=0)
            scale = float(product.abs().max())
            if parameter.requires_grad and (
                derivative is None or not bool((derivative - product).abs().max() <= 1e-4 * scale)
            ):
                break
        else:
            result.append(layer)
    return result


Seen = dict[nn.Linear, list[Tensor]]


def _pass(layers: list[nn.Linear], call: Callable[[Tensor], Tensor], x: Tensor) -> tuple[Seen, Seen, Tensor]:
    """Return the inputs and outputs of every layer, for every time it is reached, and the network's output."""
    taken: Seen = {layer: [] for layer in layers}
    outputs: Seen = {layer: [] for layer in layers}

    def note(layer: nn.Module, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        assert isinstance(layer, nn.Linear)  # the hook is on linear layers only
        taken[layer].append(inputs[0].detach())
        outputs[layer].append(output)

    handles = [layer.register_forward_hook(note) for layer in layers]
    try:
        with torch.enable_grad():
            output = call(x)
    finally:
        for handle in handles:
            handle.remove()
    return taken, outputs, output


def factors_at(layers: list[nn.Linear], call: Callable[[Tensor], Tensor], x: Tensor) -> list[Factors]:
    """Compute the factors of ``layers`` at points ``x`` ``[points, d]``, by one backward pass for each output."""
    if not layers:
        return []
    inputs, outputs, output = _pass(layers, call, x)
    ends = [outputs[layer][0] for layer in layers]
    deltas: list[list[Tensor]] = [[] for _ in layers]
    for index in range(output.shape[1]):
        with torch.enable_grad():
            score = output[:, index].sum()  # points do not interact, so the sum has the derivative of every point
        for collected, delta in zip(
            deltas, torch.autograd.grad(score, ends, retain_graph=True, materialize_grads=True), strict=True
        ):
            collected.append(delta.double())
    return [
        Factors(
            inputs[layer][0].double() if layer.weight.requires_grad else None,
            torch.stack(delta),
            layer.bias is not None and layer.bias.requires_grad,
        )
        for layer, delta in zip(layers, deltas, strict=True)
    ]

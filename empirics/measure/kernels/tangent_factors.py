r"""Gradients of single layers from one backward pass for each output of the network, without those of whole networks.

A layer needs only its inputs and the derivatives :math:`\delta_o` of the network's outputs o in the layer's output. At
a point where a linear layer acts on one vector a, the gradient is the outer product :math:`\delta_o a^T`, and inner
products of gradients need no gradients; other layers are in ``tangent_layers``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from itertools import chain, product
from typing import Any

import torch
from scipy.linalg.blas import dsyrk
from torch import Tensor, nn
from torch.autograd.graph import GradientEdge, get_gradient_edge

from empirics.measure.kernels.tangent_layers import GRADIENTS, Inputs, gradients
from empirics.measure.models.differentiation import grad
from empirics.measure.models.feature_map import FeatureMap

SAME = 1e-4  # largest relative difference from autograd's gradients, which covers float32


@dataclass(frozen=True)
class Factors:
    """The gradients of one layer, or of parameters of several, at some points, in float64."""

    # inputs a of a linear layer, [points, n]; None if its weight is not trained
    taken: Tensor | None
    # δ by output, [points, m], or gradients of another layer by output and parameter
    deltas: Iterable[Tensor]
    # whether δ is itself a gradient: of the bias of a linear layer, or of another layer
    bias: bool = True


def contract(left: Iterable[Factors], right: Iterable[Factors]) -> Tensor:
    """Return the inner products of gradients, summed over layers and outputs, ``[points, other points]``."""
    shares = []
    for ours, theirs in zip(left, right, strict=True):
        share = reduce(
            Tensor.add_,
            (delta @ other.T for delta, other in zip(ours.deltas, theirs.deltas, strict=True)),
        )
        if ours.taken is not None and theirs.taken is not None:
            share *= (ours.taken @ theirs.taken.T).add_(float(ours.bias))
        shares.append(share)
    return reduce(Tensor.add_, shares)


def gram(factors: Iterable[Factors], points: int, device: torch.device) -> Tensor:
    """Return the inner products of gradients with themselves, ``[points, points]``, with half of the products."""
    result = torch.zeros(points, points, dtype=torch.float64, device=device)
    for factor in factors:
        share = result if factor.taken is None else torch.zeros_like(result)
        for delta in factor.deltas:
            _add_products(share, delta)
        if factor.taken is not None:
            products = torch.full_like(result, float(factor.bias))
            _add_products(products, factor.taken)
            result += share.mul_(products)
    (result.diagonal() if device.type == "cpu" else result).div_(2)
    return result + result.T


def _add_products(sums: Tensor, a: Tensor) -> None:
    """Add a a^T to ``sums``, on a CPU to its lower triangle alone: half the products."""
    if a.device.type == "cpu":
        dsyrk(1.0, a.contiguous().numpy().T, 1.0, sums.numpy().T, trans=1, overwrite_c=1)
    else:
        sums.addmm_(a, a.T)


@dataclass
class Visit:
    """What a layer takes and gives in one forward pass, and how often it is reached."""

    inputs: Inputs = ()
    output: Tensor = field(default_factory=lambda: torch.empty(0))
    # where its output enters torch's graph, also if the network changes it in place
    edge: GradientEdge | None = None
    times: int = 0
    plain: bool = field(default=True)  # whether tensors are all that it takes


def factored_layers(module: nn.Module, feature_map: FeatureMap) -> dict[nn.Module, int]:
    """Return the layers whose gradients can be computed layer by layer, tested at a point, and their numbers."""
    layers = _with_own_parameters(module)
    x = feature_map.x[[0, -1]]  # two points, so that the dimension of the points shows
    visits, output = _pass(layers, feature_map.call, x)
    layers = [
        layer
        for layer in layers
        if visits[layer].times == 1 and _points_first(layer, visits[layer], len(x))
    ]
    if not layers:
        return {}
    generator = torch.Generator().manual_seed(0)
    with torch.enable_grad():
        score = (
            output[0]
            * torch.randn(output[0].shape, generator=generator, dtype=torch.float64).to(output)
        ).sum()
    parameters = chain.from_iterable(layer.parameters() for layer in layers)
    trained = [parameter for parameter in parameters if parameter.requires_grad]
    ends = [visits[layer].edge for layer in layers]
    by_autograd = grad(score, [*trained, *ends], allow_unused=True)
    exact = {
        id(p): gradient for p, gradient in zip(trained, by_autograd[: len(trained)], strict=True)
    }
    result = {}
    for layer, delta in zip(layers, by_autograd[len(trained) :], strict=True):
        # at the point that the score does not contain
        if delta is not None and not bool(delta[1].any()):
            inputs = tuple(taken[:1] for taken in visits[layer].inputs)
            ours = next(gradients(layer, inputs, [delta[:1]]))
            if all(
                _agree(exact[id(p)], ours.get(name))
                for name, p in layer.named_parameters()
                if p.requires_grad
            ):
                result[layer] = _numbers(layer, visits[layer], feature_map.features)
    return result


def _with_own_parameters(module: nn.Module) -> list[nn.Module]:
    """Return the trained layers of a known kind that share no parameters and have no complex ones."""
    owners = Counter(
        id(parameter) for _, parameter in module.named_parameters(remove_duplicate=False)
    )

    def is_suited(layer: nn.Module) -> bool:
        parameters = list(layer.parameters())
        return any(p.requires_grad for p in parameters) and all(
            owners[id(p)] == 1 and not p.is_complex() for p in parameters
        )

    return [layer for layer in module.modules() if type(layer) in GRADIENTS and is_suited(layer)]


def _points_first(layer: nn.Module, visit: Visit, points: int) -> bool:
    tensors = [*visit.inputs, visit.output]
    if not visit.plain or visit.edge is None or any(len(tensor) != points for tensor in tensors):
        return False
    return (
        all(tensor.ndim == 3 for tensor in visit.inputs)
        if isinstance(layer, nn.MultiheadAttention)
        else True
    )


def _agree(exact: Tensor | None, found: Tensor | None) -> bool:
    """Return whether there is a gradient that is that of autograd."""
    if exact is None or found is None:
        return False
    return torch.equal(exact, found[0]) or bool(
        (exact - found[0]).abs().max() <= SAME * exact.abs().max()
    )


def _pass(
    layers: list[nn.Module], call: Callable[[Tensor], Tensor], x: Tensor
) -> tuple[dict[nn.Module, Visit], Tensor]:
    """Return what every layer takes and gives in a forward pass, and the network's output."""
    visits = {layer: Visit() for layer in layers}

    def note(
        layer: nn.Module, inputs: tuple[Any, ...], options: dict[str, Any], output: Any
    ) -> None:
        visit = visits[layer]
        tensors = [
            *inputs,
            *(
                value
                for name, value in options.items()
                if name in ("input", "query", "key", "value")
            ),
        ]
        rest = set(options) - {
            "input",
            "query",
            "key",
            "value",
            "need_weights",
            "average_attn_weights",
        }
        visit.plain = all(isinstance(value, Tensor) for value in tensors) and all(
            options[name] is None or options[name] is False for name in rest
        )
        visit.inputs = tuple(value.detach() for value in tensors if isinstance(value, Tensor))
        visit.output = output[0] if isinstance(output, tuple) else output
        visit.edge = get_gradient_edge(visit.output) if visit.output.requires_grad else None
        visit.times += 1

    handles = [layer.register_forward_hook(note, with_kwargs=True) for layer in layers]
    try:
        with torch.enable_grad():
            output = call(x)
    finally:
        for handle in handles:
            handle.remove()
    return visits, output


def factors_of(
    layers: list[nn.Module], call: Callable[[Tensor], Tensor], x: Tensor
) -> Iterator[Factors]:
    """Yield factors layer after layer, at points ``x`` ``[points, d]``, from one backward pass for each output."""
    if not layers:
        return
    visits, output = _pass(layers, call, x)
    ends = [visits[layer].edge for layer in layers]
    deltas: list[list[Tensor]] = [[] for _ in layers]
    for index in range(output.shape[1]):
        with torch.enable_grad():
            # points do not interact, so the sum has the derivative of every point
            score = output[:, index].sum()
        at_ends = grad(score, ends, retain_graph=True, allow_unused=True)
        for of_layer, layer, delta in zip(deltas, layers, at_ends, strict=True):
            of_layer.append(torch.zeros_like(visits[layer].output) if delta is None else delta)
    del output, ends, at_ends, score
    for layer in layers:
        yield _factors(layer, visits.pop(layer).inputs, deltas.pop(0))


def _factors(layer: nn.Module, inputs: Inputs, deltas: list[Tensor]) -> Factors:
    trained = [name for name, p in layer.named_parameters() if p.requires_grad]
    if isinstance(layer, nn.Linear) and inputs[0].ndim == 2:
        taken = inputs[0].double() if "weight" in trained else None
        return Factors(taken, [delta.double() for delta in deltas], "bias" in trained)
    at_parameters = gradients(layer, inputs, deltas)
    return Factors(
        None,
        (
            of_output[name].flatten(1).double()
            for of_output, name in product(at_parameters, trained)
        ),
    )


def _numbers(layer: nn.Module, visit: Visit, outputs: int) -> int:
    """Return about how many numbers the factors of a layer and their computation take for each point."""
    at_point = visit.output[0]
    size = sum(tensor[0].numel() for tensor in visit.inputs) + outputs * at_point.numel()
    if not (isinstance(layer, nn.Linear) and visit.inputs[0].ndim == 2):
        size += outputs * sum(p.numel() for p in layer.parameters())
    if isinstance(layer, nn.Conv1d | nn.Conv2d):
        size += at_point[0].numel() * layer.weight[0].numel() * layer.groups  # patches
    return size

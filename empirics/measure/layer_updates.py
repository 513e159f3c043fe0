"""How much a few steps of training change what every layer gives: altogether, and by the layer's own weights."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils._pytree import tree_leaves, tree_map_only

from closedform import checks
from empirics.measure.models.frozen_model import frozen

LOST = 0.05  # share of weights whose step is rounded away that is told
Calls = dict[str, tuple[tuple[Any, ...], dict[str, Any], Tensor]]
"""Arguments, keywords and output of the last call of each layer."""


@dataclass(frozen=True)
class LayerUpdates:
    """Root mean squares over the entries of a layer's output.

    Attributes:
        size: layer -> that of the output before training.
        own: layer -> for each number of steps, that of the output with the weights now minus the output with the
            weights before, on the inputs that the layer has now.
        change: layer -> for each number of steps, that of the output now minus the output before training.
        notes: what makes numbers doubtful, in words.
        shapes: dense layer -> rows of the batch, and inputs and outputs of a row.

    >>> LayerUpdates({"0": 1.0}, {"0": (0.1,)}, {"0": (0.1,)}, ()).own["0"]
    (0.1,)
    """

    size: Mapping[str, float]
    own: Mapping[str, tuple[float, ...]]
    change: Mapping[str, tuple[float, ...]]
    notes: tuple[str, ...]
    shapes: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)


def layer_updates(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    batch: tuple[Any, Any],
    loss: Callable[[Any, Any], Tensor],
    steps: Sequence[int] = (1, 4),
    layers: Collection[str] | None = None,
) -> LayerUpdates:
    """Train a model on one batch and return how much its layers were changed.

    A layer is a module with parameters of its own, and its signals are those of its last call in a pass. Passes that
    look are in evaluation mode, so that nothing is dropped, but batch normalisation has the statistics of the batch, as
    in training.

    Args:
        model: the model, which is trained in place.
        optimizer: optimiser of its parameters.
        batch: inputs and targets; inputs are one tensor, a tuple of arguments or a dict of keywords.
        loss: function of outputs and targets, a scalar to be minimised.
        steps: numbers of updates after which it is looked, increasing. Default: 1 and 4.
        layers: names of the layers. Default: all that the pass calls.

    Raises:
        TypeError: if the model is no module.
        ValueError: if no layer has parameters, a name is unknown, or the numbers of steps do not increase from 1.

    >>> model = nn.Linear(1, 1, bias=False)
    >>> batch = torch.ones(1, 1), model.weight.detach() - 1
    >>> sgd = torch.optim.SGD(model.parameters(), 0.1)  # the slope of the squared error is 2
    >>> round(layer_updates(model, sgd, batch, nn.functional.mse_loss, (1,)).own[""][0], 6)
    0.2
    """
    checks.instance("model", model, nn.Module, "a torch.nn.Module")
    if not steps or list(steps) != sorted(set(steps)) or steps[0] < 1:
        raise ValueError(f"steps: got {steps}, needs increasing numbers from 1")
    inputs, targets = batch
    named = _layers(model, layers)
    before = {name: _copy(layer) for name, layer in named.items()}
    with frozen(model, batch_statistics=True):
        first = _calls(model, named, inputs)
    own: dict[str, list[float]] = {name: [] for name in first}
    change: dict[str, list[float]] = {name: [] for name in first}
    for step in range(1, steps[-1] + 1):
        last_step = {name: _copy(layer) for name, layer in named.items()}
        optimizer.zero_grad()
        torch.autograd.backward(loss(_output(model, inputs), targets))
        optimizer.step()
        if step not in steps:
            continue
        with frozen(model, batch_statistics=True):
            now = _calls(model, named, inputs)
            for name, (arguments, keywords, output) in now.items():
                old = torch.func.functional_call(named[name], before[name], arguments, keywords)
                own[name].append(_root_mean_square(output - _tensor(name, old)))
                change[name].append(_root_mean_square(output - first[name][2]))
    return LayerUpdates(
        {name: _root_mean_square(output) for name, (_, _, output) in first.items()},
        {name: tuple(values) for name, values in own.items()},
        {name: tuple(values) for name, values in change.items()},
        (*_of_epsilon(named, optimizer), *_of_rounding(named, optimizer, last_step)),
        _shapes(named, first),
    )


def _shapes(named: Mapping[str, nn.Module], calls: Calls) -> dict[str, tuple[int, int, int]]:
    """Return rows, and inputs and outputs of a row, of each layer that is a dense one."""
    shapes = {}
    for name, (_, _, output) in calls.items():
        layer = named[name]
        if isinstance(layer, nn.Linear):
            rows = output.numel() // layer.out_features
            shapes[name] = rows, layer.in_features, layer.out_features
    return shapes


def _layers(model: nn.Module, wanted: Collection[str] | None) -> dict[str, nn.Module]:
    named = {
        name: layer
        for name, layer in model.named_modules()
        if next(layer.parameters(recurse=False), None) is not None
    }
    if not named:
        raise ValueError(f"model: got {type(model).__name__} without parameters, needs some")
    for name in wanted or ():
        checks.one_of("layers", name, tuple(named))
    return {name: layer for name, layer in named.items() if wanted is None or name in wanted}


def _copy(layer: nn.Module) -> dict[str, Tensor]:
    """Return copies of the parameters of a layer's own."""
    return {key: value.detach().clone() for key, value in layer.named_parameters(recurse=False)}


def _calls(model: nn.Module, named: Mapping[str, nn.Module], inputs: Any) -> Calls:
    """Return the last call of each layer in a pass."""
    calls: Calls = {}

    def keep(name: str) -> Callable[..., None]:
        def hook(layer: nn.Module, arguments: Any, keywords: Any, output: Any) -> None:
            # a later layer may change them in place
            kept = tree_map_only(Tensor, torch.clone, (arguments, keywords, output))
            calls[name] = kept[0], kept[1], _tensor(name, kept[2])

        return hook

    hooks = [
        layer.register_forward_hook(keep(name), with_kwargs=True) for name, layer in named.items()
    ]
    try:
        _output(model, inputs)
    finally:
        for hook in hooks:
            hook.remove()
    return calls


def _root_mean_square(values: Any) -> float:
    return float(values.double().square().mean().sqrt())


def _output(model: nn.Module, inputs: Any) -> Any:
    if isinstance(inputs, Mapping):
        return model(**inputs)
    return model(*inputs) if isinstance(inputs, tuple) else model(inputs)


def _tensor(name: str, output: Any) -> Tensor:
    """Return the output of a layer, or the first tensor of several."""
    tensor = next((leaf for leaf in tree_leaves(output) if isinstance(leaf, Tensor)), None)
    if tensor is None:
        raise TypeError(
            f"layer {name!r}: returns {type(output).__name__}, needs a tensor; layers= names others"
        )
    return tensor


def _trained(
    named: Mapping[str, nn.Module], optimizer: torch.optim.Optimizer
) -> Iterator[tuple[str, str, nn.Parameter, dict[str, Any]]]:
    """Yield layer, name, parameter with a gradient, and its group, of all that the optimiser trains."""
    groups = {
        id(parameter): group for group in optimizer.param_groups for parameter in group["params"]
    }
    for layer, module in named.items():
        for key, parameter in module.named_parameters(recurse=False):
            if parameter.grad is not None and id(parameter) in groups:
                yield layer, key, parameter, groups[id(parameter)]


def _of_epsilon(named: Mapping[str, nn.Module], optimizer: torch.optim.Optimizer) -> Iterator[str]:
    """Yield a sentence for each layer whose gradients are so small that the optimiser's epsilon limits its update."""
    for layer, key, parameter, group in _trained(named, optimizer):
        gradient = _root_mean_square(parameter.grad)
        if 0 < gradient < 10 * group.get("eps", 0):
            yield (
                f"{layer}.{key}: gradients of {gradient:.1e} are not large beside eps = {group['eps']:g}, which makes "
                "updates smaller"
            )


def _of_rounding(
    named: Mapping[str, nn.Module],
    optimizer: torch.optim.Optimizer,
    before: Mapping[str, Mapping[str, Tensor]],
) -> Iterator[str]:
    """Yield a sentence for each layer of whose weights the last step left some as they were, by rounding."""
    for layer, key, parameter, _ in _trained(named, optimizer):
        is_lost = (parameter.grad != 0) & (parameter == before[layer][key])
        share = float(is_lost.double().mean())
        if share > LOST:
            yield (
                f"{layer}.{key}: the last step is rounded away in {100 * share:.0f} % of the entries, needs more "
                f"digits than {str(parameter.dtype).removeprefix('torch.')} or a larger learning rate"
            )

"""What layers give: the outputs of named ones, and the part of a model up to one of them.

Names of layers are the same words in dossiers, watched runs and measures. ``"blocks.2"`` is the output of a call,
flattened; ``"relu[1]"`` the second call of a module and ``"relu()"`` that of a function. ``("encoder.ln", 0)`` is one
position of a sequence ``[batch, positions, features]``, ``("encoder.ln", "last")`` the last one, ``("encoder.ln",
"mean")`` the mean over positions, and ``("layer4", "pooled")`` the mean of each channel of ``[batch, channels, ...]``.
Tables call such a layer ``encoder.ln@0``, which is understood as well. ``"penultimate"`` is the input of the last
linear map, and ``"residual"`` stands for the states of the residual stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from jaxtyping import Shaped
from torch import Tensor, nn

from closedform import checks
from empirics.measure.models.observation import Call, observed

PENULTIMATE, RESIDUAL = "penultimate", "residual"
LAST, MEAN, POOLED = "last", "mean", "pooled"
REDUCTIONS = (LAST, MEAN, POOLED)
NEEDS = "a name, or a pair of a name and a position, 'last', 'mean' or 'pooled'"


def check_names(argument: str, model: nn.Module, names: Any) -> list[str]:
    """Return the names of layers as texts, whose modules exist; whether they are reached is seen in a forward pass."""
    listed = [layer_name(argument, name) for name in checks.sequence(argument, names, "names")]
    checks.require(
        bool(listed) and len(set(listed)) == len(listed),
        argument,
        [*map(str, listed)],
        "names, each once",
    )
    modules = [name for name, _ in model.named_modules() if name]
    for name in listed:
        is_known = name.path in (*modules, PENULTIMATE, RESIDUAL) or "()" in name.call
        checks.require(
            is_known, argument, repr(str(name)), f"one of {', '.join(modules) or 'no submodules'}"
        )
    return [*map(str, listed)]


def outputs_of(model: nn.Module, x: Tensor, names: Sequence[str]) -> tuple[Any, dict[str, Tensor]]:
    """Return the output of the model and, by name, copies of what layers give, ``[batch, ...]``."""
    kept: dict[str, Tensor] = {}
    calls: dict[str, int] = {}
    wanted = {name: layer_name("layers", name) for name in names}

    def keep(call: Call) -> None:
        calls[call.key[0]] = call.key[1] + 1
        for name, layer in wanted.items():
            output = taken(layer, call)
            if output is not None:
                kept[name] = output.clone()  # later layers may work in place

    with observed(model, keep):
        output = model(x)
    for name, layer in wanted.items():
        if name not in kept:
            raise ValueError(f"layer {name!r}: is never reached in a forward pass")
        times = calls.get(layer.call, 1)
        if times > 1:
            raise ValueError(
                f"layer {name!r}: is reached {times} times, needs one call, such as '{layer.call}[0]'"
            )
    return output, kept


def taken(layer: LayerName, call: Call) -> Tensor | None:
    """Return what a layer takes of a call, or None if it is not that call."""
    if layer.call == RESIDUAL:
        raise ValueError(
            f"layer {str(layer)!r}: stands for several layers, needs one, such as 'blocks.0'"
        )
    if layer.call == PENULTIMATE:
        is_one = call.is_map and isinstance(call.given, Tensor)
        return layer.of(call.given) if is_one else None
    if layer.call not in call.names:
        return None
    if not isinstance(call.output, Tensor):
        raise TypeError(
            f"layer {str(layer)!r}: gives {type(call.output).__name__}, needs to give one tensor"
        )
    return layer.of(call.output)


def part_up_to(model: nn.Module, name: str) -> nn.Module:
    """Return the part of a model up to a layer as a module; of a Sequential, which has fast routes, a Sequential."""
    layer = layer_name("layer", name)
    _, _, number = layer.call.removesuffix("]").partition("[")
    is_whole = not model._forward_pre_hooks and layer.reduction is None
    if type(model) is nn.Sequential and is_whole and layer.path in model._modules:
        module = model._modules[layer.path]
        places = [position for position, part in enumerate(model) if part is module]
        if len(places) == sum(
            part is module for _, part in model.named_modules(remove_duplicate=False)
        ):
            return nn.Sequential(*list(model)[: places[int(number or 0)] + 1])
    return TruncatedModel(model, name)


class TruncatedModel(nn.Module):
    """The part of a model up to and including one layer, ``[batch, *input] -> [batch, features]``."""

    def __init__(self, model: nn.Module, name: str) -> None:
        super().__init__()
        self.model, self.layer = model, layer_name("layer", name)

    def forward(self, x: Shaped[Tensor, "batch ..."]) -> Shaped[Tensor, "batch features"]:
        """Return the features of the points ``x``; what comes after a call is not run."""
        latest: list[Tensor] = []

        def stop(call: Call) -> None:
            output = taken(self.layer, call)
            if output is not None:
                latest[:] = [output.flatten(1)]
                if self.layer.call != PENULTIMATE:  # a later linear map may be the last one
                    raise _Reached

        with suppress(_Reached), observed(self.model, stop):
            self.model(x)
        if not latest:
            raise ValueError(f"layer {str(self.layer)!r}: is not reached in this forward pass")
        return latest[0]


class _Reached(Exception):
    """The end of a forward pass at a layer."""


@dataclass(frozen=True)
class LayerName:
    """A call, and what is taken of its output."""

    call: str  # path of a module, with the number of the call in brackets if there are several, or "penultimate"
    # a position, "last", "mean", "pooled", or None for all numbers
    reduction: int | str | None = None

    def __str__(self) -> str:
        return self.call if self.reduction is None else f"{self.call}@{self.reduction}"

    @property
    def path(self) -> str:
        """The call without its number."""
        return self.call.partition("[")[0]

    def of(self, output: Tensor) -> Tensor:
        """Return what is taken of the output ``[batch, ...]`` of the call; ValueError if it has no such positions."""
        if self.reduction is None:
            return output
        if output.ndim < 3:
            raise ValueError(
                f"layer {str(self)!r}: its output has shape {list(output.shape)}, needs several positions"
            )
        if self.reduction == POOLED:
            return output.flatten(2).mean(2)
        positions = output.flatten(1, -2)
        if self.reduction == MEAN:
            return positions.mean(1)
        index = -1 if self.reduction == LAST else int(self.reduction)
        if not -positions.shape[1] <= index < positions.shape[1]:
            raise ValueError(f"layer {str(self)!r}: has {positions.shape[1]} positions")
        return positions[:, index]


def layer_name(argument: str, given: Any) -> LayerName:
    """Return the name of a layer given as ``"blocks.2"``, ``"blocks.2@mean"`` or ``("blocks.2", "mean")``."""
    if isinstance(given, LayerName):
        return given
    if isinstance(given, str):
        call, at, reduction = given.rpartition("@")
        pair: tuple[Any, Any] = (call, reduction) if at else (given, None)
    elif isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str):
        pair = given
    else:
        shown = repr(given) if isinstance(given, tuple) else type(given).__name__
        raise TypeError(f"{argument}: got {shown}, needs {NEEDS}")
    call, reduction = pair
    if reduction is None or reduction in REDUCTIONS:
        return LayerName(call, reduction)
    try:
        return LayerName(
            call,
            checks.integer(argument, int(reduction) if isinstance(reduction, str) else reduction),
        )
    except (TypeError, ValueError):
        raise ValueError(f"{argument}: got {given!r}, needs {NEEDS}") from None

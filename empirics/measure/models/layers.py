"""The layers of a network that are measured, for watched runs and dossiers alike.

By default these are all calls of elementwise nonlinearities (see :mod:`empirics.measure.models.call_sites`) and the
input of the last linear map. Where the nonlinearities act at several positions (tokens, pixels) next to a residual
stream, its states are taken instead, reduced as the network itself reduces them before its last linear map. Recurrent
layers count with their states. Where none of these is visible, all linear maps but the last are taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from closedform import checks
from empirics.measure.models.call_sites import CallSite, call_sites
from empirics.measure.models.layer_outputs import (
    LAST,
    MEAN,
    PENULTIMATE,
    POOLED,
    RESIDUAL,
    LayerName,
    check_names,
    layer_name,
    outputs_of,
)
from empirics.measure.models.observation import Call, observed

RECURRENT = ("RNN", "LSTM", "GRU")

MAPS = ("Linear", "Conv1d", "Conv2d", "Conv3d", "linear()")
CELLS = ("RNNCell", "LSTMCell", "GRUCell")
FUSED = (nn.RNNBase, nn.RNNCellBase, torch.jit.ScriptModule)
ONLY_MAPS = (
    "no nonlinearity is visible, so that linear maps are measured; after them there may be nonlinearities written with "
    "arithmetic or comparisons"
)


@dataclass(frozen=True)
class Layers:
    """The call sites of a model, and those that are measured."""

    sites: tuple[CallSite, ...]  # all without submodules
    measured: tuple[CallSite, ...]  # from first to last
    left_out: str  # what is known of nonlinearities that are not among them; empty if nothing is, or layers were named


def layers_of(model: nn.Module, x: Tensor, wanted: Sequence[Any] | None = None) -> Layers:
    """Return the layers of a model, all or the ``wanted`` names, from a forward pass of points ``[batch, *input]``."""
    sites = call_sites(model, x)
    leaves = tuple(site for site in sites if site.is_leaf)
    stream = Stream(model, x, sites)
    if wanted is not None:
        return Layers(leaves, _named(model, sites, stream, wanted), "")
    notes = []
    others = [site.name for site in leaves if site.is_nonlinearity and not site.features]
    if others:
        notes.append(f"{', '.join(others)}: without a tensor that has a row for each input")
    fused = _fused(model)
    if fused:
        notes.append(
            f"{', '.join(fused)}: fused or scripted, so that nonlinearities inside are not visible"
        )
    leaves_seen = [site for site in leaves if site.features]
    measured = _default(stream, leaves_seen)
    if not measured:
        measured = [site for site in leaves_seen if site.operation in MAPS][:-1]
        notes += [ONLY_MAPS] if measured else []
    last = stream.penultimate() if measured and not stream.ends_with(measured[-1]) else None
    if last is not None:
        measured.append(last)
    return Layers(leaves, tuple(measured), "; ".join(notes))


def _default(stream: Stream, leaves: Sequence[CallSite]) -> list[CallSite]:
    """Return states of recurrent layers, and nonlinearities or the residual stream where these act at positions."""
    chosen = [site for site in leaves if site.is_nonlinearity]
    states = stream.states() if stream.has_positions(chosen) else []
    if states:
        chosen = [*map(stream.reduced, states)]
    # the last call of each
    cells = {site.key[0]: site for site in leaves if site.operation in CELLS}
    recurrent = [stream.reduced(site) for site in leaves if site.operation in RECURRENT]
    order = {site.key: position for position, site in enumerate(stream.sites)}
    return sorted([*recurrent, *cells.values(), *chosen], key=lambda site: order[site.key])


def names_of(model: nn.Module, x: Tensor, wanted: Sequence[str]) -> list[str]:
    """Return names of layers, with the states of the residual stream for ``"residual"``."""
    is_plain = all(layer_name("layers", name).call != RESIDUAL for name in wanted)
    return [*wanted] if is_plain else [site.name for site in layers_of(model, x, wanted).measured]


def _fused(model: nn.Module) -> list[str]:
    """Return the names of the outermost modules whose operations cannot be seen."""
    fused = [name for name, part in model.named_modules() if isinstance(part, FUSED)]
    return [name or "model" for name in fused if not name or name.rpartition(".")[0] not in fused]


def _named(
    model: nn.Module, sites: Sequence[CallSite], stream: Stream, wanted: Any
) -> tuple[CallSite, ...]:
    listed: list[CallSite] = []
    for layer in (layer_name("layers", name) for name in check_names("layers", model, wanted)):
        if layer.call in (PENULTIMATE, RESIDUAL):
            listed += _by_role(layer, stream)
            continue
        of_name = [site for site in sites if layer.call in (site.name, site.key[0])]
        if not of_name:
            reached = ", ".join(site.name for site in sites)
            raise ValueError(
                f"layers: {str(layer)!r} is never reached in a forward pass; reached are {reached}"
            )
        bad = [site.name for site in of_name if not site.features]
        if bad:
            raise ValueError(
                f"layers: {bad[0]!r} gives no tensor with a row per point, which is needed"
            )
        listed += [stream.named(site, LayerName(site.name, layer.reduction)) for site in of_name]
    keys = {(site.key, layer_name("layers", site.name).reduction) for site in listed}
    checks.require(
        len(keys) == len(listed), "layers", [site.name for site in listed], "each call once"
    )
    return tuple(listed)


def _by_role(layer: LayerName, stream: Stream) -> list[CallSite]:
    """Return the layers that ``"penultimate"`` or ``"residual"`` stands for."""
    if layer.call == RESIDUAL:
        states, missing = stream.states(), "residual connection"
        if layer.reduction is None:
            sites = [*map(stream.reduced, states)]
        else:
            sites = [stream.named(site, LayerName(site.name, layer.reduction)) for site in states]
    else:
        last, missing = stream.penultimate(), "linear map after the first"
        sites = [] if last is None else [stream.named(last, layer)]
    if not sites:
        raise ValueError(f"layers: got {str(layer)!r}, but no {missing} is visible; name a layer")
    return sites


def in_groups(layers: Sequence[CallSite], limit: float) -> Iterator[tuple[CallSite, ...]]:
    """Yield the layers in order, as many at a time as have ``limit`` features together, and at least one."""
    group: list[CallSite] = []
    for layer in layers:
        if group and sum(member.features for member in (*group, layer)) > limit:
            yield tuple(group)
            group = []
        group.append(layer)
    if group:
        yield tuple(group)


def reader_of(
    model: nn.Module, measured: Sequence[CallSite], sites: Sequence[CallSite], x: Tensor
) -> str:
    """Return the name of the last call if it is a linear map of exactly the features of the last layer, else ``""``."""
    if not measured:
        return ""
    last, path = measured[-1].name, sites[-1].key[0]
    head = dict(model.named_modules()).get(path)
    if not isinstance(head, nn.Linear):
        return ""
    inputs: list[Tensor] = []
    hook = head.register_forward_pre_hook(lambda _, given: inputs.append(given[0]))
    try:
        with torch.no_grad():
            features = outputs_of(model, x.clone(), [last])[1][last].flatten(1)
    finally:
        hook.remove()
    return path if len(inputs) == 1 and torch.equal(inputs[0].flatten(1), features) else ""


class Stream:
    """What the calls of a forward pass give: the states of the residual stream and the input of the last linear map."""

    def __init__(self, model: nn.Module, x: Tensor, sites: Sequence[CallSite]) -> None:
        self.sites, self.x = sites, x
        self.outputs: dict[Any, Tensor] = {}
        self.last: Tensor | None = None

        def keep(call: Call) -> None:
            if isinstance(call.output, Tensor):
                self.outputs[call.key] = call.output.clone()
            if call.is_map and isinstance(call.given, Tensor) and len(call.given) == len(x):
                self.last = self.outputs[PENULTIMATE, 0] = call.given.clone()

        with torch.no_grad(), observed(model, keep):
            model(x.clone())

    def has_positions(self, sites: Sequence[CallSite]) -> bool:
        """Return whether all nonlinearities but at most one, that of a head, act at several positions."""
        return sum(self.outputs[site.key].ndim < 3 for site in sites) <= 1

    def states(self) -> list[CallSite]:
        """Return what blocks with residual connections give, or the sums where they stand in the model itself."""
        blocks = {
            site.key[0].rpartition("add()")[0].rstrip(".")
            for site in self.sites
            if site.is_residual
        }
        return [
            site
            for site in self.sites
            if site.features
            and (site.key[0] in blocks or (site.is_residual and site.key[0] == "add()"))
        ]

    def reduced(self, site: CallSite) -> CallSite:
        """Return a layer with its positions reduced as the network does it before its last linear map."""
        state = self.outputs[site.key]
        if state.ndim < 3 or self.last is None or self.last.ndim > 2:
            return site
        features = self.last.shape[-1]
        is_map = state.ndim > 3 and (state.shape[1] == features or state.shape[-1] != features)
        reduction = (
            POOLED if is_map else self._of_positions(LAST if site.operation in RECURRENT else MEAN)
        )
        return self.named(site, LayerName(site.name, reduction))

    def _of_positions(self, otherwise: str) -> int | str:
        """Return what the input of the last linear map is of a sequence: a position, or the mean."""
        for output in reversed(self.outputs.values()):
            if output.ndim == 3 and len(output) == len(self.x):
                for reduction in (0, LAST, MEAN):
                    if torch.equal(LayerName("", reduction).of(output), self.last):  # type: ignore[arg-type]
                        return reduction
        return otherwise

    def named(self, site: CallSite, layer: LayerName) -> CallSite:
        """Return a call site with the name of a layer, and the number of its features."""
        return replace(site, name=str(layer), features=layer.of(self.outputs[site.key])[0].numel())

    def penultimate(self) -> CallSite | None:
        """Return the input of the last linear map; None if there is none, or it is the input of the network."""
        if self.last is None or torch.equal(self.last.flatten(1), self.x.flatten(1).to(self.last)):
            return None
        return CallSite(
            PENULTIMATE, (PENULTIMATE, 0), "input", False, True, False, self.last[0].numel()
        )

    def ends_with(self, site: CallSite) -> bool:
        """Return whether a layer is the input of the last linear map."""
        state = layer_name("layer", site.name).of(self.outputs[site.key])
        return self.last is not None and torch.equal(state.flatten(1), self.last.flatten(1))

"""The layers of a network: which call sites of its forward pass are measured, for watched runs and dossiers alike.

By default these are all calls of elementwise nonlinearities (see :mod:`empirics.measure.models.call_sites`) or, where
none is visible, all linear maps but the last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from closedform import checks
from empirics.measure.models.call_sites import CallSite, call_sites
from empirics.measure.models.layer_outputs import check_names, outputs_of

MAPS = ("Linear", "Conv1d", "Conv2d", "Conv3d")
FUSED = (nn.RNNBase, nn.RNNCellBase, torch.jit.ScriptModule)
ONLY_MAPS = (
    "no nonlinearity is visible, so that linear maps are measured; after them there may be nonlinearities written with "
    "arithmetic or comparisons"
)


@dataclass(frozen=True)
class Layers:
    """The call sites of a model, and those that are measured.

    Attributes:
        sites: all call sites without submodules.
        measured: those that are measured, from first to last.
        left_out: what is known of nonlinearities that are not among them; empty if nothing is, or layers were named.
    """

    sites: tuple[CallSite, ...]
    measured: tuple[CallSite, ...]
    left_out: str


def layers_of(model: nn.Module, x: Tensor, wanted: Sequence[str] | None = None) -> Layers:
    """Return the layers of a model.

    Args:
        model: module ``[batch, *input] -> ...`` in evaluation mode.
        x: a few points ``[batch, *input]``.
        wanted: names of call sites; the path of a module that is called several times stands for all its calls. None
            (default) takes the nonlinearities, or else the linear maps.

    Raises:
        TypeError, ValueError: if ``wanted`` names a layer that is unknown, never reached, named twice, or without one
            tensor as output; if the model fails.
    """
    sites = call_sites(model, x)
    leaves = tuple(site for site in sites if site.is_leaf)
    if wanted is not None:
        return Layers(leaves, _named(model, sites, wanted), "")
    nonlinear = [site for site in leaves if site.is_nonlinearity]
    measured = tuple(site for site in nonlinear if site.features)
    notes = []
    if others := [site.name for site in nonlinear if not site.features]:
        notes.append(f"{', '.join(others)}: without a tensor that has a row for each input")
    if fused := _fused(model):
        notes.append(f"{', '.join(fused)}: fused or scripted, so that nonlinearities inside are not visible")
    if not measured:
        measured = tuple(site for site in leaves if site.operation in MAPS and site.features)[:-1]
        notes += [ONLY_MAPS] if measured else []
    return Layers(leaves, measured, "; ".join(notes))


def _fused(model: nn.Module) -> list[str]:
    """Return the names of the outermost modules whose operations cannot be seen."""
    fused = [name for name, part in model.named_modules() if isinstance(part, FUSED)]
    return [name or "model" for name in fused if not name or name.rpartition(".")[0] not in fused]


def _named(model: nn.Module, sites: Sequence[CallSite], wanted: Any) -> tuple[CallSite, ...]:
    names = check_names("layers", model, wanted)
    listed: list[CallSite] = []
    for name in names:
        of_name = [site for site in sites if name in (site.name, site.key[0])]
        if not of_name:
            reached = ", ".join(site.name for site in sites)
            raise ValueError(f"layers: {name!r} is never reached in a forward pass; reached are {reached}")
        if bad := [site.name for site in of_name if not site.features]:
            raise ValueError(f"layers: {bad[0]!r} gives several things, needs to give one tensor with a row per point")
        listed += of_name
    checks.require(len({site.key for site in listed}) == len(listed), "layers", names, "each call once")
    return tuple(listed)


def in_groups(layers: Sequence[CallSite], limit: float) -> Iterator[tuple[CallSite, ...]]:
    """Yield the layers in order, as many at a time as have ``limit`` features together, and at least one."""
    group: list[CallSite] = []
    for layer in layers:
        if group and sum(each.features for each in (*group, layer)) > limit:
            yield tuple(group)
            group = []
        group.append(layer)
    if group:
        yield tuple(group)


def reader_of(model: nn.Module, layers: Layers, x: Tensor) -> str:
    """Return the name of the last call if it is a linear map of exactly the features of the last layer, else ``""``."""
    if not layers.measured:
        return ""
    last, path = layers.measured[-1].name, layers.sites[-1].key[0]
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
    return path if len(inputs) == 1 and torch.equal(inputs[0], features) else ""

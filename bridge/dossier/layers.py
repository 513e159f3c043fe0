"""The layers of a dossier: which call sites of the forward pass are measured, and which are not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from bridge.results.analysis import Table
from bridge.results.analysis import table as table_of

if TYPE_CHECKING:
    from torch import Tensor, nn

    from empirics.measure.models.call_sites import CallSite

MAPS = ("Linear", "Conv1d", "Conv2d", "Conv3d")  # layers of a network without visible nonlinearities
NOT_VISIBLE = (
    "Every call of a module counts, and every nonlinearity called as a function. Not visible are nonlinearities inside "
    "fused or scripted modules (LSTM cells, attention) or written with arithmetic or comparisons, and sums such as "
    "residual connections."
)


def chosen(model: nn.Module, x: Tensor, wanted: Sequence[str] | None) -> tuple[tuple[CallSite, ...], ...]:
    """Return all call sites without submodules, and those that are measured.

    By default these are the nonlinearities or, without any, all linear maps but the last.

    Args:
        model: the model, in evaluation mode.
        x: a few points.
        wanted: names of call sites; the path of a module that is called several times stands for all its calls.

    Raises:
        TypeError, ValueError: if ``wanted`` names a layer that is unknown, never reached, named twice, or without one
            tensor as output.
    """
    from empirics.measure.models.call_sites import call_sites

    sites = call_sites(model, x)
    leaves = tuple(site for site in sites if site.is_leaf)
    if wanted is not None:
        return leaves, _named(model, sites, wanted)
    nonlinear = tuple(site for site in leaves if site.is_nonlinearity and site.features)
    maps = tuple(site for site in leaves if site.operation in MAPS and site.features)[:-1]
    return leaves, nonlinear or maps


def _named(model: nn.Module, sites: Sequence[CallSite], wanted: Any) -> tuple[CallSite, ...]:
    is_sequence = isinstance(wanted, Sequence) and not isinstance(wanted, str)
    if not is_sequence or not wanted or len(set(map(str, wanted))) < len(wanted):
        raise ValueError(f"layers: got {wanted!r}, needs at least one dotted name, in a sequence, each once")
    modules = {name for name, _ in model.named_modules() if name}
    listed: list[CallSite] = []
    for name in wanted:
        of_name = [site for site in sites if name in (site.name, site.key[0])]
        if not of_name and name in modules:
            raise ValueError(f"layers: {name!r} is never reached in a forward pass")
        if not of_name:
            raise ValueError(f"layers: the model has no {name!r}; it has {', '.join(site.name for site in sites)}")
        if bad := [site.name for site in of_name if not site.features]:
            raise ValueError(f"layers: {bad[0]!r} gives several things, needs to give one tensor with a row per point")
        listed += of_name
    if len({site.key for site in listed}) < len(listed):
        raise ValueError(f"layers: got {list(wanted)}, needs each call once")
    return tuple(listed)


def table(sites: Iterable[CallSite], layers: Iterable[CallSite]) -> Table:
    """Return the table of all call sites by operation: how many there are and how many of them were measured."""
    all_sites, measured = list(sites), {site.key for site in layers}
    calls: dict[str, list[CallSite]] = {}
    for site in dict.fromkeys((*all_sites, *layers)):
        calls.setdefault(site.operation, []).append(site)
    return table_of(
        "layers", "What was looked at", NOT_VISIBLE, calls.items(),
        (
            ("operation", lambda row: row[0]),
            ("calls", lambda row: len(row[1])),
            ("measured", lambda row: sum(site.key in measured for site in row[1])),
            ("first", lambda row: row[1][0].name),
            ("last", lambda row: row[1][-1].name),
        ),
    )  # fmt: skip

"""The table of a dossier's layers: which call sites of the forward pass are measured, and which are not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bridge.analysis import Column, Table

if TYPE_CHECKING:
    from empirics.measure.call_sites import CallSite

NOT_VISIBLE = (
    "Every call of a module counts, and every nonlinearity called as a function. Not visible are nonlinearities inside "
    "fused or scripted modules (LSTM cells, attention) or written with arithmetic or comparisons, and sums such as "
    "residual connections."
)


def table(sites: Iterable[CallSite], layers: Iterable[CallSite]) -> Table:
    """Return the table of all call sites by operation: how many there are and how many of them were measured."""
    all_sites, measured = list(sites), {site.key for site in layers}
    rows = []
    for operation in dict.fromkeys(site.operation for site in (*all_sites, *layers)):
        calls = list(dict.fromkeys(site for site in (*all_sites, *layers) if site.operation == operation))
        done = [site for site in calls if site.key in measured]
        rows.append({
            "operation": operation, "calls": len(calls), "measured": len(done),
            "first": calls[0].name, "last": calls[-1].name, "names": ", ".join(site.name for site in calls),
        })  # fmt: skip
    columns = tuple(Column(name, name) for name in ("operation", "calls", "measured", "first", "last"))
    return Table("layers", "What was looked at", NOT_VISIBLE, columns, tuple(rows))

"""The table of a dossier's layers: which call sites of the forward pass are measured, and which are not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bridge.results.analysis import Table, table_of

if TYPE_CHECKING:
    from empirics.measure.models.call_sites import CallSite

NOT_VISIBLE = (
    "Every call of a module counts, and every nonlinearity called as a function. Not visible are nonlinearities inside "
    "fused or scripted modules (LSTM cells, attention) or written with arithmetic or comparisons, and sums such as "
    "residual connections."
)


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

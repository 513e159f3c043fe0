"""Footnote 6: the effective dimension of the last layer's activations, from distances between neighbours."""

from __future__ import annotations

import xarray as xr

from bridge.compression import quantities as q
from bridge.results.analysis import Table, Traces, table_of
from closedform.measured import Measured

LINE = 1.0  # dimension of a line
MATTERS = 0.5  # smallest relevant difference of dimensions
COLUMNS = (
    ("inputs", q.INPUT_DIMENSION, "input_dimension", None),
    ("last layer, initial", q.INITIAL_DIMENSION, "effective_dimension", "initial_last_layer"),
    ("last layer, trained", q.DIMENSION, "effective_dimension", "final_last_layer"),
    ("trained, two neighbours", q.TWO_NEIGHBOUR_DIMENSION, "two_neighbour_dimension", "final_last_layer"),
)


def tables(traces: Traces) -> tuple[Table, ...]:
    """Return a table with a row for each task whose dimensions were measured; none if there is no such task.

    The dimension of the trained last layer is compared with that of a line.
    """
    rows = [
        (label, {head: _measured(label, trace, *column) for head, *column in COLUMNS})
        for label, trace in traces.items()
    ]
    made = table_of(
        "last_layer_dimension", "The dimension of the last layer",
        "Effective dimensions, means over realisations with standard errors: from distances of nearest neighbours in "
        "subsets of the points, and from the distances of the two nearest neighbours.",
        [row for row in rows if row[1]["last layer, trained"]],
        (("task", lambda row: row[0]), *((head, lambda row, head=head: row[1][head]) for head, *_ in COLUMNS)),
    )  # fmt: skip
    return (made,) if made.cells else ()


def _measured(label: str, trace: xr.Dataset, quantity: str, name: str, kernel: str | None) -> Measured | None:
    """Return the mean over realisations of one column; None if the trace does not have it."""
    if name not in trace:
        return None
    values = trace[name].values if kernel is None else trace[name].sel(kernel=kernel).values
    if quantity == q.DIMENSION:
        return Measured.mean(quantity, label, values, LINE, ">", MATTERS)
    return Measured.mean(quantity, label, values)

"""Footnote 6: the effective dimension of the last layer's activations, from distances between neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.results.analysis import Column, Table
from bridge.statistics.arrays import mean_and_error
from bridge.statistics.compare import compare
from bridge.statistics.ranking import is_constant

if TYPE_CHECKING:
    import xarray as xr

    from bridge.statistics.comparison import Comparison

DIMENSION = "effective dimension of the last layer after training"
LINE = 1.0
MATTERS = 0.5  # smallest relevant difference of dimensions
VALUES = {
    "inputs": ("input_dimension", None),
    "initial": ("effective_dimension", "initial_last_layer"),
    "trained": ("effective_dimension", "final_last_layer"),
    "trained_two_neighbours": ("two_neighbour_dimension", "final_last_layer"),
}


def above_a_line(trace: xr.Dataset) -> Comparison | None:
    """Compare the dimension of the trained last layer with that of a line; None if it was not measured."""
    found = _measured(trace, "trained")
    return None if len(found) < 2 or is_constant(found) else compare(LINE, found, resolution=MATTERS)


def tables(traces: Mapping[str, xr.Dataset]) -> tuple[Table, ...]:
    """Return a table with a row for each task whose dimensions were measured; none if there is no such task."""
    rows = [_row(label, trace) for label, trace in traces.items() if len(_measured(trace, "trained"))]
    if not rows:
        return ()
    return (
        Table(
            name="last_layer_dimension",
            title="The dimension of the last layer",
            caption="Effective dimensions, means over realisations with standard errors: from distances of nearest "
            "neighbours in subsets of the points, and from the distances of the two nearest neighbours.",
            columns=(
                Column("label", "task"),
                Column("inputs", "inputs"),
                Column("initial", "last layer, initial"),
                Column("trained", "last layer, trained"),
                Column("trained_two_neighbours", "trained, two neighbours"),
            ),
            rows=tuple(rows),
        ),
    )


def _row(label: str, trace: xr.Dataset) -> dict[str, Any]:
    row: dict[str, Any] = {"label": label, "realisations": trace.sizes["seed"]}
    for key in VALUES:
        found = _measured(trace, key)
        row[key], error = mean_and_error(found) if len(found) else (np.nan, np.nan)
        if np.isfinite(error):
            row[key + "_error"] = error
    return row


def _measured(trace: xr.Dataset, key: str) -> Any:
    """Return the finite values ``[seed]`` of one column; none if the trace does not have them."""
    name, kernel = VALUES[key]
    if name not in trace:
        return np.empty(0)
    values = (trace[name] if kernel is None else trace[name].sel(kernel=kernel)).values
    return values[np.isfinite(values)]

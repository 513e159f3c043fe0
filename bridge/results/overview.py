"""The analysis of traces that have none of their own: every variable at its end, and its course, over the seeds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Column, Picture, Table

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

PANELS = 12  # variables in the figure
CURVES = 12  # of one trace in a panel
SEED = "seed"


def analyse(traces: Mapping[str, xr.Dataset]) -> Analysis:
    """Return a table with the last value of every variable, mean and standard error over seeds, and a figure.

    Other dimensions are averaged in the table.
    """
    rows = tuple(row for label, trace in traces.items() for row in _rows(label, trace))
    columns = (
        Column("configuration", "configuration"), Column("variable", "variable"), Column("end", "at the end"),
        Column("units", "unit"), Column("seeds", "seeds"), Column("meaning", "meaning"),
    )  # fmt: skip
    caption = "Mean over seeds with its standard error; dimensions beside the course of the run are averaged."
    picture = Picture("overview", "The course of every variable; thin lines are seeds and other entries.", draw(traces))
    return Analysis(traces, (picture,), (Table("overview", "At the end", caption, columns, rows),))


def _rows(label: str, trace: xr.Dataset) -> list[dict[str, Any]]:
    rows = []
    for name, variable in _numeric(trace).items():
        last = variable.isel({axis: -1}) if (axis := _course(variable)) else variable
        others = [dim for dim in last.dims if dim != SEED]
        values = np.atleast_1d(last.mean(others).values)
        row = {"configuration": label, "variable": name, "end": float(values.mean()), "seeds": values.size}
        if values.size > 1:
            row["end_error"] = float(values.std(ddof=1) / np.sqrt(values.size))
        rows.append(row | {"units": variable.attrs.get("units", ""), "meaning": variable.attrs.get("long_name", "")})
    return rows


def draw(traces: Mapping[str, xr.Dataset]) -> Figure:
    """Draw a panel for each variable, against the first dimension that is no seed."""
    names = list(dict.fromkeys(name for trace in traces.values() for name in _numeric(trace)))[:PANELS]
    with style.context():
        figure, axes = layout.rows_of_panels(max(len(names), 1))
        for name, panel in zip(names, axes.flat, strict=False):
            for trace, colour in zip(traces.values(), style.COLOURS * len(traces), strict=False):
                if name in trace and (axis := _course(trace[name])):
                    values = trace[name].transpose(axis, ...).values.reshape(trace.sizes[axis], -1)[:, :CURVES]
                    place = trace[axis].values if axis in trace.coords else np.arange(len(values))
                    is_number = np.issubdtype(place.dtype, np.number)
                    panel.plot(place if is_number else np.arange(len(values)), values, color=colour, linewidth=0.8)
                    panel.set_xlabel(axis)
            panel.set_title(name, loc="left")
    return figure


def _numeric(trace: xr.Dataset) -> dict[str, xr.DataArray]:
    return {str(name): value for name, value in trace.data_vars.items() if value.dtype.kind in "fiu" and value.size}


def _course(variable: xr.DataArray) -> str | None:
    """Return the first dimension that is no seed, along which a variable is drawn."""
    return next((str(dim) for dim in variable.dims if dim != SEED), None)

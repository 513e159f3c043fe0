"""The analysis of traces that have none of their own: every variable at its end, and its course, over the seeds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, table_of
from bridge.statistics.arrays import Array
from closedform.measured import Measured

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
    caption = "Mean over seeds with its standard error; dimensions other than the course of the run are averaged."
    picture = Picture("overview", "The course of every variable; thin lines are seeds and other entries.", draw(traces))
    rows = [(label, name, var) for label, trace in traces.items() for name, var in _numeric(trace).items()]
    ends = table_of(
        "overview", "At the end", caption, rows,
        (
            ("configuration", lambda row: row[0]),
            ("variable", lambda row: row[1]),
            ("at the end", lambda row: Measured.mean(row[1], row[0], _at_the_end(row[2]))),
            ("unit", lambda row: row[2].attrs.get("units", "")),
            ("seeds", lambda row: _at_the_end(row[2]).size),
            ("meaning", lambda row: row[2].attrs.get("long_name", "")),
        ),
    )  # fmt: skip
    return Analysis(traces, (picture,), (ends,))


def _at_the_end(variable: xr.DataArray) -> Array:
    """Return the last values of a variable ``[seed]``, averaged over its other dimensions."""
    last = variable.isel({axis: -1}) if (axis := _course(variable)) else variable
    return np.atleast_1d(last.mean([dim for dim in last.dims if dim != SEED]).values)


def draw(traces: Mapping[str, xr.Dataset]) -> Figure:
    """Draw a panel for each variable, against the first dimension other than the seed."""
    names = list(dict.fromkeys(name for trace in traces.values() for name in _numeric(trace)))[:PANELS]
    with layout.drawing_of(max(len(names), 1)) as (figure, axes):
        for name, panel in zip(names, axes, strict=False):
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
    """Return the first dimension other than the seed, along which a variable is drawn."""
    return next((str(dim) for dim in variable.dims if dim != SEED), None)

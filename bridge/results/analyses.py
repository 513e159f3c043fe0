"""The registries of analyses for reports, of fits of a user's own file, and of the figures of the papers.

``empirics.experiments.STUDIES`` defines the studies, with their networks and numbers of seeds. The analysis of a study
compares its traces with the theory and returns fits, comparisons, figures and findings. A subject announces its
analyses in the ``__init__`` of its package as ``ANALYSES = {name of the study: "module:function"}``, and its fits as
``FITS``, in the same form. ``FIGURES`` maps the key of a paper to its figures and tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Protocol

import numpy as np

from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, table_of
from bridge.results.quantity import FLOOR
from bridge.statistics.arrays import Array
from closedform import checks
from closedform.measured import Measured
from closedform.registry import Registry
from closedform.suggestions import unknown
from empirics.experiments.registry import command_name

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bridge.results.printed_figure import PrintedFigure

PANELS = 12  # variables in the figure
CURVES = 12  # of one trace in a panel
SEED = "seed"


class Fit(Protocol):
    """The result of a fit: a text and a figure."""

    def summary(self) -> str:
        """Return a table of the results as text."""

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the fitted curves over the measured ones into ``ax``, or into new axes, and return the axes."""


ANALYSES: Registry[Callable[[Mapping[str, xr.Dataset]], Analysis]] = Registry(FLOOR, "ANALYSES")
FITS: Registry[Callable[..., Fit]] = Registry(FLOOR, "FITS")
FIGURES: Registry[tuple[PrintedFigure, ...]] = Registry(FLOOR, "FIGURES")

USER_ANALYSES: dict[str, Callable[[Mapping[str, xr.Dataset]], Analysis]] = {}
"""Analyses of the user's own experiments, by name."""

__all__ = ["ANALYSES", "FIGURES", "FITS", "USER_ANALYSES", "Fit", "analyse"]


def analyse(study: str, traces: Mapping[str, xr.Dataset]) -> Analysis:
    """Compute the fits, comparisons and figures of one study; of an experiment of the user's own, an overview.

    Args:
        study: name of the study, or of the experiment, such as ``"two-point"``, for traces that belong to no study.
        traces: configuration label -> trace.

    Raises:
        TypeError: if ``study`` is not text, or ``traces`` is not a mapping.
        ValueError: for an unknown study, no traces, or a trace that cannot be fitted.

    >>> from empirics.experiments import two_point
    >>> config = two_point.Config(depth=3, width=10, epochs=50, seeds=2)
    >>> len(analyse("two-point", {"three layers": two_point.run(config, progress=False)}).measured)
    2
    """
    checks.instance("study", study, str, "the name of a study or of an experiment")
    if not isinstance(traces, Mapping):
        raise TypeError(
            f"traces: got {type(traces).__name__}, needs a mapping from labels of configurations to traces"
        )
    name = command_name(study)
    known = USER_ANALYSES if name in USER_ANALYSES else ANALYSES
    if name not in known:
        from empirics.experiments import EXPERIMENTS

        if traces and not any(
            trace.attrs.get("experiment") in EXPERIMENTS for trace in traces.values()
        ):
            return overview(traces)
        raise ValueError(unknown("study", study, ANALYSES))
    if not traces:
        raise ValueError(f"traces: got none of the study {study!r}, needs some; run it first")
    return known[name](traces)


def overview(traces: Mapping[str, xr.Dataset]) -> Analysis:
    """Return a table with the last value of every variable, mean over all but the seeds, and a figure of its course."""
    caption = "Mean over seeds with its standard error; dimensions other than the course of the run are averaged."
    picture = Picture(
        "overview",
        "The course of every variable; thin lines are seeds and other entries.",
        _draw(traces),
    )
    rows: list[tuple[str, str, xr.DataArray]] = []
    for label, trace in traces.items():
        rows += [(label, name, variable) for name, variable in _numeric(trace).items()]
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
    axis = _course(variable)
    last = variable.isel({axis: -1}) if axis else variable
    return np.atleast_1d(last.mean([dim for dim in last.dims if dim != SEED]).values)


def _draw(traces: Mapping[str, xr.Dataset]) -> Figure:
    """Draw a panel for each variable, against the first dimension other than the seed."""
    names = list(dict.fromkeys(chain.from_iterable(_numeric(trace) for trace in traces.values())))[
        :PANELS
    ]
    with layout.drawing_of(max(len(names), 1)) as (figure, axes):
        for name, panel in zip(names, axes, strict=False):
            for trace, colour in zip(traces.values(), style.COLOURS * len(traces), strict=False):
                axis = _course(trace[name]) if name in trace else None
                if axis:
                    values = (
                        trace[name]
                        .transpose(axis, ...)
                        .values.reshape(trace.sizes[axis], -1)[:, :CURVES]
                    )
                    position = (
                        trace[axis].values if axis in trace.coords else np.arange(len(values))
                    )
                    is_number = np.issubdtype(position.dtype, np.number)
                    panel.plot(
                        position if is_number else np.arange(len(values)),
                        values,
                        color=colour,
                        linewidth=0.8,
                    )
                    panel.set_xlabel(style.literal(axis))
            panel.set_title(style.literal(name), loc="left")
    return figure


def _numeric(trace: xr.Dataset) -> dict[str, xr.DataArray]:
    return {
        str(name): value
        for name, value in trace.data_vars.items()
        if value.dtype.kind in "fiu" and value.size
    }


def _course(variable: xr.DataArray) -> str | None:
    """Return the first dimension other than the seed, along which a variable is drawn."""
    return next((str(dim) for dim in variable.dims if dim != SEED), None)

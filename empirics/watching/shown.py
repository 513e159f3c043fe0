"""The trace of a watched run in a few lines, and as a picture with a panel for each variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from closedform import checks
from closedform.missing import imported
from empirics.watching.quantity import TIMES

if TYPE_CHECKING:
    import xarray as xr

ACROSS = 3  # panels side by side
WIDTH, HEIGHT = 3.2, 2.4  # inches of a panel
RANGE = 100.0  # largest over smallest value from which a positive variable has a logarithmic axis


def summary(trace: xr.Dataset) -> str:
    """Return one line for each variable: its value at the first and at the last measurement, of the last layer."""
    steps = trace["step"].values
    lines = [f"{len(steps)} measurements, steps {steps[0]} to {steps[-1]}"]
    for name in _shown(trace):
        values, where = trace[name], ""
        if "layer" in values.dims:
            values, where = values.isel(layer=-1), f" of {trace['layer'].values[-1]}"
        others = [dim for dim in values.dims if dim != "step"]
        middle, of_all = values.median(others), ", median" if others else ""
        first, last = float(middle[0]), float(middle[-1])
        lines.append(f"{name}{where}{of_all}: {first:.4g} -> {last:.4g}")
    return "\n".join(lines)


def plot(trace: xr.Dataset, variables: Sequence[str] | None = None) -> Any:
    """Return a figure of matplotlib with a panel for each variable against the step; a line for each layer or point."""
    names = [checks.one_of("variables", name, _shown(trace)) for name in variables or _shown(trace)]
    figure = imported("run.plot", "matplotlib.figure").Figure(
        figsize=(WIDTH * min(len(names), ACROSS), HEIGHT * -(-len(names) // ACROSS)), layout="constrained"
    )
    panels = figure.subplots(-(-len(names) // ACROSS), min(len(names), ACROSS), squeeze=False).ravel()
    for panel in panels[len(names) :]:
        panel.remove()
    for panel, name in zip(panels, names, strict=False):
        values = trace[name].transpose("step", ...).values.reshape(trace.sizes["step"], -1)
        labels = [*trace["layer"].values] if trace[name].dims == ("step", "layer") else [None] * values.shape[1]
        for place, (line, label) in enumerate(zip(values.T, labels, strict=True)):
            panel.plot(trace["step"], line, color=(0.1, 0.3, 0.6, 0.35 + 0.65 * (place + 1) / len(labels)), label=label)
        finite = values[np.isfinite(values)]
        if len(finite) and finite.min() > 0 and finite.max() > RANGE * finite.min():
            panel.set_yscale("log")
        panel.set(title=name, xlabel="step", ylabel=trace[name].attrs.get("units", ""))
        if 1 < len(labels) <= ACROSS and labels[0] is not None:
            panel.legend(fontsize="x-small", frameon=False)
    return figure


def _shown(trace: xr.Dataset) -> list[str]:
    return [str(name) for name in trace.data_vars if name not in TIMES and "step" in trace[name].dims]

r"""How long the loss stays on its plateau: the time to half of it over the time from there to a tenth.

Of the two parts of the loss only that in the difference of the outputs has a plateau, :math:`\|dy - \Delta y\|^2 =
2 w - \|dy\|^2 + \|\Delta y\|^2`. Exponential decay takes :math:`\ln 2 / \ln 5` as long to the half as from there to the
tenth; a plateau makes the ratio larger, immediate decay that slows down makes it smaller.
"""

from __future__ import annotations

import numpy as np
import xarray as xr

from bridge.results.analysis import Table, Traces, table_of
from bridge.statistics.arrays import Array
from bridge.two_point import quantities as q
from closedform.measured import Measured

CAPTION = (
    "Logarithm of the time in which the loss in the difference of the outputs falls to a half, over the time from "
    f"there to a tenth; exponential decay has {np.log(np.log(2) / np.log(5)):.2f}, a plateau more. Mean over seeds "
    "with its standard error, without networks that do not come to a tenth."
)


def delays(trace: xr.Dataset) -> Array:
    """Return the logarithm of time to half over time from half to tenth ``[seed]``; NaN where there is no tenth."""
    ordered = trace[["dy2", "w"]].transpose("seed", "step")
    loss = 2 * ordered["w"].values - ordered["dy2"].values + float(trace.attrs["target2"])
    steps = trace["step"].values.astype(np.float64)
    steps = steps - steps[0]
    half, tenth = (np.array([_reached(steps, curve, share * curve[0]) for curve in loss]) for share in (1 / 2, 1 / 10))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.log(half / (tenth - half)))


def _reached(steps: Array, curve: Array, level: float) -> float:
    """Return the first time at which a curve falls to a level, linear between the steps; NaN if it never does."""
    below = np.flatnonzero(curve <= level)
    if not below.size:
        return float("nan")
    last = int(below[0])
    if last == 0:
        return float(steps[0])
    above = curve[last - 1]
    return float(steps[last - 1] + (above - level) / (above - curve[last]) * (steps[last] - steps[last - 1]))


def table(traces: Traces) -> Table:
    """Return the table of delays, one row for each configuration with a network that comes to a tenth."""
    rows = [(label, values[np.isfinite(values)]) for label, values in ((name, delays(t)) for name, t in traces.items())]
    return table_of(
        "two-point-plateaus", "Plateaus", CAPTION, [row for row in rows if row[1].size],
        (
            ("configuration", lambda row: row[0]),
            ("seeds", lambda row: row[1].size),
            ("delay of the loss", lambda row: Measured.mean(q.DELAY, *row)),
        ),
    )  # fmt: skip

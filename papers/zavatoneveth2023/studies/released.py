"""Networks in the plane with the settings of the released programs, over the whole grid of the printed figures."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import xarray as xr

from bridge.geometry.expansion import Expansion, expansion
from bridge.results.analysis import Analysis, Table, Traces, table_of
from closedform.measured import Measured
from papers.zavatoneveth2023 import quantities as q
from papers.zavatoneveth2023.studies import plane


def analyse(traces: Traces) -> Analysis:
    """Analyse the traces as :func:`papers.zavatoneveth2023.studies.plane.analyse` does, and over the whole grid."""
    analysis = plane.analyse(traces)
    results = {label: over_the_grid(trace) for label, trace in traces.items()}
    return replace(analysis, tables=(*analysis.tables, table(results)))


def over_the_grid(trace: xr.Dataset) -> Expansion:
    """Return the test of the hypothesis over all points of the grid, for the first hidden layer."""
    return expansion(trace, region=float(np.abs(trace["x"].values).max()))


def table(results: Mapping[str, Expansion]) -> Table:
    """Return a row for each network with the rank correlation over the grid of the change of the log-volume."""
    caption = (
        "Spearman's correlation of the change of log-volume by training with the distance to the final boundary, over "
        "all points of the printed grid, mean over seeds."
    )
    return table_of(
        "expansion-on-the-grid", "Volume and the decision boundary on the printed grid", caption, results.items(),
        (
            ("network", lambda row: row[0]),
            ("seeds with a boundary", lambda row: len(row[1].seeds)),
            ("ρ of the change", lambda row: measured(*row)),
        ),
    )  # fmt: skip


def measured(label: str, result: Expansion) -> Measured:
    """Return that correlation of a network as a measured number; without an error for a single seed."""
    count, error = len(result.seeds), result.change.error
    is_known = bool(np.isfinite(error)) and error > 0 and count > 1
    return Measured(
        q.GRID_CHANGE, f"{label}, layer {result.layer}", result.change.rho,
        *((error, count) if is_known else ()),
    )  # fmt: skip

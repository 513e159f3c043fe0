r"""How spherically symmetric a map over the plane is: the share of its variance that the norm of the input explains.

The paper says that patterns become spherically symmetric as the width grows (Figures G.2 to G.4). A map over the grid
is averaged over rings of equal norm; the share is the variance of these averages over that of the map, one for a map
that depends on the norm only. Of a curvature, which is heavy-tailed, the ranks are taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from bridge.analysis import Column, Table
from bridge.arrays import Array, mean_and_error

if TYPE_CHECKING:
    import xarray as xr

RINGS = 12
FIELDS = {"volume": "log_volume", "curvature": "curvature", "prediction": "margin"}
CAPTION = (
    "Share of the variance of a map over the plane that the norm of the input explains, after training, of the first "
    "hidden layer: one for spherical symmetry. The ranks of the values are taken. Gains: by how much the share grows "
    "from one width to the next. Standard errors over networks."
)


def radial_share(x: Array, y: Array, values: Array) -> float:
    """Return the share of the variance of the ranks of ``values [y, x]`` that rings of equal norm explain.

    Args:
        x: coordinates of the columns ``[x]``.
        y: coordinates of the rows ``[y]``.
        values: map over the grid; NaN for a constant map or one that is not finite.
    """
    norm = np.hypot(*np.meshgrid(x, y)).ravel()
    inside = norm <= min(np.abs(x).max(), np.abs(y).max())  # rings that lie in the square as a whole
    kept = values.ravel()[inside]
    if not np.isfinite(kept).all() or np.ptp(kept) == 0:
        return float("nan")
    ranks = stats.rankdata(kept)
    ring = np.searchsorted(np.quantile(norm[inside], np.linspace(0, 1, RINGS + 1)[1:-1]), norm[inside], side="right")
    means = np.array([ranks[ring == number].mean() for number in ring])
    return float(means.var() / ranks.var())


def shares(trace: xr.Dataset, what: str) -> Array:
    """Return the share of every network after training, ``[seed]``.

    Args:
        trace: trace of ``experiments.geometry.trained``.
        what: "volume", "curvature" or "prediction".
    """
    values = trace[FIELDS[what]].isel(epoch=-1)
    values = values.isel(layer=0) if "layer" in values.dims else values
    x, y = trace["x"].values, trace["y"].values
    return np.array([radial_share(x, y, one) for one in values.transpose("seed", "y", "x").values])


def table(traces: Mapping[str, xr.Dataset]) -> Table:
    """Return the shares, and their gains from each configuration to the next."""
    found = {label: {what: shares(trace, what) for what in FIELDS} for label, trace in traces.items()}
    rows = [_row(label, {f"share_{what}": values for what, values in one.items()}) for label, one in found.items()]
    for (first, narrow), (second, wide) in pairwise(found.items()):
        row: dict[str, Any] = {"configuration": f"{first} to {second}", "seeds": len(wide["volume"])}
        for what in FIELDS:
            (low, low_error), (high, high_error) = (mean_and_error(one[what]) for one in (narrow, wide))
            row |= {f"gain_{what}": high - low, f"gain_{what}_error": known(float(np.hypot(low_error, high_error)))}
        rows.append(
            {key: None if isinstance(value, float) and np.isnan(value) else value for key, value in row.items()}
        )
    columns = [Column("configuration", "network"), Column("seeds", "networks")]
    columns += [Column(f"{kind}_{what}", f"{kind}: {what}", 3) for kind in ("share", "gain") for what in FIELDS]
    full = tuple({column.key: None for column in columns} | row for row in rows)
    return Table("symmetry", "Spherical symmetry of the maps", CAPTION, tuple(columns), full)


def known(value: float) -> float | None:
    """Return a finite number, and None for any other."""
    return value if np.isfinite(value) else None


def _row(label: str, numbers: Mapping[str, Array]) -> dict[str, Any]:
    row: dict[str, Any] = {"configuration": label, "seeds": len(next(iter(numbers.values())))}
    for key, values in numbers.items():
        mean, error = mean_and_error(values)
        row |= {key: known(mean), f"{key}_error": known(error)}
    return row

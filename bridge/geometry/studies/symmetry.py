r"""Numbers of maps over the plane: their spherical symmetry, and the contrast of the volume element layer by layer.

*Symmetry*: the share of the variance of a map that the norm of the input explains. The paper says that patterns become
spherically symmetric as the width grows (Figures G.2 to G.4). A map over the grid is averaged over rings of equal norm;
the share is the variance of these averages over that of the map, one for a map that depends on the norm only. Of a
curvature, which is heavy-tailed, the ranks are taken.

*Contrast*: the median of :math:`\log\sqrt{\det g}` in the quarter of the inputs where it is highest minus that in the
quarter where it is lowest, within the region of the training inputs. The paper says that it grows from layer to layer
of a network with three hidden ones (Section VI.A, Figure G.7).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import xarray as xr
from scipy import stats

from bridge.geometry import quantities as q
from bridge.geometry.expansion import REGION
from bridge.results.analysis import Table, Traces, table_of
from bridge.results.means_table import Row, means_table
from bridge.statistics.arrays import Array, mean_and_error
from closedform.measured import Measured

LOW, HIGH = 1 / 8, 7 / 8  # the middles of the lowest and the highest quarter
CONTRASTS = (
    "Median of log √det g in the highest quarter of the inputs minus that in the lowest, nats, within the region of "
    "the training data, after training; gains from each hidden layer to the next. Standard errors over networks."
)

RINGS = 12
FIELDS = {"volume": "log_volume", "curvature": "curvature", "prediction": "margin"}
SHARES = {"volume": q.SHARE_VOLUME, "curvature": q.SHARE_CURVATURE, "prediction": q.SHARE_PREDICTION}
GAINS = {"volume": q.GAIN_VOLUME, "curvature": q.GAIN_CURVATURE, "prediction": q.GAIN_PREDICTION}
CAPTION = (
    "Share of the variance of a map over the plane that the norm of the input explains, after training, of the first "
    "hidden layer: one for spherical symmetry. The ranks of the values are taken. Gains: by how much the share grows "
    "from one width to the next. Standard errors over networks."
)


def radial_share(x: Array, y: Array, values: Array) -> float:
    """Return the share of the variance of the ranks of a map ``values [y, x]`` that rings of equal norm explain.

    NaN for a constant map or one that is not finite.
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
    """Return the share of every network after training, ``[seed]``, of one of the fields."""
    values = trace[FIELDS[what]].isel(epoch=-1)
    values = values.isel(layer=0) if "layer" in values.dims else values
    x, y = trace["x"].values, trace["y"].values
    return np.array([radial_share(x, y, one) for one in values.transpose("seed", "y", "x").values])


def table(traces: Traces) -> Table:
    """Return the shares, and their gains from each configuration to the next."""
    found = {label: {what: shares(trace, what) for what in FIELDS} for label, trace in traces.items()}
    rows = [
        *((label, {SHARES[what]: _share(label, what, values) for what, values in one.items()})
          for label, one in found.items()),
        *((f"{first} to {second}", {GAINS[what]: _gain(f"{first} to {second}", what, narrow, wide) for what in FIELDS})
          for (first, narrow), (second, wide) in pairwise(found.items())),
    ]  # fmt: skip
    return table_of(
        "symmetry", "Spherical symmetry of the maps", CAPTION, rows,
        (
            ("network", lambda row: row[0]),
            *(
                (f"{kind}: {what}", lambda row, quantity=quantity: row[1].get(quantity))
                for kind, quantities in (("share", SHARES), ("gain", GAINS))
                for what, quantity in quantities.items()
            ),
        ),
    )  # fmt: skip


def _share(label: str, what: str, values: Array) -> Measured | None:
    return Measured.mean(SHARES[what], label, values) if np.isfinite(values).all() else None


def _gain(label: str, what: str, narrow: Mapping[str, Array], wide: Mapping[str, Array]) -> Measured | None:
    """Return by how much the share grows from one width to the next, whose networks are independent."""
    (low, low_error), (high, high_error) = (mean_and_error(one[what]) for one in (narrow, wide))
    error = float(np.hypot(low_error, high_error))
    if not np.isfinite(high - low):
        return None
    return Measured(GAINS[what], label, high - low, *((error, len(wide[what])) if np.isfinite(error) else ()))


def contrast(trace: xr.Dataset, layer: int) -> Array:
    """Return the contrast of the features of a hidden layer (from 1) after training, nats, ``[seed]``."""
    inside = (np.abs(trace["y"].values)[:, None] <= REGION) & (np.abs(trace["x"].values)[None] <= REGION)
    volume = trace["log_volume"].isel(epoch=-1).sel(layer=layer).transpose("seed", "y", "x").values[:, inside]
    low, high = np.quantile(volume, (LOW, HIGH), axis=1)
    difference: Array = high - low
    return difference


def contrast_table(traces: Traces) -> Table:
    """Return the contrast of every layer, and its gains from each layer to the next."""
    rows: list[Row] = []
    for label, trace in traces.items():
        found = {int(layer): contrast(trace, int(layer)) for layer in trace["layer"].values}
        rows += [(label, f"layer {layer}", {q.CONTRAST: values}) for layer, values in found.items()]
        rows += [
            (label, f"layer {lower} to {upper}", {q.CONTRAST_GAIN: second - first})
            for (lower, first), (upper, second) in pairwise(found.items())
        ]
    columns = (("contrast (nats)", q.CONTRAST), ("gain", q.CONTRAST_GAIN))
    return means_table("contrast", "Contrast of the volume element", CONTRASTS, rows, ("network", "layers"), columns)

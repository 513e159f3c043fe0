r"""The contrast between regions of high and of low volume element, layer by layer.

The paper says that it grows from layer to layer of a network with three hidden ones (Section VI.A, Figure G.7). The
contrast is the median of :math:`\log\sqrt{\det g}` in the quarter of the inputs where it is highest minus that in the
quarter where it is lowest, within the region of the training inputs.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import xarray as xr

from bridge.geometry import quantities as q
from bridge.geometry.expansion import REGION
from bridge.results.analysis import Table, Traces
from bridge.results.means_table import Row, means_table
from bridge.statistics.arrays import Array

LOW, HIGH = 1 / 8, 7 / 8  # the middles of the lowest and the highest quarter
CAPTION = (
    "Median of log √det g in the highest quarter of the inputs minus that in the lowest, nats, within the region of "
    "the training data, after training; gains from each hidden layer to the next. Standard errors over networks."
)


def contrast(trace: xr.Dataset, layer: int) -> Array:
    """Return the contrast of the features of a hidden layer (from 1) after training, nats, ``[seed]``."""
    inside = (np.abs(trace["y"].values)[:, None] <= REGION) & (np.abs(trace["x"].values)[None] <= REGION)
    volume = trace["log_volume"].isel(epoch=-1).sel(layer=layer).transpose("seed", "y", "x").values[:, inside]
    low, high = np.quantile(volume, (LOW, HIGH), axis=1)
    difference: Array = high - low
    return difference


def table(traces: Traces) -> Table:
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
    return means_table("contrast", "Contrast of the volume element", CAPTION, rows, ("network", "layers"), columns)

r"""Maps of the plane: fields on the grid at each checkpoint with the decision boundary over them, and their numbers.

*Symmetry* (Figures G.2 to G.4): the share of the variance of a map that the norm of the input explains, that of its
averages over rings of equal norm. Of a curvature, which is heavy-tailed, the ranks are taken. *Contrast* (Section VI.A,
Figure G.7): the median of :math:`\log\sqrt{\det g}` in the quarter of the inputs where it is highest minus that in the
quarter where it is lowest, within the region of the training inputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from scipy import stats

from bridge.geometry.expansion import REGION, boundary_lines
from bridge.plots import layout
from bridge.results.analysis import Means, Table, Traces, means_table, table_of
from bridge.results.quantity import Quantity
from bridge.statistics.arrays import Array, mean_and_error
from closedform.measured import Measured
from papers.zavatoneveth2023 import quantities as q

LOW, HIGH = 1 / 8, 7 / 8  # the middles of the lowest and the highest quarter
CONTRASTS = (
    "Median of log √det g in the highest quarter of the inputs minus that in the lowest, nats, within the region of "
    "the training data, after training; gains from each hidden layer to the next. Standard errors over networks."
)
RINGS = 12
FIELDS = {"volume": "log_volume", "curvature": "curvature", "prediction": "margin"}
SHARES = {
    "volume": q.SHARE_VOLUME,
    "curvature": q.SHARE_CURVATURE,
    "prediction": q.SHARE_PREDICTION,
}
GAINS = {"volume": q.GAIN_VOLUME, "curvature": q.GAIN_CURVATURE, "prediction": q.GAIN_PREDICTION}
CAPTION = (
    "Share of the variance of a map over the plane that the norm of the input explains, after training, of the first "
    "hidden layer: one for spherical symmetry. The ranks of the values are taken. Gains: by how much the share grows "
    "from one width to the next. Standard errors over networks."
)

BOUNDARY = "#e0312d"  # stands out from every colour of the maps below
SIZE = (2.0, 1.85)
LOG10 = np.log(10.0)
TAIL = 0.02  # fraction of the grid whose curvature may exceed the range of the colours


def draw(trace: xr.Dataset, layer: int, *, seed: int = 0) -> Figure:
    """Draw a column for each checkpoint: probability of class 1, volume element, and curvature where there is one."""
    network = trace.isel(seed=seed).sel(layer=layer)
    rows = ["probability", "volume"]
    if is_curved(network["curvature"]):
        rows.append("curvature")
    shape, titles = (
        (len(rows), network.sizes["epoch"]),
        [f"epoch {epoch:,}" for epoch in network["epoch"].values],
    )
    look: layout.Look = {
        "x": "$x_1$",
        "y": "$x_2$",
        "titles": titles,
        "size": SIZE,
        "sharex": True,
        "sharey": True,
    }
    with layout.drawing(*shape, **look) as (figure, axes):
        for row, name in enumerate(rows):
            values, options, label = _field(network, name)
            image: Any = None
            for column, panel in enumerate(axes[row]):
                image = _panel(panel, network, values[column], column, options)
            bar = figure.colorbar(
                image,
                ax=list(axes[row]),
                label=label,
                pad=0.01,
                aspect=12,
                extend=options.get("extend"),
            )
            if name == "curvature":
                ticks(bar, options["norm"].vmax)
    return figure


def is_curved(curvature: xr.DataArray) -> bool:
    """Return whether a curvature was measured that is not zero everywhere."""
    return bool(np.isfinite(curvature).any() and np.nanmax(np.abs(curvature)) > 0)


def _panel(
    panel: Any, network: xr.Dataset, values: Any, column: int, options: dict[str, Any]
) -> Any:
    x, y = network["x"].values, network["y"].values
    shown = {key: value for key, value in options.items() if key != "extend"}
    # An image instead of one vector shape for each of 1,600 points keeps the pages of maps small.
    image = panel.imshow(
        values, origin="lower", extent=(x[0], x[-1], y[0], y[-1]), interpolation="nearest", **shown
    )
    for line in boundary_lines(x, y, network["margin"].values[column]):
        panel.plot(line[:, 0], line[:, 1], color=BOUNDARY, linewidth=1.3)
    panel.grid(visible=False)
    panel.set_aspect("equal")
    return image


def _field(network: xr.Dataset, what: str) -> tuple[Any, dict[str, Any], str]:
    """Return the values ``[epoch, y, x]``, the options of the image, and the label of the colours."""
    if what == "probability":
        values = 1 / (1 + np.exp(-np.clip(network["margin"].values, -500, 500)))
        return values, {"cmap": "RdBu_r", "vmin": 0.0, "vmax": 1.0}, "probability of class 1"
    if what == "volume":
        values = network["log_volume"].values / LOG10
        finite = values[np.isfinite(values)]
        low = max(float(finite.min()), float(np.quantile(finite, TAIL)))
        options = {"cmap": "viridis", "vmin": low, "vmax": float(finite.max()), "extend": "min"}
        return values, options, r"$\log_{10}(\det g)^{1/2}$"
    values = network["curvature"].values
    reach = float(np.nanquantile(np.abs(values), 1 - TAIL))
    return (
        values,
        {"cmap": "PuOr", "norm": symmetric(reach), "extend": "both"},
        "scalar curvature $R$",
    )


def symmetric(reach: float, decades: int = 2) -> Any:
    """Return a colour scale that is logarithmic on both sides of zero, over so many decades."""
    from matplotlib.colors import SymLogNorm

    return SymLogNorm(linthresh=reach / 10**decades, vmin=-reach, vmax=reach)


def ticks(bar: Any, reach: float) -> None:
    """Set ticks at zero and at the decades that have room on both sides of it."""
    top = int(np.floor(np.log10(reach)))
    decades = [10.0**power for power in (top - 1, top)]
    bar.set_ticks([-decade for decade in decades[::-1]] + [0.0] + decades)
    bar.ax.minorticks_off()


def radial_share(x: Array, y: Array, values: Array) -> float:
    """Return the share of the variance of a map's ranks that rings of equal norm explain; NaN if it is constant."""
    norm = np.hypot(*np.meshgrid(x, y)).ravel()
    # rings that lie in the square as a whole
    inside = norm <= min(np.abs(x).max(), np.abs(y).max())
    kept = values.ravel()[inside]
    if not np.isfinite(kept).all() or np.ptp(kept) == 0:
        return float("nan")
    ranks = stats.rankdata(kept)
    ring = np.searchsorted(
        np.quantile(norm[inside], np.linspace(0, 1, RINGS + 1)[1:-1]), norm[inside], side="right"
    )
    means = np.array([ranks[ring == number].mean() for number in ring])
    return float(means.var() / ranks.var())


def shares(trace: xr.Dataset, what: str) -> Array:
    """Return the share of every network after training, ``[seed]``, of one of the fields."""
    values = trace[FIELDS[what]].isel(epoch=-1)
    values = values.isel(layer=0) if "layer" in values.dims else values
    x, y = trace["x"].values, trace["y"].values
    return np.array(
        [radial_share(x, y, network) for network in values.transpose("seed", "y", "x").values]
    )


def table(traces: Traces) -> Table:
    """Return the shares, and their gains from each configuration to the next."""
    rows: list[tuple[str, dict[Quantity, Measured | None]]] = []
    by_label = {}
    for label, trace in traces.items():
        by_label[label] = {name: shares(trace, name) for name in FIELDS}
        finite = {
            name: values for name, values in by_label[label].items() if np.isfinite(values).all()
        }
        means = {
            SHARES[name]: Measured.mean(SHARES[name], label, values)
            for name, values in finite.items()
        }
        rows.append((label, means))
    for (first, narrow), (second, wide) in pairwise(by_label.items()):
        label = f"{first} to {second}"
        rows.append((label, {GAINS[name]: _gain(label, name, narrow, wide) for name in FIELDS}))
    heads = {f"share: {name}": quantity for name, quantity in SHARES.items()}
    heads |= {f"gain: {name}": quantity for name, quantity in GAINS.items()}
    return table_of(
        "symmetry", "Spherical symmetry of the maps", CAPTION, rows,
        (
            ("network", lambda row: row[0]),
            *((head, lambda row, quantity=quantity: row[1].get(quantity)) for head, quantity in heads.items()),
        ),
    )  # fmt: skip


def _gain(
    label: str, what: str, narrow: Mapping[str, Array], wide: Mapping[str, Array]
) -> Measured | None:
    """Return by how much the share grows from one width to the next, whose networks are independent."""
    (low, low_error), (high, high_error) = (
        mean_and_error(values[what]) for values in (narrow, wide)
    )
    error = float(np.hypot(low_error, high_error))
    if not np.isfinite(high - low):
        return None
    return Measured(
        GAINS[what], label, high - low, *((error, len(wide[what])) if np.isfinite(error) else ())
    )


def contrast(trace: xr.Dataset, layer: int) -> Array:
    """Return the contrast of the features of a hidden layer (from 1) after training, nats, ``[seed]``."""
    inside = (np.abs(trace["y"].values)[:, None] <= REGION) & (
        np.abs(trace["x"].values)[None] <= REGION
    )
    volume = (
        trace["log_volume"]
        .isel(epoch=-1)
        .sel(layer=layer)
        .transpose("seed", "y", "x")
        .values[:, inside]
    )
    low, high = np.quantile(volume, (LOW, HIGH), axis=1)
    return np.asarray(high - low)


def contrast_table(traces: Traces) -> Table:
    """Return the contrast of every layer, and its gains from each layer to the next."""
    rows: list[Means] = []
    for label, trace in traces.items():
        contrasts = {int(layer): contrast(trace, int(layer)) for layer in trace["layer"].values}
        rows += [
            (label, f"layer {layer}", {q.CONTRAST: values}) for layer, values in contrasts.items()
        ]
        rows += [
            (label, f"layer {lower} to {upper}", {q.CONTRAST_GAIN: second - first})
            for (lower, first), (upper, second) in pairwise(contrasts.items())
        ]
    columns = (("contrast (nats)", q.CONTRAST), ("gain", q.CONTRAST_GAIN))
    return means_table(
        "contrast",
        "Contrast of the volume element",
        CONTRASTS,
        rows,
        ("network", "layers"),
        columns,
    )

"""Maps of the plane: a field on the grid at each checkpoint, with the decision boundary over it."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.geometry.expansion import boundary_lines
from bridge.plots import layout

BOUNDARY = "#e0312d"  # stands out from every colour of the maps below
SIZE = (2.0, 1.85)
LOG10 = np.log(10.0)
TAIL = 0.02  # fraction of the grid whose curvature may exceed the range of the colours


def draw(trace: xr.Dataset, layer: int, *, seed: int = 0, curvature: bool = True) -> Figure:
    """Draw a column for each checkpoint: probability of class 1, volume element, and curvature where there is one."""
    network = trace.isel(seed=seed).sel(layer=layer)
    rows = ["probability", "volume"]
    bent = network["curvature"].values
    if curvature and np.isfinite(bent).any() and np.nanmax(np.abs(bent)) > 0:
        rows.append("curvature")
    shape, titles = (len(rows), network.sizes["epoch"]), [f"epoch {epoch:,}" for epoch in network["epoch"].values]
    look: layout.Look = {"x": "$x_1$", "y": "$x_2$", "titles": titles, "size": SIZE, "sharex": True, "sharey": True}
    with layout.drawing(*shape, **look) as (figure, axes):
        for row, what in enumerate(rows):
            values, options, label = _field(network, what)
            image: Any = None
            for column, panel in enumerate(axes[row]):
                image = _panel(panel, network, values[column], column, options)
            bar = figure.colorbar(
                image, ax=list(axes[row]), label=label, pad=0.01, aspect=12, extend=options.get("extend")
            )
            if what == "curvature":
                _ticks(bar, options["norm"].vmax)
    return figure


def _panel(panel: Any, network: xr.Dataset, values: Any, column: int, options: dict[str, Any]) -> Any:
    x, y = network["x"].values, network["y"].values
    shown = {key: value for key, value in options.items() if key != "extend"}
    # An image instead of one vector shape for each of 1,600 points keeps the pages of maps small.
    image = panel.imshow(values, origin="lower", extent=(x[0], x[-1], y[0], y[-1]), interpolation="nearest", **shown)
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
    return values, {"cmap": "PuOr", "norm": _symmetric(reach), "extend": "both"}, "scalar curvature $R$"


def _symmetric(reach: float) -> Any:
    """Return a colour scale that is logarithmic on both sides of zero, over two decades."""
    from matplotlib.colors import SymLogNorm

    return SymLogNorm(linthresh=reach / 100, vmin=-reach, vmax=reach)


def _ticks(bar: Any, reach: float) -> None:
    """Return ticks at zero and at the decades that have room on both sides of it."""
    top = int(np.floor(np.log10(reach)))
    decades = [10.0**power for power in (top - 1, top)]
    bar.set_ticks([-decade for decade in decades[::-1]] + [0.0] + decades)
    bar.ax.minorticks_off()

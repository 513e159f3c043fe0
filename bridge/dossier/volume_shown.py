"""Table and figures of the geometry of a network."""

from __future__ import annotations

import numpy as np

from bridge.dossier.expectation import called, interval_text
from bridge.dossier.geometry import Geometry
from bridge.plots import layout, style
from bridge.results.analysis import Picture, Table, table_of
from bridge.statistics.arrays import Array

DRAWS = 1000
SHORT = {
    "towards the decision boundary": "decision\nboundary", "along the gradient of a random readout": "random\nreadout",
    "to a neighbour of the same class": "same\nclass", "to a neighbour of another class": "other\nclass",
    "to the nearest neighbour": "nearest\nneighbour",
}  # fmt: skip


def median_interval(values: Array) -> tuple[float, float]:
    """Return the 95 % interval of the median of ``values [N]`` over draws of the points."""
    drawn = np.random.default_rng(0).choice(values, (DRAWS, len(values)))
    low, high = np.quantile(np.median(drawn, axis=1), [0.025, 0.975])
    return float(low), float(high)


def table(found: Geometry, curvature: Array | None, points: int) -> Table:
    """Return median, its interval, and the range of every quantity over points."""
    listed = {found.quantity: found.volume}
    if found.entropy is not None:
        listed["entropy of the decision, bits"] = found.entropy
    if (found.rank < found.largest_rank).any():
        listed[f"rank, of {found.largest_rank}"] = found.rank.astype(float)
    listed |= {f"log stretching {name}": values for name, values in found.along.items()}
    if curvature is not None:
        listed["scalar curvature"] = curvature
    finite = {name: kept for name, values in listed.items() if len(kept := values[np.isfinite(values)])}
    caption = (
        f"From the {found.start} to {called(found.layer)}, at {points} points. Log stretching: natural logarithm, "
        "relative to the root mean square over all directions there; 0 is typical."
    )
    return table_of(
        "geometry", "Volume and curvature", caption, finite.items(),
        (
            ("quantity", lambda row: row[0]),
            ("points", lambda row: len(row[1])),
            ("median", lambda row: float(np.median(row[1]))),
            ("95 % of the median", lambda row: interval_text(*median_interval(row[1]))),
            ("lowest", lambda row: float(row[1].min())),
            ("highest", lambda row: float(row[1].max())),
        ),
    )  # fmt: skip


def pictures(found: Geometry) -> tuple[Picture, ...]:
    """Return the volume against the entropy of the decision, and the stretching along directions of the data."""
    dots = {"linestyle": "", "marker": "o", "markersize": 3, "alpha": 0.6, "color": style.BLUE}
    finite = np.isfinite(found.volume)
    y = found.quantity.replace(" of the non", "\nof the non")
    drawn = []
    if found.entropy is not None and finite.any():
        with layout.drawing(x="entropy of the decision (bits)", y=y, size=(4.2, 2.8)) as (volume, axes):
            axes[0, 0].plot(found.entropy[finite], found.volume[finite], **dots)
        caption = f"Every point once: volume at {called(found.layer)} against how undecided the network is there."
        drawn.append(Picture("dossier-volume", caption, volume))
    with layout.drawing(y="log stretching, 0: typical", size=(4.2, 2.8)) as (stretching, axes):
        panel = axes[0, 0]
        jitter = np.random.default_rng(0).uniform(-0.15, 0.15, len(found.volume))
        for place, values in enumerate(found.along.values()):
            panel.plot(jitter + place, values, **dots)
            if np.isfinite(values).any():
                panel.plot([place - 0.3, place + 0.3], [np.nanmedian(values[np.isfinite(values)])] * 2, color=style.INK)
        panel.axhline(0, **style.THEORY)
        panel.set_xticks(range(len(found.along)), [SHORT[name] for name in found.along])
    drawn.append(Picture("dossier-stretching", "Stretching of a small step at every point, relative to the root mean "
                         "square over all directions (dashed); lines are medians.", stretching))  # fmt: skip
    return tuple(drawn)

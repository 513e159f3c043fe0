"""NC1 against depth, before and after training, with its value for permuted labels and for no information."""

from itertools import product
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.collapse import LayerProfile, layer_profile
from bridge.collapse import trace as read
from bridge.plots import layout, style
from bridge.results.analysis import Table, Traces, table_of
from closedform.measured import Measured
from papers.cheong2025 import quantities as q
from papers.cheong2025.studies import panels

MOMENTS: tuple[tuple[int | str, str], ...] = ((0, "before training"), ("last", "after training"))
NC1 = r"$\mathrm{tr}(\Sigma_W \Sigma_B^+)$"
ISOTROPIC, FLOOR = (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5))
CAPTION = (
    "NC1 against the layer before and after training (layer 0: the images), geometric mean over seeds, bars: one "
    "standard error, often smaller than the marker. Upper lines, faint: the same features with shuffled labels, which "
    "is the noise floor. Dash-dotted: the closed form of this floor for isotropic features. Dotted: the closed form "
    "for isotropic classes on a simplex, with the measured traces of the covariances."
)


def draw(traces: Traces) -> Figure:
    """Draw a row of panels for each configuration, the moments of training next to each other."""
    with layout.drawing(len(traces), 2, x="layer", y=NC1, size=(3.1, 2.6), sharey="row") as (
        figure,
        axes,
    ):
        for row, (label, trace) in zip(axes, traces.items(), strict=True):
            for axis, (epoch, when) in zip(row, MOMENTS, strict=True):
                for split, tint in panels.TINTS.items():
                    _profile(axis, trace, layer_profile(trace, split, epoch), tint)
                panels.finish(
                    axis, panels.title(f"{label}, {when}" if len(traces) > 1 else when, trace)
                )
            layout.logarithmic(row[0])
        entries = [
            style.entry(
                panels.IMAGES[split], color=tint, marker=panels.MARKERS[split], markersize=4
            )
            for split, tint in panels.TINTS.items()
        ]
        entries += [
            style.entry("shuffled labels", color=style.INK, linewidth=0.8, alpha=0.45),
            style.entry("noise floor, isotropic", color=style.INK, linestyle=FLOOR, linewidth=0.9),
            style.entry(
                "isotropic classes on a simplex", color=style.INK, linestyle=ISOTROPIC, linewidth=1
            ),
            style.entry(
                "the images themselves",
                color=panels.INPUT,
                linestyle="none",
                marker="o",
                markersize=4,
            ),
        ]
        style.legend(figure, entries)
    return figure


def _profile(axes: Any, trace: xr.Dataset, profile: LayerProfile, tint: str) -> None:
    marker = panels.MARKERS[profile.split]
    at_input = trace["input_nc1"].sel(split=profile.split).values
    axes.plot(
        0,
        np.exp(np.log(at_input).mean()),
        marker=marker,
        markersize=4,
        color=panels.INPUT,
        linestyle="none",
    )
    error = np.nan_to_num(profile.error)
    bars = np.stack([profile.mean * -np.expm1(-error), profile.mean * np.expm1(error)])
    axes.errorbar(
        profile.layer, profile.mean, yerr=bars, color=tint, marker=marker, markersize=4, capsize=2
    )
    axes.plot(profile.layer, profile.shuffled.T, color=tint, linewidth=0.8, alpha=0.45)
    is_known = np.isfinite(profile.isotropic).all(axis=0)
    axes.plot(
        profile.layer[is_known],
        profile.isotropic.mean(axis=0)[is_known],
        color=tint,
        linestyle=ISOTROPIC,
        linewidth=1,
    )
    if profile.split == "train":
        is_known = np.isfinite(profile.floor)
        axes.plot(
            profile.layer[is_known],
            profile.floor[is_known],
            color=style.INK,
            linestyle=FLOOR,
            linewidth=0.9,
        )


def table(traces: Traces) -> Table:
    """Return every profile as numbers."""
    rows: list[tuple[str, str, LayerProfile, int]] = []
    for (label, trace), split, (epoch, when) in product(traces.items(), read.SPLITS, MOMENTS):
        profile = layer_profile(trace, split, epoch)
        rows += [(label, when, profile, i) for i in range(len(profile.layer))]
    caption = (
        "NC1 is tr(Σ_W Σ_B⁺), covariances divided by N, not divided by C; geometric means and standard errors over "
        "seeds. Ratio: shuffled labels over own labels. Effective D: number of isotropic dimensions that would have "
        "this floor."
    )
    return table_of(
        "collapse-profiles", "NC1 by layer", caption, rows,
        (
            ("configuration", lambda row: row[0]),
            ("images", lambda row: row[2].split),
            ("when", lambda row: row[1]),
            ("layer", lambda row: int(row[2].layer[row[3]])),
            ("$D$", lambda row: int(row[2].features[row[3]])),
            ("NC1", lambda row: _nc1(*row)),
            ("shuffled labels", lambda row: float(np.exp(np.log(row[2].shuffled[:, row[3]]).mean()))),
            ("ratio", lambda row: float(row[2].margin[row[3]])),
            ("floor, isotropic", lambda row: float(row[2].floor[row[3]])),
            ("effective $D$", lambda row: float(row[2].effective_dimension[row[3]])),
            ("isotropic simplex", lambda row: float(row[2].isotropic[:, row[3]].mean())),
        ),
    )  # fmt: skip


def _nc1(label: str, when: str, profile: LayerProfile, i: int) -> Measured:
    mean, error, count = profile.mean[i], profile.mean[i] * profile.error[i], len(profile.shuffled)
    is_known = np.isfinite(error) and count > 1
    name = f"{label}, {profile.split}, {when}, layer {profile.layer[i]}"
    return Measured(
        q.NC1, name, float(mean), float(error) if is_known else None, count if is_known else None
    )

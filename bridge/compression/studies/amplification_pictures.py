"""The figures of the amplification study."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from bridge.compression import AmplificationScaling, Saturation
from bridge.compression import trace as read
from bridge.compression.studies.families import log_axes, on_common_times
from bridge.plots import layout, style
from bridge.results.analysis import Traces

SIZE = (3.1, 2.5)


def in_time(groups: Mapping[str, Traces], single: Mapping[str, Saturation]) -> Figure:
    """Draw Λ(t) of the smallest and of the largest training set of every family."""
    y = r"amplification $\Lambda$"
    with layout.drawing(1, len(groups), x=r"time ($\tau$)", y=y, size=SIZE, sharey=True) as (figure, axes):
        for axis, (name, group) in zip(axes[0], groups.items(), strict=True):
            by_size = sorted(group, key=lambda label: read.config_of(group[label]).points)
            for colour, label in zip(style.COLOURS, dict.fromkeys((by_size[0], by_size[-1])), strict=False):
                trace = group[label]
                time, values = on_common_times(trace, "amplification")
                for times, value in zip(trace["time"].values, trace["amplification"].values, strict=True):
                    axis.plot(times, value, color=colour, linewidth=0.4, alpha=0.25)
                points = read.config_of(trace).points
                axis.plot(time, np.exp(np.log(values).mean(axis=0)), color=colour, label=f"p = {points}")
                axis.axvline(np.nanmean(read.at_first_share(trace, "time")), color=colour, linestyle=":", linewidth=0.9)
                if label in single:
                    plateau = np.exp(single[label].mean_log)
                    axis.axhline(plateau, color=style.INK, linestyle=style.DASHED, linewidth=0.9)
            log_axes(axis, x=False)
            axis.set_title(name, pad=20)
            axis.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, borderaxespad=0.2)
        lines = [style.entry("mean $t^*$", color=style.INK, linestyle=":", linewidth=0.9)]
        if single:
            lines.append(style.theory_handle("derived plateau"))
        figure.legend(handles=lines, loc="outside lower center", ncols=2, handlelength=2.4)
    return figure


def against_points(
    groups: Mapping[str, Traces],
    fits: Mapping[str, AmplificationScaling],
    single: Mapping[str, Saturation],
) -> Figure:
    """Draw Λ* and Λ_max against p."""
    x, y = "training points p", "amplification"
    with layout.drawing(1, max(len(fits), 1), x=x, y=y, titles=[*fits], size=SIZE, sharey=True) as (figure, axes):
        for axis, (name, scaling) in zip(axes[0], fits.items(), strict=False):
            logs = np.log(scaling.at_t_star)
            middle, spread = np.exp(logs.mean(axis=1)), 1.96 * logs.std(axis=1, ddof=1)
            bars = np.abs(np.exp(logs.mean(axis=1) + np.array([[-1], [1]]) * spread) - middle)
            axis.errorbar(scaling.points, middle, bars, fmt="o", color=style.BLUE, markersize=4, elinewidth=0.7,
                          label=r"$\Lambda^*$")  # fmt: skip
            axis.plot(scaling.points, scaling.fit.predict(scaling.points), color=style.BLUE, linewidth=1,
                      label=rf"$p^{{{scaling.fit.exponent:.2f} \pm {scaling.fit.error:.2f}}}$")  # fmt: skip
            if scaling.ended > 0.1:
                top = np.exp(np.log(scaling.largest).mean(axis=1))
                axis.plot(scaling.points, top, "o", color=style.ORANGE, markerfacecolor="none", markersize=5,
                          label=r"$\Lambda_{\max}$")  # fmt: skip
            derived = [
                (read.config_of(t).points, np.exp(single[k].mean_log)) for k, t in groups[name].items() if k in single
            ]
            if derived:
                axis.plot(*np.array(sorted(derived)).T, **style.THEORY, label="theory")
            log_axes(axis, x=False)
            axis.minorticks_off()
            layout.logarithmic_at(axis, scaling.points)
            axis.legend(loc="upper left")
    return figure


def each_data_set(single: Mapping[str, Saturation]) -> Figure:
    """Draw measured Λ* against predicted Λ*."""
    with layout.drawing(1, 1, size=SIZE) as (figure, axes):
        axis = axes[0, 0]
        shades = np.linspace(0.25, 1, max(len(single), 1))
        for shade, (label, saturated) in zip(shades, single.items(), strict=True):
            axis.plot(saturated.predicted, saturated.measured, "o", color=style.BLUE, alpha=shade, markersize=2.5,
                      linewidth=0, label=label)  # fmt: skip
        everything = (
            np.concatenate([saturated.predicted for saturated in single.values()]) if single else np.array([1.0, 10.0])
        )
        ends = [everything.min(), everything.max()]
        axis.plot(ends, ends, color=style.INK, linestyle=style.DASHED, linewidth=1.1)
        log_axes(axis)
        axis.set(xlabel="predicted from the data set's own fluctuation", ylabel=r"measured $\Lambda^*$")
    return figure

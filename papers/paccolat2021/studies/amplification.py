"""Figure 5 and the top of Figure 7: the global amplification factor through time, and against the training set."""

import math
from collections.abc import Iterator, Mapping
from itertools import chain

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.compression import AmplificationScaling, Saturation, amplification_scaling, saturation
from bridge.compression import trace as read
from bridge.compression.scaling import EXPONENT
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, Table, Traces, table_of, with_verdict
from bridge.scaling import ScalingFit
from bridge.statistics.arrays import mean_and_error
from closedform.measured import Measured
from papers.paccolat2021 import quantities as q
from papers.paccolat2021.studies.families import (
    counts_in_words,
    doubts,
    families,
    fitted,
    log_axes,
    on_common_times,
)

SIZE = (3.1, 2.5)
MIDDLE = (0.1, 0.9)  # shares of the realisations between which the band lies

RESOLUTION = 0.06  # smallest relevant deviation of the exponent
FITTING = 0.5  # share of fitted points at which Λ_max counts as reached
SMALL_RATIO = 0.06  # smallest relevant deviation of Λ*, relative to its prediction
THEORY = tuple(
    f"compression.{name}"
    for name in ("amplification", "mean_log_amplification", "perpendicular_share")
)
READING = {
    "Amplification factor": "Λ, how much more the first layer weighs informative directions than the others (Eq. 9); "
    "1 at initialisation. Λ* is its value at t*, when the first 10 % of the training points are fitted.",
    "Averages": "geometric means over realisations of data and network; intervals from resampling realisations.",
    "Own fluctuation": "the training set's own force across the informative direction, over the derived linear "
    "response: a prediction of Λ* for this very set, nothing fitted.",
}
HOW_COMPARED = (
    "The exponents of Λ* and Λ_max in p against 1/2 (Eq. 8), and Λ* itself, realisation by realisation, against what "
    "the data set's own fluctuation leaves at the fastest attractor (geometric mean of the ratio against 1)."
)


def analyse(traces: Traces) -> Analysis:
    """Analyse the exponents of Λ*, and Λ* itself if the theory gives its prefactor."""
    groups = families(traces)
    fits = {name: amplification_scaling(group) for name, group in groups.items() if len(group) > 2}
    counts = counts_in_words(fit.at_t_star.shape[1] for fit in fits.values())
    single = {
        label: saturation(trace)
        for label, trace in traces.items()
        if read.config_of(trace).labels == "stripes"
    }
    drawn = (
        Picture(
            "figure-5-amplification-in-time",
            "Global amplification factor through training: geometric mean of the realisations, and the band of the "
            "middle eight tenths of them, until the first stops. Dotted: mean t*. Dashed: derived plateau, the "
            "geometric mean over data sets, known for the stripe alone. As the top of Figure 5 of the paper.",
            in_time(groups, single),
        ),
        Picture(
            "figure-5-amplification-and-points",
            "Amplification factor at t* (discs) and, where training went on, at its largest (circles) against the "
            f"number of training points: geometric means over {counts} realisations; bars: 1.96 standard "
            "deviations of the logarithm over realisations; line: power law fitted to the discs. Dashed: derived, "
            "prefactor included, for the stripe alone. As the bottom of Figure 5, and the top of Figure 7, of the "
            "paper.",
            against_points(groups, fits, single),
        ),
        Picture(
            "saturation",
            "Λ* of every realisation of the stripe against its prediction from the data set's own fluctuation. Dashed: "
            "equality.",
            each_data_set(single),
        ),
    )
    tables = tuple(
        candidate for candidate in (exponents(fits), factors(traces, single)) if candidate.cells
    )
    return Analysis(
        traces=dict(traces),
        pictures=drawn[: 3 if single else 2],
        tables=tables,
        measured=with_verdict(chain.from_iterable(group.measured for group in tables)),
        how_compared=HOW_COMPARED,
        doubts=(*doubts(traces), *_doubts(fits)),
        theory=THEORY,
        reading=READING,
    )


def exponents(fits: Mapping[str, AmplificationScaling]) -> Table:
    """Return the fitted exponents of every family."""
    caption = "Power laws through geometric means; standard errors from resampled realisations."
    return table_of(
        "compression-exponents", "Exponents", caption, fits.items(),
        (
            ("labels", lambda row: row[0]),
            ("$p$", lambda row: f"{row[1].points[0]:.0f} to {row[1].points[-1]:.0f}"),
            ("realisations", lambda row: row[1].at_t_star.shape[1]),
            (r"exponent of $\Lambda^*$", lambda row: _exponent(q.EXPONENT, row[0], row[1].fit, EXPONENT)),
            ("95 % interval", lambda row: "{:.3f} to {:.3f}".format(*row[1].fit.interval)),
            ("with an offset", lambda row: _exponent(q.EXPONENT_WITH_OFFSET, row[0], row[1].with_offset)),
            ("that offset", lambda row: _offset(row[0], row[1].with_offset)),
            (r"of $\Lambda_{\max}$", lambda row: _largest(*row)),
        ),
    )  # fmt: skip


def _exponent(
    quantity: str, name: str, fit: ScalingFit | None, predicted: float | None = None
) -> Measured | None:
    resolution = None if predicted is None else RESOLUTION
    if fit is None:
        return None
    return fitted(quantity, name, fit.exponent, fit.error, fit.repetitions, predicted, resolution)


def _offset(name: str, fit: ScalingFit | None) -> Measured | None:
    return (
        None
        if fit is None
        else fitted(q.OFFSET, name, fit.offset, fit.offset_error, fit.repetitions)
    )


def _largest(name: str, scaling: AmplificationScaling) -> Measured | None:
    """Return the exponent of Λ_max, with its prediction where training went on until half of the points were fitted."""
    if scaling.ended > FITTING:
        return _exponent(q.EXPONENT_MAX, name, scaling.fit_largest, EXPONENT)
    return _exponent(q.EXPONENT_END, name, scaling.fit_largest)


def factors(traces: Traces, single: Mapping[str, Saturation]) -> Table:
    """Return Λ* of every configuration and its prediction."""
    caption = "Geometric means over realisations with their standard errors."
    return table_of(
        "compression-amplification", "Amplification factors at t*", caption,
        [(label, trace, single.get(label)) for label, trace in traces.items()],
        (
            ("configuration", lambda row: row[0]),
            ("$p$", lambda row: read.config_of(row[1]).points),
            ("realisations", lambda row: int(np.isfinite(read.at_first_share(row[1], "amplification")).sum())),
            (r"$\Lambda^*$", lambda row: _star(row[0], row[1])),
            ("derived mean", lambda row: math.exp(row[2].mean_log) if row[2] else None),
            ("over own prediction", lambda row: _ratio(row[0], row[2]) if row[2] else None),
            ("variance explained", lambda row: row[2].explained if row[2] else None),
            (r"$t^*/\tau$", lambda row: float(np.nanmean(read.at_first_share(row[1], "time")))),
            ("seconds", lambda row: float(row[1].attrs["processor_seconds"])),
        ),
    )  # fmt: skip


def _star(label: str, trace: xr.Dataset) -> Measured:
    star = read.at_first_share(trace, "amplification")
    log, error = mean_and_error(np.log(star[np.isfinite(star)]))
    return Measured(
        q.AMPLIFICATION, label, math.exp(log), math.exp(log) * error, int(np.isfinite(star).sum())
    )


def _ratio(label: str, saturated: Saturation) -> Measured:
    ratio, count = math.exp(saturated.log_ratio), int(np.isfinite(saturated.measured).sum())
    return Measured(
        q.RATIO,
        label,
        ratio,
        ratio * saturated.log_ratio_error,
        count,
        1.0,
        resolution=SMALL_RATIO,
    )


def _doubts(fits: Mapping[str, AmplificationScaling]) -> Iterator[Doubt]:
    for name, scaling in fits.items():
        for warning in scaling.fit.warnings:
            yield Doubt(name, warning)
        if scaling.ended <= FITTING:
            text = "Λ_max, which comes while fitting, was not reached"
            yield Doubt(name, f"training ended with {scaling.ended:.0%} fitted: {text}")


def in_time(groups: Mapping[str, Traces], single: Mapping[str, Saturation]) -> Figure:
    """Draw Λ(t) of the smallest and of the largest training set of every family."""
    y = r"amplification $\Lambda$"
    with layout.drawing(1, len(groups), x=r"time ($\tau$)", y=y, size=SIZE, sharey=True) as (
        figure,
        axes,
    ):
        for axis, (name, group) in zip(axes[0], groups.items(), strict=True):
            by_size = sorted(group, key=lambda label: read.config_of(group[label]).points)
            for colour, label in zip(
                style.COLOURS, dict.fromkeys((by_size[0], by_size[-1])), strict=False
            ):
                trace = group[label]
                time, values = on_common_times(trace, "amplification")
                low, high = np.quantile(values, MIDDLE, axis=0)
                style.band(axis, time, low, high, colour)
                points = read.config_of(trace).points
                axis.plot(
                    time, np.exp(np.log(values).mean(axis=0)), color=colour, label=f"p = {points}"
                )
                axis.axvline(
                    np.nanmean(read.at_first_share(trace, "time")),
                    color=colour,
                    linestyle=":",
                    linewidth=0.9,
                )
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
    with layout.drawing(
        1, max(len(fits), 1), x=x, y=y, titles=[*fits], size=SIZE, sharey=True
    ) as (figure, axes):
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
                (read.config_of(t).points, np.exp(single[k].mean_log))
                for k, t in groups[name].items()
                if k in single
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
            np.concatenate([saturated.predicted for saturated in single.values()])
            if single
            else np.array([1.0, 10.0])
        )
        ends = [everything.min(), everything.max()]
        axis.plot(ends, ends, color=style.INK, linestyle=style.DASHED, linewidth=1.1)
        log_axes(axis)
        axis.set(
            xlabel="predicted from the data set's own fluctuation", ylabel=r"measured $\Lambda^*$"
        )
    return figure

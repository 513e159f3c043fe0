"""Figure 5 and the top of Figure 7: the global amplification factor through time, and against the training set."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
import xarray as xr

from bridge.compression import AmplificationScaling, Saturation, amplification_scaling, saturation
from bridge.compression import quantities as q
from bridge.compression import trace as read
from bridge.compression.scaling import EXPONENT
from bridge.compression.studies import amplification_pictures as pictures
from bridge.compression.studies.families import counts_in_words, doubts, families, fitted, seconds
from bridge.results.analysis import Analysis, Doubt, Picture, Table, Traces, table_of, with_verdict
from bridge.scaling import ScalingFit
from bridge.statistics.arrays import mean_and_error
from closedform.measured import Measured

RESOLUTION = 0.06  # smallest relevant deviation of the exponent
FITTING = 0.5  # share of fitted points at which Λ_max counts as reached
SMALL_RATIO = 0.06  # smallest relevant deviation of Λ*, relative to its prediction
THEORY = tuple(f"compression.{name}" for name in ("amplification", "mean_log_amplification", "perpendicular_share"))
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
    single = {label: saturation(trace) for label, trace in traces.items() if read.config_of(trace).labels == "stripes"}
    drawn = (
        Picture(
            "figure-5-amplification-in-time",
            "Global amplification factor through training: every realisation (thin) and their geometric mean, until "
            "the first of them stops. Dotted: mean t*. Dashed: derived plateau, the geometric mean over data sets, "
            "known for the stripe alone. As the top of Figure 5 of the paper.",
            pictures.in_time(groups, single),
        ),
        Picture(
            "figure-5-amplification-and-points",
            "Amplification factor at t* (discs) and, where training went on, at its largest (circles) against the "
            f"number of training points: geometric means over {counts} realisations; bars: 1.96 standard "
            "deviations of the logarithm over realisations; line: power law fitted to the discs. Dashed: derived, "
            "prefactor included, for the stripe alone. As the bottom of Figure 5, and the top of Figure 7, of the "
            "paper.",
            pictures.against_points(groups, fits, single),
        ),
        Picture(
            "saturation",
            "Λ* of every realisation of the stripe against its prediction from the data set's own fluctuation. Dashed: "
            "equality.",
            pictures.each_data_set(single),
        ),
    )
    tables = tuple(candidate for candidate in (exponents(fits), factors(traces, single)) if candidate.cells)
    return Analysis(
        traces=dict(traces),
        pictures=drawn[: 3 if single else 2],
        tables=tables,
        measured=with_verdict(one for each in tables for one in each.measured),
        how_compared=HOW_COMPARED,
        findings=(*(_finding(name, fit) for name, fit in fits.items()), *_saturations(single), _cost(traces)),
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


def _exponent(quantity: str, name: str, fit: ScalingFit | None, predicted: float | None = None) -> Measured | None:
    resolution = None if predicted is None else RESOLUTION
    if fit is None:
        return None
    return fitted(quantity, name, fit.exponent, fit.error, fit.repetitions, predicted, resolution)


def _offset(name: str, fit: ScalingFit | None) -> Measured | None:
    return None if fit is None else fitted(q.OFFSET, name, fit.offset, fit.offset_error, fit.repetitions)


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
    return Measured(q.AMPLIFICATION, label, math.exp(log), math.exp(log) * error, int(np.isfinite(star).sum()))


def _ratio(label: str, saturated: Saturation) -> Measured:
    ratio, count = math.exp(saturated.log_ratio), int(np.isfinite(saturated.measured).sum())
    return Measured(q.RATIO, label, ratio, ratio * saturated.log_ratio_error, count, 1.0, resolution=SMALL_RATIO)


def _finding(name: str, scaling: AmplificationScaling) -> str:
    low, high = scaling.fit.interval
    text = (
        f"{name}: Λ* grows as p to the power {scaling.fit.exponent:.3f} ± {scaling.fit.error:.2g} "
        f"(95 % interval {low:.3f} to {high:.3f}); theory 0.5."
    )
    return text + (
        f" Λ_max, up to {scaling.ended:.0%} fitted: {scaling.fit_largest.exponent:.3f}."
        if scaling.fit_largest and scaling.ended > 0.1
        else ""
    )


def _saturations(single: Mapping[str, Saturation]) -> tuple[str, ...]:
    if not single:
        return ()
    label, last = list(single.items())[-1]
    return (
        f"{label}: Λ* is {np.exp(last.log_ratio):.3f} times its prediction (geometric mean); the fluctuations of the "
        f"data sets explain {last.explained:.0%} of its variance over realisations.",
    )


def _cost(traces: Traces) -> str:
    return f"All runs together took {seconds(traces):.0f} s."


def _doubts(fits: Mapping[str, AmplificationScaling]) -> Iterator[Doubt]:
    for name, scaling in fits.items():
        for warning in scaling.fit.warnings:
            yield Doubt(name, warning)
        if scaling.ended <= FITTING:
            text = "Λ_max, which comes while fitting, was not reached"
            yield Doubt(name, f"training ended with {scaling.ended:.0%} fitted: {text}")

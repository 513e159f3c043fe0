"""Figure 5 and the top of Figure 7: the global amplification factor through time, and against the training set."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.compression import AmplificationScaling, Saturation, amplification_scaling, saturation
from bridge.compression import trace as read
from bridge.compression.scaling import EXPONENT
from bridge.compression.studies import amplification_pictures as pictures
from bridge.compression.studies.families import counts_in_words, doubts, families, seconds
from bridge.results.analysis import Analysis, Column, Compared, Doubt, Picture, Table
from bridge.statistics import compare
from bridge.statistics.arrays import mean_and_error

if TYPE_CHECKING:
    import xarray as xr

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


def analyse(traces: Mapping[str, xr.Dataset]) -> Analysis:
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
    return Analysis(
        traces=dict(traces),
        pictures=drawn[: 3 if single else 2],
        tables=tuple(candidate for candidate in (exponents(fits), factors(traces, single)) if candidate.rows),
        compared=(*_exponents(fits), *_ratios(single)),
        how_compared=HOW_COMPARED,
        findings=(*(_finding(name, fit) for name, fit in fits.items()), *_saturations(single), _cost(traces)),
        doubts=(*doubts(traces), *_doubts(fits)),
        theory=THEORY,
        reading=READING,
    )


def exponents(fits: Mapping[str, AmplificationScaling]) -> Table:
    """Return the fitted exponents of every family."""
    rows = []
    for name, scaling in fits.items():
        row: dict[str, Any] = {"family": name, "sizes": f"{scaling.points[0]:.0f} to {scaling.points[-1]:.0f}"}
        row |= {"realisations": scaling.at_t_star.shape[1], "exponent": scaling.fit.exponent}
        row |= {"exponent_error": scaling.fit.error, "prefactor": scaling.fit.prefactor}
        row |= {"interval": "{:.3f} to {:.3f}".format(*scaling.fit.interval)}
        if scaling.with_offset:
            row |= {"free": scaling.with_offset.exponent, "free_error": scaling.with_offset.error}
            row |= {"offset": scaling.with_offset.offset, "offset_error": scaling.with_offset.offset_error}
        assert scaling.fit_largest is not None  # traces have it
        row |= {"largest": scaling.fit_largest.exponent, "largest_error": scaling.fit_largest.error}
        rows.append(row)
    columns = (
        Column("family", "labels"), Column("sizes", "$p$"), Column("realisations", "realisations"),
        Column("exponent", r"exponent of $\Lambda^*$"), Column("interval", "95 % interval"),
        Column("free", "with an offset"), Column("offset", "that offset"), Column("largest", r"of $\Lambda_{\max}$"),
    )  # fmt: skip
    caption = "Power laws through geometric means; standard errors from resampled realisations."
    return Table("compression-exponents", "Exponents", caption, columns, tuple(rows))


def factors(traces: Mapping[str, xr.Dataset], single: Mapping[str, Saturation]) -> Table:
    """Return Λ* of every configuration and its prediction."""
    rows = []
    for label, trace in traces.items():
        config, star = read.config_of(trace), read.at_first_share(trace, "amplification")
        logs = np.log(star[np.isfinite(star)])
        log, error = mean_and_error(logs)
        mean = math.exp(log)
        row: dict[str, Any] = {"configuration": label, "points": config.points, "realisations": len(logs)}
        row |= {"star": mean, "star_error": mean * error}
        row |= {"time": float(np.nanmean(read.at_first_share(trace, "time")))}
        if label in single:
            saturated = single[label]
            row |= {"derived": float(np.exp(saturated.mean_log)), "ratio": float(np.exp(saturated.log_ratio))}
            row |= {"ratio_error": row["ratio"] * saturated.log_ratio_error, "explained": saturated.explained}
        rows.append(row | {"seconds": float(trace.attrs["wall_seconds"])})
    columns = (
        Column("configuration", "configuration"), Column("points", "$p$"), Column("star", r"$\Lambda^*$"),
        Column("derived", "derived mean", 3), Column("ratio", "over own prediction"),
        Column("explained", "variance explained", 2), Column("time", r"$t^*/\tau$", 4), Column("seconds", "seconds", 2),
    )  # fmt: skip
    caption = "Geometric means over realisations with their standard errors."
    return Table("compression-amplification", "Amplification factors at t*", caption, columns, tuple(rows))


def _exponents(fits: Mapping[str, AmplificationScaling]) -> list[Compared]:
    """Compare the exponent of Λ*, and that of Λ_max where training went on until half of the points were fitted."""
    compared = []
    for name, scaling in fits.items():
        reached = scaling.fit_largest if scaling.ended > FITTING else None
        for quantity, fit in (("exponent of Λ*", scaling.fit), ("exponent of Λ_max", reached)):
            if fit is not None:
                known: Any = {"error": fit.error, "repetitions": fit.repetitions, "resolution": RESOLUTION}
                compared.append(Compared(name, quantity, compare.compare(EXPONENT, fit.exponent, **known)))
    return compared


def _ratios(single: Mapping[str, Saturation]) -> list[Compared]:
    return [
        Compared(
            label,
            "Λ* over its prediction",
            compare.compare(
                1.0,
                np.exp(saturated.log_ratio),
                error=np.exp(saturated.log_ratio) * saturated.log_ratio_error,
                repetitions=int(np.isfinite(saturated.measured).sum()),
                resolution=SMALL_RATIO,
            ),
        )
        for label, saturated in single.items()
    ]


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


def _cost(traces: Mapping[str, xr.Dataset]) -> str:
    return f"All runs together took {seconds(traces):.0f} s."


def _doubts(fits: Mapping[str, AmplificationScaling]) -> list[Doubt]:
    listed = []
    for name, scaling in fits.items():
        listed += [Doubt(name, "", warning) for warning in scaling.fit.warnings]
        if scaling.ended <= FITTING:
            text = f"training ended with {scaling.ended:.0%} fitted: Λ_max, which comes while fitting, was not reached"
            listed.append(Doubt(name, "", text))
    return listed

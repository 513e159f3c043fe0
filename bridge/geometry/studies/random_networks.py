"""Figure 1: volume element and curvature of random networks against the closed forms at infinite width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

import theory
from bridge.geometry.convergence import AT_ONCE, NAMES, QUANTITIES, Convergence, convergence
from bridge.geometry.studies.width_panels import draw, draw_rates
from bridge.results.analysis import Analysis, Column, Compared, Doubt, Picture, Table
from bridge.statistics.compare import compare

if TYPE_CHECKING:
    import xarray as xr

SHARE = 0.1  # smallest relevant deviation, relative to the largest closed form
MISFIT = 1e-3
COLUMNS = (
    Column("configuration", "networks"),
    Column("quantity", "quantity"),
    Column("norm", r"$\|x\|$", 3),
    Column("expected", "closed form"),
    Column("limit", "extrapolated"),
    Column("z", "$z$", 2),
    Column("probability", r"$P(\chi^2)$", 2),
)


def analyse(traces: Mapping[str, xr.Dataset]) -> Analysis:
    """Extrapolate to infinite width at every input, and fit the rate of convergence."""
    results = {label: tuple(convergence(trace, name) for name in QUANTITIES) for label, trace in traces.items()}
    pictures = (
        Picture(
            "figure-01-random-networks",
            "Volume element and scalar curvature of random networks against the norm of the input: means over "
            "realisations, with their scatter as bands, and the closed form at infinite width (dashed). The "
            "curvature is a third of what Eq. (7) of the paper prints. As Figure 1 of the paper.",
            draw(results),
        ),
        Picture(
            "convergence-in-width",
            "Deviation of the mean from the closed form against the width, at the input where it is seen best, with "
            "one standard error over realisations; solid: fitted power law; dashed: 1/width through its middle. "
            "Only deviations above five standard errors at the smallest width are drawn.",
            draw_rates(results),
        ),
    )
    everything = [result for pair in results.values() for result in pair]
    return Analysis(
        traces=traces,
        pictures=pictures,
        tables=(_table(results), _rates(results)),
        compared=tuple(_compared(label, result) for label, pair in results.items() for result in pair),
        how_compared=(
            "At the input whose extrapolation is farthest from the closed form, out of all where that is not zero: "
            "the polynomial in 1/width through the means over realisations, at infinite width. The limit of standard "
            "errors is three, since it is the worst of many; a tenth of the largest closed form over the inputs would "
            "matter."
        ),
        findings=tuple(_finding(label, pair) for label, pair in results.items()),
        doubts=tuple(_doubts(results)),
        theory=tuple(dict.fromkeys(r.closed_form for r in everything if r.closed_form in theory.catalogue())),
        reading={
            "What is averaged": "Every realisation is a network of its own, at every width; within one, directions "
            "of the input are averaged first, so that the scatter between realisations gives the errors.",
        },
    )


def _table(results: Mapping[str, Sequence[Convergence]]) -> Table:
    rows = [
        {
            "configuration": label,
            "quantity": NAMES[result.quantity],
            "norm": float(norm),
            "expected": float(expected),
            "limit": limit.limit,
            "limit_error": limit.error,
            "z": float(z),
            "probability": limit.misfit,
        }
        for label, pair in results.items()
        for result in pair
        for norm, expected, limit, z in zip(result.norms, result.expected, result.limits, result.z, strict=True)
    ]
    caption = "Errors over realisations; P is the probability of a larger chi-squared of the polynomial in 1/width."
    return Table("random_networks", "Extrapolated to infinite width", caption, COLUMNS, tuple(rows))


def _rates(results: Mapping[str, Sequence[Convergence]]) -> Table:
    rows = [
        {
            "configuration": label,
            "quantity": NAMES[result.quantity],
            "norm": result.rate_norm,
            "exponent": result.rate.exponent,
            "exponent_error": result.rate.error,
            "low": result.rate.interval[0],
            "high": result.rate.interval[1],
        }
        for label, pair in results.items()
        for result in pair
        if result.rate is not None
    ]
    columns = (
        COLUMNS[0], COLUMNS[1], COLUMNS[2], Column("exponent", "exponent"), Column("low", "95 % from", 3),
        Column("high", "to", 3),
    )  # fmt: skip
    caption = (
        "Exponent of the deviation from the closed form in the width; -1 is expected where higher orders are small."
    )
    return Table("rates", "Rate of convergence", caption, columns, tuple(rows))


def _compared(label: str, result: Convergence) -> Compared:
    worst = int(np.argmax(np.where(result.expected == 0, 0.0, np.abs(result.z))))
    limit = result.limits[worst]
    comparison = compare(
        float(result.expected[worst]), limit.limit, error=limit.error, repetitions=limit.realisations,
        threshold=AT_ONCE, resolution=SHARE * float(np.abs(result.expected).max()),
    )  # fmt: skip
    return Compared(label, f"{NAMES[result.quantity]} at |x| = {result.norms[worst]:.3g}", comparison)


def _finding(label: str, pair: Sequence[Convergence]) -> str:
    parts = []
    for result in pair:
        rate = "no deviation large enough to fit a rate to"
        if result.rate is not None:
            rate = f"exponent {result.rate.exponent:.2f} ± {result.rate.error:.2f}"
        parts.append(
            f"{NAMES[result.quantity]}: largest |z| {np.abs(result.z).max():.1f} over {len(result.z)} inputs after "
            f"extrapolation (errors up to {result.resolution:.1%} of the largest closed form), {rate}"
        )
    return f"{label}: " + "; ".join(parts) + "."


def _doubts(results: Mapping[str, Sequence[Convergence]]) -> list[Doubt]:
    doubts = []
    for label, pair in results.items():
        for result in pair:
            bad = [norm for norm, limit in zip(result.norms, result.limits, strict=True) if limit.misfit < MISFIT]
            if bad:
                where = ", ".join(f"{norm:.3g}" for norm in bad)
                text = f"{NAMES[result.quantity]} at |x| = {where}: a quadratic in 1/width does not describe the means"
                doubts.append(Doubt(label, "", text))
            if result.resolution > SHARE:
                text = (
                    f"{NAMES[result.quantity]}: errors of the extrapolation reach {result.resolution:.0%} of the "
                    "largest closed form; more realisations are needed to tell it from another one"
                )
                doubts.append(Doubt(label, "", text))
    return doubts

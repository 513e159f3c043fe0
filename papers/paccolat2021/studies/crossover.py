"""Figure 11: test error, characteristic time and amplification from feature to lazy learning."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bridge.compression import Crossover, crossover
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, Table, Traces, table_of, with_verdict
from bridge.statistics.arrays import Array, mean_and_error
from closedform.measured import Measured, Relation
from papers.paccolat2021 import quantities as q
from papers.paccolat2021.studies.families import doubts, families, log_axes

LAZY = 10.0  # smallest network scale at which t* counts as that of the lazy limit
EXPONENT = 0.03  # smallest relevant deviation of an exponent
TENTH = 0.1  # smallest relevant logarithm of a ratio
COMPLETE = 0.99  # share of fitted training points at which a training counts as complete
HOW_COMPARED = (
    "The limits of appendix B, realisation by realisation: t* falls as 1/α for large α, where Λ* is that of the "
    "initial weights and the test error that of the flow with the frozen initial kernel of the same network on the "
    "same points; for small α Λ* no longer changes, and the test error is compared with that of the frozen kernel, too."
)
READING = {
    "Network scale": "α multiplies the network's output: large α needs small changes of the weights (lazy learning), "
    "small α needs weights that grow and align (feature learning).",
    "Frozen kernel": "the gradient flow of the hinge loss with the tangent kernel of the initial weights, held fixed.",
}


def analyse(traces: Traces) -> Analysis:
    """Analyse the crossover of every family of traces."""
    crossovers = {name: crossover(group) for name, group in families(traces).items()}
    picture = Picture(
        "figure-11-crossover",
        "Against the network scale α: test error at the end of training (dashed: the frozen initial kernel, its "
        "geometric mean with the standard error); t* in units of τ, when the first 10 % of the training points are "
        "fitted (dashed: 1/α through the largest α); amplification factor at t* (discs) and at its largest (circles), "
        "dashed: 1; share of the training points that are fitted at the end. Dots: realisations; line: their mean, "
        "geometric except on the right, over those above 0. As Figure 11 of the paper.",
        draw(crossovers),
    )
    doubted = [*doubts(traces)]
    for name, result in crossovers.items():
        doubted += _doubts(name, result)
    return Analysis(
        traces=dict(traces),
        pictures=(picture,),
        tables=(table(crossovers),),
        measured=tuple(
            chain.from_iterable(limits(result, name) for name, result in crossovers.items())
        ),
        how_compared=HOW_COMPARED,
        findings=tuple(_finding(name, result) for name, result in crossovers.items()),
        # The share that is fitted at the end says which networks stopped before.
        doubts=tuple(doubt for doubt in doubted if "stopped before 100%" not in doubt.text),
        theory=("compression.growth_time", "compression.tangent_kernel"),
        reading=READING,
    )


def limits(found: Crossover, label: str) -> tuple[Measured, ...]:
    """Return the comparisons with the two limits; those whose networks did not get there are left out."""
    lazy = found.alpha >= LAZY
    rows: list[tuple[str, Array, float, Relation, float]] = []
    if lazy.sum() > 1:
        slopes = np.polyfit(np.log(found.alpha[lazy]), np.log(found.times[lazy]), 1)[0]
        rows.append((q.LAZY_TIME, slopes, -1.0, "=", EXPONENT))
    if lazy.any():
        rows.append(
            (q.LAZY_AMPLIFICATION, amplified(found.star[-1], found.start), 0.0, "=", TENTH)
        )
        rows.append((q.LAZY_ERROR, np.log(found.errors[-1] / found.frozen), 0.0, "=", TENTH))
    if found.alpha[0] < 1 / LAZY:  # below 0: features help
        rows.append((q.FEATURE_ERROR, np.log(found.errors[0] / found.frozen), 0.0, "<", TENTH))
    if len(found.alpha) > 1 and found.alpha[1] < 1 / LAZY:
        rows.append(
            (q.FEATURE_AMPLIFICATION, np.log(found.star[0] / found.star[1]), 0.0, "=", TENTH)
        )
    return with_verdict(
        Measured.mean(quantity, label, values, predicted, relation, relevant)
        for quantity, values, predicted, relation, relevant in rows
    )


def amplified(star: Array, start: Array) -> Array:
    """Return the logarithm of a factor over that of the initial weights, which few neurons do not make just one."""
    return np.asarray(np.log(star / start))


def table(found: Mapping[str, Crossover]) -> Table:
    """Return one row for every network scale."""
    rows: list[tuple[str, Crossover, int]] = []
    for name, result in found.items():
        rows += [(name, result, index) for index in range(len(result.alpha))]
    caption = "Means over realisations with their standard errors."

    def mean(quantity: str, field: str) -> Callable[[tuple[str, Crossover, int]], Measured | None]:
        return lambda row: Measured.mean(
            quantity, f"{row[0]}, α = {_scale(row)}", getattr(row[1], field)[row[2]]
        )

    return table_of(
        "compression-crossover", "From feature to lazy learning", caption, rows,
        (
            ("labels", lambda row: row[0]),
            (r"$\alpha$", _scale),
            ("realisations", lambda row: row[1].errors.shape[1]),
            ("test error", mean(q.TEST_ERROR, "errors")),
            ("of the frozen kernel", lambda row: Measured.mean(q.FROZEN_ERROR, row[0], row[1].frozen)),
            (r"$t^*/\tau$", mean(q.TIME, "times")),
            (r"$\Lambda^*$", mean(q.MEAN_AMPLIFICATION, "star")),
            (r"$\Lambda_{\max}$", mean(q.MEAN_LARGEST, "largest")),
            ("share fitted", mean(q.FITTED, "fitted")),
        ),
    )  # fmt: skip


def _scale(row: tuple[str, Crossover, int]) -> str:
    return f"{row[1].alpha[row[2]]:g}"


def draw(found: Mapping[str, Crossover]) -> Figure:
    """Draw test error, t*, amplification and fitted share against α."""
    labels = ("test error", r"$t^*/\tau$", "amplification factor", "share fitted at the end")
    with layout.drawing(1, 4, x=r"network scale $\alpha$", y=labels, size=(2.6, 2.6)) as (
        figure,
        axes,
    ):
        error, time, factor, share = axes[0]
        for number, (name, result) in enumerate(found.items()):
            colour = style.COLOURS[number % len(style.COLOURS)]
            _dots(error, result.alpha, result.errors, colour, name)
            if (result.frozen > 0).any():
                level, spread = mean_and_error(np.log(result.frozen[result.frozen > 0]))
                error.axhline(
                    np.exp(level),
                    color=colour,
                    linestyle=style.DASHED,
                    linewidth=1,
                    label="frozen kernel",
                )
                error.axhspan(
                    *np.exp([level - spread, level + spread]),
                    color=colour,
                    alpha=0.12,
                    linewidth=0,
                )
            _dots(time, result.alpha, result.times, colour)
            steep = np.nanmean(np.log(result.times[-1] * result.alpha[-1]))
            lazy = result.alpha[result.alpha >= 1]
            time.plot(lazy, np.exp(steep) / lazy, label=r"$\propto 1/\alpha$", **style.THEORY)
            _dots(factor, result.alpha, result.star, colour, r"$\Lambda^*$")
            _dots(factor, result.alpha, result.largest, colour, r"$\Lambda_{\max}$", hollow=True)
            factor.axhline(1, **style.THEORY)
            share.plot(result.alpha, result.fitted, "o", color=colour, markersize=2, alpha=0.6)
            share.plot(result.alpha, result.fitted.mean(axis=1), color=colour, linewidth=1)
        for axis in axes[0]:
            log_axes(axis, y=axis is not share)
        share.set_ylim(0, 1.02)
        layout.logarithmic(error)
        error.legend(fontsize=7, loc="lower right")
        for axis in (time, factor):
            axis.legend(fontsize=7)
    return figure


def _dots(
    axis: Axes,
    alpha: Array,
    values: Array,
    colour: str,
    name: str | None = None,
    *,
    hollow: bool = False,
) -> None:
    at = np.broadcast_to(alpha[:, None], values.shape)
    face = "none" if hollow else colour
    axis.plot(
        at.ravel(),
        values.ravel(),
        "o",
        color=colour,
        markerfacecolor=face,
        markersize=2.5,
        alpha=0.6,
    )
    mean = np.exp([np.log(row[row > 0]).mean() if (row > 0).any() else np.nan for row in values])
    axis.plot(
        alpha,
        mean,
        color=colour,
        linewidth=1,
        marker="o",
        markerfacecolor=face,
        markersize=3,
        label=name,
    )


def _finding(name: str, one: Crossover) -> str:
    smallest, largest, frozen = (
        mean_and_error(values) for values in (one.errors[0], one.errors[-1], one.frozen)
    )
    star, lazy = (
        float(np.exp(np.nanmean(np.log(values)))) for values in (one.star[0], one.star[-1])
    )
    return (
        f"{name}: the test error is {smallest[0]:.3f} ± {smallest[1]:.3f} at α = {one.alpha[0]:g}, {largest[0]:.3f} ± "
        f"{largest[1]:.3f} at α = {one.alpha[-1]:g}, and {frozen[0]:.3f} ± {frozen[1]:.3f} for the frozen kernel; Λ* "
        f"falls from {star:.3g} to {lazy:.3g}, half-way (in its logarithm) at α = {one.turning_point:.2g}."
    )


def _doubts(name: str, one: Crossover) -> Iterator[Doubt]:
    if one.fitted.min() < COMPLETE:
        shares = zip(one.alpha, one.fitted.mean(1), strict=True)
        shown = ", ".join(f"{share:.0%} at {alpha:g}" for alpha, share in shares)
        text = "so that test errors still fall"
        yield Doubt(
            name, f"training ended before all points were fitted (on average {shown}), {text}"
        )
    if one.frozen_fitted.min() < COMPLETE:
        yield Doubt(name, f"the frozen kernel fits {one.frozen_fitted.min():.0%} of the points")
    zeros = int((one.errors == 0).sum() + (one.frozen == 0).sum())
    if zeros:
        text = "test errors are 0, which the drawn means leave out"
        yield Doubt(name, f"{zeros} of {one.errors.size + one.frozen.size} {text}")
    if one.alpha[-1] < LAZY:
        yield Doubt(name, "no network scale is large enough for the lazy limit")

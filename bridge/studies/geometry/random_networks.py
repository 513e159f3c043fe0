"""Figure 1: volume element and curvature of random networks against the closed forms at infinite width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.comparison import compare
from bridge.geometry.convergence import AT_ONCE, NAMES, QUANTITIES, Convergence, convergence
from bridge.report import style
from bridge.studies.analysis import Analysis, Column, Compared, Doubt, Picture, Table

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

SHARE = 0.1  # of the largest closed form: the deviation that would matter
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
    """Extrapolates to infinite width at every input and fits the rate."""
    found = {label: tuple(convergence(trace, name) for name in QUANTITIES) for label, trace in traces.items()}
    pictures = (
        Picture(
            "figure-01-random-networks",
            "Volume element and scalar curvature of random networks against the norm of the input: means over "
            "realisations, with their scatter as bands, and the closed form at infinite width (dashed). The "
            "curvature is a third of what Eq. (7) of the paper prints. As Figure 1 of the paper.",
            draw(found),
        ),
        Picture(
            "convergence-in-width",
            "Deviation of the mean from the closed form against the width, at the input where it is seen best, with "
            "one standard error over realisations; dashed: fitted power law; thin: 1/width through its middle. "
            "Only deviations above five standard errors at the smallest width are drawn.",
            draw_rates(found),
        ),
    )
    everything = [each for pair in found.values() for each in pair]
    return Analysis(
        traces=traces,
        pictures=pictures,
        tables=(_table(found), _rates(found)),
        compared=tuple(_compared(label, each) for label, pair in found.items() for each in pair),
        how_compared=(
            "At the input whose extrapolation is farthest from the closed form, out of all inputs: the polynomial in "
            "1/width through the means over realisations, at infinite width. The limit of standard errors is three, "
            "since it is the worst of many; a tenth of the largest closed form over the inputs would matter."
        ),
        findings=tuple(_finding(label, pair) for label, pair in found.items()),
        doubts=tuple(_doubts(found)),
        theory=tuple(dict.fromkeys(each.closed_form for each in everything)),
        reading={
            "What is averaged": "Every realisation is a network of its own, at every width; within one, directions "
            "of the input are averaged first, so that the scatter between realisations gives the errors.",
        },
    )


def draw(found: Mapping[str, Sequence[Convergence]]) -> Figure:
    """Figure 1: a column for each activation, volume above curvature."""
    with style.context():
        figure, axes = style.grid(2, len(found))
        for column, (label, pair) in enumerate(found.items()):
            for row, each in enumerate(pair):
                _against_norm(axes[row, column], each)
            axes[0, column].set_title(label)
            axes[1, column].set_xlabel(r"$\|x\|$")
        axes[0, 0].set_ylabel(r"$\sqrt{\det g}$")
        axes[1, 0].set_ylabel("$R$")
        widths = next(iter(found.values()))[0].widths
        handles = [_band(width, colour) for width, colour in zip(_shown(widths), _colours(), strict=False)]
        handles.append(style.theory_handle("infinite width"))
        figure.legend(handles=handles, loc="outside upper center", ncols=len(handles))
    return figure


def draw_rates(found: Mapping[str, Sequence[Convergence]]) -> Figure:
    """Deviation from the closed form against the width, in log-log."""
    with style.context():
        figure, axes = style.grid(1, 2, size=(3.6, 2.6))
        for panel, quantity in zip(axes[0], QUANTITIES, strict=True):
            for (label, pair), colour in zip(found.items(), _colours(), strict=False):
                each = next(one for one in pair if one.quantity == quantity)
                if each.rate is not None:
                    _rate(panel, each, label, colour)
            panel.set_xscale("log")
            panel.set_yscale("log")
            panel.set_xlabel("width $n$")
            panel.set_ylabel("deviation of the mean")
            panel.set_title(NAMES[quantity])
            _widths_as_ticks(panel, next(iter(found.values()))[0].widths)
            if panel.lines:
                panel.legend(loc="best", fontsize=7)
            else:
                panel.text(0.5, 0.5, "below the scatter", transform=panel.transAxes, ha="center", alpha=0.7)
    return figure


def _widths_as_ticks(panel: Any, widths: Any) -> None:
    from matplotlib.ticker import NullFormatter, NullLocator

    panel.set_xlim(0.85 * widths[0], widths[-1] / 0.85)
    panel.set_xticks(widths, [f"{width:.0f}" for width in widths])
    panel.xaxis.set_minor_locator(NullLocator())
    panel.yaxis.set_minor_formatter(NullFormatter())


def _against_norm(panel: Any, each: Convergence) -> None:
    chosen = _shown(each.widths)
    for width, colour in zip(chosen, _colours(), strict=False):
        values = each.samples[int(np.flatnonzero(each.widths == width)[0])]
        mean, scatter = values.mean(axis=0), values.std(axis=0, ddof=1)
        panel.fill_between(each.norms, mean - scatter, mean + scatter, color=colour, alpha=0.18, linewidth=0)
        panel.plot(each.norms, mean, color=colour)
    panel.plot(each.norms, each.expected, color=style.INK, linestyle=(0, (4, 2.2)), linewidth=1.2)
    panel.margins(x=0)
    low, high = float(each.expected.min()), float(each.expected.max())  # narrow networks scatter far beyond the panel
    values = each.samples[len(each.widths) // 2]
    mean, scatter = values.mean(axis=0), values.std(axis=0, ddof=1)
    panel.set_ylim(min(low, (mean - 2 * scatter).min()), max(high, (mean + 2 * scatter).max()))


def _rate(panel: Any, each: Convergence, label: str, colour: str) -> None:
    fit = each.rate
    assert fit is not None
    where = int(np.flatnonzero(each.norms == each.rate_norm)[0])
    deviation, errors = np.abs(fit.y), each.limits[where].errors
    seen = deviation > errors  # below its own error, a logarithm shows nothing
    name = f"{label}: $n^{{{fit.exponent:.2f} \\pm {fit.error:.2f}}}$"
    low = np.minimum(errors, 0.7 * deviation)
    panel.errorbar(
        each.widths[seen], deviation[seen], yerr=np.stack([low, errors])[:, seen], color=colour, marker="o",
        markersize=3.5, linestyle="none", capsize=1.5, elinewidth=0.8,
    )  # fmt: skip
    panel.plot(each.widths, np.abs(fit.predict(each.widths)), color=colour, linestyle=(0, (4, 2.2)), label=name)
    middle = np.sqrt(each.widths[0] * each.widths[-1])
    panel.plot(each.widths, np.abs(fit.predict(middle)) * middle / each.widths, color=colour, linewidth=0.5, alpha=0.6)


def _shown(widths: Any) -> list[float]:
    """The narrowest, a middle and the widest."""
    return [float(each) for each in dict.fromkeys((widths[0], widths[len(widths) // 2], widths[-1]))]


def _colours() -> tuple[str, ...]:
    return (style.DY2, style.W, style.DH2, style.LOSS)


def _band(width: float, colour: str) -> Any:
    from matplotlib.lines import Line2D

    return Line2D([], [], color=colour, label=f"$n = {width:.0f}$")


def _table(found: Mapping[str, Sequence[Convergence]]) -> Table:
    rows = [
        {
            "configuration": label,
            "quantity": NAMES[each.quantity],
            "norm": float(norm),
            "expected": float(expected),
            "limit": limit.limit,
            "limit_error": limit.error,
            "z": float(z),
            "probability": limit.misfit,
        }
        for label, pair in found.items()
        for each in pair
        for norm, expected, limit, z in zip(each.norms, each.expected, each.limits, each.z, strict=True)
    ]
    caption = "Errors over realisations; P is the probability of a larger chi-squared of the polynomial in 1/width."
    return Table("random_networks", "Extrapolated to infinite width", caption, COLUMNS, tuple(rows))


def _rates(found: Mapping[str, Sequence[Convergence]]) -> Table:
    rows = [
        {
            "configuration": label,
            "quantity": NAMES[each.quantity],
            "norm": each.rate_norm,
            "exponent": each.rate.exponent,
            "exponent_error": each.rate.error,
            "low": each.rate.interval[0],
            "high": each.rate.interval[1],
        }
        for label, pair in found.items()
        for each in pair
        if each.rate is not None
    ]
    columns = (
        COLUMNS[0], COLUMNS[1], COLUMNS[2], Column("exponent", "exponent"), Column("low", "95 % from", 3),
        Column("high", "to", 3),
    )  # fmt: skip
    caption = (
        "Exponent of the deviation from the closed form in the width; -1 is expected where higher orders are small."
    )
    return Table("rates", "Rate of convergence", caption, columns, tuple(rows))


def _compared(label: str, each: Convergence) -> Compared:
    worst = int(np.argmax(np.abs(each.z)))
    limit = each.limits[worst]
    comparison = compare(
        float(each.expected[worst]), limit.limit, error=limit.error, threshold=AT_ONCE,
        resolution=SHARE * float(np.abs(each.expected).max()),
    )  # fmt: skip
    return Compared(label, f"{NAMES[each.quantity]} at |x| = {each.norms[worst]:.3g}", comparison)


def _finding(label: str, pair: Sequence[Convergence]) -> str:
    parts = []
    for each in pair:
        rate = "no deviation large enough to fit a rate to"
        if each.rate is not None:
            rate = f"exponent {each.rate.exponent:.2f} ± {each.rate.error:.2f}"
        parts.append(
            f"{NAMES[each.quantity]}: largest |z| {np.abs(each.z).max():.1f} over {len(each.z)} inputs after "
            f"extrapolation (errors up to {each.resolution:.1%} of the largest closed form), {rate}"
        )
    return f"{label}: " + "; ".join(parts) + "."


def _doubts(found: Mapping[str, Sequence[Convergence]]) -> list[Doubt]:
    doubts = []
    for label, pair in found.items():
        for each in pair:
            bad = [norm for norm, limit in zip(each.norms, each.limits, strict=True) if limit.misfit < MISFIT]
            if bad:
                where = ", ".join(f"{norm:.3g}" for norm in bad)
                text = f"{NAMES[each.quantity]} at |x| = {where}: a quadratic in 1/width does not describe the means"
                doubts.append(Doubt(label, "", text))
            if each.resolution > SHARE:
                text = (
                    f"{NAMES[each.quantity]}: errors of the extrapolation reach {each.resolution:.0%} of the largest "
                    "closed form; more realisations are needed to tell it from another one"
                )
                doubts.append(Doubt(label, "", text))
    return doubts

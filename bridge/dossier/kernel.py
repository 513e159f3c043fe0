"""The tangent kernel of the network on the data, and the projections of the labels on its eigenvectors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bridge.dossier.cost import FEWEST, Budget
from bridge.dossier.expectation import CHANCE, Expectation, interval_text, numeral
from bridge.dossier.kernel_plan import gram_of, planned
from bridge.dossier.label_shares import TWO_SIGMA, Shares, shares
from bridge.dossier.network import MeasuredNetwork
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, table_of
from bridge.statistics.arrays import Array
from empirics.measure.kernels.tangent_sketch import TangentSketch
from empirics.training.progress import bar

READING = {
    "Tangent kernel": "Θ(x, z) = ∂_W f(x) · ∂_W f(z), summed over outputs. Labels that lie in its leading eigenvectors "
    "are learned fast and generalise well by kernel methods. Labels are centred, and so are those in random order: an "
    "eigenvector that is nearly constant can hold nothing of either. The interval of the labels comes from leaving out "
    "a tenth of the points at a time, that of shuffled labels from their random orders.",
}


def kernel(
    network: MeasuredNetwork, memory: str, seed: int, budget: Budget, progress: bool
) -> tuple[Analysis, tuple[Expectation, ...]]:
    """Analyse the tangent kernel of the network on the data."""
    plan = planned(network, memory, budget)
    if plan.points < FEWEST:
        raise ValueError(plan.said)
    network = network.at(slice(plan.points))
    with bar("tangent kernel", 1, "kernel", progress=progress):
        sketch = gram_of(network, plan, memory, seed)
    targets = network.targets()
    if targets is not None and not np.ptp(targets, axis=0).any():
        return Analysis(traces={}, pictures=(), doubts=(Doubt("labels", "all are equal"),)), ()
    rows, finding = _spectrum(sketch)
    doubts = [Doubt("kernel", plan.said)] if plan.said else []
    if not sketch.is_exact:
        projections = len(sketch.grams)
        doubts.append(Doubt("kernel", f"an estimate from {projections} random projections of the outputs; intervals of "
                                      "the spectrum are over projections"))  # fmt: skip
    spectrum = table_of("spectrum", "Spectrum of the tangent kernel", f"{plan.points} points.", rows, (
        ("quantity", lambda row: row[0]),
        ("value", lambda row: row[1]),
        ("95 %", lambda row: "exact" if sketch.is_exact else interval_text(*row[2:])),
    ))  # fmt: skip
    if targets is None:
        return Analysis(traces={}, pictures=(), tables=(spectrum,), findings=(finding,), doubts=tuple(doubts)), ()
    analysis, outcome = _with_labels(network, sketch, targets, seed)
    tables = (*analysis.tables, spectrum)
    return replace(analysis, tables=tables, findings=(*analysis.findings, finding), doubts=tuple(doubts)), outcome


def _with_labels(
    network: MeasuredNetwork, sketch: TangentSketch, targets: Array, seed: int
) -> tuple[Analysis, tuple[Expectation, ...]]:
    """Return the shares of the labels, or of the targets of a regression, in the leading eigenvectors."""
    named = "labels" if network.labels is not None else "targets"
    found, count = shares(sketch.gram.cpu().numpy(), targets, seed), len(network.inputs)
    most = max(1, count // (4 if network.groups is None else 2))  # all eigenvectors hold anything
    leading = min(network.present or targets.shape[1], most)
    columns = (
        ("eigenvectors", lambda k: k),
        ("of the trace", lambda k: float(found.trace[k - 1])),
        (f"of the {named}", lambda k: float(found.labels[k - 1])),
        ("95 %", lambda k: interval_text(*found.interval(k - 1))),
        (f"of shuffled {named}", lambda k: float(found.shuffled[k - 1])),
        ("95 % of these", lambda k: interval_text(float(found.low[k - 1]), float(found.high[k - 1]))),
    )
    numbers = sorted({1, leading, min(2 * leading, count), max(1, count // 4)})
    low, high = found.interval(leading - 1)
    share, shuffled = found.labels[leading - 1], found.shuffled[leading - 1]
    of_shuffled = _percent(found.low[leading - 1], found.high[leading - 1])
    which = "leading eigenvector of the tangent kernel holds"
    if leading > 1:
        which = f"{leading} leading eigenvectors of the tangent kernel hold"
    finding = (
        f"The {which} {share:.0%} of the {named} (95 % interval {_percent(low, high)}; of the same {named} in random "
        f"order {shuffled:.0%}, {of_shuffled})."
    )
    analysis = Analysis(
        traces={},
        pictures=(_picture(found, named),),
        tables=(table_of("kernel", f"Tangent kernel and {named}", f"{count} points.", numbers, columns),),
        findings=(finding,),
        reading={
            name: text.replace("abels", "argets" if named == "targets" else "abels") for name, text in READING.items()
        },
    )
    above, below = low > found.high[leading - 1], high < found.low[leading - 1]
    outcome = Expectation(
        f"The {named} lie in the leading eigenvectors of the tangent kernel",
        f"{share:.0%} in the first {leading}", _percent(low, high),
        f"{named} shuffled: {shuffled:.0%} ({of_shuffled})",
        "yes" if above else "no" if below else CHANCE,
    )  # fmt: skip
    return analysis, (outcome,)


def _spectrum(sketch: TangentSketch) -> tuple[list[tuple[str, float, float, float]], str]:
    """Return size and spectrum of the kernel with intervals over projections, and one sentence."""

    def numbers(gram: Array) -> Array:
        values = np.linalg.eigvalsh(gram).clip(0)
        return np.array([np.trace(gram) / len(gram), values[-1] / values.sum(), values.sum() ** 2 / (values**2).sum()])

    value, low, high = sketch.interval(numbers)
    names = ("mean of the diagonal", "largest eigenvalue over the trace", "participation ratio of the eigenvalues")
    rows = [(name, float(value[i]), float(low[i]), float(high[i])) for i, name in enumerate(names)]
    interval = "" if sketch.is_exact else f" (95 % interval {interval_text(low[2], high[2])} over projections)"
    return rows, (
        f"The eigenvalues of the tangent kernel have the participation ratio {numeral(value[2])}{interval} of "
        f"{len(sketch.gram)}; the largest holds {value[1]:.0%} of the trace."
    )


def _percent(low: Any, high: Any) -> str:
    return interval_text(100 * float(low), 100 * float(high)) + " %"


def _picture(found: Shares, named: str) -> Picture:
    x, y, size = "leading eigenvectors of the tangent kernel", f"share of the {named} in them", (4.6, 2.8)
    with layout.drawing(x=x, y=y, size=size) as (figure, axes):
        panel = axes[0, 0]
        count, half = np.arange(1, len(found.labels) + 1), TWO_SIGMA * found.error
        style.band(panel, count, found.low, found.high, style.ORANGE)
        panel.plot(count, found.shuffled, color=style.ORANGE, label=f"{named} shuffled")
        style.band(panel, count, (found.labels - half).clip(0), (found.labels + half).clip(max=1), style.BLUE)
        panel.plot(count, found.labels, color=style.BLUE, label=named)
        panel.set_xscale("log")
        style.legend(figure)
    return Picture("dossier-kernel", f"How much of the {named} lies in the leading eigenvectors of the tangent "
                   f"kernel. Bands: 95 % over points, and over orders of the {named}.", figure)  # fmt: skip

"""The tangent kernel of the network on the data, and how much of the labels lies in its leading eigenvectors.

Within a budget it is measured exactly or by random projections of the outputs, at as many points as fit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from bridge.dossier.cost import FEWEST, Budget
from bridge.dossier.expectation import CHANCE, Expectation, interval_text, numeral
from bridge.dossier.network import MeasuredNetwork
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, table_of
from bridge.statistics.arrays import Array
from closedform.repetitions import jackknife
from empirics import measure
from empirics.measure.kernels.neural_tangent import points_at_once
from empirics.measure.kernels.tangent_sketch import Projected, TangentSketch
from empirics.measure.models.memory import OPERATIONS, work_of
from empirics.training.progress import bar

EXACT = 2  # times the work, in float64
FEW = (2, 6)  # points at which work is counted
PROJECTIONS = (8, 4)  # of the outputs: as many as fit

GROUPS = 10  # of points, left out one after another
SHUFFLES = 400
TWO_SIGMA = 1.96

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
        return Analysis(
            traces={}, pictures=(), tables=(spectrum,), findings=(finding,), doubts=tuple(doubts)
        ), ()
    analysis, outcome = _with_labels(network, sketch, targets, seed)
    tables = (*analysis.tables, spectrum)
    return replace(
        analysis, tables=tables, findings=(*analysis.findings, finding), doubts=tuple(doubts)
    ), outcome


def _with_labels(
    network: MeasuredNetwork, sketch: TangentSketch, targets: Array, seed: int
) -> tuple[Analysis, tuple[Expectation, ...]]:
    """Return the shares of the labels, or of the targets of a regression, in the leading eigenvectors."""
    named = "labels" if network.labels is not None else "targets"
    in_leading, count = shares(sketch.gram.cpu().numpy(), targets, seed), len(network.inputs)
    most = max(1, count // (4 if network.groups is None else 2))  # all eigenvectors hold anything
    leading = min(network.present or targets.shape[1], most)
    columns = (
        ("eigenvectors", lambda k: k),
        ("of the trace", lambda k: float(in_leading.trace[k - 1])),
        (f"of the {named}", lambda k: float(in_leading.labels[k - 1])),
        ("95 %", lambda k: interval_text(*in_leading.interval(k - 1))),
        (f"of shuffled {named}", lambda k: float(in_leading.shuffled[k - 1])),
        (
            "95 % of these",
            lambda k: interval_text(float(in_leading.low[k - 1]), float(in_leading.high[k - 1])),
        ),
    )
    numbers = sorted({1, leading, min(2 * leading, count), max(1, count // 4)})
    low, high = in_leading.interval(leading - 1)
    share, shuffled = in_leading.labels[leading - 1], in_leading.shuffled[leading - 1]
    of_shuffled = _percent(in_leading.low[leading - 1], in_leading.high[leading - 1])
    which = "leading eigenvector of the tangent kernel holds"
    if leading > 1:
        which = f"{leading} leading eigenvectors of the tangent kernel hold"
    finding = (
        f"The {which} {share:.0%} of the {named} at {count} points (95 % interval {_percent(low, high)}; of the same "
        f"{named} in random order {shuffled:.0%}, {of_shuffled})."
    )
    analysis = Analysis(
        traces={},
        pictures=(_picture(in_leading, named),),
        tables=(
            table_of(
                "kernel", f"Tangent kernel and {named}", f"{count} points.", numbers, columns
            ),
        ),
        findings=(finding,),
        reading={
            name: text.replace("abels", "argets" if named == "targets" else "abels")
            for name, text in READING.items()
        },
    )
    above, below = low > in_leading.high[leading - 1], high < in_leading.low[leading - 1]
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
        return np.array(
            [
                np.trace(gram) / len(gram),
                values[-1] / values.sum(),
                values.sum() ** 2 / (values**2).sum(),
            ]
        )

    value, low, high = sketch.interval(numbers)
    names = (
        "mean of the diagonal",
        "largest eigenvalue over the trace",
        "participation ratio of the eigenvalues",
    )
    rows = [(name, float(value[i]), float(low[i]), float(high[i])) for i, name in enumerate(names)]
    interval = (
        ""
        if sketch.is_exact
        else f" (95 % interval {interval_text(low[2], high[2])} over projections)"
    )
    return rows, (
        f"The eigenvalues of the tangent kernel have the participation ratio {numeral(value[2])}{interval} of "
        f"{len(sketch.gram)} points; the largest holds {value[1]:.0%} of the trace."
    )


def _percent(low: Any, high: Any) -> str:
    return interval_text(100 * float(low), 100 * float(high)) + " %"


def _picture(found: Shares, named: str) -> Picture:
    x, y, size = (
        "leading eigenvectors of the tangent kernel",
        f"share of the {named} in them",
        (4.6, 2.8),
    )
    with layout.drawing(x=x, y=y, size=size) as (figure, axes):
        panel = axes[0, 0]
        count, half = np.arange(1, len(found.labels) + 1), TWO_SIGMA * found.error
        style.band(panel, count, found.low, found.high, style.ORANGE)
        panel.plot(count, found.shuffled, color=style.ORANGE, label=f"{named} shuffled")
        style.band(
            panel,
            count,
            (found.labels - half).clip(0),
            (found.labels + half).clip(max=1),
            style.BLUE,
        )
        panel.plot(count, found.labels, color=style.BLUE, label=named)
        panel.set_xscale("log")
        style.legend(figure)
    return Picture("dossier-kernel", f"How much of the {named} lies in the leading eigenvectors of the tangent "
                   f"kernel. Bands: 95 % over points, and over orders of the {named}.", figure)  # fmt: skip


@dataclass(frozen=True)
class Shares:
    """Shares of the labels in the leading eigenvectors, ``[N]`` for 1 to N eigenvectors."""

    trace: Array  # of the kernel
    labels: Array  # of the labels
    error: Array  # standard error of ``labels`` over points
    shuffled: Array  # mean of the labels in random order
    low: Array  # ends of the interval that contains 95 % of these
    high: Array

    def interval(self, index: int) -> tuple[float, float]:
        """Return the 95 % interval over points of the share of the labels in the first ``index + 1`` eigenvectors."""
        half = TWO_SIGMA * self.error[index]
        return max(0.0, float(self.labels[index] - half)), min(
            1.0, float(self.labels[index] + half)
        )


def shares(gram: Array, targets: Array, seed: int) -> Shares:
    """Compute the shares of the trace, of ``targets [N, k]`` and of shuffled targets in the leading eigenvectors."""
    random = np.random.default_rng(seed)
    count = len(targets)
    values, vectors = np.linalg.eigh(gram)
    trace = np.cumsum(values[::-1]) / values.sum()
    shuffled = np.array([_share(vectors, random.permutation(targets)) for _ in range(SHUFFLES)])
    group = random.permutation(np.arange(count) % GROUPS)
    left_out = []
    for g in range(GROUPS):
        kept = group != g
        if np.ptp(targets[kept], axis=0).any():
            share = _share(np.linalg.eigh(gram[np.ix_(kept, kept)])[1], targets[kept])
            left_out.append(
                np.interp(np.arange(1, count + 1), np.arange(1, kept.sum() + 1), share)
            )
    labels = _share(vectors, targets)
    error = jackknife(labels, left_out).error
    low, high = np.quantile(shuffled, [0.025, 0.975], axis=0)
    return Shares(trace, labels, error, shuffled.mean(axis=0), low, high)


def _share(vectors: Array, targets: Array) -> Array:
    """Return the cumulated share of the centred targets in eigenvectors ``[N, N]``, the last one leading."""
    centred = targets - targets.mean(axis=0)
    energy = np.square(vectors[:, ::-1].T @ centred).sum(axis=1)
    return np.asarray(np.cumsum(energy) / energy.sum())


@dataclass(frozen=True)
class KernelPlan:
    """How the kernel is measured."""

    points: int  # too few where the budget does not suffice
    projections: int  # number of random projections; 0 for the exact kernel
    said: str  # the sentence on points that are left out, or empty


def planned(network: MeasuredNetwork, memory: str, budget: Budget) -> KernelPlan:
    """Return the plan; the work of one projection is counted at two points, each output takes as much."""
    with torch.no_grad():
        outputs, points = int(network.model(network.inputs[:1])[0].numel()), len(network.inputs)
    projected = Projected(
        network.model,
        torch.ones(outputs, device=network.example.device),
    )

    def work(points: int) -> float:
        return budget.paid(
            work_of(
                lambda: measure.neural_tangent_gram(
                    projected, network.inputs[:points], memory=memory, precision="model"
                )
            )
        )

    few, more = (work(points) for points in FEW)
    per_point = (more - few) / (FEW[1] - FEW[0])
    once = max(0.0, few - FEW[0] * per_point)
    trained = sum(p.numel() for p in network.model.parameters() if p.requires_grad)
    at_once = points_at_once(projected, network.inputs, memory, "model")
    pair = 2 * trained / OPERATIONS
    for projections in (0,) if outputs == 1 else (0, *PROJECTIONS):
        times = projections or EXACT * outputs
        within = budget.affordable(points, times * per_point, times * pair, times * once)
        count = min(within, at_once if projections else at_once // times)
        if count == points:
            break
    if count < within:
        return KernelPlan(
            count, projections, f"tangent kernel: {count} of {points} points; memory= allows more"
        )
    needed = times * (once + points * per_point + points**2 * budget.thinned * pair)
    return KernelPlan(count, projections, budget.said("tangent kernel", count, points, needed))


def gram_of(network: MeasuredNetwork, plan: KernelPlan, memory: str, seed: int) -> TangentSketch:
    """Return the kernel ``[N, N]`` at all points of the network, exact or with independent estimates."""
    if plan.projections:
        return measure.neural_tangent_sketch(
            network.model, network.inputs, projections=plan.projections, seed=seed, memory=memory
        )
    gram = measure.neural_tangent_gram(network.model, network.inputs, memory=memory)
    return TangentSketch(gram.unsqueeze(0), is_exact=True)

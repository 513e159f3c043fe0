"""The tangent kernel of the network on the data, and the projections of the labels on its eigenvectors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.dossier import cost
from bridge.dossier.expectation import CHANCE, Expectation, interval_text
from bridge.dossier.network import MeasuredNetwork
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, table_of
from bridge.statistics.arrays import Array

READING = {
    "Tangent kernel": "Θ(x, z) = ∂_W f(x) · ∂_W f(z), summed over outputs. Labels that lie in its leading eigenvectors "
    "are learned fast and generalise well by kernel methods. Labels are centred, and so are those in random order: an "
    "eigenvector that is nearly constant can hold nothing of either. The interval of the labels comes from leaving out "
    "a tenth of the points at a time, that of shuffled labels from their random orders.",
}
FEWEST = 8
GROUPS = 10  # of points, left out one after another
SHUFFLES = 400
TWO_SIGMA = 1.96


@dataclass(frozen=True)
class Shares:
    """Shares of the labels in the leading eigenvectors, ``[N]`` for 1 to N eigenvectors.

    Attributes:
        trace: share of the trace of the kernel.
        labels: share of the labels.
        error: standard error of ``labels`` over points.
        shuffled: mean share of the labels in random order.
        low, high: interval that contains 95 % of their shares.
    """

    trace: Array
    labels: Array
    error: Array
    shuffled: Array
    low: Array
    high: Array


def kernel(
    network: MeasuredNetwork, memory: str, seed: int, budget: float, progress: bool
) -> tuple[Analysis, tuple[Expectation, ...]]:
    """Analyse the tangent kernel of the network on the data."""
    from empirics import measure
    from empirics.training.progress import bar

    two = network.inputs[:2]
    each = cost.seconds(lambda: measure.neural_tangent_gram(network.model, two, memory=memory), budget) / 2
    count = cost.affordable(each, len(network.inputs), budget)
    said = cost.said(each, count if count >= FEWEST else 0, len(network.inputs), "tangent kernel")
    if count < FEWEST:
        raise ValueError(said)
    network = replace(network, inputs=network.inputs[:count], labels=network.labels[:count])
    with bar(f"tangent kernel, about {each * count:.0f} s", 1, "kernel", progress=progress):
        gram = measure.neural_tangent_gram(network.model, network.inputs, memory=memory).cpu().numpy()
    labels = network.labels.cpu().numpy()
    if len(np.unique(labels)) < 2:
        return Analysis(traces={}, pictures=(), doubts=(Doubt("labels", "all are equal"),)), ()
    found = shares(gram, labels, network.classes, seed)
    leading = min(network.classes, count)
    columns = (
        ("eigenvectors", lambda k: k),
        ("of the trace", lambda k: float(found.trace[k - 1])),
        ("of the labels", lambda k: float(found.labels[k - 1])),
        ("95 %", lambda k: interval_text(*_interval(found, k - 1))),
        ("of shuffled labels", lambda k: float(found.shuffled[k - 1])),
        ("95 % of these", lambda k: interval_text(float(found.low[k - 1]), float(found.high[k - 1]))),
    )
    numbers = sorted({1, leading, min(2 * leading, count), max(1, count // 4)})
    low, high = _interval(found, leading - 1)
    finding = (
        f"The {leading} leading eigenvectors of the tangent kernel hold {found.labels[leading - 1]:.0%} of the labels "
        f"(95 % interval {_percent(low, high)}; of the same labels in random order {found.shuffled[leading - 1]:.0%}, "
        f"{_percent(found.low[leading - 1], found.high[leading - 1])})."
    )
    analysis = Analysis(
        traces={},
        pictures=(_picture(found),),
        tables=(table_of("kernel", "Tangent kernel and labels", f"{count} points.", numbers, columns),),
        findings=(finding,),
        doubts=(Doubt("kernel", said),) if said else (),
        reading=READING,
    )
    above, below = low > found.high[leading - 1], high < found.low[leading - 1]
    of_shuffled = f"{found.shuffled[leading - 1]:.0%} ({_percent(found.low[leading - 1], found.high[leading - 1])})"
    outcome = Expectation(
        "The labels lie in the leading eigenvectors of the tangent kernel",
        f"{found.labels[leading - 1]:.0%} in the first {leading}", _percent(low, high),
        f"labels shuffled: {of_shuffled}",
        "yes" if above else "no" if below else CHANCE,
    )  # fmt: skip
    return analysis, (outcome,)


def shares(gram: Array, labels: NDArray[np.int64], classes: int, seed: int) -> Shares:
    """Compute the shares of the trace, of the labels and of shuffled labels in the leading eigenvectors.

    Args:
        gram: tangent kernel ``[N, N]``.
        labels: class indices ``[N]``, at least two different ones.
        classes: number of classes.
        seed: seed of the shuffles and of the groups of points.
    """
    random = np.random.default_rng(seed)
    count = len(labels)
    values, vectors = np.linalg.eigh(gram)
    trace = np.cumsum(values[::-1]) / values.sum()
    shuffled = np.array([_share(vectors, random.permutation(labels), classes) for _ in range(SHUFFLES)])
    group = random.permutation(np.arange(count) % GROUPS)
    left_out = []
    for g in range(GROUPS):
        kept = group != g
        if len(np.unique(labels[kept])) > 1:
            share = _share(np.linalg.eigh(gram[np.ix_(kept, kept)])[1], labels[kept], classes)
            left_out.append(np.interp(np.arange(1, count + 1), np.arange(1, kept.sum() + 1), share))
    error = np.std(left_out, axis=0) * np.sqrt(len(left_out) - 1)
    low, high = np.quantile(shuffled, [0.025, 0.975], axis=0)
    return Shares(trace, _share(vectors, labels, classes), error, shuffled.mean(axis=0), low, high)


def _share(vectors: Array, labels: NDArray[np.int64], classes: int) -> Array:
    """Return the cumulated share of the centred labels in eigenvectors ``[N, N]``, the last of which is the leading."""
    centred = np.eye(classes)[labels]
    centred -= centred.mean(axis=0)
    energy = np.square(vectors[:, ::-1].T @ centred).sum(axis=1)
    return np.asarray(np.cumsum(energy) / energy.sum())


def _interval(found: Shares, index: int) -> tuple[float, float]:
    half = TWO_SIGMA * found.error[index]
    return max(0.0, float(found.labels[index] - half)), min(1.0, float(found.labels[index] + half))


def _percent(low: Any, high: Any) -> str:
    return interval_text(100 * float(low), 100 * float(high)) + " %"


def _picture(found: Shares) -> Picture:
    x, y, size = "leading eigenvectors of the tangent kernel", "share of the labels in them", (4.6, 2.8)
    with layout.drawing(x=x, y=y, size=size) as (figure, axes):
        panel = axes[0, 0]
        count, half = np.arange(1, len(found.labels) + 1), TWO_SIGMA * found.error
        style.band(panel, count, found.low, found.high, style.ORANGE)
        panel.plot(count, found.shuffled, color=style.ORANGE, label="labels shuffled")
        style.band(panel, count, (found.labels - half).clip(0), (found.labels + half).clip(max=1), style.BLUE)
        panel.plot(count, found.labels, color=style.BLUE, label="labels")
        panel.set_xscale("log")
        style.legend(figure)
    return Picture("dossier-kernel", "How much of the labels lies in the leading eigenvectors of the tangent kernel. "
                   "Bands: 95 % over points, and over orders of the labels.", figure)  # fmt: skip

"""Volume element, rank and curvature of the metric that the last layer induces on the inputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from bridge.dossier import cost, saturated
from bridge.dossier.expectation import CHANCE, Expectation, called, interval_text, numeral
from bridge.dossier.geometry import BOUNDARY, READOUT, Geometry, curvature, measured
from bridge.dossier.network import MeasuredNetwork
from bridge.dossier.volume_shown import median_interval, pictures, table
from bridge.results.analysis import Analysis, Doubt
from bridge.statistics.rank_correlation import RankCorrelation, rank_correlation

READING = {
    "Volume element": "factor by which the map from inputs to the features of the last layer looked at magnifies "
    "volume; its natural logarithm is shown, over the non-zero directions where features are fewer than inputs.",
    "Singular metric": "a map that collapses some directions (a layer narrower than the input, dead units) has no "
    "volume element. Shown instead is the mean logarithm of the stretching over the directions that it keeps, their "
    "number (the rank), and the stretching along directions that matter for the data.",
    "Random readout": "the gradient of a random linear function of the features. Gradients point where a map stretches "
    "much, so that the gradient of the margin must be compared with these and not with arbitrary directions.",
    "Entropy": "of the network’s decision, in bits: high near a decision boundary. Intervals are over points.",
}
FEWEST = 8  # points for a correlation
STRETCHES = (
    "Towards the decision boundary, {} stretches {:.2f} times as much as along the gradient of a random readout of its "
    "features (median over points, 95 % interval {})."
)
MAGNIFIES = (
    "Areas near decision boundaries are magnified: {quantity} and entropy of the decision rise together, {interval}"
)


def volume(
    network: MeasuredNetwork, memory: str, budget: float, progress: bool
) -> tuple[Analysis, tuple[Expectation, ...]]:
    """Analyse the volume element and the curvature at the inputs."""
    from empirics import measure
    from empirics.measure.models.layer_outputs import part_up_to

    layer = network.layers[-1]
    features = part_up_to(network.model, layer.name)
    with saturated.noted() as on_saturation:
        each = cost.seconds(lambda: measure.nonsingular_volume(features, network.inputs[:1], memory=memory), budget)
        count = cost.affordable(each, len(network.inputs), budget)
        doubts = [cost.said(each, count if count >= FEWEST else 0, len(network.inputs), "volume")]
        if count < FEWEST:
            raise ValueError(doubts[0])
        network = replace(network, inputs=network.inputs[:count], labels=network.labels[:count])
        found = measured(network, features, layer.name, memory, progress)
        curvatures, refusal = curvature(features, network, each, memory, budget)
    doubts += [refusal, *on_saturation]
    singular = int((found.rank < found.largest_rank).sum())
    if singular:
        doubts.append(
            f"the metric is singular at {singular} of {count} points: rank {int(found.rank.min())} to "
            f"{int(found.rank.max())} of {found.largest_rank}"
        )
    finite = np.isfinite(found.volume)
    correlation = rank_correlation(found.volume[finite], found.entropy[finite]) if finite.sum() >= FEWEST else None
    ratio = _towards_boundary(found)
    findings = [
        f"The map to {called(layer.name)} is constant." if correlation is None else _finding(correlation, found)
    ]
    if ratio:
        findings.append(STRETCHES.format(called(layer.name), ratio[0], interval_text(*ratio[1:])))
    analysis = Analysis(
        traces={},
        pictures=pictures(found) if finite.any() else (),
        tables=(table(found, curvatures, count),),
        findings=tuple(findings),
        doubts=tuple(Doubt(called(layer.name), text) for text in doubts if text),
        reading=READING,
    )
    return analysis, tuple(_expectations(correlation, ratio))


def _finding(found: RankCorrelation, geometry: Geometry) -> str:
    limits = interval_text(*found.interval, digits=2)
    interval = f"rank correlation {numeral(found.rho, 2)}, 95 % interval {limits} over points."
    if found.interval[0] > 0:
        return MAGNIFIES.format(quantity=geometry.quantity, interval=interval)
    if found.interval[1] < 0:
        return f"Areas near decision boundaries are shrunk, not magnified: {interval}"
    return f"Whether areas near decision boundaries are magnified is too blunt to say: {interval}"


def _towards_boundary(found: Geometry) -> tuple[float, float, float] | None:
    """Return the stretching towards the boundary over that along a random readout: median ratio and 95 % interval."""
    logs = found.along[BOUNDARY] - found.along[READOUT]
    logs = logs[np.isfinite(logs)]
    if len(logs) < FEWEST:
        return None
    low, high = median_interval(logs)
    return float(np.exp(np.median(logs))), float(np.exp(low)), float(np.exp(high))


def _expectations(
    correlation: RankCorrelation | None, ratio: tuple[float, float, float] | None
) -> Iterator[Expectation]:
    if correlation is not None:
        low, high = correlation.interval
        yield Expectation(
            "Areas near decision boundaries are magnified", f"rank correlation {numeral(correlation.rho, 2)}",
            interval_text(low, high, 2), "no correlation: 0", "yes" if low > 0 else "no" if high < 0 else CHANCE,
        )  # fmt: skip
    if ratio is not None:
        value, low, high = ratio
        yield Expectation(
            "Steps towards the decision boundary are stretched", f"{value:.2f} times", interval_text(low, high),
            "gradients of random readouts: 1", "yes" if low > 1 else "no" if high < 1 else CHANCE,
        )  # fmt: skip

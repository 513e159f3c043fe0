"""Volume element, rank and curvature of the metric that the last layer induces on the inputs."""

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import special, stats
from torch import nn

from bridge.dossier.cost import FEWEST, Budget
from bridge.dossier.embedding import through_embedding
from bridge.dossier.expectation import CHANCE, Expectation, called, counted, interval_text, numeral
from bridge.dossier.geometry import (
    AT_ONCE,
    BOUNDARY,
    READOUT,
    SHORT,
    SKETCH,
    Geometry,
    curvature,
    measured,
    median_interval,
    pictures,
    table,
)
from bridge.dossier.network import MeasuredNetwork, noted
from bridge.results.analysis import Analysis, Doubt
from bridge.statistics.arrays import Array
from bridge.statistics.rank_correlation import RankCorrelation, rank_correlation
from empirics.measure.geometry.volume_sketch import step_work
from empirics.measure.models.feature_map import prepare
from empirics.measure.models.layer_outputs import part_up_to
from empirics.measure.models.memory import OPERATIONS, work_of

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
VOLUME = 0.6  # of the work; the rest is for the curvature
READOUTS = 200  # random ones, for the correlation by chance
SMALLEST = 1e-300  # probability of which a logarithm is taken
DIRECTIONS = 12  # derivatives of one mode that the stretching along directions takes
OF_ANY_MAP = ("Volume element", "Singular metric")  # with or without a decision
STRETCHES = (
    "Towards the decision boundary, {} stretches {:.2f} times as much as along the gradient of a random readout of its "
    "features (median over {}, 95 % interval {})."
)
MAGNIFIES = (
    "Areas near decision boundaries are magnified: {quantity} and entropy of the decision "
    "rise together, more than with random readouts of the same features, {interval}"
)


def volume(
    network: MeasuredNetwork, memory: str, budget: Budget, progress: bool
) -> tuple[Analysis, tuple[Expectation, ...]]:
    """Analyse the volume element and the curvature at the inputs."""
    layer, refusal, start = network.layers[-1], "", "inputs"
    features = part_up_to(network.model, layer.name)
    if not network.has_real_inputs:
        network, features, name = through_embedding(network, features)
        start = f"continuous outputs of the embedding {name}"
    given = len(network.inputs)
    with noted() as on_saturation:
        per_point, count, sketched, said = _planned(features, network, memory, budget.part(VOLUME))
        if count < FEWEST:
            raise ValueError(said)
        rest = budget.part(1 - VOLUME)
        rest.thinned *= len(network.inputs) / count
        network, curvatures = network.at(slice(count)), None
        measurement = measured(network, features, (start, layer.name), memory, progress, sketched)
        if not sketched:
            curvatures, refusal = curvature(features, network, per_point, memory, rest)
    doubts = [
        said,
        ""
        if start == "inputs"
        else f"the model takes indices, so that the map is that from the {start}",
    ]
    if measurement.error is not None:
        doubts.append(
            "volumes are estimates by random probes and Lanczos quadrature, each within "
            f"±{numeral(measurement.error, 2)} (95 %), in which directions that a normalisation removes are not told "
            "from weak ones, and curvature is left out: more budget= gives exact ones"
        )
    doubts += [refusal, *on_saturation]
    singular = int((measurement.rank < measurement.largest_rank).sum())
    if singular:
        doubts.append(
            f"the metric is singular at {singular} of {count} points: rank {int(measurement.rank.min())} to "
            f"{int(measurement.rank.max())} of {measurement.largest_rank}"
        )
    finite = np.isfinite(measurement.volume)
    correlation, by_chance = None, (0.0, 0.0)
    if measurement.entropy is not None and finite.sum() >= FEWEST:
        correlation = rank_correlation(measurement.volume[finite], measurement.entropy[finite])
        by_chance = of_random_readouts(network, features, measurement.volume, finite)
    ratio = _towards_boundary(measurement) if BOUNDARY in measurement.along else None
    findings = [
        _described(measurement, finite, given)
        if correlation is None
        else _finding(correlation, measurement, by_chance, counted(int(finite.sum()), given))
    ]
    if ratio:
        findings.append(
            STRETCHES.format(
                called(layer.name), ratio[0], counted(count, given), interval_text(*ratio[1:])
            )
        )
    analysis = Analysis(
        traces={},
        pictures=pictures(measurement) if finite.any() else (),
        tables=(table(measurement, curvatures, count),),
        findings=tuple(findings),
        doubts=tuple(Doubt(called(layer.name), text) for text in doubts if text),
        reading=READING
        if measurement.entropy is not None
        else {name: READING[name] for name in OF_ANY_MAP},
    )
    return analysis, tuple(_expectations(correlation, ratio, by_chance))


def _planned(
    features: nn.Module, network: MeasuredNetwork, memory: str, budget: Budget
) -> tuple[float, int, bool, str]:
    """Return the work of a point, the number of points, whether they are estimated, and what is left out."""
    ready, points = prepare(features, network.inputs[:2]), len(network.inputs)
    d, size = network.inputs[0].numel(), min(network.inputs[0].numel(), ready.features)

    def backward() -> None:
        with torch.enable_grad():
            x = ready.x[:1].detach().requires_grad_()
            torch.autograd.grad(ready.call(x).sum(), x)

    per_pass = budget.paid(work_of(backward))
    largest = max(d, ready.features)
    exact = (
        per_pass * (1 if ready.chain is not None else size) + 12 * largest * size**2 / OPERATIONS
    )
    others = DIRECTIONS * per_pass  # stretching along directions of the data
    count = budget.affordable(points, exact + others)
    if count >= FEWEST:
        return exact, count, False, budget.said("volume", count, points, (exact + others) * points)
    budget = budget.part(1 / VOLUME)  # without the curvature
    steps = SKETCH["probes"] * SKETCH["steps"] + 1 + len(SHORT)
    step = step_work(features, network.inputs[:AT_ONCE], SKETCH["precision"])
    budget.paid(2 * step)  # two steps were counted
    per_point = steps * step / AT_ONCE
    count, needed = budget.affordable(points, per_point), per_point * points
    # exact ones, of fewer points, are preferred
    if VOLUME * needed * budget.thinned > FEWEST * (exact + others):
        needed = (exact + others) * points / VOLUME
    return per_point, count, True, budget.said("volume", count, points, needed)


def _described(found: Geometry, finite: NDArray[np.bool_], given: int) -> str:
    """Return the volume in one sentence, where there is no decision with which it could be compared."""
    if finite.sum() < FEWEST:
        return f"The map to {called(found.layer)} is constant."
    values = found.volume[finite]
    error = 0.0 if found.error is None else found.error
    low, high = median_interval(values)
    interval = interval_text(low - error, high + error)
    of_estimates = f", each within ±{numeral(error, 2)}" if error else ""
    return (
        f"From the {found.start} to {called(found.layer)}, the {found.quantity} is {numeral(float(np.median(values)))} "
        f"(median over {counted(len(values), given)}{of_estimates}; 95 % interval {interval})."
    )


def of_random_readouts(
    network: MeasuredNetwork, features: nn.Module, volume: Array, finite: NDArray[np.bool_]
) -> tuple[float, float]:
    """Return the range of the rank correlation of volume and entropy for 99 % of readouts that know no labels.

    Volume and entropy of an untrained network are correlated as well, since both depend on where a point lies. Each
    draw is a random linear map of the features of the layer, whose outputs vary as much between the points as the
    logarithms of the network's probabilities.

    Args:
        network: the network with the points that were measured.
        features: the part of the network up to the layer.
        volume: what is correlated with the entropy, ``[N]``.
        finite: at which points the volume is finite, ``[N]``.
    """
    with torch.no_grad():
        given = torch.cat([features(part.clone()).flatten(1) for part in network.batches()])
    of_points = given.double().cpu().numpy()
    logs = np.log(network.probabilities().cpu().numpy().clip(SMALLEST))
    size = np.sqrt((logs - logs.mean(axis=1, keepdims=True)).var(axis=0).mean())
    random = np.random.default_rng(0)
    entropies = np.empty((READOUTS, len(of_points)))
    for entropy in entropies:
        drawn = of_points @ random.standard_normal((of_points.shape[1], logs.shape[1]))
        drawn -= drawn.mean(axis=1, keepdims=True)
        spread = np.sqrt(drawn.var(axis=0).mean())
        scaled = drawn * (size / spread if spread else 1.0)
        entropy[:] = special.entr(special.softmax(scaled, axis=1)).sum(axis=1)
    correlations = _rank_correlations(volume[finite], entropies[:, finite])
    low, high = np.quantile(correlations, [0.005, 0.995])
    return float(low), float(high)


def _rank_correlations(x: Array, rows: Array) -> Array:
    """Return Spearman's rank correlation of ``x`` with each row, and 0 where one of the two is constant."""
    ranks, of_rows = (stats.rankdata(values, axis=-1) for values in (x, rows))
    ranks -= ranks.mean()
    of_rows -= of_rows.mean(axis=1, keepdims=True)
    norms = np.sqrt(np.square(ranks).sum() * np.square(of_rows).sum(axis=1))
    correlations: Array = np.divide(
        of_rows @ ranks, norms, out=np.zeros(len(rows)), where=norms > 0
    )
    return correlations


def _finding(
    found: RankCorrelation, geometry: Geometry, by_chance: tuple[float, float], points: str
) -> str:
    limits, chance = interval_text(*found.interval, digits=2), interval_text(*by_chance, digits=2)
    interval = (
        f"rank correlation {numeral(found.rho, 2)}, 95 % interval {limits} over {points}; 99 % of random readouts of "
        f"the same features {chance}."
    )
    verdict = _is_magnified(found, by_chance)
    if verdict == "yes":
        return MAGNIFIES.format(quantity=geometry.quantity, interval=interval)
    if verdict == "no":
        return f"Areas near decision boundaries are shrunk, not magnified: {interval}"
    return f"Whether areas near decision boundaries are magnified is too blunt to say: {interval}"


def _is_magnified(found: RankCorrelation, by_chance: tuple[float, float]) -> str:
    """Return the verdict: beyond zero, and beyond what readouts give that know no labels."""
    low, high = found.interval
    if low > 0 and found.rho > by_chance[1]:
        return "yes"
    return "no" if high < 0 and found.rho < by_chance[0] else CHANCE


def _towards_boundary(found: Geometry) -> tuple[float, float, float] | None:
    """Return the stretching towards the boundary over that along a random readout: median ratio and 95 % interval."""
    logs = found.along[BOUNDARY] - found.along[READOUT]
    logs = logs[np.isfinite(logs)]
    if len(logs) < FEWEST:
        return None
    low, high = median_interval(logs)
    return float(np.exp(np.median(logs))), float(np.exp(low)), float(np.exp(high))


def _expectations(
    correlation: RankCorrelation | None,
    ratio: tuple[float, float, float] | None,
    by_chance: tuple[float, float],
) -> Iterator[Expectation]:
    if correlation is not None:
        low, high = correlation.interval
        yield Expectation(
            "Areas near decision boundaries are magnified", f"rank correlation {numeral(correlation.rho, 2)}",
            interval_text(low, high, 2), f"99 % of random readouts: {interval_text(*by_chance, digits=2)}",
            _is_magnified(correlation, by_chance),
        )  # fmt: skip
    if ratio is not None:
        value, low, high = ratio
        yield Expectation(
            "Steps towards the decision boundary are stretched", f"{value:.2f} times", interval_text(low, high),
            "gradients of random readouts: 1", "yes" if low > 1 else "no" if high < 1 else CHANCE,
        )  # fmt: skip

"""Volume element, rank and curvature of the metric that the last layer induces on the inputs."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bridge.dossier.cost import FEWEST, Budget
from bridge.dossier.expectation import CHANCE, Expectation, called, interval_text, numeral
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
from bridge.statistics.rank_correlation import RankCorrelation, rank_correlation
from empirics.measure.geometry.volume_sketch import step_work
from empirics.measure.models.adapter import Adapter
from empirics.measure.models.feature_map import prepare
from empirics.measure.models.layer_outputs import part_up_to
from empirics.measure.models.memory import OPERATIONS, work_of
from empirics.measure.models.model_on_data import ModelOnData

SAME = 1e-4  # largest relative difference from the model, in float32
AnyModel = TypeVar("AnyModel", bound=ModelOnData)


class FromEmbedding(nn.Module):
    """A model of tokens from what its embedding gives, ``[batch, positions, width]``; the rest sees ``tokens``."""

    tokens: Tensor

    def __init__(self, model: nn.Module, embedding: nn.Module, tokens: Tensor) -> None:
        super().__init__()
        self.model, self.embedding = model, embedding
        self.register_buffer("tokens", tokens)

    def forward(self, embedded: Tensor) -> Any:
        """Return what the model gives."""
        handle = self.embedding.register_forward_hook(lambda *_: embedded)
        try:
            return self.model(self.tokens.expand(len(embedded), *self.tokens.shape))
        finally:
            handle.remove()


def through_embedding(network: AnyModel, features: nn.Module) -> tuple[AnyModel, nn.Module, str]:
    """Return a network of tokens and features as maps of the first embedding that determines the output; its name."""
    with torch.no_grad():
        expected = network.model(network.inputs[:2].clone())
        for name, part in network.model.named_modules():
            if not isinstance(part, nn.Embedding):
                continue
            x, tokens = _outputs(network, part), network.inputs[0]
            if x is None:
                continue
            whole = FromEmbedding(network.model, part, tokens)
            difference = (whole(x[:2]) - expected).abs().max()
            if bool(difference <= SAME * expected.abs().max()):
                from_embedding = replace(network, model=whole, inputs=x, adapter=Adapter())
                return from_embedding, FromEmbedding(features, part, tokens), name
    raise ValueError(
        "the model takes indices, in which there is no derivative, and no embedding reads them all"
    )


def _outputs(network: ModelOnData, embedding: nn.Module) -> Tensor | None:
    """Return what an embedding gives at all points, ``[N, ...]``; None unless it is called once with all of them."""
    outputs: list[Tensor] = []
    handle = embedding.register_forward_hook(
        lambda _, taken, output: outputs.append(output.clone())
    )
    try:
        for part in network.batches():
            network.model(part.clone())
    finally:
        handle.remove()
    sizes = [len(part) for part in network.batches()]
    return torch.cat(outputs) if [len(part) for part in outputs] == sizes else None


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
DIRECTIONS = 12  # derivatives of one mode that the stretching along directions takes
OF_ANY_MAP = ("Volume element", "Singular metric")  # with or without a decision
STRETCHES = (
    "Towards the decision boundary, {} stretches {:.2f} times as much as along the gradient of a random readout of its "
    "features (median over points, 95 % interval {})."
)
MAGNIFIES = (
    "Areas near decision boundaries are magnified: {quantity} and entropy of the decision "
    "rise together, {interval}"
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
    correlation = None
    if measurement.entropy is not None and finite.sum() >= FEWEST:
        correlation = rank_correlation(measurement.volume[finite], measurement.entropy[finite])
    ratio = _towards_boundary(measurement) if BOUNDARY in measurement.along else None
    findings = [
        _described(measurement, finite)
        if correlation is None
        else _finding(correlation, measurement)
    ]
    if ratio:
        findings.append(STRETCHES.format(called(layer.name), ratio[0], interval_text(*ratio[1:])))
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
    return analysis, tuple(_expectations(correlation, ratio))


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


def _described(found: Geometry, finite: NDArray[np.bool_]) -> str:
    """Return the volume in one sentence, where there is no decision with which it could be compared."""
    if finite.sum() < FEWEST:
        return f"The map to {called(found.layer)} is constant."
    values = found.volume[finite]
    interval = interval_text(*median_interval(values))
    return (
        f"From the {found.start} to {called(found.layer)}, the {found.quantity} is {numeral(float(np.median(values)))} "
        f"(median over points, 95 % interval {interval})."
    )


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

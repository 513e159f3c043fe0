"""The network and its data in a few numbers, and the table of expectations and verdicts."""

from collections.abc import Iterable

import numpy as np
from scipy import stats

from bridge.dossier import expectation
from bridge.dossier.expectation import CHANCE, Expectation, interval_text, numeral
from bridge.dossier.network import MeasuredNetwork
from bridge.results.analysis import Analysis, Doubt, Table, table_of
from empirics.measure.models.call_sites import CallSite

LEVEL = 0.95
MODE = "the model was in training mode; dropout is off here, and batch normalisation uses its running statistics"
ZERO_OR_ONE = (
    "the targets are 0 and 1, and the outputs are compared with them as numbers, not as logits or probabilities; if "
    "they stand for one class a point, give its index, labels.long() or labels.argmax(1)"
)
NOT_VISIBLE = (
    "Every call of a module counts, every nonlinearity called as a function, and every sum of two tensors of one "
    "shape. Not visible are nonlinearities inside fused or scripted modules (LSTM cells, attention) or written with "
    "arithmetic or comparisons."
)
READING = {
    "Accuracy": "on the points given, with Wilson’s 95 % interval over points, next to that of a constant answer.",
}


def overview(
    network: MeasuredNetwork, expectations: Iterable[Expectation], left_out: Iterable[str]
) -> Analysis:
    """Describe the network, its layers and how well it does, with the verdicts of all parts and what was left out."""
    parameters = sum(p.numel() for p in network.model.parameters())
    trainable = sum(p.numel() for p in network.model.parameters() if p.requires_grad)
    facts = {
        "task": (f"{network.task.name or 'none'}: {network.task.how}", ""),
        "parameters": (f"{parameters:,} ({trainable:,} trainable)", ""),
        "layers looked at": (f"{len(network.layers)} of {len(network.sites)} calls", ""),
        "output": (network.output.said, ""),
        "inputs": (f"{len(network.inputs)} points {_shapes(network)}", ""),
    }
    findings: tuple[str, ...] = ()
    listed = tuple(expectations)
    if network.task.classes:
        of_task, findings, of_accuracy = _decided(network)
        facts |= of_task
        listed = (of_accuracy, *listed)
    elif network.task.name:
        of_task, findings = _fitted(network)
        facts |= of_task
    columns = (
        ("", lambda fact: fact[0]),
        ("value", lambda fact: fact[1][0]),
        ("95 %", lambda fact: fact[1][1]),
    )
    doubts = [Doubt("left out", text) for text in left_out]
    if network.was_training:
        doubts.append(Doubt("mode", MODE))
    targets = network.task.labels
    if network.task.name == "regression" and targets is not None:
        whole = {*targets.flatten().tolist()}
        if whole == {0.0, 1.0}:
            doubts.append(Doubt("targets", ZERO_OR_ONE))
    return Analysis(
        traces={},
        pictures=(),
        tables=(
            *((expectation.table(listed),) if listed else ()),
            table_of("network", "Network and data", "", facts.items(), columns),
            _layers(network),
        ),
        findings=findings,
        doubts=tuple(doubts),
        reading=READING if network.task.classes else {},
    )


def _shapes(network: MeasuredNetwork) -> str:
    """Return "of shape 3 × 32 × 32", or "with values 5 and mask 5" for inputs of several tensors."""
    if not network.adapter.parts:
        return f"of shape {' × '.join(map(str, network.inputs.shape[1:]))}"
    return "with " + " and ".join(
        f"{part.name} {' × '.join(map(str, part.shape))}" for part in network.adapter.parts
    )


def _decided(
    network: MeasuredNetwork,
) -> tuple[dict[str, tuple[str, str]], tuple[str, ...], Expectation]:
    """Return classes, accuracy and cross-entropy, whose intervals are over points: positions are not independent.

    The sentence and the expectation compare the accuracy with that of a constant answer, the most frequent class.
    """
    assert network.labels is not None
    decisions, points = network.decisions(), len(network.inputs)
    hits = decisions.hits.cpu().numpy().reshape(points, -1)
    has_class = ~np.isnan(hits)
    labels = network.labels.cpu().numpy().reshape(points, -1)[has_class]
    accuracy, sizes = decisions.accuracy, np.bincount(labels, minlength=network.classes)
    if hits.shape[1] == 1:
        low, high = stats.binomtest(int(hits.sum()), points).proportion_ci(LEVEL, "wilson")
    else:
        half = 1.96 * np.nanmean(hits, 1).std(ddof=1) / np.sqrt(points)
        low, high = max(0.0, accuracy - half), min(1.0, accuracy + half)
    with np.errstate(divide="ignore"):
        loss = np.nanmean(decisions.losses.cpu().numpy().reshape(points, -1), 1)
    error = loss.std(ddof=1) / np.sqrt(points)
    counted = f"{points} points" if hits.shape[1] == 1 else f"{points} × {hits.shape[1]} positions"
    if not has_class.all():
        counted = f"{has_class.sum()} of {counted}"
    facts = {
        "classes": (f"{network.classes}, with {sizes.min()} to {sizes.max()} {counted.split()[-1]}", ""),
        "accuracy": (f"{accuracy:.1%}", interval_text(100 * low, 100 * high) + " %"),
        "accuracy of the most frequent class": (f"{sizes.max() / has_class.sum():.1%}", ""),
        "cross-entropy": (
            f"{loss.mean():.3g} nats", interval_text(loss.mean() - 1.96 * error, loss.mean() + 1.96 * error)
        ),
    }  # fmt: skip
    constant = float(sizes.max() / has_class.sum())
    verdict = "yes" if low > constant else "no" if high < constant else CHANCE
    expectation = Expectation(
        "More are classified correctly than by a constant answer", f"accuracy {accuracy:.1%}",
        interval_text(100 * low, 100 * high) + " %", f"the most frequent class: {constant:.1%}", verdict,
    )  # fmt: skip
    finding = (
        f"{accuracy:.1%} of {counted} are classified correctly; the most frequent class as a constant answer would be "
        f"right for {constant:.1%}."
    )
    return facts, (finding,), expectation


def _fitted(network: MeasuredNetwork) -> tuple[dict[str, tuple[str, str]], tuple[str, ...]]:
    """Return the mean squared error, with its interval over points, and the share of the variance of the targets."""
    assert network.task.labels is not None
    y = network.task.labels
    squares = (network.outputs().reshape(len(y), -1).double() - y).square().mean(1).cpu().numpy()
    error, variance = (
        squares.std(ddof=1) / np.sqrt(len(squares)),
        float((y - y.mean(0)).square().mean()),
    )
    share = 1 - squares.mean() / variance if variance else float("nan")
    facts = {
        "mean squared error": (
            f"{squares.mean():.3g}", interval_text(squares.mean() - 1.96 * error, squares.mean() + 1.96 * error)
        ),
        "explained share of the variance (R²)": (f"{share:.3g}", ""),
    }  # fmt: skip
    return facts, (
        f"The mean squared error of {len(y)} points is {numeral(squares.mean())}, R² is {numeral(share)} (0 for the "
        "mean of the targets as a constant answer).",
    )


def _layers(network: MeasuredNetwork) -> Table:
    """Return the table of all call sites by operation: how many there are and how many of them were measured."""
    measured = {site.key for site in network.layers}
    calls: dict[str, list[CallSite]] = {}
    for site in dict.fromkeys((*network.sites, *network.layers)):
        calls.setdefault(site.operation, []).append(site)
    return table_of(
        "layers", "What was looked at", NOT_VISIBLE, calls.items(),
        (
            ("operation", lambda row: row[0]),
            ("calls", lambda row: len(row[1])),
            ("measured", lambda row: sum(site.key in measured for site in row[1])),
            ("first", lambda row: row[1][0].name),
            ("last", lambda row: row[1][-1].name),
        ),
    )  # fmt: skip

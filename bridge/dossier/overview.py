"""The network and its data in a few numbers, and the table of expectations and verdicts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from bridge.dossier import expectation
from bridge.dossier.expectation import Expectation, interval_text
from bridge.dossier.network import MeasuredNetwork
from bridge.results.analysis import Analysis, Doubt, Table, table_of

if TYPE_CHECKING:
    from empirics.measure.models.call_sites import CallSite

LEVEL = 0.95
MODE = "the model was in training mode; dropout is off here, and batch normalisation uses its running statistics"
NOT_VISIBLE = (
    "Every call of a module counts, every nonlinearity called as a function, and every sum of two tensors of one shape. "
    "Not visible are nonlinearities inside fused or scripted modules (LSTM cells, attention) or written with arithmetic "
    "or comparisons."
)
READING = {
    "Accuracy": "on the points given, with Wilson’s 95 % interval over points, next to that of a constant answer.",
}


def overview(network: MeasuredNetwork, expectations: Iterable[Expectation], left_out: Iterable[str]) -> Analysis:
    """Describe the network, its layers and its accuracy, with the verdicts of all parts and what was left out."""
    labels = network.labels.cpu().numpy()
    probabilities = network.probabilities().cpu().numpy()
    correct, count = int((probabilities.argmax(axis=1) == labels).sum()), len(labels)
    low, high = stats.binomtest(correct, count).proportion_ci(LEVEL, "wilson")
    sizes = np.bincount(labels, minlength=network.classes)
    with np.errstate(divide="ignore"):
        loss = -np.log(probabilities[np.arange(count), labels])
    error = loss.std(ddof=1) / np.sqrt(count)
    parameters = sum(p.numel() for p in network.model.parameters())
    trainable = sum(p.numel() for p in network.model.parameters() if p.requires_grad)
    facts = {
        "parameters": (f"{parameters:,} ({trainable:,} trainable)", ""),
        "layers looked at": (f"{len(network.layers)} of {len(network.sites)} calls", ""),
        "inputs": (f"{count} points of shape {' × '.join(map(str, network.inputs.shape[1:]))}", ""),
        "classes": (f"{network.classes}, with {sizes.min()} to {sizes.max()} points", ""),
        "accuracy": (f"{correct / count:.1%}", interval_text(100 * low, 100 * high) + " %"),
        "accuracy of the most frequent class": (f"{sizes.max() / count:.1%}", ""),
        "cross-entropy": (
            f"{loss.mean():.3g} nats", interval_text(loss.mean() - 1.96 * error, loss.mean() + 1.96 * error)
        ),
    }  # fmt: skip
    columns = (("", lambda fact: fact[0]), ("value", lambda fact: fact[1][0]), ("95 %", lambda fact: fact[1][1]))
    doubts = [Doubt("left out", text) for text in left_out]
    if network.was_training:
        doubts.append(Doubt("mode", MODE))
    listed = tuple(expectations)
    return Analysis(
        traces={},
        pictures=(),
        tables=(
            *((expectation.table(listed),) if listed else ()),
            table_of("network", "Network and data", "", facts.items(), columns),
            _layers(network),
        ),
        findings=(f"{correct / count:.1%} of {count} points are classified correctly.",),
        doubts=tuple(doubts),
        reading=READING,
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

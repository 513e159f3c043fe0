"""What the thesis states about its four scenarios, as numbers with errors over seeds (Sections 3.1 to 3.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.collapse import gaps
from bridge.collapse import trace as read
from bridge.results.analysis import Column, Table
from bridge.statistics.arrays import Array, mean_and_error

if TYPE_CHECKING:
    import xarray as xr

STRONG, WEAK = "f₊", "f₋"
OVERFITS_AFTER = 10  # epochs, of Section 3.1
CAPTION = (
    "After training; standard errors over seeds. Lead: test accuracy of f₊ minus that of f₋ on the same images, and by "
    "how much the first lead exceeds the second. Rises: of the test loss (nats) since the tenth epoch, also of f₋ on "
    "the first images beyond the second, and of the range of log NC1 over the layers, training images, since before "
    "training. Log NC1: test minus training images. Gaps: Pearson's correlation of compression gap and generalisation "
    "gap over the measured epochs."
)


def lead(strong: xr.Dataset, weak: xr.Dataset) -> Array:
    """Return by how much the first network's final test accuracy exceeds the second's, ``[seed]``."""
    first, second = (read.at(trace, "accuracy", "test") for trace in (strong, weak))
    count = min(len(first), len(second))
    difference: Array = first[:count] - second[:count]
    return difference


def log_nc1_gap(trace: xr.Dataset) -> Array:
    """Return log NC1 of the test images minus that of the training images after training, ``[seed, layer]``."""
    test, train = (np.log(read.at(trace, "nc1", split)) for split in ("test", "train"))
    difference: Array = test - train
    return difference


def trace_ratio(trace: xr.Dataset, split: str = "train", epoch: int | str = "last") -> Array:
    """Return tr Σ_W / tr Σ_B, which also counts directions that do not tell classes apart, ``[seed, layer]``."""
    within, between = (read.at(trace, name, split, epoch) for name in ("within", "between"))
    ratio: Array = within / between
    return ratio


def test_loss_rise(trace: xr.Dataset) -> Array:
    """Return the test loss at the end minus that after the tenth epoch, ``[seed]``; NaN without a later epoch."""
    if OVERFITS_AFTER not in read.measured_epochs(trace, "loss"):
        return np.full(trace.sizes["seed"], np.nan)
    rise = read.at(trace, "loss", "test") - read.at(trace, "loss", "test", OVERFITS_AFTER)
    return np.where(trace["last_epoch"].values > OVERFITS_AFTER, rise, np.nan)


def range_rise(trace: xr.Dataset) -> Array:
    """Return by how much the range of log NC1 over the layers grows by training, training images, ``[seed]``."""
    before, after = (np.ptp(np.log(read.at(trace, "nc1", "train", epoch)), axis=1) for epoch in (0, "last"))
    rise: Array = after - before
    return rise


def table(traces: Mapping[str, xr.Dataset]) -> Table:
    """Return all of these numbers: rows for pairs of networks, for each network, and for every layer of it."""
    rows = [*_leads(traces), *_more_overfitting(traces)]
    for label, trace in traces.items():
        rises = {"test_loss_rise": test_loss_rise(trace), "range_rise": range_rise(trace)}
        rows.append(_row(label, None, rises))
        both = gaps(trace)
        numbers = {"log_nc1_gap": log_nc1_gap(trace), "gap_correlation": both.pearson}
        numbers["log_trace_ratio"] = np.log(trace_ratio(trace))
        for i, layer in enumerate(trace["layer"].values):
            row = _row(label, int(layer), {name: values[:, i] for name, values in numbers.items()})
            rows.append(row | {"dimension": float(trace["features"].values[i]), "dimension_error": 0.0})
    columns = (
        Column("configuration", "configuration"), Column("layer", "layer"), Column("seeds", "seeds"),
        Column("lead", "lead in test accuracy", 3), Column("test_loss_rise", "rise of the test loss", 3),
        Column("range_rise", "rise of the range of log NC1", 3),
        Column("log_nc1_gap", "log NC1, test minus training", 3),
        Column("gap_correlation", "correlation of the gaps", 3),
        Column("log_trace_ratio", "log tr Σ_W / tr Σ_B", 3), Column("dimension", "dimension", 5),
    )  # fmt: skip
    full = tuple({column.key: None for column in columns} | row for row in rows)
    return Table("collapse-statements", "Statements on the scenarios", CAPTION, columns, full)


def _leads(traces: Mapping[str, xr.Dataset]) -> list[dict[str, Any]]:
    found: dict[str, Array] = {}
    for label, trace in traces.items():
        other = label.replace(STRONG, WEAK, 1)
        if label.startswith(STRONG) and other in traces:
            found[label.removeprefix(STRONG).strip()] = lead(trace, traces[other])
    rows = [_row(f"{STRONG} over {WEAK} {images}", None, {"lead": values}) for images, values in found.items()]
    if len(found) == 2:
        (first, one), (second, two) = found.items()
        rows.append(_row(f"lead {first} over lead {second}", None, {"lead": one - two}))
    return rows


def _more_overfitting(traces: Mapping[str, xr.Dataset]) -> list[dict[str, Any]]:
    """Return by how much the test loss of f₋ rises more on the first images than on the second."""
    weak = {label: test_loss_rise(trace) for label, trace in traces.items() if label.startswith(WEAK)}
    if len(weak) != 2:
        return []
    (first, one), (second, two) = weak.items()
    count = min(len(one), len(two))
    return [_row(f"{first} over {second}", None, {"test_loss_rise": one[:count] - two[:count]})]


def _row(label: str, layer: int | None, numbers: Mapping[str, Array]) -> dict[str, Any]:
    finite = {name: values[np.isfinite(values)] for name, values in numbers.items()}
    fewest = min((kept.size for kept in finite.values() if kept.size), default=0)  # those behind every error
    row: dict[str, Any] = {"configuration": label, "layer": layer, "seeds": fewest}
    for name, kept in finite.items():
        mean, error = mean_and_error(kept) if kept.size else (np.nan, np.nan)
        row[name] = float(mean) if np.isfinite(mean) else None
        row[f"{name}_error"] = float(error) if np.isfinite(error) else None
    return row


def findings(traces: Mapping[str, xr.Dataset]) -> tuple[str, ...]:
    """Return one sentence on the leads, and one for each network on tr Σ_W / tr Σ_B beside NC1."""
    sentences = [*leads_in_words(traces)]
    for label, trace in traces.items():
        falls = [
            float(np.exp(np.mean(np.log(values[:, 0]) - np.log(values[:, -1]))))
            for values in (read.at(trace, "nc1", "train"), trace_ratio(trace))
        ]
        sentences.append(
            f"{label}, training images: from the first to the last layer NC1 falls by a factor of {falls[0]:.3g}, tr "
            f"Σ_W / tr Σ_B by {falls[1]:.3g}."
        )
    return tuple(sentences)


def leads_in_words(traces: Mapping[str, xr.Dataset]) -> tuple[str, ...]:
    """Return one sentence on each lead in test accuracy that has an error."""
    return tuple(
        f"{row['configuration']}: {100 * row['lead']:.1f} ± {100 * row['lead_error']:.1f} points of test accuracy."
        for row in _leads(traces)
        if row["lead_error"] is not None
    )

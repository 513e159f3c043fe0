"""What the thesis states about its four scenarios, as numbers with errors over seeds (Sections 3.1 to 3.3)."""

import numpy as np
import xarray as xr

from bridge.collapse import gaps
from bridge.collapse import trace as read
from bridge.results.analysis import Means, Table, Traces, means_table
from bridge.statistics.arrays import Array
from closedform.measured import Measured
from papers.cheong2025 import quantities as q

STRONG, WEAK = "f₊", "f₋"
OVERFITS_AFTER = 10  # epochs, of Section 3.1
COLUMNS = (
    ("lead in test accuracy", q.LEAD), ("rise of the test loss", q.TEST_LOSS_RISE),
    ("rise of the range of log NC1", q.RANGE_RISE), ("log NC1, test minus training", q.LOG_NC1_GAP),
    ("correlation of the gaps", q.GAP_CORRELATION), ("log tr Σ_W / tr Σ_B", q.LOG_TRACE_RATIO),
    ("dimension", q.DIMENSION),
)  # fmt: skip
CAPTION = (
    "After training; standard errors over seeds. Lead: test accuracy of f₊ minus that of f₋ on the same images, and by "
    "how much the first lead exceeds the second. Rises: of the test loss (nats) since the tenth epoch, also of f₋ on "
    "the first images beyond the second, and of the range of log NC1 over the layers, training images, since before "
    "training. Log NC1: test minus training images. Gaps: Pearson's correlation of compression gap and generalisation "
    "gap over the measured epochs."
)


def log_nc1_gap(trace: xr.Dataset) -> Array:
    """Return log NC1 of the test images minus that of the training images after training, ``[seed, layer]``."""
    test, train = (np.log(read.at(trace, "nc1", split)) for split in ("test", "train"))
    return np.asarray(test - train)


def trace_ratio(trace: xr.Dataset, split: str = "train", epoch: int | str = "last") -> Array:
    """Return tr Σ_W / tr Σ_B, which also counts directions that do not tell classes apart, ``[seed, layer]``."""
    within, between = (read.at(trace, name, split, epoch) for name in ("within", "between"))
    return np.asarray(within / between)


def test_loss_rise(trace: xr.Dataset) -> Array:
    """Return the test loss at the end minus that after the tenth epoch, ``[seed]``; NaN without a later epoch."""
    if OVERFITS_AFTER not in read.measured_epochs(trace, "loss"):
        return np.full(trace.sizes["seed"], np.nan)
    rise = read.at(trace, "loss", "test") - read.at(trace, "loss", "test", OVERFITS_AFTER)
    return np.where(trace["last_epoch"].values > OVERFITS_AFTER, rise, np.nan)


def range_rise(trace: xr.Dataset) -> Array:
    """Return by how much the range of log NC1 over the layers grows by training, training images, ``[seed]``."""
    before, after = (
        np.ptp(np.log(read.at(trace, "nc1", "train", epoch)), axis=1) for epoch in (0, "last")
    )
    return np.asarray(after - before)


def table(traces: Traces) -> Table:
    """Return all of these numbers: rows for pairs of networks, for each network, and for every layer of it."""
    rows: list[Means] = []
    rows += [(name, None, {q.LEAD: values}) for name, values in leads(traces).items()]
    rows += [
        (name, None, {q.TEST_LOSS_RISE: values})
        for name, values in _more_overfitting(traces).items()
    ]
    for label, trace in traces.items():
        rows.append(
            (
                label,
                None,
                {q.TEST_LOSS_RISE: test_loss_rise(trace), q.RANGE_RISE: range_rise(trace)},
            )
        )
        of_layers = {q.LOG_NC1_GAP: log_nc1_gap(trace), q.GAP_CORRELATION: gaps(trace).pearson}
        of_layers[q.LOG_TRACE_RATIO] = np.log(trace_ratio(trace))
        for i, layer in enumerate(trace["layer"].values):
            numbers = {quantity: values[:, i] for quantity, values in of_layers.items()}
            rows.append(
                (label, int(layer), numbers | {q.DIMENSION: trace["features"].values[i : i + 1]})
            )
    return means_table(
        "collapse-statements", "Statements on the scenarios", CAPTION, rows, ("configuration", "layer"), COLUMNS
    )  # fmt: skip


def leads(traces: Traces) -> dict[str, Array]:
    """Return the leads of f₊ over f₋, and by how much the first one exceeds the second, ``[seed]``, by name."""
    by_images: dict[str, Array] = {}
    for label, trace in traces.items():
        other = label.replace(STRONG, WEAK, 1)
        if label.startswith(STRONG) and other in traces:
            strong, weak = (
                read.at(network, "accuracy", "test") for network in (trace, traces[other])
            )
            count = min(len(strong), len(weak))
            by_images[label.removeprefix(STRONG).strip()] = strong[:count] - weak[:count]
    named = {f"{STRONG} over {WEAK} {images}": values for images, values in by_images.items()}
    if len(by_images) == 2:
        (first, lead), (second, next_lead) = by_images.items()
        named[f"lead {first} over lead {second}"] = lead - next_lead
    return named


def _more_overfitting(traces: Traces) -> dict[str, Array]:
    """Return by how much the test loss of f₋ rises more on the first images than on the second."""
    weak = {
        label: test_loss_rise(trace) for label, trace in traces.items() if label.startswith(WEAK)
    }
    if len(weak) != 2:
        return {}
    (first, lead), (second, next_lead) = weak.items()
    count = min(len(lead), len(next_lead))
    return {f"{first} over {second}": lead[:count] - next_lead[:count]}


def leads_in_words(traces: Traces) -> tuple[str, ...]:
    """Return one sentence on each lead in test accuracy that has an error."""
    measured_leads = (
        Measured.mean(q.LEAD, name, values) for name, values in leads(traces).items()
    )
    return tuple(
        f"{lead.label}: {100 * lead.value:.1f} ± {100 * lead.error:.1f} points of test accuracy."
        for lead in measured_leads
        if lead is not None and lead.error is not None
    )

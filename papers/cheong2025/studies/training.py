"""Accuracy and loss during training (Figures 1.1 and 3.1), and their final values."""

from collections.abc import Iterator

import numpy as np
from matplotlib.figure import Figure

from bridge.collapse import trace as read
from bridge.plots import style
from bridge.results.analysis import Doubt, Picture, Table, Traces, table_of
from closedform.measured import Measured
from papers.cheong2025 import quantities as q
from papers.cheong2025.studies import panels

ENDS = (
    ("training accuracy", q.TRAINING_ACCURACY, "accuracy", "train"),
    ("training loss", q.TRAINING_LOSS, "loss", "train"),
    ("test accuracy", q.TEST_ACCURACY, "accuracy", "test"),
    ("test loss", q.TEST_LOSS, "loss", "test"),
)  # heading, quantity, variable of the trace, images
CAPTION = "Losses in nats; errors: standard errors over seeds, each a draw of images, weights and batches."


def picture(name: str, traces: Traces, source: str = "") -> Picture:
    """Return the picture of the training of every configuration, under *name*; ``source`` ends its caption."""
    caption = "Accuracy and loss while the networks learn, one curve for each seed; training images solid, test dashed."
    return Picture(name, caption + source, draw(traces))


def draw(traces: Traces) -> Figure:
    """Draw accuracy above loss, a column for each configuration; training data solid, test data dashed."""
    with panels.drawing(traces, ("accuracy", "cross-entropy (nats)")) as (figure, axes):
        for column, (label, trace) in enumerate(traces.items()):
            upper, lower = axes[:, column]
            epoch = trace["epoch"].values
            for split in read.SPLITS:
                measured = trace.sel(split=split)
                for axis, name, tint in (
                    (upper, "accuracy", style.BLUE),
                    (lower, "loss", style.TEAL),
                ):
                    values = measured[name].transpose("seed", "epoch").values
                    panels.curves(axis, epoch, values, color=tint, linestyle=panels.LINES[split])
            panels.finish(upper, panels.title(label, trace))
            panels.finish(lower)
            upper.set_ylim(0, 1.02)
            lower.set_ylim(bottom=0)
        panels.layers_legend(figure, [])
    return figure


def table(traces: Traces) -> Table:
    """Return the final accuracy and loss."""
    return table_of(
        "collapse-training", "Where training ends", CAPTION, traces.items(),
        (
            ("configuration", lambda row: row[0]),
            ("images, training + test", lambda row: " + ".join(f"{read.size_of(row[1], s):,}" for s in read.SPLITS)),
            ("seeds", lambda row: row[1].sizes["seed"]),
            ("last epoch", lambda row: float(np.mean(row[1]["last_epoch"].values))),
            *(
                (head, lambda row, of=(quantity, name, split): Measured.mean(of[0], row[0], read.at(row[1], *of[1:])))
                for head, quantity, name, split in ENDS
            ),
        ),
    )  # fmt: skip


def doubts(traces: Traces) -> Iterator[Doubt]:
    """Yield the settings in which a comparison with the thesis is limited."""
    for label, trace in traces.items():
        train, test = (read.size_of(trace, split) for split in read.SPLITS)
        if train != test:
            yield Doubt(
                label,
                f"{train:,} training and {test:,} test images: NC1 depends on the number of images, so training and "
                "test values are not comparable one to one.",
            )
        note = read.origin_note(trace)
        if note:
            yield Doubt(
                label, f"The data are a {note}, not the whole set that the thesis draws from."
            )
        if trace.sizes["seed"] == 1:
            yield Doubt(label, "One seed: no errors.")

"""Accuracy and loss during training (Figures 1.1 and 3.1), and their final values beside those of the thesis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge import arguments
from bridge.analysis import Column, Doubt, Picture, Table
from bridge.arrays import mean_and_error
from bridge.collapse import trace as read
from bridge.collapse.studies import panels
from bridge.figures import style

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

# Section 3.1 of the thesis: final test accuracy and test loss (nats), 10,000 training images.
PRINTED = {
    ("residual", "cifar10"): (0.753, 0.757),
    ("plain", "cifar10"): (0.626, 1.260),
    ("residual", "fashion_mnist"): (0.910, 0.323),
    ("plain", "fashion_mnist"): (0.884, 0.387),
}
FULL = 10_000
DEPTHS = {"residual": [64, 128, 256], "plain": [16, 32, 64]}


def picture(name: str, traces: Mapping[str, xr.Dataset]) -> Picture:
    """Return the picture of the training of every configuration, under *name*."""
    caption = "Accuracy and loss while the networks learn, one curve for each seed; training images solid, test dashed."
    return Picture(name, caption, draw(traces))


def draw(traces: Mapping[str, xr.Dataset]) -> Figure:
    """Draw accuracy above loss, a column for each configuration; training data solid, test data dashed."""
    with style.context():
        figure, axes = panels.rows_of(traces, 2)
        for column, (label, trace) in enumerate(traces.items()):
            upper, lower = axes[:, column]
            epoch = panels.number_of_epochs(trace)
            for split in read.SPLITS:
                measured = trace.sel(split=split)
                for axis, name, tint in ((upper, "accuracy", style.BLUE), (lower, "loss", style.TEAL)):
                    values = measured[name].transpose("seed", "epoch").values
                    panels.curves(axis, epoch, values, color=tint, linestyle=panels.LINES[split])
            panels.finish(upper, panels.title(label, trace))
            panels.finish(lower)
            upper.set_ylim(0, 1.02)
            lower.set_ylim(bottom=0)
            panels.below(axes[:, column], "epoch")
        axes[0, 0].set_ylabel("accuracy")
        axes[1, 0].set_ylabel("cross-entropy (nats)")
        panels.layers_legend(figure, [])
    return figure


def table(traces: Mapping[str, xr.Dataset]) -> Table:
    """Return the final accuracy and loss, with the thesis' numbers where the settings are its own."""
    rows = tuple(_row(label, trace) for label, trace in traces.items())
    printed = any(row["printed_accuracy"] is not None for row in rows)
    more = (
        (
            Column("printed_accuracy", "thesis: test accuracy", 3),
            Column("printed_loss", "thesis: test loss", 3),
        )
        if printed
        else ()
    )
    columns = (
        Column("configuration", "configuration"), Column("images", "images, training + test"), Column("seeds", "seeds"),
        Column("last_epoch", "last epoch"), Column("train_accuracy", "training accuracy"),
        Column("train_loss", "training loss"), Column("test_accuracy", "test accuracy"),
        Column("test_loss", "test loss"), *more,
    )  # fmt: skip
    caption = "Losses in nats; errors: standard errors over seeds, each a draw of images, weights and batches."
    return Table("collapse-training", "Where training ends", caption, columns, rows)


def doubts(traces: Mapping[str, xr.Dataset]) -> tuple[Doubt, ...]:
    """List the settings in which a comparison with the thesis is limited."""
    listed = []
    for label, trace in traces.items():
        sizes = [read.size_of(trace, split) for split in read.SPLITS]
        if sizes[0] != sizes[1]:
            text = (
                f"{sizes[0]:,} training and {sizes[1]:,} test images: NC1 depends on the number of images, so training "
                "and test values are not comparable one to one."
            )
            listed.append(Doubt(label, "", text))
        if note := read.origin_note(trace):
            listed.append(Doubt(label, "", f"The data are a {note}, not the whole set that the thesis draws from."))
        if trace.sizes["seed"] == 1:
            listed.append(Doubt(label, "", "One seed: no errors."))
    return tuple(listed)


def _row(label: str, trace: xr.Dataset) -> dict[str, Any]:
    config = arguments.attribute(trace, "config")
    row: dict[str, Any] = {
        "configuration": label,
        "images": " + ".join(f"{read.size_of(trace, split):,}" for split in read.SPLITS),
        "seeds": trace.sizes["seed"],
        "last_epoch": float(np.mean(trace["last_epoch"].values)),
    }
    for split in read.SPLITS:
        for name in ("accuracy", "loss"):
            mean, error = mean_and_error(read.at(trace, name, split))
            row[f"{split}_{name}"], row[f"{split}_{name}_error"] = mean, _known(error)
    accuracy, loss = printed(config) or (None, None)
    return row | {"printed_accuracy": accuracy, "printed_loss": loss, "seconds": trace.attrs["wall_seconds"]}


def printed(config: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return the thesis' final test accuracy and loss if ``config`` has its settings, else None."""
    network, dataset = config.get("network", ""), config.get("dataset", "")
    same = config.get("train_size") == FULL and not config.get("random_labels") and config.get("optimiser") == "adamw"
    return PRINTED.get((network, dataset)) if same and config.get("depths") == DEPTHS.get(network) else None


def _known(error: float) -> float | None:
    return error if np.isfinite(error) else None

"""Controls of NC1: imbalanced classes, classes of equal weight, and the ratio of traces, for the same networks."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from bridge.collapse import quantities as q
from bridge.collapse import trace as read
from bridge.collapse.studies import panels, separations, training
from bridge.collapse.studies.statements import trace_ratio
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Table
from bridge.results.analysis import table as table_of
from bridge.results.quantity import Quantity
from bridge.statistics.arrays import Array, mean_and_error
from closedform.measured import Measured

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

METRICS = {
    "nc1": "NC1, classes weighted by size", "nc1_equal": "NC1, classes of equal weight",
    "trace_ratio": r"$\mathrm{tr}\,\Sigma_W / \mathrm{tr}\,\Sigma_B$",
}  # fmt: skip
LOGARITHMS = {"nc1": q.LOG_NC1, "nc1_equal": q.LOG_NC1_EQUAL, "trace_ratio": q.LOG_TRACE_RATIO}
RISES = {"nc1": q.LOG_NC1_RISE, "nc1_equal": q.LOG_NC1_EQUAL_RISE, "trace_ratio": q.LOG_TRACE_RATIO_RISE}
MOMENTS: tuple[tuple[int | str, str], ...] = ((0, "before"), ("last", "after"))
HOW_COMPARED = (
    "The law of equi-separation says that log NC1, or log tr Σ_W / tr Σ_B, falls by the same step from each layer to "
    "the next: the first step is the prediction for the later ones, seed by seed, so that the scatter of the "
    "differences gives the error."
)
CAPTION = (
    "Natural logarithms, means over seeds with standard errors. NC1: tr(Σ_W Σ_B⁺), with the classes in Σ_B weighted by "
    "their numbers of images or equally. Rises: what the second configuration has beyond the first on test images, for "
    "the accuracy in the number itself."
)


def measured(trace: xr.Dataset, metric: str, split: str, epoch: int | str = "last") -> Array:
    """Return the logarithm of a metric at every layer, ``[seed, layer]``."""
    values = trace_ratio(trace, split, epoch) if metric == "trace_ratio" else read.at(trace, metric, split, epoch)
    logarithm: Array = np.log(values)
    return logarithm


def analyse(traces: Mapping[str, xr.Dataset]) -> Analysis:
    """Compare three measures of collapse on networks that learnt balanced and imbalanced classes."""
    checked = {label: read.checked(trace) for label, trace in traces.items()}
    return Analysis(
        traces=checked,
        pictures=(
            Picture(
                "collapse-controls",
                "Three measures of collapse by layer after training, means over seeds with standard errors; training "
                "images solid, test images dashed; dotted: training images before training.",
                draw(checked),
            ),
            training.picture("controls-training", checked),
        ),
        tables=(training.table(checked), table(checked)),
        measured=(
            *separations.later_steps(checked),
            *separations.later_steps(checked, trace_ratio, q.LATER_TRACE_STEP),
        ),
        how_compared=HOW_COMPARED,
        findings=(*(_finding(label, trace) for label, trace in checked.items()), *_rises_in_words(checked)),
        doubts=training.doubts(checked),
        reading={
            "Weights of the classes": "Σ_B averages over classes. With equal classes all weights agree; with "
            "imbalanced ones NC1 by numbers of images follows the frequent classes, NC1 with equal weights all alike.",
            "Ratio of traces": "tr Σ_W / tr Σ_B also counts scatter in directions that do not tell classes apart.",
        },
    )


def draw(traces: Mapping[str, xr.Dataset]) -> Figure:
    """Draw a panel for each measure, with a colour for each configuration."""
    from matplotlib.lines import Line2D

    some = {
        name: words
        for name, words in METRICS.items()
        if all(name in t or name == "trace_ratio" for t in traces.values())
    }
    with style.context():
        figure, axes = style.grid(1, len(some), size=(2.9, 2.5))
        for axis, (metric, words) in zip(axes[0], some.items(), strict=True):
            for tint, trace in zip(style.COLOURS, traces.values(), strict=False):
                layer = trace["layer"].values
                for split in read.SPLITS:
                    mean, error = mean_and_error(measured(trace, metric, split))
                    axis.errorbar(
                        layer, np.exp(mean), yerr=np.exp(mean) * np.nan_to_num(error), color=tint, capsize=2,
                        linestyle=panels.LINES[split], marker=panels.MARKERS[split], markersize=4,
                    )  # fmt: skip
                before = np.exp(measured(trace, metric, "train", 0).mean(0))
                axis.plot(layer, before, color=tint, linestyle=":", linewidth=1)
            panels.finish(axis, words)
            layout.logarithmic(axis)
            axis.set_xlabel("layer")
        handles = [Line2D([], [], color=tint, label=label) for tint, label in zip(style.COLOURS, traces, strict=False)]
        handles += [
            Line2D([], [], color=style.INK, linestyle=panels.LINES[split], marker=panels.MARKERS[split], label=name)
            for split, name in (("train", "training images"), ("test", "test images"))
        ]
        handles.append(Line2D([], [], color=style.INK, linestyle=":", label="before training"))
        figure.legend(handles=handles, loc="outside upper center", ncols=len(handles))
    return figure


def table(traces: Mapping[str, xr.Dataset]) -> Table:
    """Return the logarithm of every measure at every layer, and what one configuration has beyond another."""
    rows: list[tuple[str, int, Mapping[Quantity, Array]]] = []
    for label, trace in traces.items():
        for split in read.SPLITS:
            numbers = {LOGARITHMS[name]: measured(trace, name, split) for name in _present(trace)}
            rows += [
                (f"{label}, {split}", int(layer), {quantity: values[:, i] for quantity, values in numbers.items()})
                for i, layer in enumerate(trace["layer"].values)
            ]
    for (first, one), (second, two) in pairwise(traces.items()):
        rises = {RISES[name]: rise(one, two, name) for name in _present(one) if name in _present(two)}
        rises[q.ACCURACY_RISE] = read.at(two, "accuracy", "test") - read.at(one, "accuracy", "test")
        rows.append((f"{second} over {first}", int(one["layer"].values[-1]), rises))
    return table_of(
        "collapse-controls", "Three measures of collapse", CAPTION, rows,
        (
            ("configuration", lambda row: row[0]),
            ("layer", lambda row: row[1]),
            *(
                (quantity.name.replace("_", " "), lambda row, quantity=quantity: _mean(quantity, *row))
                for quantity in (*LOGARITHMS.values(), *RISES.values(), q.ACCURACY_RISE)
            ),
        ),
    )  # fmt: skip


def _mean(quantity: Quantity, label: str, layer: int, numbers: Mapping[Quantity, Array]) -> Measured | None:
    return Measured.mean(quantity, f"{label}, layer {layer}", numbers[quantity]) if quantity in numbers else None


def rise(one: xr.Dataset, two: xr.Dataset, metric: str) -> Array:
    """Return by how much the logarithm of a measure rises from trace to trace, last layer, test images, ``[seed]``."""
    difference: Array = measured(two, metric, "test")[:, -1] - measured(one, metric, "test")[:, -1]
    return difference


def _present(trace: xr.Dataset) -> list[str]:
    return [name for name in METRICS if name in trace or name == "trace_ratio"]


def _finding(label: str, trace: xr.Dataset) -> str:
    """State how far each measure falls from the first to the last layer."""
    falls = []
    for name in _present(trace):
        values = measured(trace, name, "train")
        mean, error = mean_and_error(values[:, 0] - values[:, -1])
        falls.append(f"{name.replace('_', ' ')} by {mean:.2f}" + (f" ± {error:.2f}" if np.isfinite(error) else ""))
    return f"{label}, training images: from the first to the last layer the logarithms fall, {', '.join(falls)}."


def _rises_in_words(traces: Mapping[str, xr.Dataset]) -> list[str]:
    sentences = []
    for (first, one), (second, two) in pairwise(traces.items()):
        parts = []
        for name in _present(one):
            if name in _present(two):
                mean, error = mean_and_error(rise(one, two, name))
                parts.append(
                    f"{name.replace('_', ' ')} {mean:+.2f}" + (f" ± {error:.2f}" if np.isfinite(error) else "")
                )
        sentences.append(f"{second} against {first}, last layer, test images: in logarithms {', '.join(parts)}.")
    return sentences

"""Controls of NC1: imbalanced classes, classes of equal weight, and the ratio of traces, for the same networks."""

from itertools import pairwise

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.collapse import trace as read
from bridge.collapse.separation import over_seeds
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Means, Picture, Table, Traces, means_table
from bridge.statistics.arrays import Array, mean_and_error
from papers.cheong2025 import quantities as q
from papers.cheong2025.studies import panels, separations, training
from papers.cheong2025.studies.statements import trace_ratio

METRICS = {
    "nc1": "NC1, classes weighted by size", "nc1_equal": "NC1, classes of equal weight",
    "trace_ratio": r"$\mathrm{tr}\,\Sigma_W / \mathrm{tr}\,\Sigma_B$",
}  # fmt: skip
LOGARITHMS = {"nc1": q.LOG_NC1, "nc1_equal": q.LOG_NC1_EQUAL, "trace_ratio": q.LOG_TRACE_RATIO}
RISES = {
    "nc1": q.LOG_NC1_RISE,
    "nc1_equal": q.LOG_NC1_EQUAL_RISE,
    "trace_ratio": q.LOG_TRACE_RATIO_RISE,
}
CAPTION = (
    "Natural logarithms, means over seeds with standard errors. NC1: tr(Σ_W Σ_B⁺), with the classes in Σ_B weighted by "
    "their numbers of images or equally. Rises: what the second configuration has beyond the first on test images, for "
    "the accuracy in the number itself."
)


def measured(trace: xr.Dataset, metric: str, split: str, epoch: int | str = "last") -> Array:
    """Return the logarithm of a metric at every layer, ``[seed, layer]``."""
    values = (
        trace_ratio(trace, split, epoch)
        if metric == "trace_ratio"
        else read.at(trace, metric, split, epoch)
    )
    return np.asarray(np.log(values))


def analyse(traces: Traces) -> Analysis:
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
        how_compared=separations.HOW_COMPARED,
        findings=tuple(_finding(label, trace) for label, trace in checked.items()),
        doubts=tuple(training.doubts(checked)),
        reading={
            "Weights of the classes": "Σ_B averages over classes. With equal classes all weights agree; with "
            "imbalanced ones NC1 by numbers of images follows the frequent classes, NC1 with equal weights all alike.",
            "Ratio of traces": "tr Σ_W / tr Σ_B also counts scatter in directions that do not tell classes apart.",
        },
    )


def draw(traces: Traces) -> Figure:
    """Draw a panel for each measure, with a colour for each configuration."""
    in_all = set.intersection(*(set(_present(trace)) for trace in traces.values()))
    some = {name: words for name, words in METRICS.items() if name in in_all}
    with layout.drawing(1, len(some), x="layer", size=(2.9, 2.5)) as (figure, axes):
        for axis, (metric, words) in zip(axes[0], some.items(), strict=True):
            for tint, trace in zip(style.COLOURS, traces.values(), strict=False):
                layer = trace["layer"].values
                for split in read.SPLITS:
                    mean, error = mean_and_error(measured(trace, metric, split))
                    look = {
                        "color": tint,
                        "linestyle": panels.LINES[split],
                        "marker": panels.MARKERS[split],
                    }
                    style.with_errors(axis, layer, np.exp(mean), np.exp(mean) * error, **look)
                before = np.exp(measured(trace, metric, "train", 0).mean(0))
                axis.plot(layer, before, color=tint, linestyle=":", linewidth=1)
            panels.finish(axis, words)
            layout.logarithmic(axis)
        entries = [
            style.entry(label, color=tint)
            for tint, label in zip(style.COLOURS, traces, strict=False)
        ]
        entries += [
            style.entry(
                panels.IMAGES[split], color=style.INK, linestyle=line, marker=panels.MARKERS[split]
            )
            for split, line in panels.LINES.items()
        ]
        style.legend(
            figure, [*entries, style.entry("before training", color=style.INK, linestyle=":")]
        )
    return figure


def table(traces: Traces) -> Table:
    """Return the logarithm of every measure at every layer, and what one configuration has beyond another."""
    rows: list[Means] = []
    for label, trace in traces.items():
        for split in read.SPLITS:
            numbers = {LOGARITHMS[name]: measured(trace, name, split) for name in _present(trace)}
            for i, layer in enumerate(trace["layer"].values):
                of_layer = {quantity: values[:, i] for quantity, values in numbers.items()}
                rows.append((f"{label}, {split}", int(layer), of_layer))
    for (first, earlier), (second, later) in pairwise(traces.items()):
        rises = {
            RISES[name]: rise(earlier, later, name)
            for name in _present(earlier)
            if name in _present(later)
        }
        rises[q.ACCURACY_RISE] = read.at(later, "accuracy", "test") - read.at(
            earlier, "accuracy", "test"
        )
        rows.append((f"{second} over {first}", int(earlier["layer"].values[-1]), rises))
    columns = (*LOGARITHMS.values(), *RISES.values(), q.ACCURACY_RISE)
    return means_table(
        "collapse-controls", "Three measures of collapse", CAPTION, rows, ("configuration", "layer"),
        [(quantity.name.replace("_", " "), quantity) for quantity in columns],
    )  # fmt: skip


def rise(one: xr.Dataset, two: xr.Dataset, metric: str) -> Array:
    """Return by how much the logarithm of a measure rises from trace to trace, last layer, test images, ``[seed]``."""
    return np.asarray(measured(two, metric, "test")[:, -1] - measured(one, metric, "test")[:, -1])


def _present(trace: xr.Dataset) -> list[str]:
    return [name for name in METRICS if name in trace or name == "trace_ratio"]


def _finding(label: str, trace: xr.Dataset) -> str:
    falls = []
    for name in _present(trace):
        values = measured(trace, name, "train")
        falls.append(f"{name.replace('_', ' ')} by {over_seeds(values[:, 0] - values[:, -1])}")
    return f"{label}, training images: from the first to the last layer the logarithms fall, {', '.join(falls)}."

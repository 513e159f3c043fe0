"""The hypothesis test as a figure and as a table: rank correlations along lines, with intervals over networks."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.plots import layout, style
from bridge.results.analysis import Table, Traces, table_of
from bridge.statistics.arrays import NestedMean, nested_mean
from papers.zavatoneveth2023 import quantities as q
from papers.zavatoneveth2023.studies.images import drawing
from papers.zavatoneveth2023.studies.images.hypothesis import Correlation, along_lines

# The correlations: key -> (label of the axis, heading of the column, arguments of along_lines).
CASES: Mapping[str, tuple[str, str, Mapping[str, Any]]] = {
    "trained": ("trained", "entropy", {"kind": "different", "against": "entropy"}),
    "beyond": (
        "trained, position\nheld fixed", "entropy, position held fixed",
        {"kind": "different", "against": "entropy", "beyond": True},
    ),
    "nearness": ("trained, nearness\nto boundary", "nearness", {"kind": "different", "against": "nearness"}),
    "untrained": (
        "untrained volume,\ntrained entropy", "untrained volume element, trained entropy",
        {"kind": "different", "against": "entropy", "snapshot": 0, "decided_at": -1},
    ),
    "same": ("trained, ends of\none class", "entropy, lines within a class", {"kind": "same", "against": "entropy"}),
}  # fmt: skip
ON_SPHERE: Mapping[str, tuple[str, str, Mapping[str, Any]]] = {
    "sphere": (
        "trained, metric\nof the sphere", "entropy, metric of the sphere",
        {"kind": "different", "against": "entropy", "on_sphere": True},
    ),
    "sphere_beyond": (
        "sphere, position\nheld fixed", "entropy, metric of the sphere, position held fixed",
        {"kind": "different", "against": "entropy", "on_sphere": True, "beyond": True},
    ),
}  # fmt: skip
QUANTITIES = {
    "trained": q.TRAINED, "beyond": q.BEYOND, "nearness": q.NEARNESS, "untrained": q.UNTRAINED, "same": q.SAME,
    "sphere": q.SPHERE, "sphere_beyond": q.SPHERE_BEYOND,
}  # fmt: skip
MARKS = ("o", "s", "^", "D")


def measured(trace: xr.Dataset) -> dict[str, Correlation]:
    """Compute every case of :data:`CASES`, and of :data:`ON_SPHERE` if that was measured, for one configuration."""
    cases = {**CASES, **ON_SPHERE} if "line_sphere_log_volume" in trace else CASES
    return {key: along_lines(trace, **how) for key, (_, _, how) in cases.items()}


def _shown(
    by_label: Mapping[str, Mapping[str, Correlation]],
) -> dict[str, tuple[str, str, Mapping[str, Any]]]:
    """Return the cases that were measured for all configurations."""
    in_all = set.intersection(*(set(cases) for cases in by_label.values()))
    return {key: case for key, case in {**CASES, **ON_SPHERE}.items() if key in in_all}


def draw(by_label: Mapping[str, Mapping[str, Correlation]], traces: Traces) -> Figure:
    """Draw the correlation of every line as a dot, and the mean over networks with its 95 % interval next to it."""
    shown = _shown(by_label)
    with layout.drawing(y="rank correlation along a line", size=(1.5 * len(shown), 2.8)) as (
        figure,
        axes,
    ):
        axis = axes[0, 0]
        axis.axhline(0, color=style.INK, linewidth=0.8)
        step = 0.8 / len(by_label)
        entries = []
        for i, (label, cases) in enumerate(by_label.items()):
            colour, mark = style.COLOURS[i % len(style.COLOURS)], MARKS[i % len(MARKS)]
            entries.append(style.entry(label, color=colour, marker=mark))
            for j, correlation in enumerate(cases[key] for key in shown):
                x = j + (i - (len(by_label) - 1) / 2) * step
                dots = correlation.values[np.isfinite(correlation.values)]
                spread = np.linspace(-0.22, 0.02, len(dots)) * step
                axis.plot(
                    x + spread,
                    dots,
                    mark,
                    color=colour,
                    markersize=2.6,
                    alpha=0.45,
                    linestyle="none",
                )
                x += 0.2 * step
                if np.isfinite(correlation.low):
                    axis.plot(
                        [x, x], [correlation.low, correlation.high], color=colour, linewidth=1.6
                    )
                axis.plot(
                    x, correlation.mean, mark, color=colour, markersize=6.5, linestyle="none"
                )
        axis.set_xticks(range(len(shown)), [words for words, _, _ in shown.values()])
        axis.grid(visible=False, axis="x")
        axis.set_ylim(-1.05, 1.05)
        drawing.finish(figure, traces, entries=entries)
    return figure


def table(by_label: Mapping[str, Mapping[str, Correlation]], traces: Traces) -> Table:
    """Return the correlations with their intervals, one row for each configuration."""
    shown = _shown(by_label)
    return table_of(
        "geometry-correlations",
        "Volume element against uncertainty along lines",
        "Spearman's rank correlation of log √det g with the entropy of the prediction (or with minus the distance to "
        "the decision boundary, to first order); means over networks with standard errors over networks and lines, "
        "none below three networks, and 95 % intervals of Student's t.",
        by_label,
        (
            ("configuration", lambda label: label),
            ("networks", lambda label: traces[label].sizes["seed"]),
            ("training accuracy", lambda label: _accuracy(traces[label], "train").of(q.TRAINING_ACCURACY, label)),
            ("test accuracy", lambda label: _accuracy(traces[label], "test").of(q.TEST_ACCURACY, label)),
            ("gain in test accuracy by training", lambda label: _gain(traces[label]).of(q.ACCURACY_GAIN, label)),
            *(
                (head, lambda label, key=key: by_label[label][key].over_networks.of(QUANTITIES[key], label))
                for key, (_, head, _) in shown.items()
            ),
            *(
                (f"95 % of {head}", lambda label, key=key: by_label[label][key].shown)
                for key, (_, head, _) in shown.items()
            ),
        ),
    )  # fmt: skip


def _accuracy(trace: xr.Dataset, split: str) -> NestedMean:
    return nested_mean(trace["accuracy"].isel(snapshot=-1).sel(split=split).values[:, None])


def _gain(trace: xr.Dataset) -> NestedMean:
    return nested_mean(
        trace["accuracy"].sel(split="test").isel(snapshot=[0, -1]).diff("snapshot").values
    )

"""The law of equal steps as a figure, a table and comparisons (Figure 3.4 and beyond)."""

from collections.abc import Callable
from itertools import pairwise, product
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.collapse import Separation, equiseparation, through_training
from bridge.collapse import trace as read
from bridge.plots import style
from bridge.results.analysis import Table, Traces, table_of, with_verdict
from bridge.statistics.arrays import Array
from closedform.measured import Measured
from papers.cheong2025 import quantities as q
from papers.cheong2025.studies import panels
from papers.cheong2025.studies.profiles import MOMENTS

HOW_COMPARED = (
    "The law of equi-separation says that log NC1, or log tr Σ_W / tr Σ_B, falls by the same step from each layer to "
    "the next: the first step is the prediction for the later ones, seed by seed, so that the scatter of the "
    "differences gives the error."
)
LEAST = np.sqrt(0.75)  # smallest |r| of three layers with a decreasing profile
CAPTION = (
    "Above: Pearson's r between log NC1 and the layer while the networks learn (−1: falls by equal factors), one curve "
    "for each seed; shaded: where any profile of three layers that falls at every step lies. Below: by how much log "
    "NC1 changes from layer to layer after training, every seed (small) and the mean with its standard error; equal "
    "steps would lie on a horizontal line. Training images solid, test images dashed. As Figure 3.4 of the thesis."
)


def draw(traces: Traces) -> Figure:
    """Draw Figure 3.4: r against the epoch, and the steps after training."""
    with panels.drawing(traces, ("r of log NC1 and layer", "step of log NC1"), x="") as (
        figure,
        axes,
    ):
        for column, (label, trace) in enumerate(traces.items()):
            upper, lower = axes[:, column]
            if trace.sizes["layer"] == 3:
                upper.axhspan(-1, -LEAST, color=style.INK, alpha=0.08, linewidth=0)
            for split, tint in panels.TINTS.items():
                epoch, r = through_training(trace, split)
                panels.curves(upper, epoch, r, color=tint, linestyle=panels.LINES[split])
                _steps(lower, trace, split)
            panels.finish(upper, panels.title(label, trace))
            upper.set(ylim=(-1.05, 1.05), xlabel="epoch")
            panels.finish(lower)
            layers = trace["layer"].values
            lower.set_xticks(layers[:-1], [f"{a} → {b}" for a, b in pairwise(layers)])
            lower.set_xlabel("layers")
            lower.margins(x=0.25)
        style.legend(
            figure, [style.entry(panels.IMAGES[split], **_look(split)) for split in panels.TINTS]
        )
    return figure


def _steps(axes: Any, trace: xr.Dataset, split: str) -> None:
    """Draw the log-ratios after training: every seed, and their mean."""
    law = equiseparation(trace, split)
    layer = trace["layer"].values[:-1] + (0.06 if split == "test" else -0.06)
    mean, error = law.steps
    axes.plot(
        layer,
        law.log_ratios.T,
        color=panels.TINTS[split],
        marker=".",
        markersize=3,
        linewidth=0,
        alpha=0.6,
    )
    style.with_errors(axes, layer, mean, error, **_look(split))


def _look(split: str) -> dict[str, Any]:
    return {
        "color": panels.TINTS[split],
        "linestyle": panels.LINES[split],
        "marker": panels.MARKERS[split],
    }


def table(traces: Traces) -> Table:
    """Return r, its probabilities by chance, the steps, and whether they are equal."""
    rows = [
        (f"{label}, {split}, {when}", label, split, when, equiseparation(trace, split, epoch))
        for (label, trace), split, (epoch, when) in product(traces.items(), read.SPLITS, MOMENTS)
    ]
    steps = range(max(int(trace.sizes["layer"]) for trace in traces.values()) - 1)
    caption = (
        "Steps are natural logarithms of NC1 over that of the layer before; standard errors over seeds. Chance: "
        "probability of so large an |r| for layers without any trend, and for profiles that go one way by random "
        "amounts (medians over seeds); p: Student's t over the seeds."
    )
    return table_of(
        "collapse-separation", "Equal steps", caption, rows,
        (
            ("configuration", lambda row: row[1]),
            ("images", lambda row: row[2]),
            ("when", lambda row: row[3]),
            ("$r$", lambda row: Measured.mean(q.CORRELATION, row[0], row[4].r)),
            ("chance, no trend", lambda row: _median(row[4].chance)),
            ("chance, one way", lambda row: _median(row[4].chance_if_falling)),
            *((f"step {i + 1} to {i + 2}", lambda row, i=i: _step_of(row[0], row[4], i)) for i in steps),
            ("difference of steps", lambda row: _bend(row[0], row[4])),
            ("p of equal steps", lambda row: row[4].p_equal if np.isfinite(row[4].p_equal) else None),
        ),
    )  # fmt: skip


def _step_of(label: str, law: Separation, i: int) -> Measured | None:
    if i >= law.log_ratios.shape[1]:
        return None
    return Measured.mean(q.STEP, f"{label}, step {i + 1}", law.log_ratios[:, i])


def _bend(label: str, law: Separation) -> Measured | None:
    value, error = law.bend
    is_known = np.isfinite(error) and error > 0
    return (
        Measured(q.BEND, label, value, error, len(law.r))
        if is_known and np.isfinite(value)
        else None
    )


def _median(values: Array) -> float | None:
    return float(np.nanmedian(values)) if np.isfinite(values).any() else None


def nc1(trace: xr.Dataset, split: str) -> Array:
    """Return NC1 after training, ``[seed, layer]``."""
    return read.at(trace, "nc1", split)


def later_steps(
    traces: Traces, metric: Callable[[xr.Dataset, str], Array] = nc1, quantity: str = q.LATER_STEP
) -> tuple[Measured, ...]:
    """Compare each later step of a ``metric`` of collapse with the first one after training, as the law claims."""
    comparisons = []
    for label, trace in traces.items():
        for split in read.SPLITS:
            steps = equiseparation(metric(trace, split)).log_ratios
            first = float(steps[:, 0].mean())
            for i in range(1, steps.shape[1]):
                later = first + steps[:, i] - steps[:, 0]
                comparisons.append(
                    Measured.mean(quantity, f"{label}, {split}, step {i + 1}", later, first)
                )
    return with_verdict(comparisons)

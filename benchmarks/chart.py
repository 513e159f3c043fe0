"""The chart of ``docs/benchmarks.md``: by how much this package is faster than the fastest alternative, job by job."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure
from page import BEHIND, verdict

from bridge.plots import style

WIDTH, LINE = 5.0, 0.42  # inches: width of the chart, height of a line with its name above it


def groups(rows: list[dict]) -> dict[str, list[dict]]:
    """Return the rows that have a ratio, by the part of their job before the first comma."""
    found: dict[str, list[dict]] = {}
    for row in rows:
        if row.get("ratio") is not None:
            found.setdefault(row["job"].partition(", ")[0].replace("`", ""), []).append(row)
    return found


def draw(rows: list[dict]) -> Figure:
    """Return the chart, whose names stand above their lines, so that it can be read on a narrow screen.

    Args:
        rows: rows of the table of benchmarks, as in its JSON file.
    """
    lines = groups(rows)
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "benchmarks", "font.size": 9}):
        figure = Figure(figsize=(WIDTH, LINE * len(lines) + 0.8))
        axes = figure.subplots()
        for place, (name, members) in enumerate(lines.items()):
            axes.axhline(-place, color=style.INK, linewidth=0.4, alpha=0.25)
            axes.text(0.0, 0.2 - place, name, transform=axes.get_yaxis_transform(), fontsize=8)
            for row in members:
                is_reached = BEHIND not in verdict(row)
                face = style.TEAL if is_reached else "white"
                edge = style.TEAL if is_reached else style.ORANGE
                axes.plot(
                    row["ratio"],
                    -place,
                    "o",
                    markersize=5,
                    markerfacecolor=face,
                    markeredgecolor=edge,
                )
        axes.axvline(1, color=style.INK, linewidth=1)
        axes.set(xscale="log", ylim=(-len(lines) + 0.5, 0.8), yticks=[])
        axes.set_xlabel("times faster than the fastest alternative (below 1: slower)")
        axes.spines[["left", "right", "top"]].set_visible(False)
        ticks = [tick for tick in (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30) if _within(tick, axes)]
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.minorticks_off()
        figure.tight_layout(pad=0.4)
        return figure


def _within(tick: float, axes: mpl.axes.Axes) -> bool:
    low, high = axes.get_xlim()
    return low <= tick <= high


def write(rows: list[dict], path: Path) -> None:
    """Write the chart as SVG on white, with letters as text and the same bytes for the same numbers."""
    figure = draw(rows)
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "benchmarks"}):
        figure.savefig(path, facecolor="white", metadata={"Date": None, "Creator": None})

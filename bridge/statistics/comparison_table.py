"""Comparisons as a text table of at most 100 columns, which shows each verdict with the numbers behind it."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import numpy as np

from closedform.verdicts import DISAGREES

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from bridge.statistics.comparison import Comparison

WIDTH = 100
NAME_WIDTH = 17
COLUMNS = ("predicted", "measured", "error", "z", "limit", "repetitions", "resolution", "verdict")
HEADS = f"{'predicted':>12}{'measured':>12}{'error':>10}{'z':>7}{'limit':>7}{'n':>5}{'resolution':>12}  verdict"
SKEWED = 0.4  # relative scatter of positive repetitions beyond which skewness reduces the coverage of the interval
SKEWED_NOTE = (
    "note: positive repetitions that scatter by {:.0%} of their mean may be skewed; if they scatter by factors,\n"
    "      two-sigma intervals cover as little as 83 %: compare their logarithms with that of the prediction"
)


def write(comparison: Comparison) -> str:
    """Return the table, in which ``n`` is the number of repetitions behind the error, or a dash for a known error."""
    width = min(max([len(name) for name in comparison.names] or [0]), NAME_WIDTH)
    lines = [" " * width + HEADS, *(_row(single, width) for single in comparison)]
    if comparison.predicted.size > 1:
        disagreeing = int((np.asarray(comparison.verdict) == DISAGREES).sum())
        lines.append(
            f"joint verdict: {comparison.overall} ({disagreeing} of {comparison.predicted.size} beyond their own limit)"
        )
    else:
        lines += textwrap.wrap(next(iter(comparison)).why, WIDTH, subsequent_indent="  ")
    return "\n".join(
        lines + ([SKEWED_NOTE.format(comparison.relative_deviation)] if comparison.relative_deviation > SKEWED else [])
    )


def _row(single: Comparison, width: int) -> str:
    name = single.names[0][:width] if single.names else ""
    count = f"{single.repetitions:.3g}" if np.isfinite(single.repetitions) else "-"
    return (
        f"{name:{width}}{single.predicted:12.6g}{single.measured:12.6g}{single.error:10.2g}{single.z:7.2f}"
        f"{single.limit:7.2f}{count:>5}{single.resolution:12.2g}  {single.verdict}"
    )


def frame(comparison: Comparison) -> pd.DataFrame:
    """Return the table as a DataFrame, one row for each comparison."""
    import pandas as pd

    names = comparison.names or tuple(str(index) for index in range(comparison.predicted.size))
    values = {
        name: np.ravel(np.broadcast_to(getattr(comparison, name), comparison.predicted.shape)) for name in COLUMNS
    }
    return pd.DataFrame({"name": names, **values})


def draw(comparison: Comparison, ax: Axes) -> None:
    """Draw measurements with their errors, and predictions as dashes."""
    from bridge.plots import style

    table = frame(comparison)
    place = np.arange(len(table))
    ax.errorbar(place, table["measured"], yerr=table["error"], fmt="o", color=style.BLUE, label="measured")
    ax.plot(place, table["predicted"], "_", color=style.INK, markersize=14, label="predicted")
    ax.set_xticks(place, list(table["name"]), rotation=45, ha="right")
    ax.legend(frameon=False)

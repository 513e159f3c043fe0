"""Comparisons as a text table that fits into 100 columns: every verdict with what it follows from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bridge.verdicts import DISAGREES

if TYPE_CHECKING:
    from bridge.comparison import Comparison

NAME_WIDTH = 17
HEADS = f"{'predicted':>12}{'measured':>12}{'error':>10}{'z':>7}{'limit':>7}{'n':>5}{'resolution':>12}  verdict"
SKEWED = 0.4  # relative scatter of positive repetitions from which on skewness costs coverage
SKEWED_NOTE = (
    "note: positive repetitions that scatter by {:.0%} of their mean may be skewed; if they scatter by factors,\n"
    "      two-sigma intervals cover as little as 83 %: compare their logarithms with that of the prediction"
)


def write(comparison: Comparison) -> str:
    """The table; ``n`` is the number of repetitions behind the error, a dash where the error is known."""
    width = min(max([len(name) for name in comparison.names] or [0]), NAME_WIDTH)
    lines = [" " * width + HEADS, *(_row(each, width) for each in comparison)]
    if comparison.predicted.size > 1:
        far = int((np.asarray(comparison.verdict) == DISAGREES).sum())
        lines.append(
            f"all together: {comparison.overall} ({far} of {comparison.predicted.size} beyond their own limit)"
        )
    else:
        lines.append(next(iter(comparison)).why)
    return "\n".join(lines + ([SKEWED_NOTE.format(comparison.scatter)] if comparison.scatter > SKEWED else []))


def _row(single: Comparison, width: int) -> str:
    name = single.names[0][:width] if single.names else ""
    count = f"{single.repetitions:.3g}" if np.isfinite(single.repetitions) else "-"
    return (
        f"{name:{width}}{single.predicted:12.6g}{single.measured:12.6g}{single.error:10.2g}{single.z:7.2f}"
        f"{single.limit:7.2f}{count:>5}{single.resolution:12.2g}  {single.verdict}"
    )

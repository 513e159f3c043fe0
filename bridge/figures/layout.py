"""The layout of figures with many panels: rows of panels, logarithmic axes, shared labels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from bridge.figures import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 4


def rows_of_panels(
    count: int, columns: int = COLUMNS, *, at_least: int = 1, size: tuple[float, float] = style.PANEL, **options: Any
) -> tuple[Figure, Any]:
    """Return a figure with ``count`` panels in rows of nearly equal length; call it within the context of the style.

    Args:
        count: number of panels.
        columns: largest number of columns.
        at_least: smallest number of rows. Default: 1.
        size: width and height of a panel, inches.
        options: options of matplotlib's ``subplots``.

    Returns:
        The figure and its axes ``[row, column]``; those after the first ``count`` are not visible.
    """
    rows = max(at_least, -(-count // columns))
    figure, axes = style.grid(rows, -(-count // rows), size=size, **options)
    for spare in axes.flat[count:]:
        spare.set_visible(False)
    return figure, axes


def logarithmic(axes: Any) -> None:
    """Make the ordinate logarithmic, with few labels; call it when everything is drawn."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_yscale("log")
    low, high = axes.get_ylim()
    wide = math.log10(high / low) > 2
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0,) if wide else (1.0, 2.0, 5.0), numticks=12))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def label_outer(figure: Figure, x: str, y: str) -> None:
    """Put one label below all panels and one to their left."""
    figure.supxlabel(x, fontsize=9)
    figure.supylabel(y, fontsize=9)

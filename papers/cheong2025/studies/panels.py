"""Parts that the figures of collapse share: colours of layers, curves of seeds, titles that describe the data."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import xarray as xr
from matplotlib import colormaps
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from bridge.collapse import trace as read
from bridge.plots import layout, style
from bridge.statistics.arrays import Array

# distinguishable with common kinds of colour blindness
FEW = (style.BLUE, style.ORANGE, style.TEAL, style.PURPLE)
INPUT = "#7d8590"  # layer 0, the images themselves
LINES: Mapping[str, Any] = {"train": "-", "test": (0, (4, 1.6))}
MARKERS = {"train": "o", "test": "s"}
IMAGES = {"train": "training images", "test": "test images"}
TINTS = {"train": style.BLUE, "test": style.ORANGE}
SIZE = (2.9, 2.25)  # of a panel, inches
SPARSE, ENDS = (
    12,
    3,
)  # measured epochs of a curve, below which each is marked, and below which they have no line
ACROSS = 2  # configurations side by side, so that a narrow page shows them


def colours(count: int) -> Sequence[Any]:
    """Return one colour for each of ``count`` layers; deeper layers have later colours."""
    return (
        FEW[:count]
        if count <= len(FEW)
        else [colormaps["viridis"](x) for x in np.linspace(0.05, 0.85, count)]
    )


def title(label: str, trace: xr.Dataset) -> str:
    """Return the label of a configuration, with signs that a small picture shows and a note where data are a subset."""
    note = read.origin_note(trace)
    label = label.replace("f₊", "$f_{+}$").replace("f₋", "$f_{-}$")
    return f"{label}\n({note})" if note else label


def curves(axes: Any, x: Array, values: Array, **options: Any) -> None:
    """Draw one curve for each seed, ``values [seed, x]``, where the values are finite.

    Few of them are marked, and two have no line, which would be a course that nobody has measured.
    """
    for row in values:
        is_finite = np.isfinite(row)
        count = int(is_finite.sum())
        look = {"linewidth": 1.2, "alpha": 0.8} | options
        look |= {"marker": ".", "markersize": 4} if count < SPARSE else {}
        look |= {"linestyle": "none"} if count < ENDS else {}
        axes.plot(x[is_finite], row[is_finite], **look)


def finish(axes: Any, text: str = "", *, integers: bool = True) -> None:
    """Set the title, the margins and few ticks."""
    if text:
        axes.set_title(text)
    axes.margins(x=0.03)
    if integers:
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))


def layers_legend(figure: Figure, layers: Iterable[int], *more: Any) -> None:
    """Draw one legend above all panels: layers by colour, training and test data by line style."""
    numbers = [*layers]
    tints = zip(numbers, colours(len(numbers)), strict=True)
    entries = [style.entry(f"layer {layer}", color=tint) for layer, tint in tints]
    splits = [style.entry(split, color=style.INK, linestyle=LINES[split]) for split in read.SPLITS]
    style.legend(figure, entries, [*splits, *more])


@contextmanager
def drawing(
    traces: Mapping[str, Any], y: Sequence[str], x: str = "epoch"
) -> Iterator[tuple[Figure, Any]]:
    """Draw a column of panels for each configuration, or one row for a single one; ``y`` labels the rows.

    The axes are ``[row, configuration]``; of more configurations than fit side by side the others lie below.
    """
    count, rows = len(traces), len(y)
    blocks = -(-count // ACROSS)
    shape, size = (
        ((rows * blocks, ACROSS), SIZE)
        if count > 1
        else ((1, rows), (3.5, 2.5) if rows > 1 else (6.0, 2.9))
    )
    with layout.drawing(*shape, x=x, y=[*y] * blocks, size=size) as (figure, axes):
        ordered = axes.reshape(blocks, rows, -1).transpose(1, 0, 2).reshape(rows, -1)
        for spare in ordered[:, count:].flat:
            spare.set_visible(False)
        yield figure, ordered[:, :count]

"""The layout of figures with many panels: rows of panels, their labels and titles, logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import TYPE_CHECKING, Any

from bridge.plots import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 4
Texts = str | Sequence[str]
Look = dict[str, Any]  # some of the arguments of a drawing


@contextmanager
def drawing(
    rows: int = 1,
    columns: int = 1,
    *,
    x: Texts = "",
    y: Texts = "",
    titles: Texts = (),
    size: tuple[float, float] = style.PANEL,
    **options: Any,
) -> Iterator[tuple[Figure, Any]]:
    """Apply the style to what is drawn into ``[row, column]`` axes within the block, then write its labels and titles.

    ``x`` labels the lowest panels, ``y`` the first column, ``titles`` the columns: one for all, one for each of these,
    or one for each panel. ``size`` is that of a panel in inches, ``options`` those of ``subplots``.
    """
    with style.context():
        figure, axes = style.grid(rows, columns, size=size, **options)
        yield figure, axes
        for edge, texts, write in (
            (axes[-1], x, "set_xlabel"), (axes[:, 0], y, "set_ylabel"), (axes[0], titles, "set_title"),
        ):  # fmt: skip
            panels = edge if isinstance(texts, str) or len(texts) == len(edge) else axes.flat
            for panel, text in zip(
                panels, [texts] * len(edge) if isinstance(texts, str) else texts, strict=False
            ):
                if text:
                    getattr(panel, write)(text)


@contextmanager
def drawing_of(
    count: int,
    columns: int = COLUMNS,
    *,
    x: str = "",
    y: str = "",
    at_least: int = 1,
    size: tuple[float, float] = style.PANEL,
    **options: Any,
) -> Iterator[tuple[Figure, Any]]:
    """Do the same for ``count`` panels in rows of nearly equal length, with one label for all of them."""
    rows = max(at_least, -(-count // columns))
    with style.context():
        figure, axes = style.grid(rows, -(-count // rows), size=size, **options)
        for spare in axes.flat[count:]:
            spare.set_visible(False)
        yield figure, axes.flat[:count]
        figure.supxlabel(x, fontsize=9)
        figure.supylabel(y, fontsize=9)


def logarithmic(axes: Any, which: str = "y") -> None:
    """Make the ordinate, or the abscissa for "x", logarithmic, with few labels; call it when everything is drawn."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    axes.set(**{f"{which}scale": "log"})
    axis = getattr(axes, f"{which}axis")
    low, high = axis.get_view_interval()
    # powers of ten alone; too few steps of 1, 2 and 5
    wide, narrow = (math.log10(high / low) > 2, high / low < 4)
    powers = LogLocator(
        subs=(1.0,) if wide else (1.0, 2.0, 5.0), numticks=12 if which == "y" else 5
    )
    axis.set_major_locator(MaxNLocator(4) if narrow else powers)
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def symmetric_logarithmic(axes: Any, threshold: float) -> None:
    """Make the ordinate of a finished drawing linear up to the threshold and logarithmic beyond."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    largest = max(map(abs, axes.get_ylim()))
    if largest <= threshold:
        return  # a linear axis shows all of it
    axes.set_yscale("symlog", linthresh=threshold)
    powers = [10.0**k for k in range(-300, 300) if threshold < 10.0**k * 5 and 10.0**k < largest]
    factors = (1, 2, 5) if len(powers) < 3 else (1,)
    steps = [power * factor for power, factor in product(powers, factors)]
    sizes = [threshold, *(step for step in steps[:: 1 + len(powers) // 5] if step > 2 * threshold)]
    axes.yaxis.set_major_locator(FixedLocator([0.0, *sizes, *(-size for size in sizes)]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}".replace("-", "−")))
    axes.yaxis.set_minor_locator(NullLocator())


def logarithmic_at(axes: Any, places: Any) -> None:
    """Make the abscissa logarithmic, with labels at these places and nowhere else."""
    from matplotlib.ticker import NullFormatter, NullLocator

    axes.set_xscale("log")
    axes.set_xticks(places, [f"{tick:,.0f}" for tick in places])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())


def whole_numbers(axes: Any, most: int = 8) -> None:
    """Label the abscissa with at most ``most`` whole numbers."""
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(most, integer=True))

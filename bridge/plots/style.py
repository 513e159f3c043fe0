"""The style of the figures: colours and sizes, drawing without pyplot, and SVG that fits any page.

The first three colours were chosen to stay apart under the common kinds of colour blindness, and all of them to stand
out from a white page and from a dark one (tests measure both). Axes, ticks and text are drawn in one colour, which the
page replaces by the colour of its text.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from closedform import atomic_write
from closedform.foreign_text import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#161719"  # colour of axes and text only, so that the page can replace it
COLOURS = BLUE, ORANGE, PURPLE, TEAL = "#3973e6", "#dd5a1c", "#9c5480", "#2b8a7e"
# Ten classes, told apart by lightness as well as hue (Paul Tol's muted scheme).
CLASS_COLOURS = (
    "#88ccee", "#332288", "#ddcc77", "#aa4499", "#999933", "#882255", "#44aa99", "#cc6677", "#117733", "#dddddd",
)  # fmt: skip

DASHED = (0, (4, 2.2))
THEORY: dict[str, Any] = {"color": INK, "linestyle": DASHED, "linewidth": 1.2}
# with errors
POINTS: dict[str, Any] = {"marker": "o", "markersize": 3.5, "elinewidth": 0.8, "capsize": 1.5}

# width and height of one panel, inches; four of them fill the width of a page
PANEL = (2.35, 1.95)
# widths of the handle of an entry of a legend with its margins, and of a letter, inches
HANDLE, LETTER = (0.55, 0.068)
COMMAND = re.compile(r"\\[a-zA-Z]+|[${}^_]+")  # of LaTeX, which takes about one letter
LONGEST_TEXT = 500  # letters of a text in a figure
RESOLUTION = 160  # dots per inch of the PNG and WebP files
PALETTE = 256  # colours of a WebP file of lines and marks
SHADING = 0.33  # mean change of a channel by fewer colours, of 255, above which a picture is shaded and keeps them all

SETTINGS: Any = {
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "mathtext.fontset": "dejavusans",
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.7,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.formatter.limits": (-3, 4),
    "axes.formatter.use_mathtext": True,
    "grid.linewidth": 0.4,
    "grid.alpha": 0.25,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "lines.linewidth": 1.4,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "svg.fonttype": "path",
    "svg.hashsalt": "closedform",  # the same figure gives the same file
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": INK,
}


@contextmanager
def context() -> Iterator[None]:
    """Apply this style to everything that is drawn or saved within the block."""
    from matplotlib import rc_context

    with rc_context(SETTINGS):
        yield


def grid(
    rows: int, columns: int, *, size: tuple[float, float] = PANEL, **options: Any
) -> tuple[Figure, Any]:
    """Make a figure of ``rows`` x ``columns`` panels and its axes ``[rows, columns]``, inside :func:`context`."""
    from matplotlib.figure import Figure

    from bridge.plots.ticks import use_plain_numbers

    figure = Figure(figsize=(size[0] * columns + 0.4, size[1] * rows + 0.5), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False, **options)
    for axes in panels.flat:
        use_plain_numbers(axes)
    return figure, panels


def legend(
    figure: Figure, entries: Iterable[Any] | None = None, further: Iterable[Any] = ()
) -> None:
    """Draw one legend above all panels, with as many columns as fit; by default of all labels in them, each once.

    Where one row is too narrow, ``further`` entries have a row of their own.
    """
    first, second = labelled(figure) if entries is None else [*entries], [*further]
    shown = [*first, *second]
    widths = [HANDLE + LETTER * len(COMMAND.sub("x", str(entry.get_label()))) for entry in shown]

    def fits(count: int) -> bool:
        needed = sum(column.max() for column in np.array_split(widths, count))
        return bool(needed <= figure.get_figwidth())

    most = next(filter(fits, range(len(shown), 0, -1)), 1)
    rows = math.ceil(len(shown) / most) or 1
    # no more than these rows need, so that all columns are full
    columns = math.ceil(len(shown) / rows) or 1
    if rows > 1 and first and second:
        columns = max(len(first), len(second))  # they are filled one after the other
        shown = list(
            chain.from_iterable(zip_longest(first, second, fillvalue=entry("", linestyle="none")))
        )
    figure.legend(
        handles=shown,
        loc="outside upper center",
        ncols=columns,
        handlelength=2.4,
        columnspacing=1.8,
    )


def labelled(figure: Figure) -> list[Any]:
    """Return everything in the panels of a figure that has a label, the first one of each label."""
    handles: dict[str, Any] = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    return [*handles.values()]


def entry(label: str, **look: Any) -> Any:
    """Return the legend entry of a line with this look."""
    from matplotlib.lines import Line2D

    return Line2D([], [], label=label, **({"markersize": 4} | look))


def theory_handle(label: str = "theory") -> Any:
    """Return the legend entry of a theoretical curve."""
    return entry(label, **THEORY)


def band(axes: Axes, x: Any, low: Any, high: Any, colour: str) -> None:
    """Shade the region between two curves; a single place has a bar, since a region needs two."""
    if len(x) > 1:
        axes.fill_between(x, low, high, color=colour, alpha=0.25, linewidth=0)
    else:
        axes.vlines(x, low, high, color=colour, linewidth=1.2)


def with_errors(axes: Axes, x: Any, y: Any, error: Any, **look: Any) -> None:
    """Draw points and the line through them, with bars of one standard error; an unknown error (NaN) has no bar."""
    axes.errorbar(x, y, yerr=np.nan_to_num(np.asarray(error, dtype=np.float64)), **(POINTS | look))


def svg(figure: Figure, drawing: str = "") -> str:
    """Return the figure as one ``<svg>`` in the text colour of its page, grouped by the id ``drawing`` if any."""
    markup = _save(
        figure, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type"))
    ).decode()
    markup = markup[markup.index("<svg") :]
    head, body = markup.split(">", 1)
    box = re.search(r'viewBox="[^"]+"', head)
    if box is None:  # matplotlib has written one in every version so far
        raise ValueError("figure: matplotlib wrote an SVG without a viewBox")
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL).replace(
        "xlink:href", "href"
    )
    drawn = body.strip().removesuffix("</svg>").replace(INK, "currentColor")
    group = f' id="{drawing}"' if drawing else ""
    return f'<svg class="figure" role="img" {box.group()}><g{group}>{drawn}</g></svg>'


def save(figure: Figure, path: str | Path) -> Path:
    """Write the figure as ``.png``, ``.svg`` or ``.webp``, else ValueError, on white; its folder is created."""
    target = Path(path)
    if target.suffix not in (".png", ".svg", ".webp"):
        raise ValueError(
            f"path: got {str(target)!r}, needs a name that ends in .png, .svg or .webp"
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.suffix == ".svg":
        content = _save(figure, format="svg", facecolor="white", metadata={"Date": None})
    else:
        content = _save(figure, format="png", facecolor="white", dpi=RESOLUTION)
    with atomic_write.replacing(target) as temporary:
        temporary.write_bytes(as_webp(content) if target.suffix == ".webp" else content)
    return target


def as_webp(png: bytes) -> bytes:
    """Return a picture as WebP, a fifth of its size: lossless but for colours of thin lines; shading keeps all."""
    from PIL import Image, ImageChops, ImageStat

    with Image.open(io.BytesIO(png)) as opened:
        picture = opened.convert("RGB")
    reduced = picture.quantize(PALETTE, dither=Image.Dither.NONE).convert("RGB")
    is_shaded = max(ImageStat.Stat(ImageChops.difference(picture, reduced)).mean) > SHADING
    buffer = io.BytesIO()
    (picture if is_shaded else reduced).save(buffer, "WEBP", lossless=True, quality=100, method=6)
    return buffer.getvalue()


def literal(text: Any) -> str:
    """Return text from outside as it is shown in a figure, in which a dollar sign is no sign of mathematics."""
    return re.sub(r"(?<!\\)\$", r"\\$", visible(text, most=LONGEST_TEXT))


def make_literal(figure: Figure, names: Iterable[str]) -> None:
    """Show these names from outside as they are wherever a text of the figure has them, and not as mathematics."""
    with_dollar = sorted((name for name in names if "$" in name), key=len, reverse=True)
    if not with_dollar:
        return
    pattern = re.compile(r"(?<!\\)(?:" + "|".join(map(re.escape, with_dollar)) + ")")
    for text in _texts(figure):
        text.set_text(pattern.sub(lambda match: literal(match[0]), text.get_text()))


def _make_visible(figure: Figure) -> None:
    """Show what cannot be seen in the texts, and a text between dollar signs that is no mathematics as it is."""
    for text in _texts(figure):
        shown = visible(text.get_text(), most=LONGEST_TEXT, lines=True)
        if shown != text.get_text():
            text.set_text(shown)
        if not all(map(_is_drawable, text.get_text().split("\n"))):
            text.set_parse_math(False)


def _texts(figure: Figure) -> list[Any]:
    from matplotlib.text import Text

    return figure.findobj(Text)


@lru_cache(maxsize=4096)
def _is_drawable(line: str) -> bool:
    """Return whether matplotlib can draw a line of text: it is mathematics that it can parse, or has none."""
    from matplotlib.cbook import is_math_text
    from matplotlib.mathtext import MathTextParser

    if not is_math_text(line):
        return True
    try:
        MathTextParser("path").parse(line)
    except ValueError:
        return False
    return True


def _save(figure: Figure, **options: Any) -> bytes:
    buffer = io.BytesIO()
    with context():
        _make_visible(figure)
        figure.savefig(buffer, **options)
    # the panels are laid out already: with an engine, every figure is drawn twice
    figure.set_layout_engine(None)
    return buffer.getvalue()

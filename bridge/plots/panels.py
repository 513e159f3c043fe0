"""A figure of many panels on a narrow page: its legend, labels and panels one below the other, from the same drawing.

The drawing is on the page once. Each part shows a rectangle of it, so that text keeps its size and nothing is drawn or
stored twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS = 72.0  # in an inch; the unit of the SVG
MARGIN = 2.0  # points around a part
HALF = 3.0 * POINTS  # width below which two parts fit side by side


class Part(NamedTuple):
    """A rectangle of a figure, in points from the upper left corner."""

    x: float
    y: float
    width: float
    height: float
    is_text: bool  # whether it is a legend or a label of several panels
    is_upright: bool = False  # whether it is a text that runs upwards


def parts(figure: Figure) -> tuple[Part, ...]:
    """Return legends, labels and panels of a laid-out figure; none if panels share tick labels with neighbours."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    shown = [axes for axes in figure.axes if axes.get_visible()]
    if any(_borrows_labels(axes) for axes in shown):
        return ()
    canvas: Any = FigureCanvasAgg(figure)
    renderer = canvas.get_renderer()

    def part(box: Any, is_text: bool, is_upright: bool = False) -> Part:
        scale, height = POINTS / figure.dpi, figure.get_figheight() * POINTS
        left, right = box.x0 * scale - MARGIN, box.x1 * scale + MARGIN
        top, bottom = height - box.y1 * scale - MARGIN, height - box.y0 * scale + MARGIN
        return Part(left, top, right - left, bottom - top, is_text, is_upright)

    both = figure._supxlabel, figure._supylabel  # type: ignore[attr-defined]
    labels = [text for text in both if text is not None and text.get_text()]
    texts = [part(item.get_window_extent(renderer), True) for item in figure.legends]
    texts += [
        part(text.get_window_extent(renderer), True, text.get_rotation() == 90) for text in labels
    ]
    return (*texts, *(part(box, False) for box in _panels(shown, renderer)))


def markup(figure: Figure, drawing: str) -> str:
    """Return the parts of a figure as HTML that shows rectangles of the element with the id ``drawing``."""
    shown = parts(figure)
    if sum(not part.is_text for part in shown) < 2:
        return ""
    texts = "".join(_shown(part, drawing) for part in shown if part.is_text)
    return f'<div class="texts">{texts}</div>' + "".join(
        _shown(part, drawing) for part in shown if not part.is_text
    )


def _shown(part: Part, drawing: str) -> str:
    x, y, width, height = part[:4]
    turn = (
        f' transform="translate({y + height:.1f} {-x:.1f}) rotate(90)"' if part.is_upright else ""
    )
    if part.is_upright:
        x, y, width, height = 0.0, 0.0, height, width
    kind = "text" if part.is_text else "half" if width < HALF else "full"
    box, natural = f"{x:.1f} {y:.1f} {width:.1f} {height:.1f}", f"{width / POINTS:.2f}"
    use = f'<use href="#{drawing}"{turn}/>'
    return f'<svg class="{kind}" viewBox="{box}" style="--natural: {natural}" aria-hidden="true">{use}</svg>'


def _borrows_labels(axes: Axes) -> bool:
    for axis, group in (
        (axes.xaxis, axes.get_shared_x_axes()),
        (axes.yaxis, axes.get_shared_y_axes()),
    ):
        side = "labelbottom" if axis is axes.xaxis else "labelleft"
        if len(group.get_siblings(axes)) > 1 and not axis.get_tick_params().get(side, True):
            return True
    return False


def _panels(shown: list[Axes], renderer: Any) -> list[Any]:
    """Return the rectangles of the panels with what belongs to them, as their colour bars and second axes."""
    from matplotlib.transforms import Bbox

    boxes: list[Any] = []
    for axes in shown:
        box: Any = axes.get_tightbbox(renderer)
        bar = getattr(axes, "_colorbar", None)
        if bar is not None and bar.mappable is not None and bar.mappable.axes is not None:
            of_bar: Any = bar.mappable.axes.get_tightbbox(renderer)
            box = Bbox.union([box, of_bar])
        inside = [other for other in boxes if _overlap(box, other) > 0.5]
        boxes = [other for other in boxes if other not in inside]
        boxes.append(Bbox.union([box, *inside]))
    return boxes


def _overlap(one: Any, other: Any) -> float:
    """Return the share of the smaller rectangle that lies in the other one."""
    from matplotlib.transforms import Bbox

    common = Bbox.intersection(one, other)
    areas = [abs(box.width * box.height) for box in (one, other)]
    return (
        0.0 if common is None or not min(areas) else abs(common.width * common.height) / min(areas)
    )

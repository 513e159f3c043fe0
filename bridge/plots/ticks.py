"""The numbers at the ticks of linear axes as plain text, which looks like mathtext and is drawn in half the time."""

from matplotlib.axes import Axes
from matplotlib.ticker import ScalarFormatter


class PlainNumbers(ScalarFormatter):
    """Numbers as plain text; the power of ten next to the axis, which has a superscript, stays mathtext."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        """Return the label of the tick at ``x``."""
        return super().__call__(x, pos).removeprefix(r"$\mathdefault{").removesuffix("}$")


def use_plain_numbers(axes: Axes) -> None:
    """Label both axes of new axes with plain numbers, as long as they stay linear and have no categories."""
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PlainNumbers())
        axis.isDefault_majfmt = True  # so that the names of categories replace it

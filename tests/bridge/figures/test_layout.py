"""Tests of grids of panels: the number of panels, the length of the rows, and hidden spare panels."""

from __future__ import annotations

import pytest

from bridge.figures import layout, style


@pytest.mark.parametrize(
    ("count", "columns", "at_least", "shape"),
    [(1, 4, 1, (1, 1)), (4, 4, 1, (1, 4)), (5, 4, 1, (2, 3)), (9, 4, 1, (3, 3)), (3, 4, 2, (2, 2)), (2, 1, 1, (2, 1))],
)
def test_rows_are_full(count, columns, at_least, shape):
    with style.context():
        figure, axes = layout.rows_of_panels(count, columns, at_least=at_least)
    assert axes.shape == shape
    assert [axis.get_visible() for axis in axes.flat] == [True] * count + [False] * (axes.size - count)
    assert len(figure.axes) == axes.size


@pytest.mark.parametrize("ends", [(0.0063, 0.078), (0.012, 0.45), (1.1, 9.0), (1e-4, 30.0)])
def test_labels_of_a_logarithmic_axis_are_few_and_plain(ends):
    with style.context():
        figure, axes = style.grid(1, 1)
        axes[0, 0].plot([1, 2], ends)
        layout.logarithmic(axes[0, 0])
        figure.draw_without_rendering()
    low, high = axes[0, 0].get_ylim()
    ticks = axes[0, 0].yaxis.get_major_ticks() + axes[0, 0].yaxis.get_minor_ticks()
    shown = [tick.label1.get_text() for tick in ticks if low <= tick.get_loc() <= high and tick.label1.get_text()]
    assert 2 <= len(shown) <= 6
    assert all(text == f"{float(text):g}" for text in shown)


def test_outer_labels():
    with style.context():
        figure, _ = layout.rows_of_panels(2, size=(1.0, 1.0), sharey=True)
        layout.label_outer(figure, "time", "loss")
    assert (figure.get_supxlabel(), figure.get_supylabel()) == ("time", "loss")

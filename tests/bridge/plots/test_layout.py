"""Tests of grids of panels: the number of panels, the length of the rows, and hidden spare panels."""

from __future__ import annotations

import itertools

import pytest

from bridge.plots import layout, style


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


@pytest.mark.parametrize(("ends", "threshold"), [((-3.0, 6.0), 8.0), ((-60.0, 400.0), 1.0), ((-1e-3, 1e9), 0.5)])
def test_labels_on_both_sides_of_zero_stand_apart(ends, threshold):
    with style.context():
        figure, axes = style.grid(1, 1)
        axes[0, 0].plot([1, 2], ends)
        layout.symmetric_logarithmic(axes[0, 0], threshold)
        figure.draw_without_rendering()
    low, high = axes[0, 0].get_ylim()
    ticks = [tick for tick in axes[0, 0].yaxis.get_major_ticks() if low <= tick.get_loc() <= high]
    boxes = sorted((tick.label1.get_window_extent() for tick in ticks), key=lambda box: box.y0)
    assert 3 <= len(boxes) <= 14
    assert all(below.y1 < above.y0 for below, above in itertools.pairwise(boxes))


def test_an_axis_of_whole_numbers():
    with style.context():
        figure, axes = style.grid(1, 1)
        axes[0, 0].plot(range(1, 30), range(29))
        layout.whole_numbers(axes[0, 0])
        figure.draw_without_rendering()
    ticks = [tick for tick in axes[0, 0].get_xticks() if 1 <= tick <= 29]
    assert 4 <= len(ticks) <= 8
    assert all(tick == round(tick) for tick in ticks)

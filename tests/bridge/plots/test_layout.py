"""Tests of grids of panels: the number of panels, the length of the rows, and hidden spare panels."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from bridge.plots import layout, style


@pytest.mark.parametrize(
    ("count", "columns", "at_least", "shape"),
    [
        (1, 4, 1, (1, 1)),
        (4, 4, 1, (1, 4)),
        (5, 4, 1, (2, 3)),
        (9, 4, 1, (3, 3)),
        (3, 4, 2, (2, 2)),
        (2, 1, 1, (2, 1)),
    ],
)
def test_rows_are_full(count, columns, at_least, shape):
    with layout.drawing_of(count, columns, at_least=at_least, x="time", y="loss") as (
        figure,
        panels,
    ):
        pass
    rows, _ = figure.axes[0].get_gridspec().get_geometry()
    assert (rows, len(figure.axes) // rows) == shape
    assert [axis.get_visible() for axis in figure.axes] == [True] * count + [False] * (
        len(figure.axes) - count
    )
    assert list(panels) == figure.axes[:count]
    assert (figure.get_supxlabel(), figure.get_supylabel()) == ("time", "loss")


def texts(axes, name):
    return [[getattr(axis, f"get_{name}")() for axis in row] for row in axes]


def test_labels_and_titles_are_at_the_edges_or_at_every_panel():
    with layout.drawing(2, 3, x="time", y=("loss", "accuracy"), titles=("a", "b", "c")) as (
        _,
        axes,
    ):
        pass
    assert texts(axes, "xlabel") == [[""] * 3, ["time"] * 3]
    assert texts(axes, "ylabel") == [["loss", "", ""], ["accuracy", "", ""]]
    assert texts(axes, "title") == [["a", "b", "c"], [""] * 3]
    with layout.drawing(1, 2, x=("time", "depth"), y=("loss", ""), titles="both") as (_, axes):
        axes[0, 1].set_ylabel("its own")
    assert texts(axes, "xlabel") == [["time", "depth"]]
    assert texts(axes, "ylabel") == [["loss", "its own"]]
    assert texts(axes, "title") == [["both", "both"]]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("count", "name"), [(1, "a curve with the name"), (9, "a curve with the name"), (5, "set")]
)
def test_a_legend_has_each_label_once_in_full_columns_and_is_no_wider_than_its_figure(count, name):
    with layout.drawing(1, 2, size=(2.2, 1.5)) as (figure, axes):
        for axis in axes[0]:
            for number in range(count):
                axis.plot([0, 1], [number, 0], label=f"{name} {number}")
        style.legend(figure)
        figure.draw_without_rendering()
    (legend,) = figure.legends
    assert len(legend.get_texts()) == count
    assert legend._ncols == math.ceil(count / math.ceil(count / legend._ncols))
    box = legend.get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= figure.bbox.x1


def test_a_point_without_an_error_has_no_bar():
    with layout.drawing() as (_, axes):
        style.with_errors(axes[0, 0], [1, 2], [3.0, 4.0], [0.5, np.nan], label="both")
    ((first, second),) = (bars.get_segments() for bars in axes[0, 0].containers[0].lines[2])
    assert [row[1] for row in first] == [2.5, 3.5]
    assert [row[1] for row in second] == [4.0, 4.0]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("ends", [(0.0063, 0.078), (0.012, 0.45), (1.1, 9.0), (1e-4, 30.0)])
def test_labels_of_a_logarithmic_axis_are_few_and_plain(ends):
    with style.context():
        figure, axes = style.grid(1, 1)
        axes[0, 0].plot([1, 2], ends)
        layout.logarithmic(axes[0, 0])
        figure.draw_without_rendering()
    low, high = axes[0, 0].get_ylim()
    ticks = axes[0, 0].yaxis.get_major_ticks() + axes[0, 0].yaxis.get_minor_ticks()
    shown = [
        tick.label1.get_text()
        for tick in ticks
        if low <= tick.get_loc() <= high and tick.label1.get_text()
    ]
    assert 2 <= len(shown) <= 6
    assert all(text == f"{float(text):g}" for text in shown)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("ends", "threshold"), [((-3.0, 6.0), 8.0), ((-60.0, 400.0), 1.0), ((-1e-3, 1e9), 0.5)]
)
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


def test_an_abscissa_with_labels_at_given_places_only():
    with layout.drawing() as (figure, axes):
        axes[0, 0].plot([30, 60, 1200], [1, 2, 3])
        layout.logarithmic_at(axes[0, 0], [30, 60, 1200])
        figure.draw_without_rendering()
    axis = axes[0, 0].xaxis
    labels = [
        tick.label1.get_text() for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
    ]
    assert [label for label in labels if label] == ["30", "60", "1,200"]


def test_an_axis_of_whole_numbers():
    with style.context():
        figure, axes = style.grid(1, 1)
        axes[0, 0].plot(range(1, 30), range(29))
        layout.whole_numbers(axes[0, 0])
        figure.draw_without_rendering()
    ticks = [tick for tick in axes[0, 0].get_xticks() if 1 <= tick <= 29]
    assert 4 <= len(ticks) <= 8
    assert all(tick == round(tick) for tick in ticks)

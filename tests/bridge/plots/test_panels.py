"""Tests of the parts of a figure for narrow pages: nothing is lost, and panels that share labels stay together."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

from bridge.plots import panels, style


@cache
def four_panels(**options):
    """A drawn figure of four panels with a legend and labels for all of them."""
    with style.context():
        figure, axes = style.grid(2, 2, **options)
        for number, axis in enumerate(axes.flat):
            axis.plot([0, 1], [0, number + 1], label="line")
            axis.set_title(f"panel {number}")
        figure.supxlabel("time")
        figure.supylabel("a long label that runs upwards")
        style.legend(figure, axes[0, 0].get_legend_handles_labels()[0])
        style.svg(figure)
    return figure, axes


def test_legend_labels_and_panels_are_apart_and_inside():
    figure, axes = four_panels()
    found = panels.parts(figure)
    assert [part.is_text for part in found] == [True, True, True, False, False, False, False]
    assert [part.is_upright for part in found] == [False, False, True, False, False, False, False]
    width, height = figure.get_size_inches() * 72
    for part, axis in zip(found[3:], axes.flat, strict=True):
        box = axis.get_position()
        assert part.x <= box.x0 * width < box.x1 * width <= part.x + part.width
        assert part.y <= (1 - box.y1) * height < (1 - box.y0) * height <= part.y + part.height
    for one in found:
        assert -panels.MARGIN <= one.x < one.x + one.width <= width + panels.MARGIN + 1
        for other in found:
            across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
            along = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
            assert one is other or min(across, along) <= 2 * panels.MARGIN + 1


def test_the_same_drawing_is_shown_and_upright_text_is_turned():
    figure, _ = four_panels()
    markup = panels.markup(figure, "name-drawing")
    assert markup.count('<use href="#name-drawing"') == 7
    assert markup.count("rotate(90)") == 1
    (turned,) = re.findall(r'viewBox="0\.0 0\.0 ([\d.]+) ([\d.]+)"[^>]*><use[^>]*rotate', markup)
    assert float(turned[0]) > float(turned[1])
    assert 'id="name-drawing"' in style.svg(figure, "name-drawing")


@pytest.mark.parametrize("options", [{"sharey": "row"}, {"sharex": True}])
def test_panels_that_share_labels_stay_together(options):
    figure, _ = four_panels(**options)
    assert panels.parts(figure) == ()
    assert panels.markup(figure, "drawing") == ""


def test_colour_bars_and_second_axes_belong_to_their_panels():
    with style.context():
        figure, axes = style.grid(1, 2)
        figure.colorbar(axes[0, 0].imshow(np.eye(3)), ax=axes[0, 0])
        axes[0, 1].twinx().plot([0, 1], [0, 100])
        style.svg(figure)
    assert len(panels.parts(figure)) == 2


def test_a_single_panel_has_no_parts():
    with style.context():
        figure, axes = style.grid(1, 1, size=(7, 3))
        axes[0, 0].plot([0, 1])
        style.svg(figure)
    assert panels.markup(figure, "drawing") == ""

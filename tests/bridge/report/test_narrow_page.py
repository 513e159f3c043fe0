"""Tests in a browser that a page with a wide figure shows all of it, in parts where the page is narrow."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from bridge.plots import style
from bridge.report import page
from bridge.results.analysis import Analysis, Picture
from tests.bridge.explorer.browser import needs_browser, seen

LOOK = """
  const at = (name) => [...document.querySelectorAll(name)].map((element) => element.getBoundingClientRect());
  return { width: innerWidth, needed: document.documentElement.scrollWidth,
           whole: at("figure svg.figure")[0].width, box: at("figure .whole")[0].width,
           parts: at(".parts svg").map((box) => [box.left, box.right, box.height]) };
"""


def wide_figure() -> Figure:
    with style.context():
        figure, axes = style.grid(2, 4)
        for axis in axes.flat:
            axis.plot([0, 1], label="line")
        figure.supylabel("upwards")
        style.legend(figure, axes[0, 0].get_legend_handles_labels()[0])
    return figure


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 800, 1400])
def test_a_wide_figure_is_shown_whole_or_in_parts_that_fit(tmp_path, width):
    analysis = Analysis({}, (Picture("wide", "A caption.", wide_figure()),))
    html = page.render("Title", "now", [page.Section("mine", "Why?", analysis)], ())
    found = seen(html, LOOK, tmp_path, width=width)
    assert found["needed"] <= found["width"] == width
    shown = [part for part in found["parts"] if part[2] > 0]
    if width == 1400:
        assert shown == []
        assert found["whole"] > 800
    else:
        assert len(shown) == 10
        assert all(0 <= left < right <= width for left, right, _ in shown)
        assert found["box"] == 0

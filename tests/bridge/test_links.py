"""Tests that a file of a predictable name is replaced, and not written through a link that somebody put there."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from bridge.explorer.page import Page
from bridge.plots import style
from bridge.report import write
from bridge.results import folder, record

RUNS = folder.StudyRuns("two-point-adam", "Why?", "Figure 15", "smoke", {})
RECORDED = record.Record("two-point-adam", "smoke", {}, {}, (), {}, "cpu", 1.0, (), (), (), {})
WRITTEN = {
    "study-two-point-adam.json": lambda directory: folder.record(directory, RUNS),
    "two-point-adam-smoke.json": lambda directory: record.write(RECORDED, directory),
    "two-point-adam-smoke.unfinished": lambda directory: record.write(RECORDED, directory),
    "report.html": lambda directory: write.write(directory, [], []),
    "table.csv": lambda directory: write._table(directory / "table.csv", [{"a": 1}]),
    "page.html": lambda directory: Page(None, "<html>").write(directory / "page.html"),
    "figure.png": lambda directory: style.save(Figure(), directory / "figure.png"),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_no_link_is_followed(name, tmp_path):
    (tmp_path / "diary").write_text("of somebody else")
    directory = tmp_path / "runs"
    directory.mkdir()
    (directory / name).symlink_to(tmp_path / "diary")
    WRITTEN[name](directory)
    assert (tmp_path / "diary").read_text() == "of somebody else"

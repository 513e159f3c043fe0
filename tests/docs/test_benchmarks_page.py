"""The page of benchmarks is made from its data: a chart first, then a table of four columns, the rest folded."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def benchmark_module(monkeypatch):
    """Imports a module of ``benchmarks``, which is not a package."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module


@pytest.fixture(scope="module")
def data():
    return json.loads((ROOT / "docs" / "_data" / "benchmarks.json").read_text(encoding="utf-8"))


def test_the_page_is_that_of_the_data(benchmark_module, data):
    shown = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert shown == benchmark_module("page").page(data)
    assert (
        shown.index("](benchmarks.svg)") < shown.index("<th>job</th>") < shown.index("<details>")
    )


def test_a_row_has_four_cells_with_the_alternative_that_it_is_compared_with(benchmark_module):
    page = benchmark_module("page")
    row = {
        "job": "a job, long", "goal": 2.0, "against": "fast", "limit": None, "ratio": 0.5, "missing": [], "note": "",
        "minimum": {"ours": 0.002, "slow": 0.009, "fast": 0.001},
        "median": {"ours": 0.002, "slow": 0.009, "fast": 0.001},
    }  # fmt: skip
    shown = ["a job, long", "2", "1, fast", "0.50; at least 2: <strong>behind</strong>"]
    assert page.table_row(row) == ["<tr>", *(f"<td>{cell}</td>" for cell in shown), "</tr>"]
    alone = row | {"against": None, "ratio": None, "limit": 1.0, "minimum": {"ours": 0.002}}
    assert page.table_row(alone)[3:5] == ["<td>–</td>", "<td>–; at most 1000 ms</td>"]
    failed = {"job": "b", "failed": "no memory"}
    assert len(page.table_row(failed)) == len(page.table_row(row))


def test_the_chart_has_every_job_with_a_ratio(benchmark_module, data):
    chart = benchmark_module("chart")
    lines = chart.groups(data["rows"])
    assert sum(map(len, lines.values())) == sum(
        row.get("ratio") is not None for row in data["rows"]
    )
    shown = (ROOT / "docs" / "benchmarks.svg").read_text(encoding="utf-8")
    for name in lines:
        assert f">{name}</text>" in shown
    figure = chart.draw(data["rows"])
    marks = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    ratios = sorted(float(mark.get_xdata()[0]) for mark in marks)
    assert ratios == sorted(row["ratio"] for row in data["rows"] if row.get("ratio") is not None)

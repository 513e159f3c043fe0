"""Comparisons in a report: every verdict with its limit, resolution and repetitions, and the words as in the code."""

import csv
from dataclasses import replace

import numpy as np
import pytest

from bridge.report import page, write
from bridge.report.page import Section, render
from bridge.results.analysis import Analysis
from closedform import verdicts
from closedform.measured import Measured

PREDICTED = 2.0
CASES = {  # deviation and error as shares of the prediction, repetitions: resolution 0.1
    "sharp": (0.001, 0.01, 20),
    "off": (0.5, 0.01, 20),
    "blunt": (0.02, 0.05, 5),
    "known": (0.02, 0.3, None),
}


@pytest.fixture(scope="module")
def section():
    listed = tuple(
        Measured(
            "a.slope",
            label,
            PREDICTED * (1 + off),
            PREDICTED * error,
            count,
            predicted=PREDICTED,
        )
        for label, (off, error, count) in CASES.items()
    )
    return Section("mine", "?", Analysis(traces={}, pictures=(), measured=listed))


def test_every_verdict_has_its_numbers(section):
    (table,) = page.comparisons(section.analysis.compared)
    rows = {row[0]: dict(zip(table.heads, row, strict=True)) for row in table.cells}
    assert {name: row["verdict"] for name, row in rows.items()} == {
        "sharp": "agrees", "off": "disagrees", "blunt": "too blunt to say", "known": "too blunt to say",
    }  # fmt: skip
    assert [row["n"] for row in rows.values()] == [20, 20, 5, None]
    for name, (off, error, _) in CASES.items():
        row = rows[name]
        assert row["resolution"] == pytest.approx(0.1 * PREDICTED)
        assert row["off by, %"] == pytest.approx(100 * off)
        assert row["z"] == pytest.approx(off / error)
        assert row["at most"] == pytest.approx(PREDICTED * (off + row["limit"] * error))


def test_what_would_decide_is_said_of_blunt_ones_only(section, tmp_path):
    assert [name for name, _ in section.undecided] == ["blunt, a.slope", "known, a.slope"]
    page = render("title", "made", [section], [])
    assert "What would decide the 2 that are too blunt to say" in page
    assert section.undecided[0][1] in page
    written = write.write(tmp_path, [section], ())
    (path,) = [table for table in written.tables if table.name == "comparisons.csv"]
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row, (off, error, count) in zip(rows, CASES.values(), strict=True):
        assert row["n"] == (str(count) if count else "")
        largest = PREDICTED * (float(row["limit"]) * error + off)
        assert largest == pytest.approx(float(row["largest"]))


def test_the_words_are_those_of_the_code(rng):
    """The definitions in words, applied to random intervals, give the verdicts of the code."""
    deviation, allowed, resolution = (
        rng.normal(size=300),
        rng.exponential(size=300),
        rng.exponential(size=300),
    )
    low, high = deviation - allowed, deviation + allowed
    has_zero = (low <= 0) & (high >= 0)
    within = (low >= -resolution) & (high <= resolution)
    different = np.where(within, verdicts.LESS, verdicts.DISAGREES)
    words = np.where(has_zero, np.where(within, verdicts.AGREES, verdicts.BLUNT), different)
    assert np.array_equal(words, verdicts.single(deviation, allowed, resolution))
    assert set(words) == {verdicts.AGREES, verdicts.LESS, verdicts.BLUNT, verdicts.DISAGREES}


def test_one_overview_counts_the_verdicts_of_every_quantity(section):
    other = Measured("an.offset", "far", 3.0, 0.01, 9, predicted=1.0)
    table = page.overview([("mine", section.analysis.compared), ("yours", (other, other))])
    assert table.cells == (
        ("mine", "a.slope", 1, 1, 2, "off"),
        ("yours", "an.offset", 0, 2, 0, "far, far"),
    )
    html = render("Title", "made", [section], ())
    summary = html[html.index('id="summary"') : html.index("</section>")]
    assert "Predictions and measurements" in summary
    assert "slope" in summary
    assert page.overview([("mine", ())]).cells == ()
    both = page.overview([("mine", (*section.analysis.compared, other))])
    assert [row[0] for row in both.cells] == ["mine", ""]


def test_every_quantity_has_a_table_of_its_own_below_its_name(section):
    other = Measured("an.offset", "far", 3.0, 0.01, 9, predicted=1.0)
    analysis = replace(section.analysis, measured=(other, *section.analysis.measured))
    tables = page.comparisons(analysis.compared)
    assert [(table.title, len(table.cells)) for table in tables] == [
        ("An.offset", 1),
        ("A.slope", 4),
    ]
    assert all("quantity" not in table.heads for table in tables)
    html = render("Title", "made", [replace(section, analysis=analysis)], ())
    assert html.index("<h4>An.offset</h4>") < html.index("<h4>A.slope</h4>")

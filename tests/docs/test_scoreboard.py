"""Tests that the scoreboard counts every sentence that has a verdict, and that its numbers lead to lists of them."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from bridge.results.judging import UNSAID

ROOT = Path(__file__).resolve().parents[2]
VERDICTS = (
    "CONFIRMED",
    "CONFIRMED",
    "MISPRINT",
    "CONDITIONAL",
    "SUPPORTED",
    "CONTRADICTED",
    "OPEN",
    "UNRESOLVED",
    "NOTE",
)


@pytest.fixture
def scoreboard(monkeypatch):
    """docs/_extensions/scoreboard.py, which is in no package."""
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_extensions"))
    return importlib.import_module("scoreboard")


def test_every_number_leads_to_the_list_of_its_sentences(scoreboard):
    entries = [
        SimpleNamespace(verdict=verdict, label=f"({i})") for i, verdict in enumerate(VERDICTS)
    ]
    page = "\n".join(scoreboard.page({"jacot2024": entries}))
    counts = dict(re.findall(r":ref:`(\d+) <board-jacot2024-(\w+)>`", page))
    assert counts == {"2": "undecided", "1": "contradicted"}  # the last of each number
    for word in scoreboard.BOARD:
        assert f".. _board-jacot2024-{word}:" in page
    assert ":ref:`(6) <entry-jacot2024-6>`, :ref:`(7) <entry-jacot2024-7>`" in page
    assert "entry-jacot2024-8" not in page


def test_the_first_page_shows_what_is_between_the_marks(scoreboard):
    first = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert f":start-after: {scoreboard.BEGIN}" in first
    assert f":end-before: {scoreboard.END}" in first
    page = "\n".join(scoreboard.page({}))
    assert page.index(scoreboard.BEGIN) < page.index(scoreboard.END)


def test_sentences_are_counted_once_against_networks(scoreboard):
    rows = scoreboard.figure_table.rows("paccolat2021")
    (row,) = scoreboard.measured({"paccolat2021": rows})
    listed = scoreboard.sentences.sentences(rows)
    untested = sum(sentence.verdict == scoreboard.sentences.UNTESTED for sentence in listed)
    assert sum(map(int, row[1:])) == len(listed) - untested


def test_comparisons_with_a_number_are_counted_with_their_runs(scoreboard, monkeypatch):
    """Two that share a network and one of others, of which one deviates; bound, drawing, what nothing says are none."""
    numbers = [
        {"relation": relation, "z": 1.0, "q": q}
        for relation, q in (("=", 0.04), ("=", 0.05), ("=", 0.5), (">", 0.0), ("=", 0.01))
    ]
    rows = [
        {
            "deciding": number,
            "networks": list(networks),
            "seconds": 3600.0 if networks else None,
            "sentence": "",
            "plan": "",
            "verdict": "agrees",
        }
        for number, networks in zip(
            [*numbers, None], ["ab", "bc", "d", "ab", "f", ""], strict=True
        )
    ]
    rows[4]["verdict"] = UNSAID
    monkeypatch.setattr(scoreboard.figure_table, "rows", lambda paper: rows)
    # a paper without measured figures has no row
    page = "\n".join(scoreboard.against_networks(["paccolat2021", "zavatoneveth2021"]))
    assert "independent runs" in page
    assert page.count("</generated/gallery/rows>") == 2
    assert scoreboard.figure_table.tested(rows) == (3, 2, 1)
    assert scoreboard.figure_table.hours(rows) == 4  # the run "ab" decides two rows
    assert "     - 3\n     - 2\n     - 1\n     - 4.0\n" in page

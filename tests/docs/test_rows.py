"""Tests that docs/results/rows.csv is what the recorded results say today, and that its columns follow them."""

from __future__ import annotations

import csv
import importlib
import io
from pathlib import Path

import pytest

from bridge.results import figure_table

EXTENSIONS = Path(__file__).resolve().parents[2] / "docs" / "_extensions"


@pytest.fixture
def rows(monkeypatch):
    """docs/_extensions/rows.py, which is in no package."""
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    return importlib.import_module("rows")


def test_the_table_is_current_and_its_history_names_rows_of_it(rows, recorded_rows, monkeypatch):
    monkeypatch.setattr(figure_table, "rows", lambda: recorded_rows)
    text = rows.text()
    assert rows.TABLE.read_text(encoding="utf-8") == text, "run `python docs/_extensions/rows.py`"
    with rows.HISTORY.open(encoding="utf-8", newline="") as file:
        known = [(one["paper"], one["figure"]) for one in csv.DictReader(file)]
    assert set(known) <= {
        (one["paper"], one["figure"]) for one in csv.DictReader(io.StringIO(text))
    }
    assert len(set(known)) == len(known)


def test_every_picture_that_a_row_names_is_there(recorded_rows):
    named = {row["picture"] for row in recorded_rows if row["picture"]}
    assert not [name for name in named if not (EXTENSIONS.parent / "results" / name).is_file()]


@pytest.mark.parametrize(
    ("before", "verdict", "revised", "begins"),
    [
        ("", "agrees", "", ""),
        ("agrees", "agrees", "the bound", ""),
        ("disagrees", "our set-up differs", "", "setting"),
        ("disagrees", "within the paper's reservation", "the bound", "reservation"),
        ("disagrees", "agrees", "the bound", "plan: the bound"),
        ("agrees: 1 of 2; disagrees: 1 of 2", "disagrees", "", "statistic"),
        ("too blunt to say", "agrees", "", "networks"),
        ("drawn, no number to compare", "agrees", "", "row"),
    ],
)
def test_the_cause_of_a_change_is_said(rows, before, verdict, revised, begins):
    cause = rows.cause({"verdict": verdict, "revised": revised}, before)
    assert cause.startswith(begins)
    assert bool(cause) == bool(begins)


def test_a_row_follows_its_record(rows, monkeypatch):
    number = {"n": 4.217, "counted": 5, "expected": "0.5", "shown": "0.49 ± 0.01"}
    row = {
        "paper": "p", "figure": "9", "where": "Figure 9", "sentence": "It, too.", "plan": "abc", "kind": "exploratory",
        "scale": "laptop", "deciding": number, "before": "", "verdict": "agrees", "replicated": "kept",
        "revised": "",
    }  # fmt: skip
    plain = row | {"plan": ""}
    not_run = row | {"scale": None}
    undecided = row | {"figure": "10", "deciding": None, "verdict": "no verdict"}
    monkeypatch.setattr(figure_table, "rows", lambda: [row, plain, not_run, undecided])
    first, second = csv.DictReader(io.StringIO(rows.text()))
    assert (first["figure"], first["measured"], first["on fresh seeds"]) == (
        "9",
        "0.49 ± 0.01",
        "kept",
    )
    assert (first["repetitions"], first["error as of"]) == ("5", "4.217")
    assert (first["sentence"], first["verdict before plans"]) == ("It, too.", rows.NO_ROW)
    assert (second["figure"], second["repetitions"], second["expected"], second["verdict"]) == (
        "10",
        "",
        "",
        "no verdict",
    )

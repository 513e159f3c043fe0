"""Every printed command makes the configurations of the record next to which it stands, and every verdict has a reason.

The rows are those of `closedform figures`, of its JSON and of the pages of the gallery.
"""

from __future__ import annotations

import importlib
import re
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest

import theory
from bridge.cli import main, runs, training
from bridge.results import figure_table, record
from bridge.results.analyses import FIGURES
from closedform.verdicts import DISAGREES
from empirics.experiments import STUDIES
from empirics.runs.config import content_hash
from theory.core.ledger import recheck

EXTENSIONS = Path(__file__).resolve().parents[2] / "docs" / "_extensions"
RECORDS = {
    (study, scale): one
    for study in STUDIES
    for scale, one in record.load(study).items()
    if one.is_current
}
CHANGED = [key for key, one in RECORDS.items() if one.changed]


@pytest.fixture
def made(monkeypatch, tmp_path):
    """Return a function of a command: the hashes of the configurations that it would train, by label."""
    configurations = {}

    def train(directory, configs, **_):
        configurations.update(configs)
        return []

    def of(command: str) -> dict[str, str]:
        configurations.clear()
        program, *words = shlex.split(command)
        assert program == "closedform"
        assert main([*words, "--out", str(tmp_path)]) == 0
        return {label: content_hash(config) for label, config in configurations.items()}

    for module in (runs, training):
        monkeypatch.setattr(module, "train", train)
    return of


@pytest.fixture
def pages(monkeypatch):
    """docs/_extensions/figures.py, which is in no package."""
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    return importlib.import_module("figures")


@pytest.mark.parametrize(
    "paper",
    [p if p == "vanrossem2024" else pytest.param(p, marks=pytest.mark.slow) for p in FIGURES],
)
def test_the_command_of_a_row_makes_its_record(paper, made, pages, recorded_rows):
    commands = []
    rows = [row for row in recorded_rows if row["paper"] == paper]
    for figure, row in zip(FIGURES[paper], rows, strict=True):
        if row["scales"]:
            result = figure_table.standing(figure).record
            assert result.configurations.items() <= made(row["command"]).items(), row["command"]
            commands.append(row["command"])
    overview = "\n".join(pages.overview(paper))
    for command in commands:
        assert f"``{command}``" in overview


def test_some_records_have_other_options():
    assert CHANGED, "the next test tests nothing"


@pytest.mark.parametrize(("study", "scale"), CHANGED)
def test_the_section_of_a_study_has_the_options_of_its_record(study, scale, made, pages):
    result = RECORDS[study, scale]
    page = "\n".join(pages.section(STUDIES[study], [result]))
    (command,) = re.findall(r"\$ (closedform run .*) --out DIR", page)
    assert result.configurations.items() <= made(command).items()


def test_the_page_of_an_entry_has_the_options_of_its_measurement(pages, made):
    changed = [
        entry.measurement
        for entry in theory.equations()
        if entry.measurement and entry.measurement.changed
    ]
    assert changed
    for one in changed:
        checked = SimpleNamespace(measurement=recheck._measurement(one))
        page = importlib.import_module("ledger_pages").measurement(checked)
        (command,) = re.findall(r"``(closedform run .*)``", page)
        assert set(one.configurations) <= set(made(command).values())


def test_a_row_that_disagrees_says_why(recorded_rows):
    silent = [
        (row["paper"], row["figure"])
        for row in recorded_rows
        if DISAGREES in row["verdict"] and not row["reason"]
    ]
    assert not silent

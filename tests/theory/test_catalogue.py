"""Tests of the catalogue: lazy to look up, and complete."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

import theory
from tests.theory.core.demonstrations import ROOT
from theory import ledger
from theory.collection import Catalogue
from theory.core import Equation, Ruling

ENTRIES = {
    "demonstration.root": "tests.theory.core.demonstrations:ROOT",
    "demonstration.missing": "tests.theory.core.demonstrations:MISSING",
    "demonstration.other": "tests.theory.core.demonstrations:ROOT",
    "demonstration.nothing": "tests.theory.core.demonstrations:EVERYWHERE",
    "demonstration.absent": "tests.theory.core.absent:ROOT",
}


def test_the_title_of_a_ledger_is_that_of_its_paper():
    assert theory.ledgers()["vanrossem2024"] == theory.core.references()["vanrossem2024"]["title"]


def test_submodules_are_imported_when_they_are_used():
    assert theory.core.ClosedForm is type(ROOT)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = theory.nonsense


def test_looking_up_builds_once():
    catalogue = Catalogue(ENTRIES)
    assert list(catalogue) == list(ENTRIES)
    assert len(catalogue) == len(ENTRIES)
    assert catalogue["demonstration.root"] is ROOT
    assert "demonstration.missing" in catalogue
    assert "demonstration" not in catalogue


def test_a_builder_is_called(monkeypatch):
    calls = []
    module = SimpleNamespace(build=lambda: calls.append(1) or ROOT)
    monkeypatch.setitem(sys.modules, "builder_for_a_test", module)
    catalogue = Catalogue({"demonstration.root": "builder_for_a_test:build"})
    assert catalogue["demonstration.root"] is catalogue["demonstration.root"] is ROOT
    assert calls == [1]


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("demonstration.rot", KeyError, "did you mean demonstration.root"),
        (7, KeyError, "no closed form 7"),
        ("demonstration.missing", AttributeError, "MISSING"),
        ("demonstration.other", ValueError, "its name is 'demonstration.root'"),
        ("demonstration.nothing", TypeError, "got dict, needs a ClosedForm"),
        ("demonstration.absent", ModuleNotFoundError, "absent"),
    ],
)
def test_what_cannot_be_built_says_why(name, error, message):
    with pytest.raises(error, match=message):
        Catalogue(ENTRIES)[name]


@pytest.fixture
def ledger_of(monkeypatch):
    """A way to plant a ledger of the paper vanrossem2024: papers and labels of its entries."""

    def plant(*entries):
        made = [
            Equation(paper, label, "A statement.", Ruling.OPEN, "Nobody looked.")
            for paper, label in entries
        ]
        monkeypatch.setitem(sys.modules, "planted_ledger", SimpleNamespace(EQUATIONS=tuple(made)))
        monkeypatch.setattr(
            ledger, "LEDGERS", SimpleNamespace(targets={"vanrossem2024": "planted_ledger"})
        )

    return plant


def test_the_entries_of_a_ledger_are_in_order(ledger_of):
    ledger_of(("vanrossem2024", "(2)"), ("vanrossem2024", "(1)"))
    assert [entry.label for entry in ledger.entries_of("vanrossem2024")] == ["(2)", "(1)"]


def test_a_label_used_twice_raises(ledger_of):
    ledger_of(("vanrossem2024", "(1)"), ("vanrossem2024", "(2)"), ("vanrossem2024", "(2)"))
    with pytest.raises(
        ValueError, match=r"two entries with the paper vanrossem2024 and the label \(2\)"
    ):
        ledger.entries_of("vanrossem2024")


def test_an_entry_of_another_paper_raises(ledger_of):
    ledger_of(("vanrossem2024", "(1)"), ("paccolat2021", "(1)"))
    with pytest.raises(
        ValueError, match="the ledger of vanrossem2024 has an entry of the paper paccolat2021"
    ):
        ledger.entries_of("vanrossem2024")


def test_errata_are_the_misprints_the_inconsistent_and_the_conditional_ones():
    wanted = {Ruling.MISPRINT, Ruling.INCONSISTENT, Ruling.CONDITIONAL}
    assert list(theory.errata()) == [
        entry for entry in theory.equations() if entry.verdict in wanted
    ]

"""The ledger of Paccolat et al.: every verdict is reached by program, and a planted error is not confirmed."""

from dataclasses import replace

import pytest

import theory
from theory.core import Finding, Reading
from theory.papers.paccolat2021 import EQUATIONS

LABELS = [entry.label for entry in EQUATIONS]
MISPRINTS = [entry for entry in EQUATIONS if entry.verdict is Finding.MISPRINT]
CONDITIONALS = [entry for entry in EQUATIONS if entry.verdict is Finding.CONDITIONAL]


@pytest.mark.parametrize("entry", EQUATIONS, ids=LABELS)
def test_program_reaches_the_recorded_verdict(entry):
    assert entry.check() is entry.verdict


def test_all_numbered_equations_are_there():
    assert len(set(LABELS)) == len(LABELS)
    numbered = {f"({number})" for number in [*range(1, 11), 14, 15, 16]} | {"(11) to (13)"}
    assert numbered <= set(LABELS)
    assert {"footnote 1", "footnote 2", "footnote 3", "footnote 4"} <= set(LABELS)


def test_collected_by_the_package():
    assert theory.equations("paccolat2021") == EQUATIONS


def test_closed_forms_named_in_the_ledger_exist():
    assert {entry.closed_form for entry in EQUATIONS} - {None} <= set(theory.catalogue())


def test_misprints_are_those_that_were_found():
    found = [entry.label for entry in MISPRINTS]
    assert found == ["2.2 l'", "footnote 2", "3.2.1 stable along", "(7)", "(15)", "5.1 RKHS norm"]


@pytest.mark.parametrize("entry", MISPRINTS, ids=lambda entry: entry.label)
def test_printed_and_corrected_form_exchanged_is_noticed(entry):
    assert replace(entry, steps=entry.printed_steps, printed_steps=entry.steps).check() is Finding.OPEN
    reading = entry.oracle()
    swapped = Reading(reading.corrected, reading.printed, reading.independent, reading.tolerance)
    assert replace(entry, oracle=lambda: swapped).check() is Finding.OPEN


@pytest.mark.parametrize("entry", CONDITIONALS, ids=lambda entry: entry.label)
def test_condition_is_said_and_has_a_consequence(entry):
    assert "if" in entry.corrected_latex
    assert entry.consequence

"""The ledger of Cheong (2025): every verdict is reached by program, and a planted error is not confirmed."""

from dataclasses import replace

import pytest
import sympy as sp

import theory
from theory.core import Finding, Reading, Step, Verdict
from theory.papers.cheong2025 import EQUATIONS
from theory.papers.cheong2025.sign_flips import separates

MISPRINTS = [entry for entry in EQUATIONS if entry.verdict is Finding.MISPRINT]
CONDITIONALS = [entry for entry in EQUATIONS if entry.verdict is Finding.CONDITIONAL]
NUMBERED = [entry for entry in EQUATIONS if entry.label.startswith("(")]


def labels(entries):
    return [entry.label for entry in entries]


@pytest.mark.parametrize("entry", EQUATIONS, ids=labels(EQUATIONS))
def test_program_reaches_the_recorded_verdict(entry):
    assert entry.check() is entry.verdict


def test_everything_numbered_is_there_in_order():
    wanted = [*(f"(1.{i})" for i in range(1, 6)), "(2.1)", *(f"(B.{i})" for i in range(1, 6))]
    assert labels(NUMBERED) == wanted
    found = set(labels(EQUATIONS))
    assert {"Theorem 1", "Theorem 2", "Theorem 3", "NC1", "NC2", "NC3", "NC4"} <= found
    assert {"Footnote 1", "Footnote 2", "Footnote 3", "Footnote 1 of chapter 2", "Footnote 1 of Appendix B"} <= found
    assert len([label for label in found if label.startswith("Theorem 4")]) == 2
    assert len([label for label in found if label.startswith("Algorithm 1")]) == 9
    assert len([label for label in found if label.startswith("Algorithm 2")]) == 2


def test_labels_are_unique_and_steps_within_an_entry_too():
    assert len(set(labels(EQUATIONS))) == len(EQUATIONS)
    for entry in EQUATIONS:
        claims = [step.claim for step in (*entry.steps, *entry.printed_steps)]
        assert len(set(claims)) == len(claims), entry.label


def test_numbered_equations_are_quoted():
    assert all(entry.printed_latex for entry in NUMBERED)


def test_collected_by_the_package():
    assert theory.equations("cheong2025") == EQUATIONS
    assert set(labels(MISPRINTS + CONDITIONALS)) <= {entry.label for entry in theory.errata("cheong2025")}


def test_closed_forms_named_in_the_ledger_exist():
    named = {entry.closed_form for entry in EQUATIONS} - {None}
    assert named
    assert named <= set(theory.catalogue())


def test_misprints_are_those_that_were_found():
    assert labels(MISPRINTS) == [
        "1.1 chain of inequalities",
        "1.3 sign flips",
        "1.3 predicting b given a",
        "Footnote 3",
        "Algorithm 1, line 8",
        "Algorithm 1, line 20",
        "Algorithm 2, range of i",
        "B.2 last lines",
    ]


@pytest.mark.parametrize("entry", MISPRINTS, ids=labels(MISPRINTS))
def test_printed_and_corrected_form_exchanged_is_noticed(entry):
    assert replace(entry, steps=entry.printed_steps, printed_steps=entry.steps).check() is Finding.OPEN
    reading = entry.oracle()
    swapped = Reading(reading.corrected, reading.printed, reading.independent, reading.tolerance)
    assert replace(entry, oracle=lambda: swapped).check() is Finding.OPEN


@pytest.mark.parametrize("entry", MISPRINTS, ids=labels(MISPRINTS))
def test_misprint_is_not_claimed_where_the_print_is_right(entry):
    assert replace(entry, printed_steps=entry.steps[:1]).check() is Finding.CONFIRMED


@pytest.mark.parametrize("entry", CONDITIONALS, ids=labels(CONDITIONALS))
def test_condition_is_said_and_has_a_consequence(entry):
    assert "if" in entry.corrected_latex
    assert len(entry.consequence) > 20
    # One step is enough: what is asked is whether the missing counterexample is noticed.
    assert replace(entry, steps=entry.steps[:1], counterexample=lambda: False).check() is Finding.OPEN


def wrong(step):
    """The same claim with its right-hand side multiplied by 3/2, or with 1 where it says 0."""
    value = step.right
    if isinstance(value, sp.MatrixBase):
        zero = value == sp.zeros(*value.shape)
        value = sp.ones(*value.shape) if zero else value * sp.Rational(3, 2)
    else:
        value = sp.S.One if value == 0 else value * sp.Rational(3, 2)
    return Step(f"wrong: {step.claim}", step.left, value, where=step.where)


def identities():
    """Every identity of the ledger once, with the label of its first entry."""
    seen = {}
    for entry in EQUATIONS:
        for step in entry.steps:
            if isinstance(step, Step):
                seen.setdefault((step.left, step.right, step.where), (entry.label, step))
    return list(seen.values())


def test_planted_coefficient_error_is_refuted_in_every_identity():
    survivors = [(label, step.claim) for label, step in identities() if wrong(step).check() is not Verdict.FAILS]
    assert len(identities()) > 30
    assert survivors == []


def test_entry_with_a_planted_error_is_not_confirmed():
    entry = next(entry for entry in EQUATIONS if entry.label == "(2.1)")
    assert replace(entry, steps=(wrong(entry.steps[0]),)).check() is Finding.OPEN


def test_the_flip_matters_to_the_classifier_that_was_trained():
    assert separates(flipped=False, adapted=False)
    assert separates(flipped=True, adapted=True)
    assert not separates(flipped=False, adapted=True)

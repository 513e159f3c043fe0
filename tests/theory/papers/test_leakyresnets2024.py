"""The ledger of Leaky ResNets: every verdict is reached by program, and a planted error is not confirmed."""

from dataclasses import replace

import pytest
import sympy as sp

import theory
from theory.core import Finding, Reading, Step, Verdict
from theory.papers.leakyresnets2024 import EQUATIONS

MISPRINTS = [entry for entry in EQUATIONS if entry.verdict is Finding.MISPRINT]
CONDITIONALS = [entry for entry in EQUATIONS if entry.verdict is Finding.CONDITIONAL]


def labels(entries):
    return [entry.label for entry in entries]


@pytest.mark.parametrize("entry", EQUATIONS, ids=labels(EQUATIONS))
def test_program_reaches_the_recorded_verdict(entry):
    assert entry.check() is entry.verdict


def test_every_proposition_and_theorem_is_there():
    for number in range(1, 10):
        kind = "Theorem" if number in (4, 7) else "Proposition"
        assert any(entry.label.startswith(f"{kind} {number}") for entry in EQUATIONS), number
    assert [entry.label for entry in EQUATIONS if entry.label.startswith("(")] == ["(1)"]
    sections = ["Abstract", "1.1", "1.2", "1.3", "1.4", "1.5", "2.1", "3", "4", "A.1", "A.2", "A.3", "B"]
    assert list(dict.fromkeys(entry.edition.rpartition("Section ")[2] for entry in EQUATIONS)) == sections


def test_labels_are_unique_and_steps_within_an_entry_too():
    assert len(set(labels(EQUATIONS))) == len(EQUATIONS)
    for entry in EQUATIONS:
        claims = [step.claim for step in (*entry.steps, *entry.printed_steps)]
        assert len(set(claims)) == len(claims), entry.label


def test_misprints_are_quoted_and_corrected_in_the_letters_of_the_paper():
    for entry in MISPRINTS:
        assert entry.printed_latex != entry.corrected_latex
        assert entry.printed_latex.count("{") == entry.printed_latex.count("}"), entry.label
        assert entry.corrected_latex.count("{") == entry.corrected_latex.count("}"), entry.label


def test_collected_by_the_package():
    assert theory.equations("leakyresnets2024") == EQUATIONS
    assert set(labels(MISPRINTS + CONDITIONALS)) <= {entry.label for entry in theory.errata("leakyresnets2024")}
    assert all(entry.verdict in (Finding.MISPRINT, Finding.CONDITIONAL) for entry in theory.errata("leakyresnets2024"))


def test_closed_forms_named_in_the_ledger_exist():
    named = {entry.closed_form for entry in EQUATIONS} - {None}
    assert named
    assert named <= set(theory.catalogue())


def test_misprints_are_those_that_were_found():
    assert labels(MISPRINTS) == [
        "1.2 integration range",
        "1.3 scalar product",
        "1.3 decomposition",
        "1.3 cost of identity",
        "1.5 terminal momentum",
        "2.1 gamma",
        "Theorem 4, Hamiltonian",
        "4 potential energy",
        "Theorem 7, Hamiltonian",
        "Proposition 8, weights",
        "Proposition 8, simplified norm",
        "Proposition 8, ends",
        "Proposition 8, difference",
        "Proposition 9",
        "A.3 third line",
        "A.3 first variation",
        "A.3 conclusion",
    ]


@pytest.mark.parametrize("entry", MISPRINTS, ids=labels(MISPRINTS))
def test_printed_and_corrected_form_exchanged_is_noticed(entry):
    assert replace(entry, steps=entry.printed_steps, printed_steps=entry.steps).check() is Finding.OPEN
    reading = entry.oracle()
    swapped = Reading(reading.corrected, reading.printed, reading.independent, reading.tolerance)
    assert replace(entry, oracle=lambda: swapped).check() is Finding.OPEN


@pytest.mark.parametrize("entry", MISPRINTS, ids=labels(MISPRINTS))
def test_misprint_is_not_claimed_where_the_print_is_right(entry):
    assert replace(entry, printed_steps=entry.steps).check() is Finding.CONFIRMED


@pytest.mark.parametrize("entry", CONDITIONALS, ids=labels(CONDITIONALS))
def test_condition_is_said_and_has_a_consequence(entry):
    assert "if" in entry.corrected_latex or entry.corrected
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
    assert len(identities()) > 90
    assert survivors == []


def test_entry_with_a_planted_error_is_not_confirmed():
    entry = next(entry for entry in EQUATIONS if entry.label == "1.5 Hamiltonian")
    assert replace(entry, steps=(wrong(entry.steps[0]),)).check() is Finding.OPEN

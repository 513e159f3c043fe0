"""The ledger of Zavatone-Veth et al.: every verdict is reached by program, and a planted error is not confirmed."""

import re
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

import theory
from theory.core import Finding, Reading, Step, Verdict
from theory.papers.zavatoneveth2023 import EQUATIONS

MISPRINTS = [entry for entry in EQUATIONS if entry.verdict is Finding.MISPRINT]
CONDITIONALS = [entry for entry in EQUATIONS if entry.verdict is Finding.CONDITIONAL]
NUMBERED = [entry for entry in EQUATIONS if entry.label.startswith("(")]
LAST = {"": 7, "A": 19, "B": 70, "C": 51, "D": 20, "E": 41, "F": 21, "G": 3}
OUR_NAMES = ("Omega1", "Omega2", "Omega_{1}", "Omega_{2}", "||")


def labels(entries):
    return [entry.label for entry in entries]


def numbers(label):
    """The equations that a label names: "(B.20) to (B.22)", "(B.23) and (B.24)", "(A.3) to (A.12), Riemann tensor"."""
    found = re.match(r"\((?:([A-G])\.)?(\d+)\)(?: (?:to|and) \((?:[A-G]\.)?(\d+)\))?", label)
    appendix, first, last = found.groups()
    return [(appendix or "", number) for number in range(int(first), int(last or first) + 1)]


@pytest.mark.parametrize("entry", EQUATIONS, ids=labels(EQUATIONS))
def test_program_reaches_the_recorded_verdict(entry):
    assert entry.check() is entry.verdict


def test_all_numbered_equations_are_there_in_order():
    named = [pair for entry in NUMBERED for pair in numbers(entry.label)]
    expected = {(appendix, number) for appendix, last in LAST.items() for number in range(1, last + 1)}
    assert set(named) == expected
    starts = [numbers(label)[0] for label in labels(NUMBERED)]
    assert starts == sorted(starts)
    # Only the lost displays (A.3) to (A.12) are named by more than one entry.
    repeated = {pair for pair in named if named.count(pair) > 1}
    assert repeated == {("A", number) for number in range(3, 13)}


def test_labels_are_unique_and_steps_within_an_entry_too():
    assert len(set(labels(EQUATIONS))) == len(EQUATIONS)
    for entry in EQUATIONS:
        claims = [step.claim for step in (*entry.steps, *entry.printed_steps)]
        assert len(set(claims)) == len(claims), entry.label


def test_numbered_equations_are_quoted_and_typeset_in_the_letters_of_the_paper():
    for entry in NUMBERED:
        assert entry.printed_latex, entry.label
    for entry in EQUATIONS:
        for latex in (entry.printed_latex, entry.corrected_latex):
            assert latex.count("{") == latex.count("}"), entry.label
            assert not any(name in latex for name in OUR_NAMES), (entry.label, latex)


def test_collected_by_the_package():
    assert theory.equations("zavatoneveth2023") == EQUATIONS
    assert set(labels(MISPRINTS + CONDITIONALS)) <= {entry.label for entry in theory.errata("zavatoneveth2023")}


def test_closed_forms_named_in_the_ledger_exist():
    assert {entry.closed_form for entry in EQUATIONS} - {None} <= set(theory.catalogue())


def test_misprints_are_those_that_inherit_the_factor():
    assert labels(MISPRINTS) == [
        "(4)",
        "(7)",
        "(A.3) to (A.12), Riemann tensor",
        "(A.17) to (A.19)",
        "(B.10)",
        "(B.12)",
        "(B.13)",
        "(B.15)",
        "(B.16)",
        "(B.27) to (B.30)",
        "(B.31) and (B.32)",
        "(B.33) and (B.34)",
        "(B.35) and (B.36)",
        "(B.40)",
        "(B.42)",
        "(B.43)",
        "(B.69)",
        "(B.70)",
        "(C.16)",
        "(C.19) and (C.20)",
        "(C.23)",
        "(C.28)",
        "(C.46)",
        "(C.48)",
        "G.1 differentiation",
    ]


@pytest.mark.parametrize("entry", MISPRINTS, ids=labels(MISPRINTS))
def test_printed_is_exactly_three_times_the_corrected(entry):
    reading = entry.oracle()
    np.testing.assert_allclose(np.asarray(reading.printed), 3 * np.asarray(reading.corrected), rtol=1e-12, atol=1e-300)
    swapped = Reading(reading.corrected, reading.printed, reading.independent, reading.tolerance)
    assert not swapped.sides_with_corrected


@pytest.mark.parametrize("entry", MISPRINTS, ids=labels(MISPRINTS))
def test_misprint_is_not_claimed_where_the_print_is_right(entry):
    # One step is enough: what is asked is how printed steps that hold are taken.
    right = entry.steps[-1:]
    assert replace(entry, steps=right, printed_steps=right).check() is Finding.CONFIRMED


@pytest.mark.parametrize("entry", CONDITIONALS, ids=labels(CONDITIONALS))
def test_condition_is_said_and_has_a_consequence(entry):
    assert "if" in entry.corrected_latex
    assert len(entry.consequence) > 20
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
    assert len(identities()) > 150
    assert survivors == []


def test_entry_with_a_planted_error_is_not_confirmed():
    entry = next(entry for entry in EQUATIONS if entry.label == "(C.27)")
    assert replace(entry, steps=(wrong(entry.steps[0]),)).check() is Finding.OPEN

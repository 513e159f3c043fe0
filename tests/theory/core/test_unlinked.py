"""Tests of entries whose programs do not read the statement: programs reach the verdict, wrong verdicts fail."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import sympy as sp

from theory.core import Check, Finding, Reading, Step
from theory.core.unlinked import UnlinkedEquation

x, y = sp.symbols("x y", positive=True)
HOLDS = Step("square of a sum", (x + y) ** 2, x**2 + 2 * x * y + y**2)
FAILS = Step("as printed", (x + y) ** 2, x**2 + x * y + y**2)
UNDECIDED = Step(
    "Legendre's relation",
    sp.elliptic_e(x / (1 + x)) * sp.elliptic_k(1 / (1 + x))
    + (sp.elliptic_e(1 / (1 + x)) - sp.elliptic_k(1 / (1 + x))) * sp.elliptic_k(x / (1 + x)),
    sp.pi / 2,
)


def entry(verdict, **fields):
    return UnlinkedEquation("vanrossem2024", "(0)", "A statement.", verdict, "Because it is so.", **fields)


MISPRINT = entry(
    Finding.MISPRINT,
    printed=x**2 + x * y + y**2,
    corrected=x**2 + 2 * x * y + y**2,
    steps=(HOLDS,),
    printed_steps=(FAILS,),
    witness={x: 1, y: 2},
    oracle=lambda: Reading(printed=7, corrected=9, independent=(1 + 2) ** 2),
    consequence="Areas come out too small.",
)
CONDITIONAL = entry(
    Finding.CONDITIONAL,
    steps=(HOLDS,),
    counterexample=lambda: (1 + 2) ** 2 != 1 + 2**2,
    consequence="Only where x y = 0.",
)


@pytest.mark.parametrize(
    "equation",
    [
        entry(Finding.CONFIRMED, steps=(HOLDS,)),
        entry(Finding.CONFIRMED, steps=(HOLDS, Check("a number", lambda: True))),
        MISPRINT,
        CONDITIONAL,
        entry(Finding.DEFINITION),
        entry(Finding.DEFINITION, steps=(HOLDS,)),
        entry(Finding.ASSUMPTION),
        entry(Finding.OPEN),
    ],
)
def test_a_right_verdict_is_reached(equation):
    assert equation.check() is equation.verdict


def wrong_side():
    return Reading(printed=7, corrected=9, independent=7)


@pytest.mark.parametrize(
    "equation",
    [
        entry(Finding.CONFIRMED, steps=(FAILS,)),
        entry(Finding.CONFIRMED, steps=(UNDECIDED,)),
        entry(Finding.CONFIRMED, steps=(HOLDS, Check("a number", lambda: False))),
        entry(Finding.DEFINITION, steps=(FAILS,)),
        dataclasses.replace(MISPRINT, steps=(FAILS,)),
        dataclasses.replace(MISPRINT, printed_steps=(UNDECIDED,)),
        dataclasses.replace(MISPRINT, oracle=wrong_side),
        dataclasses.replace(CONDITIONAL, counterexample=lambda: False),
        dataclasses.replace(CONDITIONAL, steps=(UNDECIDED,)),
    ],
)
def test_what_is_not_shown_is_open(equation):
    assert equation.check() is Finding.OPEN


def test_a_misprint_that_holds_as_printed_is_none():
    assert dataclasses.replace(MISPRINT, printed_steps=(HOLDS,)).check() is Finding.CONFIRMED


@pytest.mark.parametrize(
    "missing", ["printed", "corrected", "steps", "printed_steps", "witness", "oracle", "consequence"]
)
def test_a_misprint_needs_all_its_evidence(missing):
    empty = {"printed": "", "corrected": "", "steps": (), "printed_steps": (), "witness": None, "oracle": None}
    with pytest.raises(ValueError, match=f"a MISPRINT needs {missing}"):
        dataclasses.replace(MISPRINT, **{missing: empty.get(missing, "")})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"steps": ()}, "a CONFIRMED needs steps"),
        ({"paper": "nobody2020"}, "not in references.bib"),
        ({"label": ""}, "label must not be empty"),
        ({"statement": " "}, "statement must not be empty"),
        ({"evidence": ""}, "evidence must not be empty"),
        ({"verdict": "confirmed"}, "verdict must be a Finding"),
        ({"verdict": Finding.CONDITIONAL, "consequence": "none"}, "a CONDITIONAL needs counterexample"),
    ],
)
def test_an_incomplete_entry_is_refused(fields, message):
    with pytest.raises((ValueError, TypeError), match=message):
        dataclasses.replace(entry(Finding.CONFIRMED, steps=(HOLDS,)), **fields)


def test_readings():
    assert Reading(7, 9, 9).sides_with_corrected
    assert not Reading(7, 9, 7).sides_with_corrected
    assert not Reading(9, 9, 9).sides_with_corrected
    assert not Reading(7, 9.1, 9).sides_with_corrected
    assert Reading(7, 9.1, 9, tolerance=0.02).sides_with_corrected
    assert Reading(np.array([1.0, 2]), np.array([1.0, 3]), np.array([1.0, 3])).sides_with_corrected
    assert not Reading(7, float("nan"), 9).sides_with_corrected
    assert Reading(1e-3, 0, 0).sides_with_corrected


def test_formulas_in_latex():
    assert MISPRINT.printed_latex == "x^{2} + x y + y^{2}"
    assert entry(Finding.OPEN, printed=r"\|dh\|^2").printed_latex == r"\|dh\|^2"
    assert MISPRINT.key == ("vanrossem2024", "(0)")
    assert str(MISPRINT) == "vanrossem2024 (0): misprint. A statement."

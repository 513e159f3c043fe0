"""Tests of the ledger of van Rossem and Saxe (2024): its numbered equations, misprints and conditions."""

from dataclasses import replace

import pytest

from papers.vanrossem2024 import ledger as paper
from papers.vanrossem2024.ledger.flows import letters
from theory.core import Conditional, Ruling
from theory.core.proof.verdict import Verdict

LINES = {7: 3, 17: 7, 20: 13, 21: 3, 22: 6, 25: 2, 37: 2, 41: 3, 43: 3, 44: 5, 46: 3, 48: 3}
"""Entries of the displays that have more than two lines, or two equations."""


def twice():
    """The condition that the time constants are twice those of Eq. (6)."""
    return next(entry.condition for entry in paper.EQUATIONS if entry.label == "(7) dh2")


def test_all_numbered_equations_are_there_in_order():
    numbered = [
        int(entry.label[1:].split(")")[0])
        for entry in paper.EQUATIONS
        if entry.label.startswith("(")
    ]
    # Section 4.1 says that there is one stable point before Eq. (10), and the ledger runs as the paper does.
    assert numbered == sorted(numbered)
    assert set(numbered) == set(range(1, 52))
    for number, lines in LINES.items():
        assert numbered.count(number) == lines, number


def names_twice(entry):
    """Whether the entry shows that its time constants are twice those of Eq. (6)."""
    corrected = entry.corrected.condition if isinstance(entry.corrected, Conditional) else None
    return twice() in (entry.condition, corrected)


def test_what_holds_with_twice_the_time_constants_only_says_so_and_names_its_root():
    roots = [entry for entry in paper.EQUATIONS if entry.label in ("(17) D_h", "(17) D_y")]
    shown = {
        entry.label
        for entry in paper.EQUATIONS
        if names_twice(entry) and entry.verdict is Ruling.CONDITIONAL
    }
    assert [set(root.heirs) for root in roots] == [shown, shown]
    misprints = [
        entry
        for entry in paper.EQUATIONS
        if names_twice(entry) and entry.verdict is Ruling.MISPRINT
    ]
    assert [(entry.label, entry.root) for entry in misprints] == [
        ("(39)", None),
        ("(40)", "(39)"),
        ("(43) w", None),
    ]


@pytest.mark.parametrize(
    "label", ["(23)", "(25) dh2", "(25) w", "(29)", "(33)", "(35)", "(37) dy2", "(38)", "(43) dh2"]
)
def test_a_rate_fails_with_the_time_constants_of_eq_6(label):
    (entry,) = (entry for entry in paper.EQUATIONS if entry.label == label)
    assert entry.check() is Ruling.CONDITIONAL
    assert Verdict.FAILS in [step.check() for step in entry.programs]
    assert entry.reading().contradicts_printed


@pytest.mark.parametrize("label", ["(39)", "(40)", "(43) w"])
def test_a_correction_without_its_condition_is_noticed(label):
    (entry,) = (entry for entry in paper.EQUATIONS if entry.label == label)
    assert replace(entry, corrected=entry.corrected.statement).check() is Ruling.OPEN


@pytest.mark.parametrize("label", ["(29)", "(32)", "(34)"])
def test_both_sides_of_a_matrix_equation_have_one_shape(label):
    (entry,) = (entry for entry in paper.EQUATIONS if entry.label == label)
    assert entry.printed.lhs.shape == entry.printed.rhs.shape


@pytest.mark.parametrize(
    ("label", "name"), [("(4) encoder", "grad_phi"), ("(4) decoder", "grad_psi")]
)
def test_a_flow_that_is_not_proportional_to_the_gradient_is_noticed(label, name):
    gradient = letters(name)(letters("L"))
    (entry,) = (entry for entry in paper.EQUATIONS if entry.label == label)
    assert entry.check() is Ruling.CONFIRMED
    for other in (1, gradient**2):
        assert (
            replace(entry, printed=entry.printed.subs(gradient, other)).check()
            is not Ruling.CONFIRMED
        )

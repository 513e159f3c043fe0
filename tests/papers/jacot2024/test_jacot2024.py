"""Tests of the ledger of Jacot and Kaiser (2024): its propositions, theorems, sections and misprints."""

from dataclasses import replace

import pytest

from papers.jacot2024 import ledger as paper
from theory.core import Ruling, letters_of

A, A_dot, H, K, c, gamma, norm_gamma, least_p = letters_of("papers.jacot2024.ledger")(
    "A A_dot H K c gamma norm_gamma least_p"
)
SPEED = norm_gamma(A_dot, K, gamma)


def test_every_proposition_and_theorem_is_there():
    for number in range(1, 10):
        kind = "Theorem" if number == 4 else "Proposition"  # Theorem 7 is Theorem 4 again
        assert number == 7 or any(
            entry.label.startswith(f"{kind} {number}") for entry in paper.EQUATIONS
        ), number
    assert [entry.label for entry in paper.EQUATIONS if entry.label.startswith("(")] == ["(1)"]


def test_every_section_is_there_in_order():
    sections = [
        "Abstract",
        "1.1",
        "1.2",
        "1.3",
        "1.4",
        "1.5",
        "2.1",
        "3",
        "4",
        "A.1",
        "A.2",
        "A.3",
        "B",
    ]
    assert (
        list(dict.fromkeys(entry.where.removeprefix("Section ") for entry in paper.EQUATIONS))
        == sections
    )


@pytest.mark.parametrize("label", ["2.1 energies", "2.1 speed"])
def test_energies_need_the_condition_of_section_2_1(label):
    (entry,) = (entry for entry in paper.EQUATIONS if entry.label == label)
    assert entry.check() is Ruling.CONFIRMED
    assert replace(entry, printed=entry.printed.args[1]).check() is not Ruling.CONFIRMED


@pytest.mark.parametrize(
    ("label", "letter", "other"),
    [
        ("Theorem 4, speed", H, 0),
        ("Theorem 4, speed", SPEED, SPEED**2),
        ("A.2 length", gamma, 1),
        ("Theorem 4, Hamiltonian, upper bound", c * gamma, c),
        ("Theorem 4, Hamiltonian, upper bound", least_p(norm_gamma(A, K, gamma) ** 2), 1),
        ("A.2 lower bound, second line", SPEED, SPEED**2),
    ],
)
def test_bounds_that_simple_neurons_violate_are_noticed(label, letter, other):
    (entry,) = (entry for entry in paper.EQUATIONS if entry.label == label)
    changed = replace(entry, printed=entry.printed.subs(letter, other))
    assert entry.check() is entry.verdict
    assert changed.check() is not entry.verdict

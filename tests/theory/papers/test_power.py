"""Tests that the checks read the statement shown: an error planted in it changes the verdict of any entry."""

import ast
import importlib
import random
from pathlib import Path

import pytest

import theory
from theory import ledger
from theory.core import Ruling
from theory.core.ledger.mutation_test import DECIDED, letter_survivors, planted_errors, survivors

LEDGERS = ledger.LEDGERS.targets
SAMPLE = 20  # entries of each paper in each of which the fast suite plants one error
ENTRIES = theory.equations()


def can_be_wrong(entry):
    return any(True for _ in planted_errors(entry))


DECIDABLE = [entry for entry in ENTRIES if can_be_wrong(entry)]


def sample(entries):
    """Some entries of each paper, always the same."""
    by_paper = [[entry for entry in entries if entry.paper == paper] for paper in LEDGERS]
    return [e for es in by_paper for e in random.Random(0).sample(es, min(SAMPLE, len(es)))]


def parameters(entries):
    return [pytest.param(entry, id=" ".join(entry.key)) for entry in entries]


@pytest.mark.parametrize("entry", parameters(sample(DECIDABLE)))
def test_a_planted_error_is_noticed(entry):
    assert survivors(entry, 1) == []


@pytest.mark.slow
@pytest.mark.parametrize("entry", parameters(DECIDABLE))
def test_no_planted_error_survives(entry):
    assert survivors(entry) == []


# Entries in which a letter may stand for another: most are weaker then, or make no difference between both.
EXCHANGEABLE = {
    "paccolat2021": {"C.2 C_perp"},
    "jacot2024": {
        "2.1 extra cost", "2.1 limit", "2.1 weights", "A.2 upper bound, second line", "Proposition 6, covariances",
        "Theorem 4, Hamiltonian, upper bound",
    },
    "vanrossem2024": {"(4) decoder", "(44) line 4"},
    "cheong2025": {
        "(1.2)", "(1.4)", "1.1 chain of inequalities", "1.1 data processing", "1.3 KL", "1.3 own labels",
        "1.3 variational form", "2.3 no bias", "Algorithm 2, number of labels", "B.1 cost of the projections",
        "Footnote 3", "NC2", "Theorem 1, decomposition", "Theorem 1, delta", "Theorem 4, cost",
    },
    "zavatoneveth2023": {
        "(A.17)", "(B.63)", "(C.12)", "(C.15)", "(D.16)", "(D.6)", "(F.6)", "(F.19)", "E.1 facts",
        "II.B geodesic balls", "IV.B NNGP kernel",
    },
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("paper", LEDGERS)
def test_a_letter_in_the_place_of_another_is_noticed(paper):
    survive = {entry.label for entry in theory.equations(paper) if letter_survivors(entry)}
    assert survive <= EXCHANGEABLE[paper]


@pytest.mark.parametrize("paper", LEDGERS)
def test_entries_are_complete(paper):
    labels = {entry.label for entry in theory.equations(paper)}
    for entry in theory.equations(paper):
        if entry.verdict in DECIDED:
            assert can_be_wrong(entry), f"{entry.label}: nothing in it can be wrong"
        if entry.verdict in (Ruling.MISPRINT, Ruling.CONDITIONAL):
            assert len(entry.consequence) > 20 or entry.consequence.startswith("As "), entry.label
            assert set(entry.heirs) <= labels, entry.label
        if entry.harmless:
            words = {f"{field}: {mutant.change}" for field, mutant in planted_errors(entry)}
            assert set(entry.harmless) <= words, f"{entry.label}: what is listed as harmless is no planted error"


@pytest.mark.parametrize("paper", LEDGERS)
def test_no_case_is_skipped_in_a_program(paper):
    directory = Path(importlib.import_module(LEDGERS[paper]).__file__).parent
    for path in directory.glob("*.py"):
        skipped = [
            n.lineno for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Continue)
        ]
        assert not skipped, f"{path.name}: continue in lines {skipped}"

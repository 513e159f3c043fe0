"""Tests that the checks read the statement shown: an error planted in it changes the verdict of any entry."""

import ast
import importlib
import random
from contextlib import suppress
from pathlib import Path

import pytest
import sympy as sp

import theory
from tests.papers.blocks import BLOCKS, LEDGERS, entries
from theory.core import Conditional, Ruling
from theory.core.ledger.mutation_test import (
    DECIDED,
    is_unread,
    lost_values,
    planted_errors,
    survives,
    survivors,
)
from theory.core.ledger.planted_errors import (
    Mutant,
    mutants,
    mutants_of_condition,
    places,
    replaced,
)
from theory.core.ledger.relation_kinds import SIGNS, refuse_undeclared, signs

SAMPLE = 3  # entries of each paper in each of which the fast suite plants one error
LONG = {
    ("vanrossem2024", "(22) line 2"),
    ("vanrossem2024", "B.1 data"),
    ("paccolat2021", "2.4 all neurons"),
    ("cheong2025", "1.3 variational form"),
    ("zavatoneveth2023", "(E.39)"),
}  # seconds to refute
CAN_BE_WRONG = {ruling.name for ruling in DECIDED}
DECIDABLE = [
    key
    for key, block in BLOCKS.items()
    if block.verdict in CAN_BE_WRONG or "inferred" in block.fields
]


def sample(keys):
    """Some entries of each paper, always the same."""
    by_paper = [[key for key in keys if key[0] == paper] for paper in LEDGERS]
    chosen = [
        key for keys in by_paper for key in random.Random(0).sample(keys, min(SAMPLE, len(keys)))
    ]
    return [key for key in chosen if key not in LONG]


@pytest.mark.parametrize("key", sample(DECIDABLE), ids=" ".join)
def test_a_planted_error_is_noticed(key):
    assert survivors(entries()[key], 1) == []


@pytest.mark.slow
@pytest.mark.parametrize("key", DECIDABLE, ids=" ".join)
def test_no_planted_error_survives(key):
    assert survivors(entries()[key]) == []


@pytest.mark.parametrize("paper", LEDGERS)
def test_every_value_of_a_witness_is_read(paper):
    """No given value of a point is a caption: without it the numbers that are shown cannot be computed."""
    lost = 0
    for entry in theory.errata(paper):
        for mutant in lost_values(entry.witness):
            lost += 1
            assert not is_unread(entry, mutant.statement), f"{entry.label}: {mutant.change}"
    assert lost >= 10


def kinds_unread(entry, field):
    """The changes of the kind of a relation in a field that its program takes, and that are not harmless."""
    of_field = (
        mutants_of_condition(entry.condition)
        if field == "condition"
        else mutants(getattr(entry, field))
    )
    for mutant in of_field:
        statement = mutant.statement
        if field == "condition":
            statement = Conditional(entry.printed, statement)
        if mutant.change.rpartition(" made ")[2] in ("Equality", "Scales", "Tends"):
            with suppress(ValueError):
                refuse_undeclared(entry.prove, statement)
                if f"{field}: {mutant.change}" not in entry.harmless:
                    yield mutant.change


@pytest.mark.parametrize("paper", LEDGERS)
def test_the_kind_of_a_relation_is_read(paper):
    """A scaling, a limit or an approximation that is read as an equation is refused, or changes what is shown."""
    surviving = []
    for entry in theory.equations(paper):
        for field in ("printed", "corrected", "condition") if entry.prove else ():
            shown = getattr(entry, field)
            if set(signs(shown)) & set(SIGNS.values()):
                surviving += [(entry.label, change) for change in kinds_unread(entry, field)]
    assert surviving == []


# Entries in which a letter may stand for another, with the reason why the exchanged statement is true.
EXCHANGEABLE = {
    "paccolat2021": {"C.2 C_perp": "the weight across vanishes, so that omega is omega_1, whatever stands behind it"},
    "jacot2024": {
        "2.1 integer": "the bound on the momenta may be any number",
        "2.1 weights": "where beta is zero, the place beta is the place zero",
        "Proposition 6, covariances": "the covariance is the same along the path",
        "Theorem 4, Hamiltonian, upper bound": "c for H, or H for the depth, makes the left-hand side negative",
    },
    "vanrossem2024": {"(44) line 4": "with the second inequality, h > 0 says the same as 2 h > A_high"},
    "cheong2025": {
        "(1.2)": "any constant may be added to the objective",
        "(1.4)": "N is at least C, so that the bound is weaker; a factor does not change the rank",
        "1.1 chain of inequalities": "I(h; y) is I(x; y), and at most I(g; x)",
        "1.1 data processing": "I(h; y) is at most I(g; h), too; the others are equalities",
        "1.3 KL": "the infimum is reached at f = p(b|a), where the logarithm vanishes",
        "1.3 variational form": "as 1.3 KL",
        "2.3 no bias": "normalisation takes a scale away as it does a bias",
        "B.1 cost of the projections": "an equality satisfies it",
        "NC2": "class C is another class than c",
        "Theorem 4, cost": "both are bounds, of which one is weaker and one has a conclusion that holds anyway",
    },
    "zavatoneveth2023": {
        "(B.63)": "the free index of the left side is a name alone: the right side is a column",
        "(C.12)": "an index that is renamed on one side is summed on both, and rows of equal matrices have equal sums",
        "(C.15)": "as (C.12)",
        "(F.6)": "the first term is the derivative of a constant, in any coordinates",
        "E.1 facts": "the identity has the trace d, and the sum of all its entries is d as well",
    },
}  # fmt: skip


def exchanged_letters(formula, draw):
    """The formula with one place of each letter taken by another letter of it; bound letters stay."""
    symbols = sorted(
        (node for node in formula.free_symbols if isinstance(node, sp.Symbol)), key=str
    )
    for letter in symbols if len(symbols) > 1 else ():
        other = draw.choice([symbol for symbol in symbols if symbol != letter])
        paths = [path for path, node, _ in places(formula) if node == letter]
        # sympy rejects it, or no place is free
        with suppress(ValueError, TypeError, NotImplementedError, IndexError):
            yield Mutant(f"{letter} -> {other}", replaced(formula, draw.choice(paths), other))


def letter_survivors(entry):
    """Exchanges of a letter of the printed formula that leave its verdict; what they say may be true."""
    if entry.verdict not in DECIDED or not isinstance(entry.printed, sp.Basic):
        return []
    draw, before = random.Random(f"0 {entry.key}"), entry.outcome()
    changed = exchanged_letters(entry.printed, draw)
    return [mutant.change for mutant in changed if survives(entry, "printed", mutant, before)]


@pytest.mark.slow
@pytest.mark.parametrize("paper", LEDGERS)
def test_a_letter_in_the_place_of_another_is_noticed(paper):
    survive = {entry.label for entry in theory.equations(paper) if letter_survivors(entry)}
    assert survive <= set(EXCHANGEABLE.get(paper, ()))


@pytest.mark.parametrize("paper", LEDGERS)
def test_entries_are_complete(paper):
    labels = {entry.label for entry in theory.equations(paper)}
    for entry in theory.equations(paper):
        if entry.verdict in DECIDED:
            assert any(planted_errors(entry)), f"{entry.label}: nothing in it can be wrong"
        if entry.verdict in (Ruling.MISPRINT, Ruling.CONDITIONAL):
            assert len(entry.consequence) > 20 or entry.consequence.startswith("As "), entry.label
            assert set(entry.heirs) <= labels, entry.label
        if entry.harmless:
            words = {f"{field}: {mutant.change}" for field, mutant in planted_errors(entry)}
            assert set(entry.harmless) <= words, (
                f"{entry.label}: what is listed as harmless is no planted error"
            )


@pytest.mark.parametrize("paper", LEDGERS)
def test_no_case_is_skipped_in_a_program(paper):
    directory = Path(importlib.import_module(LEDGERS[paper]).__file__).parent
    for path in directory.glob("*.py"):
        skipped = [
            n.lineno
            for n in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(n, ast.Continue)
        ]
        assert not skipped, f"{path.name}: continue in lines {skipped}"

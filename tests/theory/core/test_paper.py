"""A paper makes the entries of its ledger and names places in it."""

import dataclasses

import pytest
import sympy as sp

from theory.core import Finding, Paper, Source, Step

x = sp.Symbol("x2_0", positive=True)
PAPER = Paper("vanrossem2024", "arXiv v2", {"x2_0": r"\|x(0)\|^2"})


def test_the_edition_is_that_of_the_reference_unless_another_was_read():
    assert PAPER.edition == "arXiv v2"
    assert "18 figures" in Paper("vanrossem2024").edition
    assert Paper("vanrossem2024").source("Eq. (1)") == Source("vanrossem2024", "Eq. (1)")
    assert str(PAPER.source("Eq. (1)")) == "van Rossem and Saxe (2024), Eq. (1), arXiv v2"


def test_entries_are_typeset_in_the_letters_of_the_paper():
    entry = PAPER.entry(
        "(1)", "2", "A sum.", Finding.CONFIRMED, "Expanded.", printed=2 * x, steps=(Step("sum", x + x, 2 * x),)
    )
    assert entry.paper == "vanrossem2024"
    assert entry.edition == "arXiv v2, Section 2"
    assert entry.printed_latex == r"2 \|x(0)\|^2"
    assert dataclasses.replace(entry, printed=sp.Tuple(x, 2 * x)).printed_latex.count(r"\\") == 1


def test_a_condition_is_said_in_words():
    entry = PAPER.entry("(1)", "2", "A sum.", Finding.OPEN, "Nobody looked.", condition="x_1 is small")
    assert entry.corrected_latex == r"\text{if x\_1 is small}"


def test_an_unknown_paper_is_refused():
    with pytest.raises(ValueError, match="nobody2020"):
        Paper("nobody2020")

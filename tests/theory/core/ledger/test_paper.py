"""Tests of the class Paper, which creates ledger entries and sources."""

import dataclasses

import pytest
import sympy as sp

from theory.core import Finding, Paper, Source, equal, identity

x = sp.Symbol("x2_0", positive=True)
y = sp.Symbol("y", positive=True)
PAPER = Paper("vanrossem2024", "arXiv v2", {"x2_0": r"\|x(0)\|^2"})


def test_the_edition_is_that_of_the_reference_unless_another_was_read():
    assert PAPER.edition == "arXiv v2"
    assert "18 figures" in Paper("vanrossem2024").edition
    assert Paper("vanrossem2024").source("Eq. (1)") == Source("vanrossem2024", "Eq. (1)")
    assert str(PAPER.source("Eq. (1)")) == "van Rossem and Saxe (2024), Eq. (1), arXiv v2"


def test_entries_are_typeset_in_the_letters_of_the_paper():
    entry = PAPER.entry(
        "(1)",
        "2",
        "A double.",
        Finding.CONFIRMED,
        "Expanded.",
        printed=equal(x, 2 * y),
        prove=identity({x: 2 * y}, "a sum"),
    )
    assert entry.paper == "vanrossem2024"
    assert entry.edition == "arXiv v2"
    assert entry.where == "Section 2"
    assert entry.printed_latex == r"\|x(0)\|^2 = 2 y"
    assert dataclasses.replace(entry, printed=sp.Tuple(equal(x, 2 * y), equal(x, y))).printed_latex.count(r"\\") == 1


def test_an_unknown_paper_is_refused():
    with pytest.raises(ValueError, match="nobody2020"):
        Paper("nobody2020")

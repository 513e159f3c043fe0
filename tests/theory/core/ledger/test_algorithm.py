"""Tests of printed algorithms: executed line by line as shown, and with errors planted in their lines."""

import pytest

from theory.core import Algorithm, Check, Equation, Ruling
from theory.core.ledger.mutation_test import survivors
from theory.core.ledger.planted_errors import mutants
from theory.core.ledger.typesetting import typeset

MEAN = Algorithm("""M = 0
for i in range(N):
    M = M + h(i)
M = M / N""")


def averages(algorithm):
    """The mean of four numbers that are not alike."""
    return (Check("four numbers", lambda: algorithm.run(N=4, h=lambda i: i**2 + 3)["M"] == 6.5),)


def test_it_is_executed_as_shown():
    assert MEAN.run(N=2, h=lambda i: i + 1)["M"] == 1.5
    with pytest.raises(NameError):
        Algorithm("x = open(1)").run()
    with pytest.raises(ValueError, match="text: got"):
        Algorithm("x = = 1")


def test_errors_are_planted_in_every_line():
    assert {mutant.change for mutant in mutants(MEAN)} == {
        "line 1: 0 -> 1",
        "line 3: M + h(i) -> M - h(i)",
        "line 4: M / N -> M * N",
        "line 1 left out",
        "line 3 left out",
        "line 4 left out",
    }


def test_an_entry_shows_it():
    entry = Equation(
        "cheong2025",
        "Algorithm",
        "A mean.",
        Ruling.CONFIRMED,
        "Run.",
        printed=MEAN,
        prove=averages,
    )
    assert entry.check() is Ruling.CONFIRMED
    assert survivors(entry) == []
    assert typeset(MEAN).startswith(r"\begin{array}{l} \texttt{1~~~M~=~0}")

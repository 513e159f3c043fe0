"""The ledger of Paccolat et al.: its numbered equations and footnotes, and the misprints that were found."""

from theory.core import Finding
from theory.papers.paccolat2021 import EQUATIONS


def test_all_numbered_equations_and_footnotes_are_there():
    labels = {entry.label for entry in EQUATIONS}
    assert {f"({number})" for number in [*range(1, 11), 14, 15, 16]} | {"(11) to (13)"} <= labels
    assert {f"footnote {number}" for number in range(1, 5)} <= labels


def test_misprints_are_those_that_were_found():
    found = [entry.label for entry in EQUATIONS if entry.verdict is Finding.MISPRINT]
    assert found == ["2.2 l'", "footnote 2", "3.2.1 stable along", "(7)", "(15)", "5.1 RKHS norm"]

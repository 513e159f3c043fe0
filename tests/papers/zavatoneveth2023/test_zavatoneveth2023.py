"""The ledger of Zavatone-Veth et al.: its numbered equations in order, and the factor behind most of its misprints."""

import re

import numpy as np
import pytest
import sympy as sp

from papers.zavatoneveth2023 import ledger as paper
from tests.papers.blocks import BLOCKS, entries

CURVATURES = [
    key
    for key, block in BLOCKS.items()
    if key[0] == "zavatoneveth2023"
    and block.verdict == "MISPRINT"
    and key[1].startswith(("(7)", "(A.", "(B.", "(C."))
]
LAST = {"": 7, "A": 19, "B": 70, "C": 51, "D": 20, "E": 41, "F": 21, "G": 3}


def numbers(label):
    """The equations that a label names: "(B.20) to (B.22)", "(B.23) and (B.24)", "(A.3) to (A.12), Riemann tensor"."""
    found = re.match(r"\((?:([A-G])\.)?(\d+)\)(?: (?:to|and) \((?:[A-G]\.)?(\d+)\))?", label)
    appendix, first, last = found.groups()
    return [(appendix or "", number) for number in range(int(first), int(last or first) + 1)]


def test_an_index_that_stands_once_is_summed_over_nowhere():
    """R_(mu nu ell beta) = - R_(nu mu alpha beta) says something of each ell and alpha, and is false."""
    entry = entries()["zavatoneveth2023", "(A.14)"]
    alpha = next(letter for letter in entry.printed.free_symbols if letter.name == "alpha")
    changed = sp.Eq(entry.printed.lhs.subs(alpha, sp.Symbol("ell")), entry.printed.rhs)
    (check,) = entry.prove(changed)
    with pytest.raises(ValueError, match="once, needs it on the other side or again"):
        check.run()


def test_all_numbered_equations_are_there():
    named = [
        pair
        for entry in paper.EQUATIONS
        if entry.label.startswith("(")
        for pair in numbers(entry.label)
    ]
    expected = {
        (appendix, number) for appendix, last in LAST.items() for number in range(1, last + 1)
    }
    assert set(named) == expected
    # Only the lost displays (A.3) to (A.12) are named by more than one entry.
    repeated = {pair for pair in named if named.count(pair) > 1}
    assert repeated == {("A", number) for number in range(3, 13)}


def test_blocks_of_a_matrix_are_bold_and_numbered():
    shown = next(entry for entry in paper.EQUATIONS if entry.label == "(F.14)").printed_latex
    assert re.findall(r"\\mathbf{Z}_\{(\d+)\} =", shown) == ["11", "12", "21", "22"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("key", CURVATURES, ids=lambda key: key[1])
def test_printed_curvature_is_exactly_three_times_the_corrected(key):
    reading = entries()[key].reading()
    printed, corrected = (
        np.asarray(value, dtype=float) for value in (reading.printed, reading.corrected)
    )
    np.testing.assert_allclose(
        printed, 3 * corrected, rtol=1e-12, atol=1e-12 * np.abs(printed).max()
    )

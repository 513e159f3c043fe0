"""Tests of the ledger of Zavatone-Veth et al. (2023): its numbered equations, and the factor behind its misprints."""

import re

import numpy as np
import pytest

from theory.core import Finding
from theory.papers.zavatoneveth2023 import EQUATIONS

MISPRINTS = [entry for entry in EQUATIONS if entry.verdict is Finding.MISPRINT]
NUMBERED = [entry for entry in EQUATIONS if entry.label.startswith("(")]
LAST = {"": 7, "A": 19, "B": 70, "C": 51, "D": 20, "E": 41, "F": 21, "G": 3}


def labels(entries):
    return [entry.label for entry in entries]


def numbers(label):
    """The equations that a label names: "(B.20) to (B.22)", "(B.23) and (B.24)", "(A.3) to (A.12), Riemann tensor"."""
    found = re.match(r"\((?:([A-G])\.)?(\d+)\)(?: (?:to|and) \((?:[A-G]\.)?(\d+)\))?", label)
    appendix, first, last = found.groups()
    return [(appendix or "", number) for number in range(int(first), int(last or first) + 1)]


def test_all_numbered_equations_are_there_in_order():
    named = [pair for entry in NUMBERED for pair in numbers(entry.label)]
    expected = {(appendix, number) for appendix, last in LAST.items() for number in range(1, last + 1)}
    assert set(named) == expected
    starts = [numbers(label)[0] for label in labels(NUMBERED)]
    assert starts == sorted(starts)
    # Only the lost displays (A.3) to (A.12) are named by more than one entry.
    repeated = {pair for pair in named if named.count(pair) > 1}
    assert repeated == {("A", number) for number in range(3, 13)}


def test_misprints_are_those_that_inherit_the_factor():
    assert labels(MISPRINTS) == [
        "(4)",
        "(7)",
        "(A.3) to (A.12), Riemann tensor",
        "(A.17) to (A.19)",
        "(B.10)",
        "(B.12)",
        "(B.13)",
        "(B.15)",
        "(B.16)",
        "(B.27) to (B.30)",
        "(B.31) and (B.32)",
        "(B.33) and (B.34)",
        "(B.35) and (B.36)",
        "(B.40)",
        "(B.42)",
        "(B.43)",
        "(B.69)",
        "(B.70)",
        "(C.16)",
        "(C.19) and (C.20)",
        "(C.23)",
        "(C.28)",
        "(C.46)",
        "(C.48)",
        "G.1 differentiation",
    ]


@pytest.mark.parametrize("entry", MISPRINTS, ids=labels(MISPRINTS))
def test_printed_is_exactly_three_times_the_corrected(entry):
    reading = entry.oracle()
    np.testing.assert_allclose(np.asarray(reading.printed), 3 * np.asarray(reading.corrected), rtol=1e-12, atol=1e-300)

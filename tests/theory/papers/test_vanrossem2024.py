"""Tests of the ledger of van Rossem and Saxe (2024): its numbered equations in order, and its misprints."""

from theory.core import Finding
from theory.papers.vanrossem2024 import EQUATIONS


def test_all_numbered_equations_are_there_in_order():
    # Section 3.3 and Appendix A.2 print one formula each; otherwise the ledger runs as the paper does.
    numbered = [entry.label for entry in EQUATIONS if entry.label.startswith("(")]
    assert numbered == [f"({number})" for number in range(1, 52)]


def test_misprints_are_those_that_were_found():
    found = [entry.label for entry in EQUATIONS if entry.verdict is Finding.MISPRINT]
    assert found == ["(17)", "(39)", "(40)", "(43)", "B.1 data"]

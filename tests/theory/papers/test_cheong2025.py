"""Tests of the ledger of Cheong (2025): all numbered statements, its misprints, and the sign flips in training."""

from theory.core import Finding
from theory.papers.cheong2025 import EQUATIONS
from theory.papers.cheong2025.sign_flips import separates

LABELS = [entry.label for entry in EQUATIONS]


def test_numbered_equations_are_there_in_order():
    wanted = [*(f"(1.{i})" for i in range(1, 6)), "(2.1)", *(f"(B.{i})" for i in range(1, 6))]
    assert [label for label in LABELS if label.startswith("(")] == wanted


def test_theorems_algorithms_and_footnotes_are_there():
    assert {"Theorem 1", "Theorem 2", "Theorem 3", "NC1", "NC2", "NC3", "NC4"} <= set(LABELS)
    assert {"Footnote 1", "Footnote 2", "Footnote 3", "Footnote 1 of chapter 2", "Footnote 1 of Appendix B"} <= set(
        LABELS
    )
    for name, entries in {"Theorem 4": 2, "Algorithm 1": 9, "Algorithm 2": 2}.items():
        assert sum(label.startswith(name) for label in LABELS) == entries, name


def test_misprints_are_those_that_were_found():
    assert [entry.label for entry in EQUATIONS if entry.verdict is Finding.MISPRINT] == [
        "1.1 chain of inequalities",
        "1.3 sign flips",
        "1.3 predicting b given a",
        "Footnote 3",
        "Algorithm 1, line 8",
        "Algorithm 1, line 20",
        "Algorithm 2, range of i",
        "B.2 last lines",
    ]


def test_the_flip_matters_to_the_classifier_that_was_trained():
    assert separates(flipped=False, adapted=False)
    assert separates(flipped=True, adapted=True)
    assert not separates(flipped=False, adapted=True)

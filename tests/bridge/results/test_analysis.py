"""Tests of the parts of an analysis: tables of cells, and the numbers that have a verdict."""

from __future__ import annotations

import pytest

from bridge.results import quantity
from bridge.results.analysis import table_of, with_verdict
from closedform.measured import Measured


def test_a_table_has_the_columns_that_are_not_empty():
    half = Measured("a.half", "x", 0.5, 0.1)
    columns = (
        ("n", lambda n: n),
        ("none", lambda n: None),
        ("half", lambda n: half if n == 2 else None),
    )
    made = table_of("t", "T", "", (1, 2), columns)
    assert made.heads == ("n", "half")
    assert made.cells == ((1, None), (2, half))
    assert made.measured == (half,)
    assert made.meanings == {"half": "a.half"}
    assert table_of("t", "T", "", (), columns).heads == ("n", "none", "half")


def test_columns_with_the_same_heading_are_refused():
    with pytest.raises(ValueError, match="got two with the heading 'n', needs different ones"):
        table_of("t", "T", "", (1, 2), (("n", lambda n: n), ("n", lambda n: -n)))


def test_one_repetition_and_equal_ones_have_no_verdict():
    means = [
        Measured.mean("a.mean", "x", values, 0.5)
        for values in ([], [0.4], [0.4, 0.4], [0.4, 0.6], [0.5, 0.5])
    ]
    assert with_verdict(means) == (means[3], means[4])


def test_a_sentence_names_five_numbers_that_disagree_at_most_and_counts_the_others():
    numbers = [
        Measured("two_point.tau_h", f"run {index}", 3.0, 0.01, 5, predicted=1.0)
        for index in range(25)
    ]
    (sentence,) = quantity.verdicts_in_words(numbers)
    assert ": 0 of 25 as predicted; 25 disagree; run 0: " in sentence
    assert "run 4: " in sentence
    assert "run 5" not in sentence
    assert sentence.endswith("; and 20 more.")
    blunt = [
        Measured("two_point.tau_h", f"blunt {index}", 3.0, 9.0, 5, predicted=1.0)
        for index in range(7)
    ]
    (sentence,) = quantity.verdicts_in_words([*numbers[:2], *blunt])
    assert ": 0 of 9 as predicted; 2 disagree; 7 too blunt to say; run 0: " in sentence
    assert "more" not in sentence
    assert "blunt 0" not in sentence  # the table has its numbers

"""Tests of what would decide a measured number: the verdict with the promised repetitions, and with one fewer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bridge.statistics.power import MANY, needed, what_would_decide
from closedform.measured import Measured
from closedform.verdicts import BLUNT


def number(value, predicted, error, n, resolution, relation="=", **fields):
    return Measured(
        "a.number",
        "x",
        value,
        error,
        n,
        predicted=predicted,
        resolution=resolution,
        relation=relation,
        **fields,
    )


CASES = [
    (0.62, 0.0, 0.22, 3, 1.0, ">"),
    (-0.31, 0.0, 0.13, 5, 1.0, "<"),
    (0.02, 0.0, 0.2, 4, 1.0, ">"),
    (1.08, 1.0, 0.05, 10, 0.1, "="),  # decided by a deviation
    (1.01, 1.0, 0.06, 10, 0.1, "="),  # decided by the resolution
    (1.01, 1.0, 0.2, 2, 0.1, "="),
]


@pytest.mark.parametrize("case", CASES)
def test_the_promised_repetitions_decide_and_one_fewer_does_not(case):
    blunt = number(*case)
    count = needed(blunt)
    for n, is_blunt in ((count, False), (count - 1, True)):
        repeated = replace(blunt, error=blunt.error * (blunt.n / n) ** 0.5, n=n)
        assert (repeated.verdict == BLUNT) is is_blunt
    assert what_would_decide(blunt).startswith(f"a fresh run of {count:g} instead of {blunt.n} ")


def test_what_is_decided_needs_nothing():
    for decided in (number(1.01, 1.0, 0.01, 10, 0.1), number(1.05, 1.0, 0.01, 9, 0.1, "<")):
        assert what_would_decide(decided) == ""


def test_a_known_error_needs_another_error():
    """The limit is 2: an error below half of the distance decides a side, so six measurements of 0.12 for 0.1."""
    blunt = number(1.1, 1.0, 0.12, None, 0.1, ">")
    assert needed(blunt) == 6.0
    assert what_would_decide(blunt) == "an error of 0.049 instead of 0.12"


def test_some_numbers_stay_undecided():
    hopeless = number(0.001, 0.0, 1.0, 3, 1.0, ">")
    assert needed(hopeless) is None
    assert what_would_decide(hopeless) == f"more than {MANY:,} times as many"
    fixed = number(0.1, 0.0, 0.1, 20, 1.0, prediction_error=0.7)
    assert what_would_decide(fixed) == "a smaller error of the prediction alone"

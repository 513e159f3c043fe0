"""Tests of what would decide a comparison: the verdict with the promised repetitions, and with one fewer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import bridge
from bridge.statistics.needed_repetitions import MANY, undecided
from closedform.verdicts import BLUNT, bound


def verdict(ours, stated, error, repetitions, resolution, relation="=", fixed=0.0):
    comparison = bridge.compare(
        stated, ours, error=error, repetitions=repetitions, resolution=resolution, prediction_error=fixed
    )
    if relation == "=":
        return str(comparison.verdict)
    return bound(comparison.z, comparison.limit, relation)


CASES = [
    (0.62, 0.0, 0.22, 3, 1.0, ">"),
    (-0.31, 0.0, 0.13, 5, 1.0, "<"),
    (0.02, 0.0, 0.2, 4, 1.0, ">"),
    (1.08, 1.0, 0.05, 10, 0.1, "="),  # decided by a deviation
    (1.01, 1.0, 0.06, 10, 0.1, "="),  # decided by the resolution
    (1.01, 1.0, 0.2, 2, 0.1, "="),
]


@pytest.mark.parametrize(("ours", "stated", "error", "count", "resolution", "relation"), CASES)
def test_the_promised_repetitions_decide_and_one_fewer_does_not(ours, stated, error, count, resolution, relation):
    comparison = bridge.compare(stated, ours, error=error, repetitions=count, resolution=resolution)
    deciding = undecided(comparison, relation)
    for number, is_blunt in ((deciding.needed, False), (deciding.needed - 1, True)):
        shrunk = error * np.sqrt(count / number)
        assert (verdict(ours, stated, shrunk, number, resolution, relation) == BLUNT) is is_blunt
    assert deciding.needed_error == pytest.approx(error * np.sqrt(count / deciding.needed))
    assert f"{deciding.needed:g} repetitions instead of {count} " in deciding.needs


def test_what_is_decided_needs_nothing():
    for ours in (1.01, 2.0):
        assert undecided(bridge.compare(1.0, ours, error=0.01, repetitions=10)) is None
    assert undecided(bridge.compare(1.0, 2.0, error=0.1, repetitions=10), ">") is None
    assert undecided(bridge.compare(1.0, 1.4, error=0.1, repetitions=3), ">") is not None
    assert undecided(bridge.compare(1.0, 1.05, error=0.01, repetitions=9)) is None
    assert undecided(bridge.compare(1.0, 1.05, error=0.01, repetitions=9), "<") is None


def test_a_known_error_needs_another_error():
    """The limit is 2: an error below half of the distance decides a side, so six measurements of 0.12 for 0.1."""
    deciding = undecided(bridge.compare(1.0, 1.1, error=0.12), ">")
    assert (deciding.repetitions, deciding.needed) == (None, 6.0)
    assert deciding.needs == "an error of 0.049 instead of 0.12"


def test_some_comparisons_stay_undecided():
    hopeless = bridge.compare(0.0, 0.001, error=1.0, repetitions=3, resolution=1.0)
    assert undecided(hopeless, ">").needed is None
    assert f"more than {MANY:,} times as many" in undecided(hopeless, ">").needs
    assert undecided(bridge.compare(0.0, 0.0, error=1.0, repetitions=3, resolution=1.0), ">").needed is None
    fixed = bridge.compare(0.0, 0.1, error=0.1, repetitions=20, prediction_error=0.7, resolution=1.0)
    assert undecided(fixed).by_prediction
    assert undecided(fixed).needs == "a smaller error of the prediction alone"
    assert not undecided(replace(fixed, prediction_error=np.asarray(0.44))).by_prediction


@pytest.mark.parametrize(
    ("comparison", "relation", "message"),
    [
        (bridge.compare([1.0, 2.0], [1.0, 2.0], error=1.0), "=", "comparison: got 2 numbers, needs one"),
        (bridge.compare(1.0, 1.0, error=1.0), "≥", "relation: got '≥', needs"),
    ],
)
def test_other_input_is_refused(comparison, relation, message):
    with pytest.raises(ValueError, match=message):
        undecided(comparison, relation)

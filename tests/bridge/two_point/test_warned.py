"""Tests of warnings of several seeds that are told together."""

from __future__ import annotations

from bridge.two_point.summary import together


def test_warnings_that_differ_in_numbers_become_one_with_their_ranges():
    listed = [
        "seed 0: the theory does not describe w: it leaves 30% of the variance, noise apart",
        "seed 0: dh2 starts 0.83 times as far apart (Eq. 5)",
        "seed 1: the theory does not describe w: it leaves 9% of the variance, noise apart",
        "seed 4: the theory does not describe w: it leaves 44% of the variance, noise apart",
    ]
    assert together(listed) == [
        "seeds 0, 1, 4: the theory does not describe w: it leaves 9 to 44% of the variance, noise apart",
        "seed 0: dh2 starts 0.83 times as far apart (Eq. 5)",
    ]


def test_warnings_without_a_seed_and_of_other_curves_stay_apart():
    listed = [
        "it leaves 9% of dh2",
        "it leaves 10% of dh2",
        "seed 1: 9% of dh2",
        "seed 2: 9% of dy2",
    ]
    assert together(listed) == listed


def test_numbers_are_compared_by_value_and_signs_and_exponents_are_kept():
    assert together(["seed 1: tau = 2.5e-3 and x = -1", "seed 2: tau = 10 and x = -3"]) == [
        "seeds 1, 2: tau = 2.5e-3 to 10 and x = -3 to -1"
    ]

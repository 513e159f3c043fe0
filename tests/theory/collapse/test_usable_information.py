"""Tests of usable information on finite sets: equalities and the conditions under which they hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy as scipy_entropy

from theory import collapse

ROUNDING = 1e-12
GRID = np.linspace(0.0, 1.0, 5)
TABLES = [
    np.column_stack([1 - p, p]) for p in np.stack(np.meshgrid(GRID, GRID, GRID), -1).reshape(-1, 3)
]
CONSTANT = [t for t in TABLES if np.ptp(t[:, 1]) == 0]


@st.composite
def joints(draw: st.DrawFn) -> np.ndarray:
    """Probabilities of three representations and two labels."""
    weights = np.array(draw(st.lists(st.floats(0, 1), min_size=6, max_size=6))) + 1e-3
    return (weights / weights.sum()).reshape(3, 2)


def mutual_information(joint: np.ndarray) -> float:
    parts = [scipy_entropy(p.ravel(), base=2) for p in (joint.sum(0), joint.sum(1), joint)]
    return float(parts[0] + parts[1] - parts[2])


@given(joints())
def test_between_zero_and_mutual_information(joint: np.ndarray) -> None:
    posterior = joint / joint.sum(axis=1, keepdims=True)
    marginal = np.tile(joint.sum(axis=0), (3, 1))
    everything = mutual_information(joint)
    assert collapse.sufficiency(joint, [marginal]) == pytest.approx(0, abs=ROUNDING)
    assert collapse.sufficiency(joint, TABLES) <= everything + 1e-9
    assert collapse.sufficiency(joint, [marginal, *TABLES[:50]]) >= -ROUNDING
    assert collapse.sufficiency(joint, [posterior, *TABLES[:50]]) == pytest.approx(
        everything, abs=1e-9
    )


def test_negative_without_the_constant_decoder() -> None:
    joint = np.array([[0.45, 0.05], [0.45, 0.05]])
    certain_of_the_rare = np.array([[0.1, 0.9], [0.1, 0.9]])
    assert collapse.sufficiency(joint, [certain_of_the_rare]) < -1


def test_work_done_for_a_weak_decoder_raises_it() -> None:
    """Labels are the exclusive or of two bits; decoders see the first bit only. A map that computes it helps."""
    # rows: bits 00, 01, 10, 11
    raw = np.array([[0.25, 0.0], [0.0, 0.25], [0.0, 0.25], [0.25, 0.0]])
    first_bit = [
        t[[0, 0, 1, 1]] for t in ([np.array([[1 - p, p], [1 - q, q]]) for p in GRID for q in GRID])
    ]
    # renamed: an invertible map that puts the answer into the first bit
    computed = raw[[0, 3, 1, 2]]
    assert collapse.sufficiency(raw, first_bit) == pytest.approx(0, abs=ROUNDING)
    assert collapse.sufficiency(computed, first_bit) == pytest.approx(1)
    assert [mutual_information(table) for table in (raw, computed)] == pytest.approx([1, 1])


def test_ruled_out_and_seen_costs_everything() -> None:
    assert collapse.cross_entropy([[0.5, 0.5]], [[1.0, 0.0]]) == math.inf
    assert collapse.cross_entropy([[1.0, 0.0]], [[1.0, 0.0]]) == 0


def test_minimality_of_representations_that_keep_all_and_nothing() -> None:
    """Two samples a class, two labels: half of the four relabellings have one bit of entropy."""
    labels = [0, 0, 1, 1]
    keep_all, keep_nothing = [0, 1, 0, 1], [0, 0, 0, 0]
    assert collapse.minimality(keep_all, labels, 2, TABLES) == pytest.approx(0.5)
    assert collapse.minimality(keep_nothing, labels, 2, TABLES) == pytest.approx(0, abs=ROUNDING)
    # A family without discrimination extracts nothing even from all.
    assert collapse.minimality(keep_all, labels, 2, CONSTANT) == pytest.approx(0, abs=ROUNDING)


def test_minimality_by_enumeration() -> None:
    """Three samples of one class and one of another: by hand over 8 + 2 relabellings."""
    found = collapse.minimality([0, 1, 1, 2], [0, 0, 0, 1], 2, TABLES)
    bits = [collapse.entropy([k / 3, 1 - k / 3]) for k in range(4)]
    own, shared = bits[1], 2 / 3  # the first sample can be told apart, the other two cannot
    # Relabellings of (a, b, b): aaa 2, a alone 2 (all of its bits), one b alone 4 (less its own bit on two of three).
    expected = (2 * bits[0] + 2 * own + 4 * (bits[2] - shared)) / 8
    # the posterior 1/2 is on the grid, 1/3 is not needed
    assert found == pytest.approx(expected / 2, abs=0.02)


def test_a_shared_decoder_finds_at_most_as_much_where_classes_are_balanced(
    rng: np.random.Generator,
) -> None:
    """New labels of Algorithm 2: the digits of the index, the same in both classes."""
    labels, index = np.repeat([0, 1], 4), np.tile(np.arange(4), 2)
    gaps = []
    for _ in range(30):
        h = rng.integers(0, 3, 8)
        for digit in collapse.relabelling(index, 2).T:
            own = collapse.relabelled_information(h, labels, digit, 2, TABLES)
            shared = collapse.relabelled_information(h, labels, digit, 2, TABLES, shared=True)
            gaps.append(own - shared)
    assert min(gaps) >= -ROUNDING
    assert max(gaps) > 0.1


def test_a_shared_decoder_may_find_more_where_they_are_not() -> None:
    """Each class has one new label: nothing to know within, one bit between."""
    h, labels, new = [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]
    assert collapse.relabelled_information(h, labels, new, 2, TABLES) == pytest.approx(
        0, abs=ROUNDING
    )
    assert collapse.relabelled_information(
        h, labels, new, 2, TABLES, shared=True
    ) == pytest.approx(1)

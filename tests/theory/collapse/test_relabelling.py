"""Tests of Algorithm 2 in integer arithmetic against an odometer, and of entropies against counting."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles.collapse_digits import count_up, entropy
from theory import collapse

# Sizes and bases at which ceil(log(n)/log(C)) is one too large in double precision.
FLOATING_LOGARITHM_FAILS = [
    (125, 5),
    (3**10, 3),
    (10**3, 10),
    (6**3, 6),
    (7**5, 7),
    (2**29, 2),
    (10**15, 10),
]


@pytest.mark.parametrize(("size", "base"), FLOATING_LOGARITHM_FAILS)
def test_exact_powers(size: int, base: int) -> None:
    power = round(math.log(size, base))
    assert base**power == size
    assert collapse.relabelling_digits(size, base) == power
    assert collapse.relabelling_digits(size + 1, base) == power + 1
    assert collapse.relabelling_digits(size - 1, base) == power
    last = collapse.relabelling(np.array([size - 1]), base)
    assert last.tolist() == [[base - 1] * power]
    np.testing.assert_allclose(
        collapse.relabelling_entropy(size, base), math.log2(base), rtol=1e-12
    )


@given(st.integers(1, 400), st.integers(2, 12))
def test_against_an_odometer(size: int, base: int) -> None:
    found = collapse.relabelling(np.arange(size), base)
    assert found.tolist() == count_up(size, base, collapse.relabelling_digits(size, base))
    for k in range(found.shape[1]):
        column = found[:, k].tolist()
        assert collapse.relabelling_counts(size, base, k).tolist() == [
            column.count(v) for v in range(base)
        ]
        assert collapse.relabelling_entropy(size, base, k) == pytest.approx(
            entropy(column), abs=1e-12
        )


@given(st.integers(1, 10**12), st.integers(2, 1000), st.integers(0, 5))
def test_counts_of_sizes_too_large_to_list(size: int, base: int, digit: int) -> None:
    counts = collapse.relabelling_counts(size, base, digit)
    assert counts.sum() == size
    assert np.all(np.diff(counts) <= 0)
    assert counts.max() - counts.min() <= base**digit
    bits = collapse.relabelling_entropy(size, base, digit)
    assert -1e-12 <= bits <= math.log2(base) + 1e-12


def test_any_order_and_any_class_sizes() -> None:
    index = np.array([3, 0, 2, 1, 0, 1, 11])
    found = collapse.relabelling(index, 3)
    assert found.shape == (7, 3)
    assert (found @ 3 ** np.arange(3)).tolist() == index.tolist()
    assert collapse.relabelling(index, 3, digits=5)[:, 3:].tolist() == [[0, 0]] * 7
    assert collapse.relabelling(np.array([0]), 10).tolist() == [[0]]


def test_entropy_below_log_c_where_sizes_do_not_fit() -> None:
    assert collapse.relabelling_entropy(6000, 10)[-1] == pytest.approx(math.log2(6))
    np.testing.assert_allclose(collapse.relabelling_entropy(6000, 10)[:3], math.log2(10))
    assert collapse.relabelling_entropy(5, 10, 0) == pytest.approx(math.log2(5))

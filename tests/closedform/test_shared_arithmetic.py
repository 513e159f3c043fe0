"""Tests that the arithmetic of the ground floor is one for arrays of numpy and tensors of torch, to the last bit."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import torch

from closedform.rounding import (
    ROUNDING,
    is_nonzero,
    moderate,
    power_of_two,
    singular_value_rounding,
    two_product,
    two_sum,
)

KINDS = (np.asarray, lambda values: torch.from_numpy(np.asarray(values)))


@pytest.mark.parametrize("kind", KINDS)
def test_the_rule_of_rounding(kind):
    above, below = (
        (1 + 1e-6) * singular_value_rounding(9, 4),
        (1 - 1e-6) * singular_value_rounding(9, 4),
    )
    assert singular_value_rounding(9, 4) == 5 * ROUNDING
    assert is_nonzero(kind([[3.0, 3 * above, 3 * below], [0.0, 0.0, 0.0]]), 9, 4).tolist() == [
        [True, True, False],
        [False, False, False],
    ]
    assert is_nonzero(kind([1.0, 1e-6]), 9, 4, epsilon=2.0**-23).tolist() == [True, False]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1.0, -1e100], 1.0),
        ([0.0, 0.0], 1.0),
        ([], 1.0),
        ([np.nan, 1e200], 1.0),
        ([-np.inf, 1.0], 1.0),
        ([1.0, -(2.0**700)], 2.0**-701),
        ([2.0**-700, 0.0], 2.0**699),
        ([5e-324], 2.0**1000),
    ],
)
def test_extreme_numbers_come_near_one(kind, values, expected):
    numbers = kind(values)
    assert power_of_two(numbers) == expected
    near_one = moderate(numbers)
    assert (
        near_one is numbers
        if expected == 1
        else near_one.tolist() == [x * expected for x in values]
    )


def test_short_numbers_are_left_alone():
    for numbers in (np.array([1e-40], np.float32), torch.tensor([1e-40])):
        assert power_of_two(numbers) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_sums_and_products_are_exact(kind, rng):
    a, b = rng.normal(size=(2, 200)) * 2.0 ** rng.integers(-60, 60, size=(2, 200))
    for transform, exact in ((two_sum, Fraction.__add__), (two_product, Fraction.__mul__)):
        high, low = transform(kind(a), kind(b))
        sums = [
            Fraction(x) + Fraction(y) for x, y in zip(high.tolist(), low.tolist(), strict=True)
        ]
        assert sums == [
            exact(Fraction(x), Fraction(y)) for x, y in zip(a.tolist(), b.tolist(), strict=True)
        ]

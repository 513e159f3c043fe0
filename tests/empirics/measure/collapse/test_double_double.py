"""Tests of double-double arithmetic against exact fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest
import torch

from closedform.rounding import two_product, two_sum
from empirics.measure.collapse.double_double import add, divide, scale

# relative: two float64 hold 106 bits, and an operation may lose a few of them
DIGITS = Fraction(1, 2**100)


@pytest.fixture
def pairs():
    """Two pairs ``[400]`` with full mantissas of any size and sign, and their exact values."""
    generator = torch.Generator().manual_seed(0)
    numbers = torch.randn(4, 400, generator=generator, dtype=torch.float64)
    numbers *= torch.exp2(torch.randint(-40, 40, numbers.shape, generator=generator))
    numbers[1], numbers[3] = (
        numbers[0] * 2.0**-54 * numbers[1].frac(),
        numbers[2] * 2.0**-54 * numbers[3].frac(),
    )
    return (numbers[0], numbers[1]), (numbers[2], numbers[3])


def exact(pair):
    return [
        Fraction(float(value)) + Fraction(float(error)) for value, error in zip(*pair, strict=True)
    ]


def fractions(numbers):
    return [Fraction(float(number)) for number in numbers]


def test_sums_and_products_leave_no_error(pairs):
    (a, _), (b, _) = pairs
    both = list(zip(fractions(a), fractions(b), strict=True))
    assert exact(two_sum(a, b)) == [x + y for x, y in both]
    assert exact(two_product(a, b)) == [x * y for x, y in both]


def test_operations_on_pairs_keep_thirty_digits(pairs):
    one, other = pairs
    b = fractions(other[0])
    expected = (
        (
            add(one, other),
            [x + y for x, y in zip(exact(one), exact(other), strict=True)],
            exact(one),
        ),
        (scale(one, other[0]), [x * y for x, y in zip(exact(one), b, strict=True)], None),
        (divide(one, other[0]), [x / y for x, y in zip(exact(one), b, strict=True)], None),
    )
    for result, values, largest in expected:
        for got, value, size in zip(exact(result), values, largest or values, strict=True):
            assert abs(got - value) <= DIGITS * max(abs(value), abs(size))

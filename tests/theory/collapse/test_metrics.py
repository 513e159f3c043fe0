"""Tests of NC1 in exact rational numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.oracles.collapse_features import naive_nc1
from theory import collapse

rationals = st.fractions(-5, 5, max_denominator=6)


@st.composite
def labelled(draw: st.DrawFn) -> tuple[list[list[Fraction]], list[int]]:
    """Rational features and labels of two or three classes."""
    classes, dimension = draw(st.integers(2, 3)), draw(st.integers(1, 3))
    labels = list(range(classes)) + draw(
        st.lists(st.integers(0, classes - 1), min_size=1, max_size=4)
    )
    row = st.lists(rationals, min_size=dimension, max_size=dimension)
    return draw(st.lists(row, min_size=len(labels), max_size=len(labels))), labels


def means_differ(features: list[list[Fraction]], labels: list[int]) -> bool:
    """Whether the class means do not all coincide."""
    members = [
        [row for row, label in zip(features, labels, strict=True) if label == c]
        for c in set(labels)
    ]
    return (
        len(
            {
                tuple(sum(column) / len(rows) for column in zip(*rows, strict=True))
                for rows in members
            }
        )
        > 1
    )


@pytest.mark.slow
@settings(max_examples=40)
@given(labelled())
def test_two_passes_are_the_definition_exactly(
    case: tuple[list[list[Fraction]], list[int]],
) -> None:
    features, labels = case
    assume(means_differ(features, labels))
    expected = collapse.exact_nc1(features, labels)
    assert collapse.exact_two_pass_nc1(features, labels) == expected
    assert expected >= 0


def test_a_case_by_hand() -> None:
    """Class means -1 and 1, deviations +-1 in one dimension: Sigma_W = 1, Sigma_B = 1."""
    assert collapse.exact_nc1([[-2], [0], [0], [2]], [0, 0, 1, 1]) == 1
    # Imbalanced, 3 + 1 samples: means 0 and 4, Sigma_B = 3, Sigma_W = 2/4.
    assert collapse.exact_nc1([[-1], [0], [1], [4]], [0, 0, 0, 1]) == sp.Rational(1, 6)


def test_against_the_pseudo_inverse(rng: np.random.Generator) -> None:
    features, labels = rng.integers(-9, 10, size=(12, 3)), np.repeat([0, 1, 2], [3, 5, 4])
    expected = naive_nc1(features.astype(float), labels)
    assert float(collapse.exact_nc1(features.tolist(), labels.tolist())) == pytest.approx(
        expected, rel=1e-9
    )

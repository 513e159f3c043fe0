"""Tests of the four collapse metrics: exact rational cases, invariances, and known violations."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.oracles.collapse_features import draw, naive_nc1, simplex
from theory import collapse

CLOSE = 1e-9

rationals = st.fractions(-5, 5, max_denominator=6)


@st.composite
def labelled(draw: st.DrawFn) -> tuple[list[list[Fraction]], list[int]]:
    """Rational features and labels of two or three classes."""
    classes, dimension = draw(st.integers(2, 3)), draw(st.integers(1, 3))
    labels = list(range(classes)) + draw(st.lists(st.integers(0, classes - 1), min_size=1, max_size=4))
    row = st.lists(rationals, min_size=dimension, max_size=dimension)
    return draw(st.lists(row, min_size=len(labels), max_size=len(labels))), labels


def means_differ(features: list[list[Fraction]], labels: list[int]) -> bool:
    """Whether the class means do not all coincide."""
    members = [[row for row, label in zip(features, labels, strict=True) if label == c] for c in set(labels)]
    return len({tuple(sum(column) / len(rows) for column in zip(*rows, strict=True)) for rows in members}) > 1


@settings(max_examples=40)
@given(labelled())
def test_two_passes_are_the_definition_exactly(case: tuple[list[list[Fraction]], list[int]]) -> None:
    features, labels = case
    assume(means_differ(features, labels))
    expected = collapse.exact_nc1(features, labels)
    assert collapse.exact_two_pass_nc1(features, labels) == expected
    assert expected >= 0


@settings(max_examples=40)
@given(labelled())
def test_floating_point_agrees_with_exact(case: tuple[list[list[Fraction]], list[int]]) -> None:
    features, labels = case
    numbers = np.array(features, dtype=float)
    means = np.stack([numbers[np.array(labels) == c].mean(axis=0) for c in range(max(labels) + 1)])
    values = np.linalg.svd(means - numbers.mean(axis=0), compute_uv=False)
    # Means in a hair's breadth of a smaller span have no rank in floating point.
    assume(values[0] > 0.05 and np.all((values > 0.05) | (values < 1e-12)))
    found = collapse.nc1(numbers, labels)
    assert found == pytest.approx(float(collapse.exact_nc1(features, labels)), rel=1e-8, abs=1e-10)


def test_a_case_by_hand() -> None:
    """Class means -1 and 1, deviations +-1 in one dimension: Sigma_W = 1, Sigma_B = 1."""
    assert collapse.exact_nc1([[-2], [0], [0], [2]], [0, 0, 1, 1]) == 1
    assert collapse.nc1([[-2.0], [0.0], [0.0], [2.0]], [0, 0, 1, 1]) == pytest.approx(1)
    assert collapse.nc1([[-2.0], [0.0], [0.0], [2.0]], [0, 0, 1, 1], divide_by_classes=True) == pytest.approx(0.5)
    # Imbalanced, 3 + 1 samples: means 0 and 4, Sigma_B = 3, Sigma_W = 2/4.
    assert collapse.exact_nc1([[-1], [0], [1], [4]], [0, 0, 0, 1]) == sp.Rational(1, 6)


@pytest.fixture
def case(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Features of four imbalanced classes in six dimensions."""
    return draw(rng.standard_normal((4, 6)), rng.standard_normal((6, 6)), (5, 9, 12, 7), rng)


def test_nc1_against_the_pseudo_inverse(case: tuple[np.ndarray, np.ndarray]) -> None:
    assert collapse.nc1(*case) == pytest.approx(naive_nc1(*case), rel=CLOSE)


def test_nc1_does_not_change_under_rotation_shift_scale_order_and_names(
    case: tuple[np.ndarray, np.ndarray], rng: np.random.Generator
) -> None:
    features, labels = case
    rotation, _ = np.linalg.qr(rng.standard_normal((6, 6)))
    order = rng.permutation(len(labels))
    expected = collapse.nc1(features, labels)
    for changed, names in (
        (features @ rotation, labels),
        (features + 100, labels),
        (1e-3 * features, labels),
        (features[order], labels[order]),
        (features, (labels + 1) % 4),
        (np.pad(features, ((0, 0), (0, 3))), labels),
    ):
        assert collapse.nc1(changed, names) == pytest.approx(expected, rel=1e-8)


def test_invertible_maps_change_nc1_unless_sigma_b_is_invertible(rng: np.random.Generator) -> None:
    for dimension, changes in ((3, False), (6, True)):
        features, labels = draw(rng.standard_normal((4, dimension)), np.eye(dimension), (9, 9, 9, 9), rng)
        mapped = features @ (np.eye(dimension) + 0.5 * rng.standard_normal((dimension, dimension)))
        ratio = collapse.nc1(mapped, labels) / collapse.nc1(features, labels)
        assert (abs(ratio - 1) > 0.01) is changes


@pytest.mark.parametrize("sizes", [(4, 4, 4), (2, 7, 9)])
def test_a_collapsed_simplex_has_every_property(sizes: tuple[int, ...]) -> None:
    """For imbalanced classes only if the means are taken from their own mean."""
    means = simplex(3, 5, 2.0)
    labels = np.repeat(np.arange(3), sizes)
    features = means[labels] + 3.0
    assert collapse.nc1(features, labels) == pytest.approx(0, abs=1e-20)
    assert collapse.nc2_norm(features, labels, centre="classes") == pytest.approx(0, abs=1e-12)
    assert collapse.nc2_angle(features, labels, centre="classes") == pytest.approx(0, abs=1e-12)
    assert collapse.nc3(features, labels, 7 * means, centre="classes") == pytest.approx(0, abs=1e-20)
    balanced = len(set(sizes)) == 1
    for found in (collapse.nc2_norm(features, labels), collapse.nc2_angle(features, labels)):
        assert (found < 1e-12) is balanced
    assert (collapse.nc3(features, labels, 7 * means) < 1e-20) is balanced
    assert collapse.nc4(features, labels, (features - 3.0) @ means.T) == 0
    far_away = features + np.array([40.0, 0, 0, 0, 0])
    assert collapse.nc4(far_away, labels, far_away @ means.T) > 0


def test_each_property_can_fail_alone() -> None:
    means = simplex(3, 2, 1.0)
    labels = np.repeat(np.arange(3), 2)
    longer = means * np.array([[1.0], [1.0], [2.0]])
    longer -= longer.mean(axis=0)
    assert collapse.nc2_norm(longer[labels], labels) > 0.1
    isosceles = np.array([[1.0, 0.2], [-1.0, 0.2], [0.0, -0.4]])
    assert collapse.nc2_angle(isosceles[labels], labels) > 0.1
    assert collapse.nc3(means[labels], labels, means[[1, 0, 2]]) > 0.1
    assert collapse.nc4(means[labels], labels, (means[labels] @ means.T)[:, [1, 0, 2]]) == pytest.approx(2 / 3)


def test_class_blind_means_are_not_perfect_collapse() -> None:
    features = [[1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0]]
    for function in (collapse.nc1, collapse.exact_nc1, collapse.exact_two_pass_nc1):
        with pytest.raises(ValueError, match="coincide"):
            function(features, [0, 0, 1, 1])


@pytest.mark.parametrize(
    ("features", "labels", "name"),
    [
        ([[1.0], [2.0]], [0, 0], "labels"),
        ([[1.0], [2.0]], [0, 2], "labels"),
        ([[1.0], [2.0]], [0], "labels"),
        ([[1.0], [2.0]], [0.0, 1.0], "labels"),
        ([[1.0], [2.0]], [-1, 0], "labels"),
        ([[np.nan], [2.0]], [0, 1], "features"),
        ([], [], "features"),
        ([["a"], ["b"]], [0, 1], "features"),
    ],
)
@pytest.mark.parametrize("function", [collapse.nc1, collapse.nc2_norm, collapse.nc2_angle, collapse.exact_nc1])
def test_bad_values(function: object, features: object, labels: object, name: str) -> None:
    with pytest.raises((ValueError, TypeError), match=name):
        function(features, labels)


def test_bad_centre() -> None:
    with pytest.raises(ValueError, match="centre"):
        collapse.nc2_norm([[1.0], [2.0]], [0, 1], centre="origin")


def test_bad_classifiers() -> None:
    features, labels = [[1.0, 0.0], [0.0, 1.0]], [0, 1]
    for weights in ([[1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]], [1.0, 2.0]):
        with pytest.raises(ValueError, match="weights"):
            collapse.nc3(features, labels, weights)
    with pytest.raises(ValueError, match="logits"):
        collapse.nc4(features, labels, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


EPS = np.finfo(np.float64).eps


def test_last_bits_decide_nothing(rng: np.random.Generator) -> None:
    """Two classes of different size with the same mean to rounding, the third far away; logits that tie these two."""
    few, many = rng.normal(size=(5, 7)), rng.normal(size=(25, 7))
    features = np.concatenate([few, -few, many * (1 + 2 * EPS), -many, many + 100, 100 - many]) + 1
    labels = np.repeat([0, 1, 2], [10, 50, 50])
    logits = 2.0 * np.eye(3)[labels]
    tied = logits + np.where(labels[:, None] < 2, logits[:, [1, 0, 2]] * (1 + EPS), 0)
    for scale in (1.0, 3.0, 1e-9):
        assert collapse.nc4(scale * features, labels, logits) == pytest.approx(30 / 110)
        assert collapse.nc4(scale * features, labels, tied) == pytest.approx(30 / 110)


def test_what_is_the_same_to_rounding_is_refused(rng: np.random.Generator) -> None:
    one = rng.normal(size=5)
    nearly = one * (1 + EPS * rng.integers(-1, 2, size=(12, 5)))
    with pytest.raises(ValueError, match="coincide to rounding"):
        collapse.nc1(nearly, np.repeat([0, 1], 6))
    axis, offset = rng.normal(size=(2, 5))
    with pytest.raises(ValueError, match="a class mean on the centre"):
        collapse.nc2_angle(np.repeat([offset - axis, offset, offset + axis], 3, axis=0), np.repeat([0, 1, 2], 3))

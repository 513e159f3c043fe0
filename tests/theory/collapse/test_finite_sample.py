"""Tests of the expected NC1 from finitely many samples: Monte Carlo, limits, and two independent methods."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.oracles.collapse_features import mean_nc1, simplex
from theory import collapse
from theory.collapse import finite_sample

Z = 4.0  # see test_gaussian_classes
# Of the sums over the Markov chain, against the closed forms of special cases.
CHAIN = 1e-10


def expectation_of_inverse(
    columns: int, rows: int, noncentrality: float, rng: np.random.Generator
) -> tuple:
    """tr (X'X)^-1 of explicit Gaussian matrices: mean and standard error."""
    x = rng.standard_normal((20_000, rows, columns))
    x[:, np.arange(columns), np.arange(columns)] += np.sqrt(noncentrality)
    values = np.trace(np.linalg.inv(np.swapaxes(x, 1, 2) @ x), axis1=1, axis2=2)
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values))


# The variance of 1/Q is finite where D exceeds C by more than 2.
@pytest.mark.parametrize(("sizes", "dimension"), [((5, 5, 5), 12), ((2, 9, 4), 12), ((30, 30), 9)])
def test_noise_floor_against_monte_carlo(
    sizes: tuple[int, ...], dimension: int, rng: np.random.Generator
) -> None:
    mean, error = mean_nc1(np.zeros((len(sizes), dimension)), sizes, 1500, rng)
    expected = collapse.noise_floor()(samples=sum(sizes), classes=len(sizes), dimension=dimension)
    assert abs(mean - expected) < Z * error
    assert error < 0.05 * expected


@pytest.mark.parametrize(("sizes", "dimension"), [((2, 3, 4, 5, 6, 7, 8, 9), 2)])
def test_noise_floor_in_few_dimensions(
    sizes: tuple[int, ...], dimension: int, rng: np.random.Generator
) -> None:
    mean, error = mean_nc1(np.zeros((len(sizes), dimension)), sizes, 1500, rng)
    form = collapse.noise_floor_few_dimensions()
    expected = form(samples=sum(sizes), classes=len(sizes), dimension=dimension)
    assert abs(mean - expected) < Z * error
    assert error < 0.05 * expected


@pytest.mark.parametrize(
    ("classes", "dimension", "samples", "radius2"), [(3, 10, 6, 2.0), (5, 16, 8, 0.5)]
)
def test_simplex_against_monte_carlo(
    classes: int, dimension: int, samples: int, radius2: float, rng: np.random.Generator
) -> None:
    mean, error = mean_nc1(
        simplex(classes, dimension, np.sqrt(radius2)), (samples,) * classes, 1500, rng
    )
    expected = collapse.finite_sample_nc1(samples, classes, dimension, radius2=radius2)
    assert abs(mean - expected) < Z * error
    population = collapse.simplex_nc1()(classes=classes, variance=1, radius2=radius2)
    assert abs(mean - population) > Z * error  # the finite sample shows


@pytest.mark.parametrize(
    ("columns", "rows", "noncentrality"),
    [(2, 6, 3.0), (3, 10, 20.0), (9, 30, 100.0), (9, 15, 5.0), (9, 16, 300.0)],
)
def test_chain_against_explicit_matrices(
    columns: int, rows: int, noncentrality: float, rng: np.random.Generator
) -> None:
    mean, error = expectation_of_inverse(columns, rows, noncentrality, rng)
    assert abs(mean - finite_sample.inverse_trace(columns, rows, noncentrality)) < Z * error


@pytest.mark.parametrize(
    ("dimension", "separation2"), [(3, 0.1), (5, 1.0), (20, 4.0), (50, 300.0)]
)
def test_two_classes_agree_with_the_closed_form(dimension: int, separation2: float) -> None:
    form = collapse.two_class_finite_sample_nc1()
    exact = form(samples=100, dimension=dimension, prior=0.5, separation2=separation2)
    # Two means a distance apart are half of it away from their centroid.
    assert collapse.finite_sample_nc1(50, 2, dimension, radius2=separation2 / 4) == pytest.approx(
        exact, rel=CHAIN
    )


def test_unequal_classes_against_monte_carlo(rng: np.random.Generator) -> None:
    means = np.zeros((2, 8))
    means[1, 0] = 1.3
    mean, error = mean_nc1(means, (15, 5), 2000, rng)
    form = collapse.two_class_finite_sample_nc1()
    assert abs(mean - form(samples=20, dimension=8, prior=0.75, separation2=1.69)) < Z * error


@pytest.mark.parametrize(("classes", "dimension"), [(2, 9), (10, 64), (10, 12)])
def test_limits(classes: int, dimension: int) -> None:
    floor = collapse.noise_floor()(samples=20 * classes, classes=classes, dimension=dimension)
    assert collapse.finite_sample_nc1(20, classes, dimension) == pytest.approx(floor, rel=CHAIN)
    assert collapse.finite_sample_nc1(20, classes, dimension, radius2=1e-9) == pytest.approx(
        floor, rel=1e-6
    )
    population = collapse.simplex_nc1()(classes=classes, variance=2, radius2=3)
    many = 10**8
    assert collapse.finite_sample_nc1(many, classes, dimension, 3, 2) == pytest.approx(
        population, rel=1e-5
    )


@pytest.mark.parametrize(("columns", "rows"), [(1, 5), (9, 64), (9, 4096), (3, 11)])
def test_the_expansion_takes_over_smoothly(
    columns: int, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At signals a hundred times smaller than where it is used it has four digits less, as its order says."""
    noncentrality = 2e4
    chain = finite_sample.inverse_trace(columns, rows, noncentrality)
    monkeypatch.setattr(finite_sample, "_LARGEST_MEAN", 1.0)
    expansion = finite_sample.inverse_trace(columns, rows, noncentrality)
    order = 6 * ((columns + 2) / (noncentrality + rows)) ** 2
    assert order / 100 < abs(expansion / chain - 1) < order


@pytest.mark.parametrize("dimension", [8, 9, 10])
def test_infinite_where_there_is_no_expectation(dimension: int) -> None:
    assert collapse.finite_sample_nc1(7, 10, dimension) == math.inf
    with pytest.raises(ValueError, match=r"collapse\.noise_floor"):
        collapse.noise_floor()(samples=70, classes=10, dimension=dimension)


def test_fewer_dimensions_than_classes() -> None:
    expected = collapse.noise_floor_few_dimensions()(samples=70, classes=10, dimension=4)
    assert collapse.finite_sample_nc1(7, 10, 4) == pytest.approx(expected)
    with pytest.raises(ValueError, match="dimension: got 4, needs at least"):
        collapse.finite_sample_nc1(7, 10, 4, radius2=1.0)

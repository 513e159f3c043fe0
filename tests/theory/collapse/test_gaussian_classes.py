"""Tests of NC1 for Gaussian classes on a simplex: exact covariances, limits, Monte Carlo."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import theory
from tests.oracles.collapse_features import draw, naive_nc1, simplex
from theory import collapse
from theory.core import Verdict

ROUNDING = 1e-12
BALANCED = collapse.simplex_nc1()
# Two-sided; about thirty comparisons in this subject: a false alarm once in 500 runs (seeds are fixed besides).
Z = 4.0


def population_nc1(classes: int, variance: float, radius2: float, priors: np.ndarray) -> float:
    """From explicit covariances of the whole population, through numpy's pseudo-inverse."""
    means = simplex(classes, classes + 1, np.sqrt(radius2))
    middle = priors @ means
    between = (means - middle).T @ np.diag(priors) @ (means - middle)
    return variance * float(np.trace(np.linalg.pinv(between, rcond=1e-10, hermitian=True)))


@pytest.mark.parametrize("classes", [2, 3, 7, 12])
def test_balanced_against_explicit_covariances(classes: int) -> None:
    expected = population_nc1(classes, 0.3, 1.7, np.full(classes, 1 / classes))
    assert collapse.simplex_nc1()(classes=classes, variance=0.3, radius2=1.7) == pytest.approx(
        expected, rel=1e-10
    )


@given(st.lists(st.floats(0.05, 1), min_size=2, max_size=8))
def test_any_priors_against_explicit_covariances(weights: list[float]) -> None:
    priors = np.array(weights) / sum(weights)
    expected = population_nc1(len(priors), 0.3, 1.7, priors)
    form = theory.catalogue()["collapse.simplex_nc1_any_priors"]
    found = form(len(priors), 0.3, 1.7, imbalance=collapse.imbalance_of(priors))
    assert found == pytest.approx(expected, rel=1e-9)
    assert found >= BALANCED(len(priors), 0.3, 1.7) * (1 - ROUNDING)


def test_exact_priors_stay_exact() -> None:
    form = collapse.simplex_nc1(["1/2", "1/3", "1/6"])
    assert [a.name for a in form.arguments] == ["variance", "radius2"]
    assert str(form.evaluate(variance=1, radius2=1, digits=20)) == "4.8888888888888888889"
    assert set(form.check().values()) == {Verdict.HOLDS}
    assert form(variance=1, radius2=1) == pytest.approx(
        population_nc1(3, 1.0, 1.0, np.array([3, 2, 1]) / 6)
    )


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=9), st.floats(0.1, 10))
def test_imbalance_is_a_ratio_of_means(weights: list[float], scale: float) -> None:
    weights_array = np.array(weights)
    found = collapse.imbalance_of(weights_array)
    harmonic = len(weights) / np.sum(1 / weights_array)
    assert found == pytest.approx(weights_array.mean() / harmonic)
    assert found == pytest.approx(collapse.imbalance_of(scale * weights_array))
    assert found >= 1 - ROUNDING


def test_large_samples_approach_it(rng: np.random.Generator) -> None:
    """A bias of the order D/n is left, below the error of the mean here."""
    classes, variance, radius2 = 4, 0.2, 1.5
    priors = np.array([0.4, 0.3, 0.2, 0.1])
    means = simplex(classes, 5, np.sqrt(radius2))
    values = [
        naive_nc1(*draw(means, np.sqrt(variance) * np.eye(5), (4000 * priors).astype(int), rng))
        for _ in range(8)
    ]
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    expected = collapse.simplex_nc1(priors.tolist())(variance=variance, radius2=radius2)
    assert abs(np.mean(values) - expected) < Z * error + 5 / 4000 * expected

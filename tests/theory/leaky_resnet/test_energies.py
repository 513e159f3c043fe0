"""Tests of the energies against rational arithmetic: 1e-12 relative, or a warning with the condition number."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles import leaky_resnet_exact as exact
from theory import leaky_resnet as lr
from theory.leaky_resnet import norms

PROMISED = 1e-12
KINDS = (
    "random",
    "wide",
    "dead",
    "graded",
    "close",
    "low rank",
    "nonnegative",
    "large",
    "integers",
)

GAMMAS = (0.0, 1e-26, 1e-22, 1e-16, 1e-9, 1e-3, 0.1, 10.0)


def draw(kind: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Representations and momenta, [width, samples] up to 7 x 5, random or adversarial."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    width, samples = int(rng.integers(1, 8)), int(rng.integers(1, 6))
    A, B = rng.normal(size=(width, samples)), rng.normal(size=(width, samples))
    if kind == "wide":
        A, B = rng.normal(size=(7, samples)), rng.normal(size=(7, samples))
    elif kind == "dead":
        A[rng.random(A.shape) < 0.7] *= -1
    elif kind == "graded":
        A = A * 10.0 ** -rng.integers(0, 9, size=(width, 1))
    elif kind == "close":
        A = np.abs(A[:, :1]) + 10.0 ** -rng.integers(1, 13) * A
    elif kind == "low rank":
        A = np.outer(rng.integers(-3, 4, width), rng.integers(1, 4, samples)).astype(float)
    elif kind == "nonnegative":
        A = np.abs(A)
    elif kind == "large":
        A, B = A * 2.0**40, B * 2.0**-40
    elif kind == "integers":
        A, B = (
            rng.integers(-3, 4, A.shape).astype(float),
            rng.integers(-3, 4, A.shape).astype(float),
        )
    return A, B


def assert_right_or_warned(compute, true, note=""):
    """``true`` None means infinite."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = compute()
    if caught:
        assert all(w.category is lr.IllConditionedWarning for w in caught)
        assert all(re.search(r"condition number (\d|inf)", str(w.message)) for w in caught)
        return True
    if true is None:
        assert np.isinf(found), (note, found)
    elif true == 0:
        assert abs(found) < 1e-300, (note, found)
    else:
        assert abs(found - float(true)) <= PROMISED * abs(float(true)), (note, found, float(true))
    return False


@settings(max_examples=100)
@given(st.sampled_from(KINDS), st.integers(0, 10**6), st.booleans(), st.sampled_from(GAMMAS))
def test_against_rational_arithmetic(kind: str, seed: int, bias: bool, gamma: float) -> None:
    A, B = draw(kind, seed)
    cost = exact.squared_norm(A, A, bias, gamma)
    assert_right_or_warned(lambda: lr.cost_of_identity(A, bias=bias, gamma=gamma), cost, "cost")
    norm = exact.squared_norm(B, A, bias, gamma)
    kinetic = None if norm is None else norm / 6
    assert_right_or_warned(
        lambda: lr.kinetic_energy(A, B, 3.0, bias=bias, gamma=gamma), kinetic, "kinetic"
    )
    assert_right_or_warned(
        lambda: lr.hamiltonian(A, B, 3.0, bias=bias), exact.hamiltonian(A, B, 3.0, bias), "H"
    )


def test_well_conditioned_representations_carry_no_warning() -> None:
    """A promise with a warning on everything would be worth nothing."""
    warned = 0
    for seed in range(200):
        A, B = draw("wide", seed)
        true = exact.squared_norm(A, A, True, 0.1)
        warned += assert_right_or_warned(lambda A=A: lr.cost_of_identity(A, gamma=0.1), true)
        warned += assert_right_or_warned(
            lambda A=A, B=B: lr.hamiltonian(A, B, 3.0), exact.hamiltonian(A, B, 3.0, True)
        )
    assert warned < 20


@pytest.mark.parametrize("size", range(2, 11))
def test_hilbert_matrices_have_their_rank(size: int) -> None:
    """A pseudo-inverse of K gives 7.0 at size 10, one of sigma(A) 10.00003."""
    hilbert = 1 / (np.arange(size)[:, None] + np.arange(size) + 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lr.IllConditionedWarning)
        assert abs(lr.cost_of_identity(hilbert, bias=False) - size) < 1e-9
        assert abs(lr.nonnegative_cost(hilbert, bias=False) - size) < 1e-9


def test_doubtful_rank_is_said(monkeypatch) -> None:
    """A square matrix of full rank costs its size exactly; with more samples than units its rank is in doubt."""
    hilbert = 1 / (np.arange(10)[:, None] + np.arange(10) + 1.0)
    assert lr.cost_of_identity(hilbert, bias=False) == 10
    with pytest.warns(lr.IllConditionedWarning, match="condition number .*called zero"):
        lr.cost_of_identity(hilbert[:9], bias=False)
    monkeypatch.setattr(norms, "MOST_OPERATIONS", 0)
    with pytest.warns(lr.IllConditionedWarning, match="condition number 9.2e\\+12.*called zero"):
        lr.cost_of_identity(hilbert, bias=False)


def test_a_gamma_as_small_as_a_squared_singular_value(monkeypatch) -> None:
    """The second singular value, 1e-11, is known to five digits, and the cost is a function of 1e-22/gamma."""
    A = np.array([[1.0, 2.0], [0.5, 1.0 + 1e-11]])
    true = exact.squared_norm(A, A, False, 1e-22)
    assert lr.cost_of_identity(A, bias=False, gamma=1e-22) == float(true)
    monkeypatch.setattr(norms, "MOST_OPERATIONS", 0)
    with pytest.warns(lr.IllConditionedWarning, match="estimated relative error"):
        lr.cost_of_identity(A, bias=False, gamma=1e-22)


def test_infinite_off_the_image_and_finite_with_gamma() -> None:
    A = np.array([[1.0, -1.0, 2.0], [-1.0, -2.0, -3.0]])
    assert np.isinf(lr.cost_of_identity(A))
    assert np.isinf(lr.kinetic_energy(A, np.eye(2, 3), 1.0))
    assert np.isfinite(lr.cost_of_identity(A, gamma=1e-2))
    assert lr.cost_of_identity(np.zeros((2, 3))) == 0


@given(st.integers(0, 10**6))
def test_nonnegative_with_bias(seed: int) -> None:
    """rank - tau/(1 + tau) where the constant is in the row space, the rank where it is not."""
    rng = np.random.default_rng(seed)
    width, samples = int(rng.integers(1, 6)), int(rng.integers(1, 5))
    A = rng.integers(0, 4, size=(width, samples)).astype(float)
    true = exact.squared_norm(A, A, True)
    assert true is not None
    assert abs(lr.nonnegative_cost(A) - float(true)) < 1e-11
    assert abs(lr.cost_of_identity(A) - float(true)) < 1e-11
    ones = np.ones((1, samples))
    inside = np.linalg.matrix_rank(np.vstack([A, ones])) == np.linalg.matrix_rank(A)
    assert (true.denominator == 1) or inside


@given(st.integers(0, 10**6), st.booleans(), st.sampled_from([0.01, 1.0]))
def test_exact_relation_of_the_stable_hamiltonian(seed: int, bias: bool, gamma: float) -> None:
    A, B = draw("random", seed)
    velocity = lr.velocity(A, B, 2.0, bias)
    found = lr.stable_hamiltonian(A, velocity, 2.0, bias, gamma=gamma) - lr.hamiltonian(
        A, B, 2.0, bias
    )
    features = exact.features_of(A, bias)
    inverse = np.linalg.inv(features.T @ features + gamma * np.eye(A.shape[1]))
    expected = gamma * (B**2).sum() - gamma**2 * np.trace(B @ inverse @ B.T)
    expected -= gamma * np.trace(velocity @ inverse @ B.T)
    assert abs(found - expected) < 1e-8 * max(
        1.0, abs(expected), abs(lr.hamiltonian(A, B, 2.0, bias))
    )


def test_stacks() -> None:
    A = np.random.default_rng(0).normal(size=(2, 3, 6, 4))
    found = lr.cost_of_identity(A, gamma=np.array([0.1, 1.0, 10.0]))
    assert found.shape == (2, 3)
    assert found[1, 2] == lr.cost_of_identity(A[1, 2], gamma=10.0)
    assert lr.hamiltonian(A, A, [1.0, 2.0, 3.0]).shape == (2, 3)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("gamma", [0.0, 1.0, 1e300])
@pytest.mark.parametrize("scale", [1e-160, 1e155, 1e200])
def test_large_and_small_numbers_next_to_others(scale: float, bias: bool, gamma: float) -> None:
    """Each matrix of a stack has the digits that it has alone, and numbers near the limits of float64 keep theirs."""
    A = np.random.default_rng(0).normal(size=(4, 3))
    for function in (lr.cost_of_identity, lr.cost_lower_bound):
        found = function(np.stack([A * scale, A]), bias=bias, gamma=gamma)
        assert found[1] == function(A, bias=bias, gamma=gamma)
        if scale > 1 and gamma < 1e300:
            expected = function(A, bias=False)
            assert found[0] == pytest.approx(expected, rel=1e-12)


def test_representations_that_are_too_negative_cost_infinitely_much() -> None:
    A = -np.abs(np.random.default_rng(0).normal(size=(4, 3))) * 1e200
    for bias, gamma in ((True, 0.0), (True, 1.0), (False, 0.0), (False, 1.0)):
        assert np.isinf(lr.cost_of_identity(A, bias=bias, gamma=gamma))

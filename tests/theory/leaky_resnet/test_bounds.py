"""Tests of Theorem 4 in its correct form, of Proposition 1 with bias, and of the printed forms that fail."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theory import leaky_resnet as lr

ROUNDING = 1e-9
states = (st.integers(0, 10**9), st.booleans(), st.floats(-6, 3), st.floats(-1, 1.5))


def draw(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A path of 1 to 6 states that solves nothing, with dead, tiny and huge entries."""
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(1, 7)), int(rng.integers(1, 6)), int(rng.integers(1, 6)))
    A = rng.normal(size=shape) * 10.0 ** rng.uniform(-2, 2) - rng.choice([0, 0, 3])
    B = rng.normal(size=shape) * 10.0 ** rng.uniform(-2, 2)
    if rng.random() < 0.3:
        B *= rng.random(shape) < 0.5
    return A, B


@settings(max_examples=100)
@given(*states)
def test_theorem_4_holds(seed: int, bias: bool, log_gamma: float, log_depth: float) -> None:
    A, B = draw(seed)
    rng = np.random.default_rng(seed + 1)
    gamma = 10.0 ** (log_gamma + rng.uniform(-1, 1, size=len(A)))
    p = np.sort(rng.random(len(A)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lr.IllConditionedWarning)
        found = lr.rank_bounds(
            A, B, 10.0**log_depth, gamma, bias=bias, p=p if len(A) > 1 else None
        )
    scale = np.abs(found.hamiltonian) + found.cost + found.slack**2 + found.speed**2
    room = ROUNDING * scale.max()
    assert found.lower - room <= found.gap <= found.upper + room
    assert found.gap == -found.extra.min()
    # Rounding of the extra cost is that of a root near zero.
    slip = np.sqrt(room) * 1e-3 + ROUNDING * np.sqrt(scale)
    assert (found.speed_lower - slip <= found.speed).all()
    assert (found.speed <= found.speed_upper + slip).all()
    # Both imply the form with one c for all p.
    c = (gamma * (B**2).sum(axis=(1, 2))).max()
    assert found.upper <= c * (1 + ROUNDING)
    assert found.lower >= -((found.length + np.sqrt(c)) ** 2) * (1 + ROUNDING)


@settings(max_examples=100)
@given(*states[:3])
def test_proposition_1_holds(seed: int, bias: bool, log_gamma: float) -> None:
    A = draw(seed)[0]
    for gamma in (0.0, 10.0**log_gamma):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lr.IllConditionedWarning)
            cost = lr.cost_of_identity(A, bias=bias, gamma=gamma)
        assert (lr.cost_lower_bound(A, bias=bias, gamma=gamma) <= cost * (1 + 1e-6)).all()


def test_printed_proposition_1_fails_with_bias() -> None:
    A = np.array([[0.5]])
    assert lr.cost_of_identity(A) == pytest.approx(0.2)
    assert lr.cost_lower_bound(A) == pytest.approx(0.2)


def test_extra_cost_may_be_negative() -> None:
    """At rest in a bottleneck: the printed root of the second chain is imaginary."""
    found = lr.rank_bounds(np.ones((1, 1)), np.ones((1, 1)), 3.0, 0.5, bias=False)
    assert found.extra[0] < -0.1
    assert found.speed[0] == 0
    assert found.lower <= found.gap <= found.upper


def test_upper_bound_is_sharp() -> None:
    """Where the velocity is -depth gamma B the identity leaves exactly gamma |B|^2."""
    gamma, b = 0.3, 0.7
    # A (K + gamma)... one active neuron and sample: velocity/depth = b a^2 - a = -gamma b.
    a = (1 - np.sqrt(1 - 4 * gamma * b**2)) / (2 * b)
    found = lr.rank_bounds(np.array([[a]]), np.array([[b]]), 2.0, gamma, bias=False)
    assert found.gap == pytest.approx(found.upper, rel=1e-12)

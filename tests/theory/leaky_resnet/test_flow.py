"""Tests of trajectories: the Hamiltonian across kinks, the linear solution, symmetry, diverging momenta."""

from __future__ import annotations

import numpy as np
import pytest

from tests.oracles.leaky_resnet_exact import features_of
from theory import leaky_resnet as lr

KEPT = 1e-10  # of the larger of both terms of the Hamiltonian along the path


def state(seed: int, width: int, samples: int, size: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(width, samples)), size * rng.normal(size=(width, samples))


def energy(A: np.ndarray, B: np.ndarray, depth: float, bias: bool) -> tuple[float, float]:
    """The Hamiltonian and the size of its terms, by definition."""
    kept, pull = ((B @ features_of(A, bias).T) ** 2).sum() / 2, (B * A).sum()
    return depth * (kept - pull), depth * max(kept, np.abs(B * A).sum())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_hamiltonian_is_kept_over_kinks(seed: int, bias: bool) -> None:
    width, samples = 2 + seed % 4, 3 + seed % 5
    A, B = state(seed, width, samples)
    path = lr.flow(A, B, 2.0, np.linspace(0, 1, 17), bias=bias)
    values = np.array([energy(a, b, 2.0, bias) for a, b in path])
    assert np.ptp(values[:, 0]) <= KEPT * values[:, 1].max()
    assert not bias or (np.diff(path[:, 0] > 0, axis=0)).any(), "a path without kinks tests little"


@pytest.mark.parametrize("seed", range(5))
def test_against_the_linear_solution(seed: int) -> None:
    """Positive representations that stay so are a linear net."""
    rng = np.random.default_rng(seed)
    A, B = 1 + rng.uniform(size=(3, 4)), 0.02 * rng.normal(size=(3, 4))
    p = np.array([0.0, 0.3, 1.0, 0.3])
    path = lr.flow(A, B, 1.2, p, bias=False)
    assert (path[:, 0] > 0).all()
    np.testing.assert_allclose(path, lr.linear_flow(A, B, 1.2, p), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_linear_solution_against_an_integrator(seed: int) -> None:
    from scipy.integrate import solve_ivp

    A, B = state(seed, 3, 2)

    def rate(_: float, flat: np.ndarray) -> np.ndarray:
        a, b = flat.reshape(2, 3, 2)
        W = 1.5 * b @ a.T
        return np.stack([W @ a - 1.5 * a, 1.5 * b - W.T @ b]).ravel()

    found = solve_ivp(rate, (0, 1), np.stack([A, B]).ravel(), "DOP853", rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(
        lr.linear_flow(A, B, 1.5, [1.0])[0].ravel(), found.y[:, -1], rtol=1e-9, atol=1e-11
    )


def test_balancedness_with_bias() -> None:
    """Squared weights grow by twice depth times the integrated squared bias; the printed factor is found out."""
    A, B = state(2, 3, 4)
    p = np.linspace(0, 1, 401)
    path = lr.flow(A, B, 2.0, p)
    W = np.array([2.0 * b @ features_of(a, True).T for a, b in path])
    squares, bias2 = (W**2).sum(axis=(1, 2)), (W[:, :, -1] ** 2).sum(axis=1)
    integral = ((bias2[1:] + bias2[:-1]) / 2).sum() / 400
    grown = squares[-1] - squares[0]
    assert grown == pytest.approx(4.0 * integral, rel=1e-3)
    assert grown != pytest.approx(2.0 * integral, rel=0.3)

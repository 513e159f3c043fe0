"""Tests of the least-squares search: scipy's minima, bounds, several starts, narrow valleys, zero slopes."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import least_squares

from bridge.fit import search

T = np.linspace(0.1, 3, 60)
STEP = 1e-7
FREE = np.full(3, -50.0), np.full(3, 50.0)


def minimise(model, observed, starts, lower=FREE[0], upper=FREE[1]):
    ends, converged = search.minimise(model, observed, starts, lower=lower, upper=upper, step=STEP)
    best = ends.squares.argmin()
    return SimpleNamespace(
        parameters=ends.parameters[best], residuals=ends.residuals[best],
        jacobian=np.moveaxis(ends.jacobian[best], 0, -1), converged=converged[best],
    )  # fmt: skip


def decay(parameters):
    """``[set, 1, time]``: a exp(-b t) + c."""
    a, b, c = parameters.T[:, :, None]
    return (a * np.exp(-b * T) + c)[:, None, :]


def rosenbrock(parameters):
    """Residuals of the banana-shaped valley, as one curve of two points."""
    x, y = parameters.T
    return np.stack([10 * (y - x**2), 1 - x], axis=-1)[:, None, :]


def by_scipy(model, observed, start, lower, upper):
    return least_squares(
        lambda p: (model(p[None])[0] - observed).ravel(), start, bounds=(lower, upper), x_scale="jac", xtol=1e-12,
        ftol=1e-12, gtol=1e-12,
    )  # fmt: skip


@pytest.mark.parametrize("noise", [0.0, 0.01, 0.3])
def test_same_minimum_as_scipy(rng, noise):
    for _ in range(10):
        truth = rng.uniform([0.5, 0.3, -1], [3, 3, 1])
        observed = decay(truth[None])[0] + noise * rng.normal(size=(1, 60))
        start = truth * np.exp(0.5 * rng.normal(size=3))
        found = minimise(decay, observed, start[None])
        known = by_scipy(decay, observed, start, *FREE)
        assert found.converged
        assert (found.residuals**2).sum() == pytest.approx(2 * known.cost, rel=1e-8, abs=1e-15)
        assert found.parameters == pytest.approx(known.x, rel=1e-3 if noise else 1e-7)
        assert found.residuals == pytest.approx(
            decay(found.parameters[None])[0] - observed, abs=1e-12
        )
        assert found.jacobian[..., 2] == pytest.approx(1.0, abs=1e-6)


def test_bounds_are_kept_and_reached(rng):
    observed = decay(np.array([[2.0, 1.0, 0.5]]))[0] + 0.01 * rng.normal(size=(1, 60))
    lower, upper = np.array([0.0, 0.0, 0.0]), np.array([10.0, 0.7, 10.0])
    found = minimise(decay, observed, np.array([[1.0, 0.1, 5.0]]), lower, upper)
    known = by_scipy(decay, observed, np.array([1.0, 0.1, 5.0]), lower, upper)
    assert found.parameters[1] == 0.7
    assert found.parameters == pytest.approx(known.x, rel=1e-4)
    assert found.converged


def test_a_narrow_bent_valley():
    calls = []

    def counted(parameters):
        calls.append(len(parameters))
        return rosenbrock(parameters)

    found = minimise(
        counted, np.zeros((1, 2)), np.array([[-1.2, 1.0]]), np.full(2, -5.0), np.full(2, 5.0)
    )
    assert found.parameters == pytest.approx([1, 1], rel=1e-6)
    assert found.converged
    assert len(calls) < 60


def test_the_lowest_of_several_minima():
    def waves(parameters):
        return (np.sin(parameters * T) + 0.02 * parameters)[:, None, :]

    observed = waves(np.array([[4.0]]))[0]
    starts = np.array([[0.5], [2.0], [3.8], [9.0]])
    alone = [
        minimise(waves, observed, start[None], np.zeros(1), np.full(1, 20.0)) for start in starts
    ]
    together = minimise(waves, observed, starts, np.zeros(1), np.full(1, 20.0))
    assert together.parameters == pytest.approx([4.0])
    assert together.parameters == pytest.approx(alone[2].parameters, rel=1e-9)
    assert any(abs(each.parameters[0] - 4) > 0.1 for each in alone)  # the others end elsewhere


def test_a_parameter_that_the_curves_do_not_see_stays():
    found = minimise(
        lambda p: decay(p[:, :3]), decay(np.array([[2.0, 1.0, 0.5]]))[0], np.array([[1.0, 2.0, 0.0, 0.7]]),
        np.full(4, -50.0), np.full(4, 50.0),
    )  # fmt: skip
    assert found.converged
    assert found.parameters == pytest.approx([2, 1, 0.5, 0.7], rel=1e-6)


def test_a_search_that_is_given_up_says_so(monkeypatch):
    monkeypatch.setattr("bridge.fit.search.ROUNDS", 2)
    found = minimise(
        rosenbrock, np.zeros((1, 2)), np.array([[-1.2, 1.0]]), np.full(2, -5.0), np.full(2, 5.0)
    )
    assert not found.converged

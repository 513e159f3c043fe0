"""Warnings: present where an assumption of the theory is broken, absent where none is."""

from __future__ import annotations

import numpy as np
import pytest

import bridge
from theory import two_point as theory


def trace(t, curves):
    return dict(zip(("t", "dh2", "dy2", "w"), (t, *curves), strict=True))


def warned(fit, words):
    return any(words in warning for warning in fit.warnings)


def test_none_where_the_theory_holds(draw):
    for index in range(20):
        case = draw(np.random.default_rng([7, index]), noise=0.01 * (index % 2))
        fit = bridge.two_point.fit(case.columns, **case.data)
        left = 2 * case.clean[2, -1] - case.clean[1, -1] + case.data["target2"]
        finished = left < 0.02 * case.data["target2"]
        near = case.initial[0] < 0.4 * case.clean[0, -1]
        if finished and near:
            assert fit.warnings == ()


def test_training_that_has_not_converged(clean_case):
    half = {name: column[:300] for name, column in clean_case.columns.items()}
    assert warned(bridge.two_point.fit(half, **clean_case.data), "not converged")


def test_representations_that_start_far_apart():
    t = np.linspace(0, 40, 400)
    columns = trace(t, theory.trajectory(t, 4.0, 0.4, 0.5, 2.0, 3.0, 1.0, 1.0))
    assert warned(bridge.two_point.fit(columns, dx2=1.0, target2=1.0), "far apart")


def test_rotation_shows_as_a_drift_of_the_conserved_quantity():
    """Gradient flow of explicit matrices in which dh must turn: the decoder reads a direction that dh lacks."""
    encoder, decoder, target = np.array([0.3, 0.0]), np.array([[0.2, 1.5], [0.0, 2.0]]), np.array([1.0, 0.3])
    states, step = [], 0.01
    for _ in range(4000):
        output = decoder @ encoder
        states.append((encoder @ encoder, output @ output, output @ output - output @ target))
        error = output - target
        encoder, decoder = encoder - step * decoder.T @ error, decoder - step * np.outer(error, encoder)
    columns = trace(np.arange(4000) * step, np.array(states).T)
    fit = bridge.two_point.fit(columns, dx2=1.0, target2=float(target @ target))
    assert warned(fit, "rotate")


def test_another_target_than_stated_breaks_cauchy_and_schwarz(clean_case):
    fit = bridge.two_point.fit(clean_case.columns, dx2=1.0, target2=0.3)
    assert warned(fit, "Cauchy") or warned(fit, "(dy2 - w)^2")


def test_a_first_point_that_is_no_state(clean_case):
    columns = {name: column.copy() for name, column in clean_case.columns.items()}
    columns["w"][0] -= 0.05
    fit = bridge.two_point.fit(columns, initial="data", **clean_case.data)
    assert warned(fit, "not a possible state")


def test_dynamics_of_another_kind():
    """A logistic dh2 that ends where it likes, with outputs that learn at a rate of their own."""
    t = np.linspace(0, 50, 500)
    dh2 = 0.2 + 3 / (1 + np.exp(-(t - 35) / 0.5))
    dy = 1 - np.exp(-t / 2)
    columns = trace(t, np.array([dh2, dy**2, dy**2 - dy]))
    fit = bridge.two_point.fit(columns, dx2=1.0, target2=1.0)
    assert warned(fit, "does not describe")
    assert fit.r_squared < 0.9


def test_a_lazy_trace_does_not_determine_the_encoder():
    """Where the representations hardly move, the data say nothing about how fast they would."""
    t = np.linspace(0, 1, 200)
    rng = np.random.default_rng(0)
    curves = theory.trajectory(t, 50.0, 0.0, 0.0, 1e6, 5.0, 1.0, 1.0) + 1e-3 * rng.normal(size=(3, 200))
    fit = bridge.two_point.fit(trace(t, curves), dx2=1.0, target2=1.0)
    assert not fit.errors["tau_h"] < fit.tau_h
    assert warned(fit, "tau_h is")
    assert fit.tau_y == pytest.approx(5, abs=4 * fit.errors["tau_y"])

"""Tests that warnings appear if an assumption of the theory is violated, and only then."""

from __future__ import annotations

import numpy as np
import pytest

import bridge
from bridge.two_point.alternatives import integrate
from theory import two_point as theory


def trace(t, curves):
    return dict(zip(("t", "dh2", "dy2", "w"), (t, *curves), strict=True))


def warned(fit, words):
    return any(words in warning for warning in fit.warnings)


def test_none_where_the_theory_holds(draw):
    for index in range(10):
        case = draw(np.random.default_rng([7, index]), noise=0.01 * (index % 2))
        fit = bridge.two_point.fit(case.columns, **case.data)
        left = 2 * case.clean[2, -1] - case.clean[1, -1] + case.data["target2"]
        finished = left < 0.02 * case.data["target2"]
        near = case.initial[0] < 0.4 * case.clean[0, -1]
        if finished and near:
            assert fit.warnings == ()


# the last two show where the errors of the parameters are left out of the misfit
TELLING = (0, 1, 19, 24)
OTHERS = sorted({*range(25)} - {*TELLING})
FALSE = ("does not describe", "(dy2 - w)^2", "drifts", "negative values", "not a possible state")


@pytest.mark.parametrize(
    "draws", [TELLING, pytest.param(OTHERS, marks=pytest.mark.slow)], ids=["telling", "others"]
)
@pytest.mark.parametrize(
    "noise",
    [
        0.0,
        0.2,
        *(pytest.param(noise, marks=pytest.mark.slow) for noise in (1e-9, 1e-6, 1e-3, 0.05)),
    ],
)
def test_no_noise_is_taken_for_a_failure_of_the_theory(draw, noise, draws):
    """However large the noise is, and how small: R^2 is 0.4 in the worst of these."""
    for index in draws:
        case = draw(
            np.random.default_rng([11, index]), points=150, noise=noise, scalar=bool(index % 2)
        )
        fit = bridge.two_point.fit(case.columns, **case.data)
        for warning in fit.warnings:
            assert not any(words in warning for words in FALSE)
        # too small to be seen on so coarse a trace, and large enough for its first point to matter
        if noise != 1e-6:
            assert "Residuals are systematic" not in fit.summary()


ENOUGH = 3  # of five cases of other dynamics that are seen; the rest are then not fitted


@pytest.mark.parametrize(
    "noise", [0.0, *(pytest.param(noise, marks=pytest.mark.slow) for noise in (0.01, 0.05))]
)
@pytest.mark.parametrize("kind", [pytest.param("square", marks=pytest.mark.slow), "plus_sign"])
def test_other_dynamics_are_seen_through_noise(draw, kind, noise):
    seen = 0
    for index in range(5):
        case = draw(np.random.default_rng([12, index]), points=200, noise=0, scalar=True)
        clean = integrate(
            kind, case.columns["t"], np.array(case.initial), case.tau_h, case.tau_y, **case.data
        )
        clean = clean + noise * np.ptp(clean, axis=1)[:, None] * np.random.default_rng(
            index
        ).normal(size=clean.shape)
        fit = bridge.two_point.fit(trace(case.columns["t"], clean), **case.data)
        seen += any(
            words in each
            for each in fit.warnings
            for words in ("does not describe", "drifts", "(dy2 - w)^2")
        )
        if seen == ENOUGH:
            break
    assert seen == ENOUGH


def test_what_is_unexplained_is_not_the_noise(clean_case, rng):
    """A bump of 20 % of one curve's spread is 4 % of its variance, with noise or without."""
    wave = 0.2 * clean_case.clean.std(axis=1)[1] * np.sqrt(2) * np.sin(np.arange(3001.0) / 50)
    for noise in (0.0, 0.1):
        seen = clean_case.clean + noise * np.ptp(clean_case.clean, axis=1)[:, None] * rng.normal(
            size=(3, 3001)
        )
        seen[1] += wave
        columns = clean_case.columns | dict(zip(("dh2", "dy2", "w"), seen, strict=True))
        fit = bridge.two_point.fit(columns, initial=clean_case.initial, **clean_case.data)
        assert fit.unexplained["dy2"] == pytest.approx(0.04, abs=0.01)
        assert fit.unexplained["dh2"] < 0.01
        assert "Residuals are systematic" in fit.summary()


def test_training_that_has_not_converged(clean_case):
    half = {name: column[:300] for name, column in clean_case.columns.items()}
    assert warned(bridge.two_point.fit(half, **clean_case.data), "not converged")


def test_representations_that_start_far_apart():
    t = np.linspace(0, 40, 400)
    columns = trace(t, theory.trajectory(t, 4.0, 0.4, 0.5, 2.0, 3.0, 1.0, 1.0))
    assert warned(bridge.two_point.fit(columns, dx2=1.0, target2=1.0), "far apart")


def test_rotation_shows_as_a_drift_of_the_conserved_quantity():
    """Gradient flow of explicit matrices in which dh must turn: the decoder reads a direction that dh lacks."""
    encoder, decoder, target = (
        np.array([0.3, 0.0]),
        np.array([[0.2, 1.5], [0.0, 2.0]]),
        np.array([1.0, 0.3]),
    )
    states, step = [], 0.01
    for _ in range(4000):
        output = decoder @ encoder
        states.append((encoder @ encoder, output @ output, output @ output - output @ target))
        error = output - target
        encoder, decoder = (
            encoder - step * decoder.T @ error,
            decoder - step * np.outer(error, encoder),
        )
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


def test_one_curve_alone_may_be_described_poorly():
    t = np.linspace(0, 50, 500)
    curves = theory.trajectory(t, 0.05, 0.01, 0.01, 5.0, 5.0, 1.0, 2.0)
    curves[2] *= 1 + 0.9 * np.sin(t / 3)
    fit = bridge.two_point.fit(trace(t, curves), dx2=1.0, target2=2.0)
    assert warned(fit, "does not describe w")
    assert not warned(fit, "does not describe d")


def test_dynamics_of_another_kind():
    """A logistic dh2 that ends where it likes, with outputs that learn at a rate of their own."""
    t = np.linspace(0, 50, 200)
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
    curves = theory.trajectory(t, 50.0, 0.0, 0.0, 1e6, 5.0, 1.0, 1.0) + 1e-3 * rng.normal(
        size=(3, 200)
    )
    fit = bridge.two_point.fit(trace(t, curves), dx2=1.0, target2=1.0)
    assert not fit.errors["tau_h"] < fit.tau_h
    assert warned(fit, "tau_h is")
    assert fit.tau_y == pytest.approx(5, abs=4 * fit.errors["tau_y"])

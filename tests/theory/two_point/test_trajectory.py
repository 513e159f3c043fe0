"""Tests of the complete solution of Eq. (7) against integrators, explicit matrices and arbitrary precision."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import theory
from tests.oracles.two_point_flow import Network, smooth_flow
from tests.oracles.two_point_states import KINDS, NAMES, draw
from theory import two_point

# What the issue of accuracy is measured against: the range of each curve. The integrator is good to about 1e-11 of it.
OF_RANGE = 1e-8
# The flow of explicit matrices is integrated in many more variables.
OF_RANGE_MATRICES = 1e-7
ROUNDING = 1e-13  # of the largest value of a curve


def timescale(dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2) -> float:
    return 1 / np.hypot(
        dh2_0 / tau_y - dx2 * dy2_0 / (tau_h * dh2_0), np.sqrt(4 * dx2 * target2 / (tau_h * tau_y))
    )


def assert_close(found: np.ndarray, expected: np.ndarray, tolerance: float) -> None:
    error = np.abs(found - expected).max(axis=-1) / np.ptp(expected, axis=-1)
    assert (error < tolerance).all(), error


@pytest.mark.parametrize(
    "index", [0, 1, *(pytest.param(number, marks=pytest.mark.slow) for number in range(2, 8))]
)
@pytest.mark.parametrize("kind", KINDS)
def test_against_an_integrator(kind: str, index: int) -> None:
    state = draw(kind, np.random.default_rng([index, KINDS.index(kind)]))
    times = np.linspace(0, (80 if kind == "stiff" else 20) * timescale(**state), 201)
    assert_close(two_point.trajectory(times, **state), smooth_flow(times, **state), OF_RANGE)


@pytest.mark.parametrize("outputs", [1, 2, 3])
def test_against_gradient_flow_of_explicit_matrices(
    outputs: int, rng: np.random.Generator
) -> None:
    hidden = 4
    inputs, targets = rng.normal(size=3), rng.normal(size=outputs)
    direction, across = np.linalg.qr(rng.normal(size=(hidden, 2)))[0].T
    along_inputs = np.outer(direction, inputs) / (inputs @ inputs)
    network = Network(
        encoder=0.4 * along_inputs + np.outer(across, np.cross(inputs, rng.normal(size=3))),
        decoder=np.outer(rng.normal(size=outputs), direction),
        inputs=inputs,
        targets=targets,
        tau_h=0.7,
        tau_y=1.3,
    )
    dh2, dy2, w = network.state(network.encoder, network.decoder)
    times = np.linspace(0, 20, 101)
    # tau of Eq. (7) is twice that of Eq. (6), which the matrices obey.
    found = two_point.trajectory(times, dh2, dy2, w, 1.4, 2.6, inputs @ inputs, targets @ targets)
    assert_close(found, network.integrate(times), OF_RANGE_MATRICES)


@pytest.mark.slow
def test_forty_digits_against_a_taylor_integrator() -> None:
    state = dict(zip(NAMES, ("0.3", "0.2", "0.15", "2", "3", "0.7", "1.3"), strict=True))
    with mpmath.workdps(50):
        dh2, dy2, w, tau_h, tau_y, dx2, target2 = map(mpmath.mpf, state.values())

        def velocity(_, y):
            h, s, v = y
            return [
                -dx2 / tau_h * v,
                -v * (h / tau_y + dx2 / tau_h * s / h),
                -((3 * v - s + target2) * h / tau_y + dx2 / tau_h * (s + v) * v / h) / 2,
            ]

        expected = mpmath.odefun(velocity, 0, [dh2, dy2, w], tol=mpmath.mpf(10) ** -48)(2)
        for name, value in zip(("dh2", "dy2", "w"), expected, strict=True):
            found = theory.catalogue()[f"two_point.{name}"].evaluate(digits=40, t=2, **state)
            assert mpmath.almosteq(mpmath.mpf(found), value, rel_eps=mpmath.mpf(10) ** -40)


@given(st.sampled_from(KINDS), st.integers(0, 10**6))
def test_it_ends_at_the_final_distance_with_the_outputs_learned(kind: str, seed: int) -> None:
    state = draw(kind, np.random.default_rng(seed))
    start = {key: state[key] for key in NAMES if key != "w_0"}
    # What is predicted across the target fades at the other eigenvalue, which may be far smaller.
    slowest = theory.catalogue()["two_point.growth_rate"](**start) if state["target2"] else np.inf
    dh2, dy2, w = two_point.trajectory(400 * timescale(**state) + 60 / slowest, **state)
    final = two_point.final_distance()(**start)
    scale = max(state["dh2_0"], final)
    assert abs(dh2 - final) <= 1e-9 * scale
    if state["target2"]:
        assert dy2 == pytest.approx(state["target2"], rel=1e-9)
        assert abs(w) <= 1e-9 * state["target2"]


def test_shapes_broadcast() -> None:
    found = two_point.trajectory([0, 1, 2], np.full((4, 1), 0.3), 0.2, 0.1, [1, 2], 1, 1, 1)
    assert found.shape == (3, 4, 2, 3)
    assert two_point.trajectory(1.5, 0.3, 0.2, 0.1, 1, 1, 1, 1).shape == (3,)
    one = two_point.trajectory([0, 1, 2], 0.3, 0.2, 0.1, 2, 1, 1, 1)
    np.testing.assert_array_equal(found[:, 3, 1], one)


def test_without_checks_the_same_numbers(rng: np.random.Generator) -> None:
    state = draw(KINDS[0], rng)
    times = np.linspace(0, 5, 50)
    assert np.array_equal(
        two_point.trajectory(times, **state),
        two_point.trajectory(times, **state, validate=False),
        equal_nan=False,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_and_arrays_of_parameters_give_the_same_curves(kind: str) -> None:
    """For numbers one of two formulas of the alignment is computed; for arrays both are."""
    signs = set()
    for index in range(12):
        state = draw(kind, np.random.default_rng([index, 7]))
        times = np.linspace(0, 20 * timescale(**state), 51)
        several = two_point.trajectory(
            times, **{name: np.array([value]) for name, value in state.items()}
        )[:, 0]
        error = np.abs(two_point.trajectory(times, **state) - several).max(axis=1) / np.abs(
            several
        ).max(axis=1)
        assert (error < ROUNDING).all(), error
        across = state["dy2_0"] - (state["dy2_0"] - state["w_0"]) ** 2 / (
            state["target2"] or np.inf
        )
        signs.add(abs(state["w_0"]) > across)
    assert kind != KINDS[0] or signs == {True, False}


@pytest.mark.parametrize("w_0", [1e-12, -1e-12])
def test_an_alignment_far_smaller_than_its_terms_keeps_its_digits(w_0: float) -> None:
    start = two_point.trajectory(np.array([0.0, 1e-15]), 0.3, 0.2, w_0, 2.0, 3.0, 0.7, 1.3)[2]
    np.testing.assert_allclose(start[0], w_0, rtol=1e-14)
    exact = theory.catalogue()["two_point.w"].evaluate(1e-15, 0.3, 0.2, w_0, 2.0, 3.0, 0.7, 1.3)
    np.testing.assert_allclose(start[1], float(exact), rtol=1e-12)

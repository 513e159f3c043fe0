"""Tests of the reference numbers of the ledger: gradient and flow of explicit matrices, and their power."""

import numpy as np
import pytest

from papers.vanrossem2024.ledger import explicit_matrices, flows

TAUS = (0.9, 1.7, 0.6)
# Central differences of quantities of order one with a step of 1e-4.
DIFFERENCES = 1e-6


def gradient_by_hand(problem, weights):
    """Written out with sums over the two points."""
    mean, encoder, decoder = weights
    slopes = [np.zeros_like(block) for block in weights]
    for sign, target in zip((-1, 1), problem.targets, strict=True):
        h = sign * encoder @ problem.u / 2
        residual = mean + decoder @ h - target
        slopes[0] += residual / 2
        slopes[1] += np.outer(decoder.T @ residual, sign * problem.u / 2) / 2
        slopes[2] += np.outer(residual, h) / 2
    return slopes


@pytest.mark.parametrize("seed", range(5))
def test_central_differences_are_the_gradient(seed):
    problem, weights = explicit_matrices.random_weights(seed)
    for found, expected in zip(
        problem.gradient(weights), gradient_by_hand(problem, weights), strict=True
    ):
        np.testing.assert_allclose(found, expected, atol=1e-12 * (1 + np.abs(expected).max()))


@pytest.mark.parametrize("seed", range(5))
def test_flow_conserves_what_gradient_flow_of_a_product_conserves(seed):
    problem, weights = explicit_matrices.random_weights(seed)
    after = problem.flow(weights, TAUS, [1.5])[-1]
    balance = [TAUS[1] * w[1] @ w[1].T - TAUS[2] * w[2].T @ w[2] for w in (weights, after)]
    np.testing.assert_allclose(*balance, atol=1e-8 * np.abs(balance[0]).max())
    assert problem.loss(after) < problem.loss(weights)


@pytest.mark.parametrize("seed", range(5))
def test_unrotated_weights_have_no_velocity_across_dh(seed):
    problem, weights = explicit_matrices.unrotated_weights(seed)
    dh, velocity = weights[1] @ problem.u, problem.gradient(weights)[1] @ problem.u
    assert abs(dh[0] * velocity[1] - dh[1] * velocity[0]) < 1e-12 * np.linalg.norm(
        dh
    ) * np.linalg.norm(velocity)
    decoder_across = weights[2] @ np.array([-dh[1], dh[0]])
    assert np.linalg.norm(decoder_across) > 0.1  # not merely a decoder of rank one


def test_velocity_is_that_of_the_flow():
    problem, weights = explicit_matrices.random_weights(7)
    step = 1e-4
    path = problem.flow(weights, TAUS, [step, 2 * step])
    # Forward difference of second order: its error is a third of the squared step, times a third derivative.
    states = [problem.state(at) for at in (weights, *path)]
    slope = (-3 * states[0] + 4 * states[1] - states[2]) / (2 * step)
    expected = flows.velocity_of_state(problem, weights, TAUS)
    np.testing.assert_allclose(slope, expected, rtol=1e-4)


@pytest.mark.parametrize("line", range(3))
@pytest.mark.parametrize("error", [0.5, 1.001, -1.0])
def test_a_wrong_coefficient_in_eq_7_is_seen(line, error):
    problem, weights = explicit_matrices.unrotated_weights(3)
    constants = {
        "tau_h": 2 * TAUS[1],
        "tau_y": 2 * TAUS[2],
        "dx2": problem.dx2,
        "target2": problem.target2,
    }
    printed = flows.rates_at(tuple(problem.state(weights)), **constants)
    measured = flows.velocity_of_state(problem, weights, TAUS)
    assert abs(measured[line] / printed[line] - 1) < DIFFERENCES
    assert abs(measured[line] / (error * printed[line]) - 1) > 100 * DIFFERENCES


def test_rotating_weights_break_eq_7():
    problem, weights = explicit_matrices.random_weights(1)
    constants = {
        "tau_h": 2 * TAUS[1],
        "tau_y": 2 * TAUS[2],
        "dx2": problem.dx2,
        "target2": problem.target2,
    }
    printed = flows.rates_at(tuple(problem.state(weights)), **constants)
    measured = flows.velocity_of_state(problem, weights, TAUS)
    # The first line needs no assumption, the second does.
    assert abs(measured[0] / printed[0] - 1) < DIFFERENCES
    assert abs(measured[1] / printed[1] - 1) > 0.01

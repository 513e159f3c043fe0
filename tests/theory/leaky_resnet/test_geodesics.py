"""Tests of the closed forms of linear geodesics against independent minimisation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import minimize, minimize_scalar

import theory
from tests.oracles.leaky_resnet_paths import linear_weights, midpoint_action, shortest, train_mode
from theory import leaky_resnet as lr

# The midpoint rule is of second order: halving the steps divides the error by four.
SECOND_ORDER = pytest.approx(4, rel=0.15)
FORMS = theory.catalogue()


def nodes(steps: int) -> np.ndarray:
    return np.linspace(0, 1, steps + 1)


def test_one_mode_is_the_shortest_path() -> None:
    cost = linear_weights(2.0, bias=False)
    errors = []
    for steps in (8, 16):
        guess = np.linspace(0.5, 3.0, steps + 1)[:, None, None]
        path = shortest(cost, guess[0], guess[-1], steps, guess)
        exact = lr.linear_geodesic(0.5, 3.0, 2.0, nodes(steps))
        np.testing.assert_allclose(path[:, 0, 0], exact.path, rtol=1e-5)
        errors.append(abs(midpoint_action(cost, path) - exact.weight_norm))
    assert errors[0] / errors[1] == SECOND_ORDER


def test_symmetric_matrices_are_the_shortest_path() -> None:
    """The action converges to the closed form at second order, and every path near it is longer."""
    rng = np.random.default_rng(3)
    A0, root = rng.normal(size=(2, 2)), rng.normal(size=(2, 2))
    S = root @ root.T + np.eye(2)
    cost = linear_weights(1.5, bias=False)
    errors = []
    for steps in (10, 20, 40):
        exact = lr.symmetric_geodesic(A0, S, 1.5, nodes(steps))
        errors.append(abs(midpoint_action(cost, exact.path) - exact.weight_norm))
    assert errors[0] / errors[1] == SECOND_ORDER
    assert errors[1] / errors[2] == SECOND_ORDER
    best = midpoint_action(cost, exact.path)
    for size in (0.03, 0.1):
        for mode in (1, 2, 3):
            bump = size * np.sin(mode * np.pi * nodes(40))[:, None, None] * rng.normal(size=(2, 2))
            assert midpoint_action(cost, exact.path + bump) > best + errors[2]


@pytest.mark.slow
def test_affine_path_is_the_shortest() -> None:
    """One neuron with bias on three inputs: hyperbolic sines, at the hyperbolic distance of the ends as their rate."""
    cost, depth, ends = linear_weights(1.5, bias=True), 1.5, ((0.8, -0.5), (1.7, 1.2))
    direction = np.array([-1.0, 0.3, 1.0])
    rate = FORMS["leaky_resnet.affine_distance"](*ends[0], *ends[1])
    weight_norm = depth**2 + 2 * depth * np.log(ends[1][0] / ends[0][0]) + rate**2
    errors = []
    for steps in (6, 12):
        scale, mean = (
            FORMS["leaky_resnet.affine_path"](a, b, rate, nodes(steps))
            for a, b in zip(*ends, strict=True)
        )
        whole = scale[:, None] * direction + mean[:, None]
        guess = np.linspace(whole[0], whole[-1], steps + 1)[:, None, :]
        path = shortest(cost, guess[0], guess[-1], steps, guess)
        errors.append(abs(midpoint_action(cost, path) - weight_norm))
    assert errors[0] / errors[1] == SECOND_ORDER
    np.testing.assert_allclose(path[:, 0], whole, atol=5e-3)


@pytest.mark.slow
def test_the_mean_of_a_code_fades_as_in_the_cheapest_path() -> None:
    """Squared weights of explicit representations by least squares, minimised over the size of code and mean."""
    # covariance 1, surrounds the origin
    code = np.sqrt(2) * np.array([[1.0, -1, 0, 0], [0, 0, 1, -1]])
    shapes = np.vstack([0.5 * code, np.ones(4)])  # the mean is twice the code's size
    outer, least, steps = 2.5, 0.7, 40
    depth = float(theory.catalogue()["leaky_resnet.depth_of_mean"](2, least, outer))

    def cost(logs: np.ndarray) -> float:
        ends = np.log([outer])
        size = np.exp(np.concatenate([ends, logs, ends]))
        middle, moved = (size[1:] + size[:-1]) / 2, np.diff(size) * steps
        features = np.concatenate([middle[:, None, None] * shapes, np.ones((steps, 1, 4))], axis=1)
        velocity = (moved + depth * middle)[:, None, None] * shapes
        gram = features.transpose(0, 2, 1) @ features
        return (
            float(
                (
                    np.linalg.pinv(gram, hermitian=True) * (velocity.transpose(0, 2, 1) @ velocity)
                ).sum()
            )
            / steps
        )

    start = np.full(steps - 1, np.log(1.5))
    best = minimize(cost, start, method="L-BFGS-B", options={"maxfun": 10**6, "maxiter": 400})
    assert np.exp(best.x).min() == pytest.approx(least, rel=0.02)
    assert np.exp(best.x).argmin() == steps // 2 - 1


@pytest.mark.parametrize(("k", "least", "outer"), [(1, 0.3, 2.0), (3, 1.0, 3.0), (6, 0.02, 0.9)])
def test_depth_of_a_fading_mean_by_quadrature(k: int, least: float, outer: float) -> None:
    def share(m: float) -> float:
        return m**2 / (1 + m**2)

    def time(t: float) -> float:  # m = least + t² takes the root from the lower end
        m = least + t**2
        return 2 * t * float(np.sqrt((k / m**2 + 1 / (1 + m**2)) / (share(m) - share(least))))

    expected = 2 * quad(time, 0, np.sqrt(outer - least), limit=200)[0]
    found = float(theory.catalogue()["leaky_resnet.depth_of_mean"](k, least, outer))
    assert found == pytest.approx(expected, rel=1e-7)
    far = float(theory.catalogue()["leaky_resnet.depth_of_mean"](k, 1e-6, outer))
    assert far * 1e-6 == pytest.approx(np.pi * np.sqrt(k), rel=1e-4)


@given(
    st.floats(0.5, 3), st.floats(0.2, 3), st.floats(1, 12), st.floats(-4, 1), st.integers(1, 50)
)
def test_regularised_mode_against_brute_force(
    goal: float, s0: float, depth: float, log: float, samples: int
) -> None:
    strength = 10.0**log / samples
    found = lr.mode_fits(goal, s0, depth, strength, samples)

    def cost(log_s: float) -> float:
        s = np.exp(log_s)
        return (goal - s) ** 2 / samples + strength / (2 * depth) * (depth + np.log(s / s0)) ** 2

    grid = np.linspace(*sorted((np.log(s0) - depth, np.log(goal))), 4001)
    values = np.array([cost(x) for x in grid])
    best = grid[np.argmin(values)]
    step = grid[1] - grid[0]
    polished = minimize_scalar(
        cost, bounds=(best - step, best + step), method="bounded", options={"xatol": 1e-10}
    )
    assert min(found.costs) <= polished.fun * (1 + 1e-9) + 1e-15
    assert min(found.costs) == pytest.approx(cost(np.log(found.best)), rel=1e-9, abs=1e-15)
    assert (found.kept is not None) + (found.collapsed is not None) + (
        found.barrier is not None
    ) in (1, 3)


def test_collapse_of_deep_nets() -> None:
    """The optimum jumps at strength times depth times samples = 2 target^2, approached as the depth grows."""
    thresholds = []
    for depth in (20.0, 80.0, 320.0):
        low, high = 0.1, 10.0
        for _ in range(50):
            middle = (low + high) / 2
            jumped = lr.mode_fits(1.3, 1.0, depth, middle / depth).collapses
            low, high = (low, middle) if jumped else (middle, high)
        thresholds.append(low)
    errors = np.abs(np.array(thresholds) / (2 * 1.3**2) - 1)
    assert (np.diff(errors) < 0).all()
    assert errors[-1] < 0.01


@pytest.mark.parametrize("layers", [2, 5, 20])
def test_discrete_mode_is_what_training_finds(layers: int) -> None:
    found = lr.discrete_geodesic(0.7, 2.1, 1.5, layers)
    np.testing.assert_allclose(
        train_mode(0.7, 2.1, 1.5, layers), np.sqrt(found.weight_norm), rtol=1e-6
    )
    np.testing.assert_allclose(found.path, 0.7 * 3 ** np.linspace(0, 1, layers + 1), rtol=1e-13)
    form = theory.catalogue()["leaky_resnet.discrete_mode_weight"]
    assert form(0.7, 2.1, 1.5, layers) == pytest.approx(np.sqrt(found.weight_norm), rel=1e-13)


def test_extreme_ends() -> None:
    far = lr.linear_geodesic(1e-200, 1e200, 3.0, [0.0, 0.5, 1.0])
    np.testing.assert_allclose(far.path, [1e-200, 1.0, 1e200], rtol=1e-12)

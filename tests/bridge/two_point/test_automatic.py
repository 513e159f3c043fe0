"""Parts of the automatic choice of the initial state, against ordinary least squares and drawn noise."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from bridge.two_point import automatic

T = np.arange(100.0) + 5
CURVE = 3.0 + 0.2 * T - 0.01 * T**2


def test_a_parabola_gives_the_first_value_with_the_error_of_half_of_the_longest_stretch():
    """Stretches of 16, 32 and 64 points fit into 100; half of the last are 32."""
    value, error = automatic._parabola(T - 5, CURVE, 0.5)
    design = np.stack([np.ones(32), np.arange(32.0), np.arange(32.0) ** 2], axis=1)
    assert value == pytest.approx(CURVE[0], rel=1e-9)
    assert error == pytest.approx(0.5 * np.sqrt(np.linalg.inv(design.T @ design)[0, 0]), rel=1e-9)


def test_a_stretch_ends_where_the_curve_bends_by_more_than_noise():
    bent = CURVE + np.where(T > 30, (T - 30.0) ** 3, 0.0)  # from point 26 on
    value, error = automatic._parabola(T - 5, bent, 0.5)
    design = np.stack([np.ones(8), np.arange(8.0), np.arange(8.0) ** 2], axis=1)
    assert value == pytest.approx(CURVE[0], rel=1e-9)
    assert error == pytest.approx(0.5 * np.sqrt(np.linalg.inv(design.T @ design)[0, 0]), rel=1e-9)
    assert automatic._parabola(T - 5, 50 * np.sin(T), 0.5) == (50 * np.sin(5.0), 0.5)


@pytest.mark.parametrize("correlated", [False, True])
def test_residuals_that_are_white_and_larger_are_the_noise(rng, correlated):
    # a curve that is fitted exactly
    residuals = np.concatenate([rng.normal(size=(2, 300)), np.zeros((1, 300))])
    if correlated:
        residuals[0] = np.cumsum(residuals[0])
    trace = SimpleNamespace(noise=np.array([0.0, 2.0, 0.1]))
    free = SimpleNamespace(estimate=SimpleNamespace(residuals=residuals))
    deviation = np.sqrt((residuals[0] ** 2).mean())
    expected = trace.noise if correlated else [deviation, 2.0, 0.1]
    np.testing.assert_array_equal(automatic.noise_of(trace, free), expected)


def test_no_residuals_are_no_noise():
    trace = SimpleNamespace(noise=np.zeros(3))
    free = SimpleNamespace(estimate=SimpleNamespace(residuals=np.zeros((3, 50))))
    assert not automatic.noise_of(trace, free).any()
    assert not automatic.is_hidden_noise(free, free)


@pytest.mark.parametrize(
    ("dh2", "dy2", "is_hidden"), [(0.1, 0.0, False), (0.1, -1e-9, True), (0.0, 0.1, True)]
)
def test_a_first_point_may_have_equal_outputs_and_no_equal_representations(dh2, dy2, is_hidden):
    state = np.array([[dh2, 1.0], [dy2, 1.0], [0.0, 0.0]])
    trace = SimpleNamespace(state=state, noise=np.zeros(3), is_noisy=lambda noise: False)
    assert automatic.hides_first_point(trace) is is_hidden

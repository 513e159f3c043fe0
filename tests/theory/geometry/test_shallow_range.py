"""Shallow networks at the ends of double precision: a value that exists, or an error that says what is too large."""

from __future__ import annotations

import numpy as np
import pytest

from theory import activations
from theory.geometry import shallow

ROUNDING = 1e-12


@pytest.fixture
def layer():
    rng = np.random.default_rng(1)
    return rng.normal(size=(20, 2)), rng.normal(size=20), np.zeros(2)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_the_unit_of_the_inputs_shifts_the_logarithm(layer, scale):
    """At x = 0 weights enter as a factor of the metric; its squares leave the range, its logarithm does not."""
    weights, biases, x = layer
    expected = shallow.log_volume_element(weights, biases, x, activations.GELU) + 2 * np.log(scale)
    found = shallow.log_volume_element(scale * weights, biases, x, activations.GELU)
    assert found == pytest.approx(expected, rel=ROUNDING)


def test_curvature_does_not_know_the_unit_of_the_inputs(layer):
    weights, biases, x = layer
    expected = shallow.scalar_curvature(weights, biases, x, activations.GELU)
    assert shallow.scalar_curvature(1e-200 * weights, biases, x, activations.GELU) == pytest.approx(expected)


@pytest.mark.parametrize("quantity", [shallow.metric, shallow.riemann])
def test_what_is_too_large_is_said(layer, quantity):
    weights, biases, x = layer
    with pytest.raises(ArithmeticError, match="exceeds the range of double precision"):
        quantity(1e200 * weights, biases, x, activations.GELU)


def test_slopes_that_are_too_large_are_said(layer):
    weights, biases, x = layer
    with pytest.raises(ArithmeticError, match="slopes of exp exceed the range"):
        shallow.log_volume_element(weights, biases + 800, x, activations.EXP)


def test_parallel_weights_make_no_bump():
    """0.1 * 0.9 - 0.3 * 0.3 is 1e-17 in rounding, not an independent pair with a peak at 1e16."""
    parallel = np.array([[0.1, 0.3], [0.1 * 3, 0.3 * 3]])
    assert np.linalg.det(parallel) != 0
    with pytest.raises(ValueError, match="linearly independent"):
        shallow.erf_bumps(parallel, [0.0, 1.0])
    bumps = shallow.erf_bumps(np.vstack([parallel, [[1.0, 0.0]]]), [0.0, 1.0, 0.0])
    assert bumps.units.tolist() == [[0, 2], [1, 2]]


def test_a_parameter_is_refused_by_name(layer):
    torch = pytest.importorskip("torch")
    weights, biases, x = layer
    with pytest.raises(TypeError, match="weights cannot be read"):
        shallow.metric(torch.tensor(weights, requires_grad=True), biases, x, activations.GELU)

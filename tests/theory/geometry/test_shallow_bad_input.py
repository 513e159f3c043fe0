"""Tests of bad input to the functions of shallow networks, whose errors name the argument."""

from __future__ import annotations

import numpy as np
import pytest

from theory import activations
from theory.geometry import shallow

W = np.array([[1.0, 0.2], [0.3, -1.0], [0.5, 0.5]])
B = np.zeros(3)
X = np.array([0.1, 0.2])
FUNCTIONS = (
    shallow.metric,
    shallow.volume_element,
    shallow.log_volume_element,
    shallow.scalar_curvature,
    shallow.riemann,
)
BAD = [
    ({"weights": W[0]}, ValueError, "weights"),
    ({"weights": np.where(W > 0.4, np.nan, W)}, ValueError, "weights"),
    ({"weights": np.full(W.shape, "one")}, ValueError, "weights"),
    ({"biases": B[:2]}, ValueError, "biases"),
    ({"biases": [np.inf, 0, 0]}, ValueError, "biases"),
    ({"x": [1.0, 2.0, 3.0]}, ValueError, "x: got shape"),
    ({"x": np.zeros((0, 2))}, ValueError, "x: got shape .*, needs at least one number"),
    ({"x": [np.nan, 0]}, ValueError, "x: got NaN or infinity"),
    ({"act": "errf"}, ValueError, "act: no activation"),
    ({"act": 1}, TypeError, "act: got int, needs an activation"),
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_bad_input_is_refused_by_name(function):
    good = {"weights": W, "biases": B, "x": X, "act": activations.ERF}
    function(**good)
    for change, error, message in BAD:
        with pytest.raises(error, match=message):
            function(**{**good, **change})


@pytest.mark.parametrize("function", FUNCTIONS[1:], ids=lambda f: f.__name__)
def test_fewer_units_than_inputs(function):
    with pytest.raises(ValueError, match=r"width 2 < d = 3, needs .*: the metric is singular"):
        function(np.ones((2, 3)), np.zeros(2), np.zeros(3), activations.ERF)


@pytest.mark.parametrize("function", FUNCTIONS[1:], ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    "weights",
    [
        np.outer([1.0, 2.0, -1.0], [1.0, 3.0]),
        np.array([[1.0, 1.0], [1.0, 1.0 + 1e-14], [2.0, 2.0]]),
        np.zeros((3, 2)),
    ],
)
def test_a_singular_metric_is_an_error_or_nan(function, weights):
    with pytest.raises(ArithmeticError, match="singular to working precision"):
        function(weights, B, X, activations.ERF)
    assert np.isnan(function(weights, B, X, activations.ERF, when_singular="nan")).all()
    with pytest.raises(ValueError, match="when_singular"):
        function(weights, B, X, activations.ERF, when_singular="ignore")


def test_only_the_singular_points_are_marked():
    x = np.array([[0.1, 0.2], [60.0, 3.0]])  # the second saturates every unit
    found = shallow.scalar_curvature(W, B, x, activations.ERF, when_singular="nan")
    assert np.isfinite(found[0])
    assert np.isnan(found[1])


@pytest.mark.parametrize("act", [activations.RELU, activations.LEAKY_RELU(0.1)])
def test_curvature_of_a_kinked_network_is_refused(act):
    for function in (shallow.scalar_curvature, shallow.riemann):
        with pytest.raises(ValueError, match="continuous first derivative"):
            function(W, B, X, act)
    shallow.volume_element(W + 1, B + 1, X, act)


def test_one_input_has_no_curvature():
    for function in (shallow.scalar_curvature, shallow.riemann):
        with pytest.raises(ValueError, match="d >= 2"):
            function(np.ones((3, 1)), B, np.zeros(1), activations.ERF)


def test_bumps_refuse_what_they_cannot_list():
    with pytest.raises(ValueError, match="more than"):
        shallow.erf_bumps(np.ones((500, 4)), np.zeros(500))
    with pytest.raises(ValueError, match="independent"):
        shallow.erf_bumps(np.zeros((3, 2)), B)
    with pytest.raises(ValueError, match="width 1 < d = 2"):
        shallow.erf_bumps(W[:1], B[:1])

"""Tests of kernels as series in the correlation: against quadrature, and that their bound is one."""

from __future__ import annotations

import numpy as np
import pytest

from tests.oracles.gaussian_expectations import FUNCTIONS, pair_mean, single_mean
from theory import activations, geometry
from theory.geometry import kernel_series
from theory.geometry.kernel_layers import wide_layer
from theory.geometry.kernel_series import QUADRATURE_PROMISE, expanded, with_series

# of the composite quadrature, relative to the kernels of both inputs with themselves
ORACLE = 1e-11
CORRELATIONS = np.array([1.0, 0.99, 0.2, -1e-9, -0.8, -1.0])
NAMES = ("tanh", "softplus")


def nothing_left(*point):
    pytest.fail("the series decides these entries")


def unknown(v, w, c):
    return (np.full(c.shape, np.nan),)


def kernel(name, v, w, correlations, integrals=nothing_left):
    """The kernel at two variances and some correlations, relative to those of both inputs with themselves."""
    function = activations.from_text(name).function()
    series = with_series(
        [function], wide_layer(activations.from_text(name), False).diagonal, integrals
    )
    (value,) = series(np.array([v]), np.array([w]), correlations * np.sqrt(v * w))
    _, root, _ = expanded(function, np.array([v, w]))
    return value / root.prod()


def by_quadrature(name, v, w, correlation):
    """The same by one integral inside another or, where the correlation is 1, by a single one."""
    function = FUNCTIONS[name]
    size = np.sqrt(
        np.prod([single_mean(lambda z: function(z) ** 2, variance) for variance in (v, w)])
    )
    if abs(correlation) == 1:
        ratio = correlation * np.sqrt(w / v)
        return single_mean(lambda z: function(z) * function(ratio * z), v) / size
    return pair_mean(function, function, v, w, correlation * np.sqrt(v * w)) / size


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("v", "w"), [(1e-6, 0.3), (0.3, 2.0), (20.0, 8.0)])
@pytest.mark.parametrize("name", NAMES)
def test_against_quadrature(name, v, w):
    exact = [by_quadrature(name, v, w, correlation) for correlation in CORRELATIONS]
    np.testing.assert_allclose(kernel(name, v, w, CORRELATIONS), exact, rtol=0, atol=ORACLE)


def test_what_is_bounded_is_right_and_the_rest_is_left_to_quadrature(monkeypatch):
    """With few terms: at large variances and correlations near 1 the bound exceeds the promise."""
    correlations = 1 - np.geomspace(1e-6, 1, 40)
    exact = kernel("tanh", 12.0, 15.0, correlations)
    monkeypatch.setattr(kernel_series, "TERMS", (32,))
    found = kernel("tanh", 12.0, 15.0, correlations, unknown)
    is_open = np.isnan(found)
    assert 20 < is_open.sum() < 38
    assert is_open[correlations > 0.9].all()
    error = np.abs(found - exact)[~is_open].max()
    assert 1e-15 < error < QUADRATURE_PROMISE


def test_too_few_nodes_are_noticed(monkeypatch):
    monkeypatch.setattr(kernel_series, "NODES", (128,))
    assert np.isnan(kernel("tanh", 300.0, 300.0, CORRELATIONS, unknown)).all()
    assert not np.isnan(kernel("tanh", 0.01, 0.01, CORRELATIONS, unknown)).any()


def test_pairs_and_rows_by_columns_are_the_same():
    layer = wide_layer(activations.TANH, True)
    v, w = np.array([[1e-6], [0.3], [2.0]]), np.array([[0.3, 2.0]])
    covariances = 0.4 * np.sqrt(v * w)
    whole = layer.pair(v, w, covariances)
    single = layer.pair(
        *(np.broadcast_to(part, covariances.shape).ravel() for part in (v, w, covariances))
    )
    for one, other in zip(whole, single, strict=True):
        np.testing.assert_allclose(one.ravel(), other, rtol=1e-13)


def test_many_tiles_are_those_of_few_inputs(rng):
    X = rng.normal(size=(300, 2))
    matrix = geometry.kernel_matrix("softplus", X)
    few = [3, 191, 192, 255, 256, 299]
    np.testing.assert_allclose(
        matrix[np.ix_(few, few)], geometry.kernel_matrix("softplus", X[few]), rtol=1e-12
    )
    assert (matrix == matrix.T).all()


def test_no_variance_is_the_value_at_zero_and_kinks_are_left_to_quadrature():
    matrix = geometry.kernel_matrix("softplus", np.array([[0.0], [2.0]]), np.array([[0.0], [1.0]]))
    assert matrix[0, 0] == pytest.approx(np.log(2) ** 2, rel=1e-14)
    assert matrix[0, 1] == pytest.approx(
        np.log(2) * single_mean(FUNCTIONS["softplus"], 1.0), rel=1e-12
    )
    (value,) = wide_layer(activations.from_text("tanh(abs(z))"), False).pair(
        *np.array([[1.0], [0.25], [0.2]])
    )
    bent = pair_mean(lambda z: np.tanh(abs(z)), lambda z: np.tanh(abs(z)), 1.0, 0.25, 0.2)
    assert value == pytest.approx(bent, rel=QUADRATURE_PROMISE)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        pytest.param(
            "tanh(cos(30*z))", 3.83, marks=pytest.mark.slow
        ),  # at the nodes the cosine is 1
        pytest.param("exp(sin(30*z))", 3.83, marks=pytest.mark.slow),
        # at the nodes it is a slow cosine, whose mean square is the right one
        pytest.param("tanh(cos(30*z))", 3.832, marks=pytest.mark.slow),
        pytest.param("exp(-(2000*z-6000)**2)", 1.0, marks=pytest.mark.slow),  # between the nodes
        ("exp(-(20*z-60)**2)", 100.0),
    ],
)
def test_what_the_nodes_do_not_see_is_left_to_quadrature(text, size):
    act = activations.from_text(text)
    series = with_series([act.function()], wide_layer(act, False).diagonal, unknown)
    variance = np.array([size**2])
    assert np.isnan(series(variance, variance, 0.99 * variance)[0]).all()

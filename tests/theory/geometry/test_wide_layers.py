"""Tests of volume element and curvature of infinitely wide layers, for closed-form activations and integrals."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import sympy as sp

from tests.oracles import geometry_wide as oracle
from tests.theory.closed_activations import CLOSED
from theory import activations, geometry

# Double precision; volume elements in 784 dimensions are powers of eigenvalues, which multiplies rounding by 392.
DOUBLE = 1e-12
# Promise of numerical integrals.
INTEGRAL = 1e-10
DIMENSIONS = (2, 3, 10, 784)
POINT = {"r": "0.81", "sigma": "1.1", "zeta": "0.6"}

POLYNOMIALS = (
    activations.hermite(3),
    activations.monomial(2),
    activations.polynomial([1, 2, -0.5, sp.Rational(1, 6)]),
)
EVERY = (*CLOSED[:-1], *POLYNOMIALS)
INTEGRALS = (activations.TANH, activations.SIGMOID, activations.SOFTPLUS, activations.SWISH)


def close(value, exact, tolerance):
    return abs(mpmath.mpf(float(value)) - exact) <= tolerance * abs(exact)


def numbers(point):
    return {key: float(value) for key, value in point.items()}


@pytest.mark.parametrize(
    "act",
    [pytest.param(a, marks=[pytest.mark.slow] * (a in EVERY[1::2])) for a in EVERY],
    ids=lambda act: act.name,
)
@pytest.mark.sampled(2)
def test_the_volume_element_against_brute_force(act):
    form, logarithm = geometry.volume_element(act), geometry.log_volume_element(act)
    for d in DIMENSIONS:
        exact = oracle.volume_element(act.name, d, **POINT)
        log_exact = mpmath.log(exact)
        assert close(logarithm(d, **numbers(POINT)), log_exact, DOUBLE)
        if abs(log_exact) < 700:  # beyond it double precision overflows, and says so
            assert close(form(d, **numbers(POINT)), exact, DOUBLE)
        digits = form.evaluate(d, **POINT, digits=25)
        assert abs(digits - exact) <= mpmath.mpf(10) ** -24 * exact


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(a, marks=[pytest.mark.slow] * (a.name == "gelu" or a in EVERY[::2]))
        for a in EVERY
    ],
    ids=lambda act: act.name,
)
@pytest.mark.sampled(2)
def test_the_scalar_curvature_against_brute_force(act):
    form = geometry.scalar_curvature(act)
    for d in DIMENSIONS:
        routes = [oracle.curvature_by_warping(act.name, d, **POINT)]
        if d < 4:
            routes.append(oracle.curvature_by_christoffel(act.name, d, **POINT))
        for exact in routes:
            if form.expression == 0:
                assert abs(exact) < mpmath.mpf(10) ** -25
                continue
            assert close(form(d, **numbers(POINT)), exact, DOUBLE)
            assert abs(form.evaluate(d, **POINT, digits=25) - exact) <= mpmath.mpf(
                10
            ) ** -24 * abs(exact)


@pytest.mark.slow
@pytest.mark.parametrize("act", INTEGRALS, ids=lambda act: act.name)
def test_activations_without_a_closed_form(act):
    volume, curvature = geometry.volume_element(act), geometry.scalar_curvature(act)
    assert volume.expression.has(sp.Integral)
    for d in (2, 10):
        assert close(
            volume(d, **numbers(POINT)), oracle.volume_element(act.name, d, **POINT), INTEGRAL
        )
        assert close(
            curvature(d, **numbers(POINT)),
            oracle.curvature_by_warping(act.name, d, **POINT),
            INTEGRAL,
        )
    assert close(
        curvature(3, **numbers(POINT)),
        oracle.curvature_by_christoffel(act.name, 3, **POINT),
        INTEGRAL,
    )
    exact = oracle.volume_element(act.name, 2, **POINT)
    assert abs(volume.evaluate(2, **POINT, digits=22) - exact) <= mpmath.mpf(10) ** -21 * exact


def test_the_fixture_of_three_independent_routes():
    value = geometry.scalar_curvature(activations.ERF)(d=2, r=0.3**2 + 0.7**2, sigma=1, zeta=0.5)
    assert abs(value + 1.489620994454217) < 2e-15


def test_sums_and_scalings():
    mixed = 2 * activations.ERF - activations.SIN / 2 + activations.RELU
    oracle.SLOPES[mixed.name] = lambda z: 4 * oracle._pdf(z) - mpmath.cos(z) / 2 + (z > 0)
    volume, curvature = geometry.volume_element(mixed), geometry.scalar_curvature(mixed)
    assert not volume.expression.has(sp.Integral)
    assert close(
        volume(3, **numbers(POINT)), oracle.volume_element(mixed.name, 3, **POINT), DOUBLE
    )
    exact = oracle.curvature_by_christoffel(mixed.name, 3, **POINT)
    assert close(curvature(3, **numbers(POINT)), exact, DOUBLE)


def test_curvature_has_no_hole_where_the_slope_of_omega_vanishes():
    """For the Gaussian bump omega' = 0 at v = 1, where formulas with omega''/omega' are 0/0."""
    curvature = geometry.scalar_curvature(activations.GAUSSIAN)
    assert curvature(2, 0.75, 1.0, 0.5) == 0
    assert abs(curvature(2, 0.7499, 1.0, 0.5)) > 0


def test_what_is_flat():
    for act in (activations.RELU, activations.LEAKY_RELU(0.1), activations.monomial(1)):
        assert geometry.scalar_curvature(act)(5, 1.3, 0.9, 0.4) == 0
    assert any(
        "kinks" in sentence for sentence in geometry.scalar_curvature(activations.RELU).assumptions
    )


def test_the_volume_element_is_the_root_of_the_determinant_of_the_metric():
    x = np.array([[0.3, -0.7, 0.2], [0, 0, 0]])
    squared = (x**2).sum(-1)
    metric = geometry.nngp_metric(activations.GELU).at(x, 1.2, 0.5)
    np.testing.assert_allclose(
        np.sqrt(np.linalg.det(metric)),
        geometry.volume_element(activations.GELU)(3, squared, 1.2, 0.5),
        rtol=DOUBLE,
    )


@pytest.mark.parametrize(
    "act",
    [activations.GAUSSIAN, activations.COS, activations.monomial(2)],
    ids=lambda act: act.name,
)
def test_a_layer_without_slope_at_the_origin_has_no_volume_there(act):
    """Without a bias the pre-activation is 0 at the origin, where the slope of an even activation vanishes."""
    form = geometry.volume_element(act)
    for d in (1, 2, 5):
        assert form(d, 0.0, 1.3, 0.0) == 0
        assert form.evaluate(d, "0", "1.3", "0", digits=20) == 0
        exact = oracle.volume_element(act.name, d, r="0.81", sigma="1.3", zeta="0")
        assert (
            abs(form.evaluate(d, "0.81", "1.3", "0", digits=25) - exact)
            <= mpmath.mpf(10) ** -24 * exact
        )

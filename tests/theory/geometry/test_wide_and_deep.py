"""Tests of tangent kernels and deep networks against brute force on the kernel and networks of finite width."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from tests.marks import slow
from tests.oracles import geometry_christoffel
from theory import activations, geometry

# Fourth derivatives of a kernel by finite differences in 60 digits; the formulas lose a few digits at depth.
AGAINST_DIFFERENCES = 1e-9

DIGITS = 120  # of which the differences, nested four deep, lose two thirds

mp = mpmath.mp


def erf_kernel(xx, yy, xy):
    """E[phi phi'] of covariances, erf(z / sqrt 2): Williams' arcsine."""
    return 2 / mp.pi * mp.asin(xy / mp.sqrt((1 + xx) * (1 + yy)))


def erf_slopes(xx, yy, xy):
    """E[phi' phi'] of covariances: a Gaussian integral."""
    return 2 / mp.pi / mp.sqrt((1 + xx) * (1 + yy) - xy**2)


def metric_of(kernel):
    """The metric of ``kernel(x, y)`` by central differences, once in x and once in y."""
    step = mpmath.mpf(10) ** -25

    def metric(x):
        d = len(x)

        def at(i, s, j, t):
            one, other = list(x), list(x)
            one[i] += s * step
            other[j] += t * step
            return kernel(one, other)

        return [
            [
                sum(s * t * at(i, s, j, t) for s in (-1, 1) for t in (-1, 1)) / (4 * step**2)
                for j in range(d)
            ]
            for i in range(d)
        ]

    return metric


def covariances(x, y, sigma, zeta):
    return tuple(sigma**2 * mpmath.fdot(a, b) + zeta**2 for a, b in ((x, x), (y, y), (x, y)))


SIGMA, ZETA, XI = 1.1, 0.4, 0.8
POINT = (0.3, -0.7, 0.5)


def tangent(x, y):
    c = covariances(x, y, mp.mpf(SIGMA), mp.mpf(ZETA))
    return erf_kernel(*c) + mp.mpf(XI) ** 2 * erf_slopes(*c) * (1 + mpmath.fdot(x, y))


def deep(x, y, depth=2):
    sigma, zeta = mp.mpf(SIGMA), mp.mpf(ZETA)
    xx, yy, xy = covariances(x, y, sigma, zeta)
    for layer in range(depth):
        if layer:
            xx, yy, xy = (sigma**2 * k + zeta**2 for k in (xx, yy, xy))
        xx, yy, xy = erf_kernel(xx, xx, xx), erf_kernel(yy, yy, yy), erf_kernel(xx, yy, xy)
    return xy


def brute_force(kernel, d):
    """Volume element and curvature in d dimensions at POINT, by differences of differences in many digits."""
    with mpmath.workdps(DIGITS):
        metric = metric_of(kernel)
        volume = mpmath.sqrt(mpmath.det(mpmath.matrix(metric([mpmath.mpf(v) for v in POINT[:d]]))))
        return float(volume), float(geometry_christoffel.of_metric(metric, POINT[:d], DIGITS))


@pytest.mark.parametrize("d", [2, *slow(3)])
def test_tangent_kernel_against_brute_force(d):
    volume, curvature = brute_force(tangent, d)
    at = {"d": d, "r": sum(v * v for v in POINT[:d]), "sigma": SIGMA, "zeta": ZETA, "xi": XI}
    assert geometry.ntk_volume_element(activations.ERF)(**at) == pytest.approx(
        volume, rel=AGAINST_DIFFERENCES
    )
    assert geometry.ntk_log_volume_element(activations.ERF)(**at) == pytest.approx(
        np.log(volume), rel=1e-8
    )
    assert geometry.ntk_scalar_curvature(activations.ERF)(**at) == pytest.approx(
        curvature, rel=AGAINST_DIFFERENCES
    )


@pytest.mark.parametrize("d", [2, *slow(3)])
def test_two_layers_against_brute_force(d):
    volume, curvature = brute_force(deep, d)
    at = {"d": d, "r": sum(v * v for v in POINT[:d]), "sigma": SIGMA, "zeta": ZETA}
    form = geometry.deep_nngp(activations.ERF, 2)
    assert form.volume_element(**at) == pytest.approx(volume, rel=AGAINST_DIFFERENCES)
    assert form.scalar_curvature(**at) == pytest.approx(curvature, rel=AGAINST_DIFFERENCES)


@pytest.mark.parametrize(
    "act", [activations.ERF, activations.GELU, activations.SIN, activations.monomial(2)]
)
def test_one_layer_is_the_shallow_network(act):
    at = {"d": 3, "r": [0.2, 0.9], "sigma": 1.2, "zeta": 0.3}
    one = geometry.deep_nngp(act, 1)
    np.testing.assert_allclose(
        one.volume_element(**at), geometry.volume_element(act)(**at), rtol=1e-12
    )
    np.testing.assert_allclose(
        one.scalar_curvature(**at), geometry.scalar_curvature(act)(**at), rtol=1e-10
    )


def test_deep_relu_networks_are_flat_and_scale():
    """Each ReLU layer without biases multiplies the metric by sigma^2 / 2."""
    form = geometry.deep_nngp(activations.RELU, 4)
    at = {"d": 3, "r": 0.7, "sigma": 1.3, "zeta": 0.0}
    assert form.volume_element(**at) == pytest.approx((1.3**2 / 2) ** (4 * 3 / 2), rel=1e-13)
    assert form.scalar_curvature(**at) == 0


@pytest.mark.slow
def test_without_a_closed_form_the_tangent_metric_is_an_integral():
    act = activations.from_expression(
        2 * activations.TANH.expression - activations.ERF.expression, name="mixed"
    )
    at = {"d": 2, "r": 0.7, "sigma": 1.1, "zeta": 0.4, "xi": 0.8}
    # E[f^2] on a grid of the normal density: exponentially accurate for smooth f
    z, w = np.polynomial.hermite_e.hermegauss(180)
    w /= np.sqrt(2 * np.pi)
    v = 1.1**2 * 0.7 + 0.16
    slope, bend, third = (act.function(k)(np.sqrt(v) * z) for k in (1, 2, 3))
    omega, beta = w @ slope**2, w @ bend**2
    omega1 = w @ (bend**2 + slope * third)
    beta1 = w @ (bend**2 * (z**2 - 1)) / (2 * v)
    both, trained = 1.1**2 + 0.64, 0.64 * 1.1**2
    a = both * omega + trained * 1.7 * beta
    b = 2 * 1.1**2 * (both * omega1 + trained * 1.7 * beta1)
    found = geometry.ntk_volume_element(act)(**at)
    assert found == pytest.approx(np.sqrt(a * (a + 0.7 * b)), rel=1e-8)


SIGMAS = 4.0  # sixteen comparisons: a false alarm in a thousand runs, were the seeds not fixed


@pytest.mark.parametrize(
    "act", [activations.ERF, activations.GELU, activations.SIN, activations.monomial(2)]
)
def test_tangent_metric_is_the_mean_over_networks(act, rng):
    """The tangent features of one unit: phi, and v phi' times x and 1. Their metric has the mean of any width."""
    d, units = 3, 400_000
    x = np.array(POINT)
    w, b, v = (
        SIGMA * rng.normal(size=(units, d)),
        ZETA * rng.normal(size=units),
        XI * rng.normal(size=units),
    )
    z = w @ x + b
    slope, bend = act.function(1)(z), act.function(2)(z)
    radial, across = x / np.linalg.norm(x), np.cross(x, [1.0, 0, 0])
    across /= np.linalg.norm(across)

    def samples(direction):
        """Squared length of the derivative of one unit's features in a direction."""
        along = w @ direction
        by_weights = v[:, None] * ((bend * along)[:, None] * x + slope[:, None] * direction)
        return (slope * along) ** 2 + (by_weights**2).sum(axis=1) + (v * bend * along) ** 2

    at = {"r": x @ x, "sigma": SIGMA, "zeta": ZETA, "xi": XI}
    one, three = (geometry.ntk_volume_element(act)(d=n, **at) ** 2 for n in (1, 3))
    for direction, eigenvalue in ((radial, one), (across, np.sqrt(three / one))):
        found = samples(direction)
        assert abs(found.mean() - eigenvalue) < SIGMAS * found.std() / np.sqrt(units)


@pytest.mark.parametrize("act", [activations.RELU, activations.LEAKY_RELU(0.2)])
def test_no_tangent_metric_where_the_slope_jumps(act):
    with pytest.raises(ValueError, match=f"slope of {act.name} jumps"):
        geometry.ntk_volume_element(act)


@pytest.mark.parametrize(
    ("depth", "error"), [(0, ValueError), (-1, ValueError), (1.5, TypeError), (True, TypeError)]
)
def test_bad_depth(depth, error):
    with pytest.raises(error, match="depth"):
        geometry.deep_nngp(activations.ERF, depth)

"""Tests of the curvature of deep networks: exact zeros, digits of small values, and the derivation."""

from __future__ import annotations

from dataclasses import replace

import mpmath
import numpy as np
import pytest

from tests.marks import slow
from tests.theory.geometry.test_wide_and_deep import POINT, SIGMA, ZETA, brute_force, deep
from theory import activations, catalogue, geometry
from theory.core import Verdict
from theory.core.formula.deferred_function import Iterated

# the arcsine next to 1 costs erf and GELU four digits far out; all others keep 1e-13
RATIOS = 1e-11


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(
    "act",
    [activations.relu_power(2), activations.monomial(3), activations.monomial(5)],
    ids=lambda a: a.name,
)
def test_homogeneous_networks_without_biases_are_cones(act, depth):
    """Radial planes are flat, whatever the size of the planes across the radius."""
    form = geometry.deep_nngp(act, depth).scalar_curvature
    assert (form(d=2, r=[0.1, 1.0, 7.0], sigma=1.1, zeta=0.0) == 0).all()
    assert (form(d=3, r=[0.1, 1.0, 7.0], sigma=1.1, zeta=0.0) < 0).all()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "act",
    [
        activations.ERF,
        activations.SIN,
        activations.relu_power(2),
        activations.monomial(3),
        *slow(activations.hermite(3)),
    ],
    ids=lambda a: a.name,
)
def test_deep_curvature_keeps_its_digits(act):
    """Near the origin and far out, where it is a small difference in the jets of the metric."""
    form = geometry.deep_nngp(act, 2).scalar_curvature
    for r, zeta in ((1e-8, 0.0), (1e-3, 0.3), (10.0, 0.02), (3e6, 0.3)):
        if act == activations.SIN and r > 1:
            continue  # exponentially small
        for d in (2, 3):
            exact = form.evaluate(d=d, r=r, sigma=1.1, zeta=zeta, digits=20)
            assert abs(form(d=d, r=r, sigma=1.1, zeta=zeta) - exact) <= RATIOS * abs(exact), (
                r,
                zeta,
                d,
            )


@pytest.mark.slow
@pytest.mark.parametrize(
    "act",
    [
        activations.relu_power(2),
        activations.hermite(3),
        activations.ERF,
        activations.GELU,
    ],
    ids=lambda a: a.name,
)
def test_the_derivation_of_deep_curvature(act):
    assert set(geometry.deep_nngp(act, 2).scalar_curvature.check().values()) == {Verdict.HOLDS}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "act",
    [
        *(
            activations.ERF,
            activations.relu_power(2),
            activations.monomial(3),
            activations.hermite(3),
        ),
        *slow(activations.GAUSSIAN),
    ],
    ids=lambda a: a.name,
)
def test_tangent_curvature_keeps_its_digits(act):
    form = geometry.ntk_scalar_curvature(act)
    for r, zeta in ((1e-8, 0.0), (10.0, 0.02), (3e6, 0.3), (1e8, 0.5)):
        if act == activations.GAUSSIAN and zeta == 0:
            continue  # singular at the origin
        at = {"d": 2, "r": r, "sigma": 1.1, "zeta": zeta, "xi": 0.8}
        exact = form.evaluate(**at, digits=20)
        assert abs(form(**at) - exact) <= RATIOS * abs(exact), (r, zeta)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [4, 20])
def test_a_recursion_against_differences_of_the_kernel(depth):
    """An erf network beyond the depths whose formula is written out, against its arcsine kernel in many digits."""
    form = geometry.deep_nngp(activations.ERF, depth)
    assert isinstance(form.scalar_curvature.expression, Iterated)
    volume, curvature = brute_force(lambda x, y: deep(x, y, depth), 2)
    at = {"d": 2, "r": sum(v * v for v in POINT[:2]), "sigma": SIGMA, "zeta": ZETA}
    assert form.volume_element(**at) == pytest.approx(volume, rel=1e-9)
    assert form.scalar_curvature(**at) == pytest.approx(curvature, rel=1e-9)


def gelu_means(v, mp):
    """E[phi^2], its derivative in the variance v, E[phi'^2] and its derivative, by the trapezoidal rule."""
    step, means = mp.mpf(1) / 4, [mp.zero] * 4
    for k in range(-40, 41):  # ten standard deviations; the rule converges exponentially
        u = k * step
        z, weight = mp.sqrt(v) * u, step * mp.npdf(u)
        value, slope, bend = z * mp.ncdf(z), mp.ncdf(z) + z * mp.npdf(z), (2 - z * z) * mp.npdf(z)
        terms = value**2, value * slope * u / mp.sqrt(v), slope**2, slope * bend * u / mp.sqrt(v)
        means = [total + weight * term for total, term in zip(means, terms, strict=True)]
    return means


@pytest.mark.parametrize("depth", [3, *slow(12)])
def test_a_recursion_against_derivatives_of_its_metric(depth):
    """A GELU network: the recursion of a and b in numbers, differentiated by differences; K from the definition."""
    mp = mpmath.mp.clone()
    mp.dps = 25
    d, r, sigma, zeta = 3, mp.mpf("0.7"), mp.mpf("1.2"), mp.mpf("0.4")

    def metric(r):
        v, slope, a, b = sigma**2 * r + zeta**2, sigma**2, mp.one, mp.zero
        for _ in range(depth):
            second, growth, omega, change = gelu_means(v, mp)
            a, b = sigma**2 * omega * a, sigma**2 * omega * b + 2 * change * slope**2
            v, slope = sigma**2 * second + zeta**2, sigma**2 * growth * slope
        return a, b

    h = mp.mpf(10) ** -5
    low, (a, b), high = metric(r - h), metric(r), metric(r + h)
    a1, a2, b1 = (
        (high[0] - low[0]) / (2 * h),
        (high[0] - 2 * a + low[0]) / h**2,
        (high[1] - low[1]) / (2 * h),
    )
    # a delta_ij + b x_i x_j on the first axis: geodesic polar coordinates with radius t and circles of length 2 pi f
    radial = a + r * b
    # df/dt, where f^2 = r a and dt = sqrt(radial / (4 r)) dr
    f1 = (a + r * a1) / mp.sqrt(a * radial)
    f1_slope = (2 * a1 + r * a2) / mp.sqrt(a * radial) - f1 * (
        a1 / a + (a1 + b + r * b1) / radial
    ) / 2
    radial_curvature = -2 * f1_slope / mp.sqrt(a * radial)
    tangential = (1 - f1**2) / (r * a)
    curvature = (d - 1) * (2 * radial_curvature + (d - 2) * tangential)
    form = geometry.deep_nngp(activations.GELU, depth)
    assert isinstance(form.scalar_curvature.expression, Iterated)
    at = {"d": d, "r": 0.7, "sigma": 1.2, "zeta": 0.4}
    assert form.volume_element(**at) == pytest.approx(float(mp.sqrt(a**2 * radial)), rel=1e-8)
    # differences of step 1e-5
    assert form.scalar_curvature(**at) == pytest.approx(float(curvature), rel=1e-7)


def test_a_rectifier_of_many_layers_is_a_short_recursion():
    form = catalogue()["geometry.deep_volume_element.relu_200"]
    assert form(d=2, r=1, sigma=1, zeta=0.5) == pytest.approx(2.0**-200, rel=1e-12)
    with pytest.raises(KeyError, match="depth: got 100000000, needs an integer from 1 to 100000"):
        catalogue()["geometry.deep_volume_element.relu_100000000"]


def test_a_recursion_is_its_tree_and_does_not_grow():
    form = geometry.deep_nngp(activations.ERF, 4).scalar_curvature
    tree = replace(
        form, expression=form.expression.written_out, steps=(), status=form.status.TRANSCRIBED
    )
    r = np.linspace(0.1, 3, 7)
    np.testing.assert_allclose(form(3, r, 1.1, 0.3), tree(3, r, 1.1, 0.3), rtol=1e-13)
    assert str(form.evaluate(3, 1, 1, "1/2", digits=25)) == str(
        tree.evaluate(3, 1, 1, "1/2", digits=25)
    )
    longest = geometry.deep_nngp(activations.ERF, 100).scalar_curvature
    assert longest.expression.args[:2] == form.expression.args[:2]
    assert longest.expression.args[3] == form.expression.args[3]
    assert np.isfinite(longest(2, 1.0, 1.0, 0.5))


@pytest.mark.slow
def test_the_derivation_of_a_recursion_refutes_an_error():
    form = geometry.deep_nngp(activations.ERF, 6).volume_element
    step, start, count, result = form.expression.args
    last = form.steps[-1]
    assert last.check() is Verdict.HOLDS
    other = start.func(2 * start[0], *start[1:])
    for wrong in (Iterated(step, start, count + 1, result), Iterated(step, other, count, result)):
        assert replace(last, left=wrong).check() is Verdict.FAILS


def test_digits_of_very_many_layers_are_refused():
    form = catalogue()["geometry.deep_scalar_curvature.erf_20000"]
    with pytest.raises(
        ValueError, match=r"digits: got 20 for \d+ layers, needs at most 10000 layers or float64"
    ):
        form.evaluate(d=2, r=1, sigma=1, zeta=1, digits=20)
    assert np.isfinite(form(d=2, r=1, sigma=2, zeta=0.5))

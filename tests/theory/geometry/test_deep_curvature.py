"""Tests of the curvature of deep networks: exact zeros, digits of small values, and the derivation."""

from __future__ import annotations

import pytest

from theory import activations, geometry
from theory.core import Verdict

RATIOS = 1e-11  # the arcsine next to 1 costs erf and GELU four digits far out; all others keep 1e-13


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(
    "act", [activations.relu_power(2), activations.monomial(3), activations.monomial(5)], ids=lambda a: a.name
)
def test_homogeneous_networks_without_biases_are_cones(act, depth):
    """Radial planes are flat, whatever the size of the planes across the radius."""
    form = geometry.deep_nngp(act, depth).scalar_curvature
    assert (form(d=2, r=[0.1, 1.0, 7.0], sigma=1.1, zeta=0.0) == 0).all()
    assert (form(d=3, r=[0.1, 1.0, 7.0], sigma=1.1, zeta=0.0) < 0).all()


@pytest.mark.parametrize(
    "act",
    [activations.ERF, activations.SIN, activations.relu_power(2), activations.monomial(3), activations.hermite(3)],
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
            assert abs(form(d=d, r=r, sigma=1.1, zeta=zeta) - exact) <= RATIOS * abs(exact), (r, zeta, d)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("act", [activations.ERF, activations.monomial(2)], ids=lambda a: a.name)
def test_deep_volume_elements_keep_their_digits(act, depth):
    """Far out an erf network is flat along the ray: its radial eigenvalue is a small part of the metric."""
    form = geometry.deep_nngp(act, depth).volume_element
    for r, zeta in ((1e-10, 0.0), (1e-3, 0.3), (1e5, 0.0), (1e10, 0.3), (1e14, 2.0)):
        exact = form.evaluate(d=2, r=r, sigma=5.5, zeta=zeta, digits=20)
        assert abs(form(d=2, r=r, sigma=5.5, zeta=zeta) - exact) <= 1e-8 * abs(exact), (r, zeta)


@pytest.mark.parametrize(
    "act",
    [
        activations.ERF,
        activations.hermite(3),
        activations.relu_power(2),
        pytest.param(activations.GELU, marks=pytest.mark.slow),
    ],
    ids=lambda a: a.name,
)
def test_the_derivation_of_deep_curvature(act):
    assert set(geometry.deep_nngp(act, 2).scalar_curvature.check().values()) == {Verdict.HOLDS}


@pytest.mark.parametrize(
    "act",
    [activations.ERF, activations.GAUSSIAN, activations.relu_power(2), activations.monomial(3), activations.hermite(3)],
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

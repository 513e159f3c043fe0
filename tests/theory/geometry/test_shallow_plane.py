"""Tests of the curvature of networks of two inputs from moments: its error bound, and the choice of the method."""

from __future__ import annotations

import numpy as np
import pytest

from closedform import loops
from theory import activations
from theory.geometry import shallow
from theory.geometry.shallow import certified, plane
from theory.geometry.shallow.frame import checked

ACCURACY = 1e-10  # promised by the curvature
NETWORKS = {  # width, standard deviation of weights and biases, distance of the inputs
    "ordinary": (30, 1.0, 1.0),
    "groups of units": (150, 1.0, 1.0),
    "saturated": (12, 6.0, 1.0),
    "far out": (20, 1.0, 6.0),
}


def drawn(name, rng, apart=1.0):
    """Return weights, biases and inputs; the metric is ill-conditioned where ``apart`` is small."""
    width, spread, distance = NETWORKS[name]
    weights = spread * rng.normal(size=(width, 2))
    weights[:, 1] = weights[:, 0] + apart * weights[:, 1] if apart < 1 else weights[:, 1]
    return weights, spread * rng.normal(size=width), distance * rng.normal(size=(8, 2))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("act", [activations.ERF, activations.TANH], ids=lambda a: a.name)
@pytest.mark.parametrize("apart", [1.0, 0.03, 1e-4])
@pytest.mark.parametrize("name", NETWORKS)
def test_the_error_is_within_its_bound(name, apart, act, rng, monkeypatch):
    layer = checked(*drawn(name, rng, apart), act)
    exact = np.array([certified.scalar_curvature(layer, point) for point in layer.points[:3]])
    for fewest in (np.inf, 0) if loops.is_installed() else (np.inf,):
        monkeypatch.setattr(plane, "FEWEST", fewest)
        bounds = []
        # from moments of the weights as they are, and sheared where necessary
        for accuracy in (np.inf, ACCURACY):
            monkeypatch.setattr(plane, "ACCURACY", accuracy)
            curvature, bound = plane.scalar_curvature(layer)
            error = np.abs(curvature[:3] / exact - 1)
            assert (error <= bound[:3])[bound[:3] < 1].all()
            bounds.append(bound)
        if apart == 1e-4:
            assert (bounds[0] > ACCURACY).all()
        if name in ("ordinary", "groups of units"):
            assert (bounds[1] < ACCURACY).all()
            assert (bounds[1] <= bounds[0]).all()


@pytest.mark.parametrize("distance", [1e2, 1e4, 1e7])
def test_pre_activations_of_a_sine_are_rounded_too(distance, rng):
    layer = checked(
        rng.normal(size=(20, 2)),
        rng.normal(size=20),
        distance * rng.normal(size=(3, 2)),
        activations.SIN,
    )
    exact = np.array([certified.scalar_curvature(layer, point) for point in layer.points])
    curvature, bound = plane.scalar_curvature(layer)
    assert (np.abs(curvature / exact - 1) <= bound).all()
    promised = shallow.scalar_curvature(layer.weights, layer.biases, layer.points, layer.act)
    np.testing.assert_allclose(promised, exact, rtol=ACCURACY)


@pytest.mark.parametrize(
    "act", [activations.GELU, activations.SOFTPLUS, activations.SWISH], ids=lambda a: a.name
)
def test_slopes_far_below_one_keep_their_digits(act, rng):
    """Where a slope is 1e-30 it must not come from 1 + erf or 1 + tanh, which are 0 there."""
    biases = {"gelu": 9.0}.get(act.name, 36.0) * np.array([1.4, 1.5, 1.3, -0.9, -1])
    layer = checked(rng.normal(size=(5, 2)), biases, rng.normal(size=(8, 2)), act)
    curvature, bound = plane.scalar_curvature(layer)
    proved = np.flatnonzero(bound < ACCURACY)
    assert proved.size
    exact = np.array([certified.scalar_curvature(layer, layer.points[index]) for index in proved])
    assert (np.abs(curvature[proved] / exact - 1) <= bound[proved]).all()


@pytest.mark.sampled(2)
@pytest.mark.skipif(not loops.is_installed(), reason="needs numba, the extra fast")
@pytest.mark.parametrize("text", ["erf", "2 + 3*erf(z/3)", "tanh", "sigmoid", "1 - 2*tanh(-3*z)"])
def test_loops_and_products_give_the_same_within_their_bounds(text, rng, monkeypatch):
    act = activations.from_text(text)
    wide = np.asfortranarray(rng.normal(size=(150, 2)))  # another order of memory
    for weights, points in ((wide, 33), (wide[:67], 1), (wide[:5] * 4, 9)):
        layer = checked(weights, rng.normal(size=len(weights)), rng.normal(size=(points, 2)), act)
        found = []
        for fewest in (np.inf, 0):
            monkeypatch.setattr(plane, "FEWEST", fewest)
            found.append(plane.scalar_curvature(layer))
        (slow, slow_bound), (fast, fast_bound) = found
        proved = (slow_bound < 1) & (fast_bound < 1)
        assert proved.any()
        error = np.abs(fast - slow)[proved] / np.abs(slow)[proved]
        assert (error <= (fast_bound + slow_bound)[proved]).all()


def test_order_and_units_of_the_inputs_change_neither_curvature_nor_bound(rng):
    weights, biases, x = drawn("ordinary", rng)
    units = np.array([0.7, 1.6])
    one = plane.scalar_curvature(checked(weights, biases, x, activations.ERF))
    other = plane.scalar_curvature(
        checked(weights[:, ::-1] * units, biases, x[:, ::-1] / units, activations.ERF)
    )
    np.testing.assert_allclose(other, one, rtol=1e-9)


def test_both_methods_agree_and_each_is_used(rng, monkeypatch):
    weights, biases, x = drawn("ordinary", rng)
    x = np.concatenate([x, 40 * x])
    by_moments = shallow.scalar_curvature(weights, biases, x, activations.TANH)
    bound = plane.scalar_curvature(checked(weights, biases, x, activations.TANH))[1]
    assert (bound <= ACCURACY).any()
    assert (~(bound <= ACCURACY)).any()
    monkeypatch.setattr(
        plane, "scalar_curvature", lambda layer: (np.zeros(len(x)), np.full(len(x), np.inf))
    )
    by_frames = shallow.scalar_curvature(weights, biases, x, activations.TANH)
    np.testing.assert_allclose(by_moments, by_frames, rtol=1e-11)
    assert (by_moments != by_frames).any()


@pytest.mark.parametrize("scale", [2.0**-700, 2.0**600])
def test_the_unit_of_the_inputs_changes_no_bit(scale, rng):
    weights, biases, x = drawn("ordinary", rng)
    one = plane.scalar_curvature(checked(weights, biases, x, activations.ERF))
    other = plane.scalar_curvature(checked(weights * scale, biases, x / scale, activations.ERF))
    np.testing.assert_array_equal(one, other)
    with pytest.raises(ValueError, match=r"when_singular: got .*, needs one of"):
        shallow.scalar_curvature(weights, biases, x, activations.ERF, "perhaps")

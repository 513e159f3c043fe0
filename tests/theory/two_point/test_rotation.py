"""Tests with a rotating dh: explicit matrices against Eq. (7), and against the solution with rotation."""

from __future__ import annotations

import numpy as np
import pytest

import theory
from tests.oracles.two_point_flow import Network
from theory import two_point

TIMES = np.linspace(0, 40, 81)


def network(rng: np.random.Generator, target: float, scale: float = 0.5) -> Network:
    inputs = rng.normal(size=2)
    return Network(
        scale * rng.normal(size=(3, 2)),
        scale * rng.normal(size=(1, 3)),
        inputs,
        np.array([target]),
        1.0,
        1.5,
    )


@pytest.mark.parametrize("target", [0.8, -0.8, 0.0])
@pytest.mark.parametrize("draw", range(3))
def test_scalar_outputs_against_explicit_matrices(target: float, draw: int) -> None:
    net = network(np.random.default_rng(draw), target)
    dh2, dy2, w = net.integrate(TIMES)
    dh = net.encoder @ net.inputs
    setting = {
        "dh2_0": dh @ dh,
        "dy_0": (net.decoder @ dh)[0],
        "decoder2_0": (net.decoder**2).sum(),
        "tau_h": 2 * net.tau_h,
        "tau_y": 2 * net.tau_y,
        "dx2": net.inputs @ net.inputs,
        "target": target,
    }
    forms = theory.catalogue()
    found = forms["two_point.rotating_dh2"](t=TIMES, **setting)
    np.testing.assert_allclose(found, dh2, rtol=1e-8)
    output = forms["two_point.rotating_dy"](t=TIMES, **setting)
    np.testing.assert_allclose(output**2, dy2, atol=1e-9)
    np.testing.assert_allclose(output**2 - output * target, w, atol=1e-9)
    late = net.integrate(np.array([0.0, 400.0]))[0, -1]
    if target:
        assert forms["two_point.rotating_final_distance"](**setting) == pytest.approx(
            late, rel=1e-7
        )


def test_eq_7_is_wrong_when_dh_rotates() -> None:
    """The power of the test above: the solution without rotation misses the same network by far."""
    net = network(np.random.default_rng(0), 0.8)
    expected = net.integrate(TIMES)
    dx2, target2 = net.inputs @ net.inputs, 0.64
    found = two_point.trajectory(
        TIMES, *expected[:, 0], 2 * net.tau_h, 2 * net.tau_y, dx2, target2
    )
    assert np.abs(found - expected).max() > 0.05


def test_rotation_keeps_representations_apart() -> None:
    shared = {"tau_h": 2.0, "tau_y": 3.0, "dx2": 0.7}
    straight = two_point.final_distance()(dh2_0=0.3, dy2_0=0.3 * 0.2, target2=0.64, **shared)
    form = theory.catalogue()["two_point.rotating_final_distance"]
    aligned = form(dh2_0=0.3, dy_0=np.sqrt(0.3 * 0.2), decoder2_0=0.2, target=0.8, **shared)
    crossed = form(dh2_0=0.3, dy_0=0.0, decoder2_0=0.2, target=0.8, **shared)
    assert aligned == pytest.approx(straight, rel=1e-12)
    assert crossed > 1.01 * straight

"""Tests of shallow networks of finite width against brute force in 30 digits, and of flat cases."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from tests.marks import slow
from tests.oracles import geometry_christoffel
from theory import activations
from theory.geometry import shallow
from theory.geometry.shallow import frame

# Random weights are well conditioned; d = 5 at width 5 costs the most digits.
AGAINST_ORACLE = 1e-10
ROUNDING = 1e-12

mp = mpmath.mp
DERIVATIVES = {
    "erf": (
        activations.ERF,
        lambda z: mp.sqrt(2 / mp.pi) * mp.exp(-z * z / 2),
        lambda z: -z * mp.sqrt(2 / mp.pi) * mp.exp(-z * z / 2),
        lambda z: (z * z - 1) * mp.sqrt(2 / mp.pi) * mp.exp(-z * z / 2),
    ),
    "tanh": (
        activations.TANH,
        lambda z: mp.sech(z) ** 2,
        lambda z: -2 * mp.tanh(z) * mp.sech(z) ** 2,
        lambda z: (4 * mp.tanh(z) ** 2 - 2 * mp.sech(z) ** 2) * mp.sech(z) ** 2,
    ),
    "sin": (activations.SIN, mp.cos, lambda z: -mp.sin(z), lambda z: -mp.cos(z)),
}
WIDTHS = [
    (2, 3),
    (2, 20),
    (2, 500),
    (3, 4),
    (3, 50),
    (5, 6),
    *slow((5, 500)),
]


def network(
    rng: np.random.Generator, width: int, d: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return rng.normal(size=(width, d)), rng.normal(size=width), rng.uniform(-1, 1, size=d)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("d", "width"), WIDTHS)
@pytest.mark.parametrize("name", ["erf", "tanh"])
def test_volume_and_curvature_against_christoffel(name, d, width, rng):
    act, *derivatives = DERIVATIVES[name]
    weights, biases, x = network(rng, width, d)
    volume, curvature = geometry_christoffel.of_network(weights, biases, x, *derivatives)
    assert shallow.volume_element(weights, biases, x, act) == pytest.approx(
        float(volume), rel=AGAINST_ORACLE
    )
    assert shallow.scalar_curvature(weights, biases, x, act) == pytest.approx(
        float(curvature), rel=AGAINST_ORACLE
    )


@pytest.mark.parametrize("d", [2, 3, 5])
def test_as_many_units_as_inputs_are_flat(d, rng):
    """Then the features are coordinates."""
    weights, biases, _ = network(rng, d, d)
    x = rng.uniform(-1, 1, size=(50, d))
    found = shallow.scalar_curvature(weights, biases, x, activations.ERF)
    assert (
        np.abs(found).max() < ROUNDING * size_of_terms(weights, biases, x, activations.ERF).max()
    )


def size_of_terms(weights, biases, x, act):
    """|T|^2, what the curvature is a difference of."""
    z = x @ weights.T + biases
    gram = weights @ np.linalg.inv(shallow.metric(weights, biases, x, act)) @ weights.T
    c = 2 / len(weights) * act.function(1)(z) * act.function(2)(z)
    return np.einsum("pa,pb,pab->p", np.abs(c), np.abs(c), np.abs(gram) ** 3)


def test_riemann_has_its_symmetries_and_traces_to_the_scalar(rng):
    weights, biases, _ = network(rng, 9, 3)
    x = rng.normal(size=(4, 3))
    act = activations.ERF
    riemann = shallow.riemann(weights, biases, x, act)
    inverse = np.linalg.inv(shallow.metric(weights, biases, x, act))
    scalar = np.einsum("pik,pjl,pijkl->p", inverse, inverse, riemann)
    np.testing.assert_allclose(
        scalar, shallow.scalar_curvature(weights, biases, x, act), rtol=1e-10
    )
    size = np.abs(riemann).max()
    for other in (
        -riemann.swapaxes(1, 2),
        -riemann.swapaxes(3, 4),
        riemann.transpose(0, 3, 4, 1, 2),
    ):
        np.testing.assert_allclose(riemann, other, atol=ROUNDING * size)
    bianchi = riemann + riemann.transpose(0, 1, 3, 4, 2) + riemann.transpose(0, 1, 4, 2, 3)
    np.testing.assert_allclose(bianchi, 0, atol=ROUNDING * size)


def test_points_in_blocks_give_what_single_points_give(rng, monkeypatch):
    from theory.geometry.shallow import frame

    weights, biases, _ = network(rng, 30, 2)
    x = rng.normal(size=(3, 7, 2))
    whole = shallow.scalar_curvature(weights, biases, x, activations.ERF)
    volume = shallow.volume_element(weights, biases, x, activations.ERF)
    assert whole.shape == volume.shape == (3, 7)
    monkeypatch.setattr(frame, "NUMBERS_AT_ONCE", 2000)
    np.testing.assert_allclose(
        shallow.scalar_curvature(weights, biases, x, activations.ERF), whole, rtol=1e-12
    )
    one = shallow.scalar_curvature(weights, biases, x[1, 2], activations.ERF)
    assert one.shape == ()
    assert one == pytest.approx(whole[1, 2], rel=1e-12)


def test_many_inputs_need_the_logarithm(rng):
    weights, biases, x = network(rng, 400, 300)
    weights /= 300**0.5 * 10
    assert shallow.log_volume_element(weights, biases, x, activations.ERF) < -700
    with pytest.raises(ArithmeticError, match="log_volume_element"):
        shallow.volume_element(weights, biases, x, activations.ERF)


def test_bumps_add_up_to_the_determinant(rng):
    weights, biases, _ = network(rng, 7, 3)
    x = rng.normal(size=(5, 3))
    bumps = shallow.erf_bumps(weights, biases)
    assert bumps.units.shape == (35, 3)
    expected = shallow.volume_element(weights, biases, x, activations.ERF) ** 2
    np.testing.assert_allclose(bumps.determinant(x), expected, rtol=1e-10)
    offset = x[:, None, :] - bumps.centres
    shape = np.exp(-np.einsum("pji,jik,pjk->pj", offset, bumps.precisions, offset))
    np.testing.assert_allclose(shape @ bumps.amplitudes, expected, rtol=1e-10)


def test_far_bumps_keep_their_digits(rng):
    """A sum of positive terms is accurate where determinant and QR have lost everything."""
    weights, biases, _ = network(rng, 3, 2)
    x = np.array([6.0, 5.0])
    with mpmath.workdps(60):
        slope = DERIVATIVES["erf"][1]
        w = mpmath.matrix(weights.tolist())
        rows = [
            slope(mpmath.fdot(weights[a].tolist(), x.tolist()) + float(biases[a]))
            for a in range(3)
        ]
        g = mpmath.matrix(2)
        for a in range(3):
            g += rows[a] ** 2 / 3 * w[a, :].T * w[a, :]
        exact = mpmath.det(g)
    assert shallow.erf_bumps(weights, biases).determinant(x) == pytest.approx(
        float(exact), rel=1e-11
    )


def test_triangular_products_of_many_inputs_are_those_of_full_matrices(monkeypatch, rng):
    weights, biases, x = (
        rng.normal(size=(80, 64)),
        rng.normal(size=80),
        rng.normal(size=(2, 64)) / 8,
    )
    found = shallow.scalar_curvature(weights, biases, x, activations.ERF)
    monkeypatch.setattr(frame, "_LARGE", 1000)
    assert found == pytest.approx(
        shallow.scalar_curvature(weights, biases, x, activations.ERF), rel=1e-10
    )

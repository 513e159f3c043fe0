"""Tests that all geodesics of a neuron on equal inputs are there, by their equations, a grid, and many digits."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

import theory
from tests.oracles.leaky_resnet_paths import linear_weights, midpoint_action
from theory import leaky_resnet as lr


@settings(max_examples=15)  # each with an integral
@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(0.3, 8))
def test_each_obeys_the_equation_and_the_integral(m0: float, m1: float, depth: float) -> None:
    geodesics = lr.constant_geodesics(m0, m1, depth, [0.0, 0.5, 1.0])
    assert geodesics
    for geodesic in geodesics:
        rate = geodesic.rate

        def value(p, rate=rate):
            return (np.sinh((1 - p) * rate) * m0 + np.sinh(p * rate) * m1) / np.sinh(rate)

        def slope(p, rate=rate):
            return rate * (np.cosh(p * rate) * m1 - np.cosh((1 - p) * rate) * m0) / np.sinh(rate)

        def weights(p, value=value, slope=slope):
            return (slope(p) + depth * value(p)) ** 2 / (1 + value(p) ** 2)

        norm = quad(weights, 0, 1)[0]
        assert geodesic.weight_norm == pytest.approx(norm, rel=1e-8, abs=1e-10 * depth**2)
        for p in (0.0, 0.4, 1.0):
            energy = (slope(p) ** 2 - depth**2 * value(p) ** 2) / (1 + value(p) ** 2) / (2 * depth)
            assert energy == pytest.approx(geodesic.hamiltonian, rel=1e-8, abs=1e-9 * depth)
        np.testing.assert_allclose(geodesic.path, value(np.array([0.0, 0.5, 1.0])), atol=1e-12)


@pytest.mark.parametrize(
    ("m0", "m1", "depth", "count"), [(1, 2, 3, 1), (30, 35, 20, 3), (50, 50, 30, 3), (0, 0, 2, 1)]
)
def test_all_are_there(m0: float, m1: float, depth: float, count: int) -> None:
    """As many as a fine grid has changes of sign; and the closed form gives the depth back."""
    geodesics = lr.constant_geodesics(m0, m1, depth, [0.0])
    assert len(geodesics) == count
    grid = np.linspace(1e-3, 3 * depth, 400_001)
    residual = 1 + 2 * m0 * m1 / (1 + np.cosh(grid)) - ((m1 - m0) / np.sinh(grid)) ** 2
    residual -= (depth / grid) ** 2
    assert (np.diff(np.sign(residual)) != 0).sum() == count
    form = theory.catalogue()["leaky_resnet.depth_of_rate"]
    for geodesic in geodesics:
        assert form(geodesic.rate, float(m0), float(m1)) == pytest.approx(depth, rel=1e-9)
    norms = [geodesic.weight_norm for geodesic in geodesics]
    assert norms == sorted(norms)


@pytest.mark.parametrize("depth", [30.0, 600.0])
def test_small_differences_of_deep_networks_keep_their_digits(depth: float) -> None:
    """The Hamiltonian is of order exp(-depth), a difference of two numbers of order depth."""
    geodesic = lr.constant_geodesics(-1.0, 2.0, depth, [0.0, 1.0])[0]
    with mpmath.workdps(600):
        a, b, length = map(mpmath.mpf, (-1.0, 2.0, depth))

        def depth_of(rate):
            inside = 1 + 2 * a * b / (1 + mpmath.cosh(rate)) - ((b - a) / mpmath.sinh(rate)) ** 2
            return rate * mpmath.sqrt(inside)

        rate = mpmath.findroot(lambda x: depth_of(x) - length, length, tol=1e-550)
        hamiltonian = (rate**2 - length**2) / (2 * length)
    assert geodesic.rate == pytest.approx(float(rate), rel=1e-15)
    assert geodesic.hamiltonian == pytest.approx(float(hamiltonian), rel=1e-14, abs=1e-280)


def test_no_path_near_the_first_has_smaller_weights() -> None:
    at = np.linspace(0, 1, 61)
    best = lr.constant_geodesics(0.5, 2.0, 3.0, at)[0]
    cost = linear_weights(3.0, bias=True)
    path = best.path[:, None, None]
    least = midpoint_action(cost, path)
    assert least == pytest.approx(best.weight_norm, rel=1e-3)
    for size in (-0.2, -0.05, 0.05, 0.2):
        assert midpoint_action(cost, path + size * np.sin(np.pi * at)[:, None, None]) > least


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("m0", (1e200, 1.0, 3.0)), ("m1", (1.0, -1e200, 3.0)), ("depth", (1.0, 2.0, 1e7)), ("depth", (1.0, 1.0, 1e300))],
)  # fmt: skip
def test_numbers_beyond_the_range_are_refused(name: str, arguments: tuple[float, ...]) -> None:
    """The first of them ended the process in flint."""
    with pytest.raises(ValueError, match=rf"^{name}: got .*, needs at most"):
        lr.constant_geodesics(*arguments, [0.0])


def test_a_constant_path_of_a_large_neuron() -> None:
    (geodesic,) = lr.constant_geodesics(1e150, 1e150, 2.0, [0.0, 0.5])
    assert geodesic.weight_norm == pytest.approx(4)  # (depth m)^2 / (1 + m^2)
    np.testing.assert_allclose(geodesic.path, 1e150)


def test_ends_at_a_fold_are_refused() -> None:
    with pytest.raises(ArithmeticError, match=r"fold|told apart"):
        lr.constant_geodesics(*fold(), [0.0])


def fold() -> tuple[float, float, float]:
    """Equal ends, and the depth at which two of three rates meet: a local maximum of the depth over the rate."""
    grid = np.linspace(0.5, 20, 200_001)
    depths = grid * np.sqrt(1 + 2 * 30.0**2 / (1 + np.cosh(grid)))
    peak = grid[1:-1][(depths[1:-1] > depths[:-2]) & (depths[1:-1] > depths[2:])][0]

    def depth(x):
        return x * mpmath.sqrt(1 + 2 * 30**2 / (1 + mpmath.cosh(x)))

    top = mpmath.findroot(lambda x: mpmath.diff(depth, x), peak)
    return 30.0, 30.0, float(depth(top))


def test_a_matrix_flow_that_leaves_double_precision_is_refused() -> None:
    huge = np.full((1, 1), 1e203)
    with pytest.raises(ArithmeticError, match="double precision"):
        lr.linear_flow(1e-3 * huge, huge, 50.0, [1.0])

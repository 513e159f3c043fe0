"""Tests of the Christoffel computation of the ledger on surfaces whose known curvature detects a wrong sign."""

import numpy as np
import pytest

from tests.oracles.geometry_gauss_equation import shallow
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.network import random_network, riemann_of_symmetric, scalar_of

DOUBLE = 1e-13  # the route keeps 40 digits; what is left is the rounding of the reference

SURFACES = {
    "gamma": (explicit_metrics.log_gamma_hessian, ("1.5", "0.7"), -0.953197567435279),
    "infinite erf": (explicit_metrics.infinite_erf("1", "0.5", 2), ("0.3", "-0.7"), -1.489620994454217),
    "3-sphere": (explicit_metrics.sphere, ("0.3", "-0.7", "0.4"), 6.0),
    "4-sphere": (explicit_metrics.sphere, ("0.3", "-0.7", "0.4", "0.1"), 12.0),
    "paraboloid": (explicit_metrics.paraboloid, ("0.3", "-0.7"), 2 / 1.58**2),
    "2-sphere": (explicit_metrics.polar, ("0.3", "-0.7"), 2.0),
}
BLIND = {"2-sphere"}


@pytest.mark.parametrize("name", SURFACES)
def test_known_curvatures(name):
    metric, point, expected = SURFACES[name]
    assert christoffel.scalar(metric, point) == pytest.approx(expected, rel=DOUBLE)


def test_plane_in_bent_coordinates_is_flat():
    found = christoffel.curvature(explicit_metrics.bent_plane, ("0.3", "-0.7"))
    assert float(np.abs(found.riemann).max()) < 1e-35
    assert abs(christoffel.scalar(explicit_metrics.bent_plane, ("0.3", "-0.7"), sign=-1)) > 1


@pytest.mark.parametrize("name", SURFACES)
def test_reversed_sign_shows_on_all_but_the_2_sphere(name):
    metric, point, expected = SURFACES[name]
    found = christoffel.scalar(metric, point, sign=-1)
    assert (found == pytest.approx(expected, rel=1e-6)) is (name in BLIND)


def test_a_map_into_space_and_its_metric_agree():
    def graph(x):
        return np.array([*x, (x @ x) / 2], dtype=object)

    point = ("0.3", "-0.7")
    found = christoffel.pulled_back(graph)(christoffel.exact(point))
    assert np.abs(found - explicit_metrics.paraboloid(christoffel.exact(point))).max() < 1e-40


@pytest.mark.parametrize("inputs", [2, 3, 4])
@pytest.mark.parametrize("seed", [0, 1])
def test_symmetric_route_agrees_with_the_gauss_equation(inputs, seed):
    net = random_network(seed, inputs + 3, inputs)
    found = scalar_of(net.metric, riemann_of_symmetric(net.metric, net.slope_of_metric))
    assert found == pytest.approx(shallow(net.weights, net.slopes, net.bends), rel=1e-9)
    tripled = scalar_of(net.metric, riemann_of_symmetric(net.metric, net.slope_of_metric, 3))
    assert tripled == pytest.approx(3 * found, rel=1e-12)


def test_monomial_metric_is_the_average_over_weights():
    """Against Gauss-Hermite quadrature, which is exact for polynomials."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(12)
    w1, w2, b = np.meshgrid(nodes, nodes, nodes / 2, indexing="ij")
    mass = np.einsum("i,j,k->ijk", *[weights / weights.sum()] * 3)
    z = 0.3 * w1 - 0.7 * w2 + b
    slope2 = 9 * z**4 / 15
    expected = [[np.sum(mass * slope2 * p * q) for q in (w1, w2)] for p in (w1, w2)]
    metric = explicit_metrics.infinite_monomial(3, "1", "0.5", 2)(christoffel.exact(("0.3", "-0.7")))
    np.testing.assert_allclose(explicit_metrics.as_floats(metric), expected, rtol=1e-12)
    with pytest.raises(ValueError, match="dimension"):
        explicit_metrics.infinite_monomial(3, "1", "0.5", 0)

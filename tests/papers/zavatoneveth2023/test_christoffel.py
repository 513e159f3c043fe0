"""Tests of the Christoffel computation of the ledger on surfaces whose known curvature detects a wrong sign."""

import numpy as np
import pytest

from papers.zavatoneveth2023.ledger import christoffel, infinite
from papers.zavatoneveth2023.ledger.christoffel import WORK, exact
from papers.zavatoneveth2023.ledger.networks import metric_of, random_network
from tests.oracles.geometry_gauss_equation import shallow

DOUBLE = 1e-13  # the route keeps 40 digits; what is left is the rounding of the reference


def log_gamma_hessian(x):
    """Hessian of ln Gamma(a) - a ln b: its derivatives are symmetric, and it is not diagonal."""
    a, b = x
    return np.array([[WORK.psi(1, a), -1 / b], [-1 / b, a / b**2]], dtype=object)


def paraboloid(x):
    """Graph of (x1^2 + x2^2)/2: R = 2/(1 + |x|^2)^2."""
    return exact(np.eye(len(x))) + np.outer(x, x)


def bent_plane(x):
    """The plane in the coordinates u = x1 + x2^2, v = x2 + x1^3: flat."""
    jacobian = np.array([[WORK.mpf(1), 2 * x[1]], [3 * x[0] ** 2, WORK.mpf(1)]], dtype=object)
    return jacobian.T @ jacobian


def polar(x):
    """Unit 2-sphere in polar coordinates, a diagonal metric: R = 2."""
    return np.array(
        [
            [WORK.mpf(1), WORK.mpf(0)],
            [WORK.mpf(0), WORK.sin(x[0]) ** 2],
        ],
        dtype=object,
    )


SURFACES = {
    "gamma": (log_gamma_hessian, ("1.5", "0.7"), -0.953197567435279),
    "infinite erf": (infinite.infinite_erf("1", "0.5", 2), ("0.3", "-0.7"), -1.489620994454217),
    "3-sphere": (christoffel.sphere, ("0.3", "-0.7", "0.4"), 6.0),
    "4-sphere": (christoffel.sphere, ("0.3", "-0.7", "0.4", "0.1"), 12.0),
    "paraboloid": (paraboloid, ("0.3", "-0.7"), 2 / 1.58**2),
    "2-sphere": (polar, ("0.3", "-0.7"), 2.0),
}
BLIND = {"2-sphere"}


@pytest.mark.parametrize("name", SURFACES)
def test_known_curvatures(name):
    metric, point, expected = SURFACES[name]
    assert christoffel.scalar(metric, point) == pytest.approx(expected, rel=DOUBLE)


def test_plane_in_bent_coordinates_is_flat():
    found = christoffel.curvature(bent_plane, ("0.3", "-0.7"))
    assert float(np.abs(found.riemann).max()) < 1e-35
    assert abs(christoffel.scalar(bent_plane, ("0.3", "-0.7"), sign=-1)) > 1


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
    assert np.abs(found - paraboloid(christoffel.exact(point))).max() < 1e-40


@pytest.mark.parametrize("inputs", [2, 3, 4])
def test_curvature_of_a_network_agrees_with_the_gauss_equation(inputs):
    net = random_network(inputs, inputs + 2, inputs)
    expected = shallow(net.weights, net.slopes, net.bends)
    assert christoffel.scalar(metric_of(net), [0] * inputs) == pytest.approx(expected, rel=1e-9)


def test_monomial_metric_is_the_average_over_weights():
    """Against Gauss-Hermite quadrature, which is exact for polynomials."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(12)
    w1, w2, b = np.meshgrid(nodes, nodes, nodes / 2, indexing="ij")
    mass = np.einsum("i,j,k->ijk", *[weights / weights.sum()] * 3)
    z = 0.3 * w1 - 0.7 * w2 + b
    slope2 = 9 * z**4 / 15
    both = np.stack([w1, w2])
    expected = np.einsum("aijk,bijk,ijk->ab", both, both, mass * slope2)
    metric = infinite.infinite_monomial(3, "1", "0.5", 2)(christoffel.exact(("0.3", "-0.7")))
    np.testing.assert_allclose(christoffel.as_floats(metric), expected, rtol=1e-12)
    with pytest.raises(ValueError, match="dimension"):
        infinite.infinite_monomial(3, "1", "0.5", 0)

"""Kernels of activations with a kink at zero: nearly parallel inputs, closed forms, quadrature."""

import numpy as np
import pytest

from tests.marks import slow
from theory import geometry
from theory.geometry import kernel_polar

ANGLES = [
    0.0,
    1e-12,
    1e-9,
    1e-6,
    1e-3,
    0.02,
    0.1,
    0.5,
    np.pi / 2,
    3.0,
    np.pi - 0.01,
    np.pi - 1e-6,
    np.pi,
]
ACCURACY = 1e-12  # relative to the kernels of both inputs with themselves
NODES = 96  # of a quadrature on each piece


@pytest.mark.parametrize("deviations", [(1.0, 1.0), (0.3, 2.0), (1e-3, 1e3)])
def test_kernels_of_relu_and_of_its_slope_at_all_angles(deviations):
    """The arc-cosine kernels of Cho and Saul of orders 1 and 0, as functions of the angle itself."""
    x, y = (np.full(len(ANGLES), deviation) for deviation in deviations)
    angle = np.array(ANGLES)
    expected = {
        "relu": x * y * (np.sin(angle) + (np.pi - angle) * np.cos(angle)) / (2 * np.pi),
        "step": (np.pi - angle) / (2 * np.pi),
        "sign": 1 - 2 * angle / np.pi,
        "abs": x * y * 2 * (np.sin(angle) + (np.pi / 2 - angle) * np.cos(angle)) / np.pi,
    }
    functions = {
        "relu": lambda z: np.maximum(z, 0),
        "step": lambda z: (z > 0).astype(float),
        "sign": np.sign,
        "abs": np.abs,
    }
    for name, function in functions.items():
        values, is_settled = kernel_polar._settled(function, x, y, angle)
        assert is_settled.all()
        scale = deviations[0] * deviations[1] if name in ("relu", "abs") else 1.0
        np.testing.assert_allclose(values, expected[name], rtol=0, atol=ACCURACY * scale)


def by_quadrature(function, angle):
    """E[f(z) f(z')] at unit variances by Gauss and Legendre, over the Gaussian of z' given z, split at every kink."""
    rho, across = np.cos(angle), np.sin(angle)
    near = 9 * across
    x, x_weights = pieces(
        np.array([[-12, -4], [-4, -near], [-near, 0], [0, near], [near, 4], [4, 12]])
    )
    kinks = np.clip(-rho * x / across, -9, 9)
    inner = np.zeros_like(x)
    for below, above in ((np.full_like(x, -9), kinks), (kinks, np.full_like(x, 9))):
        y, y_weights = (
            part.reshape(len(x), NODES) for part in pieces(np.stack([below, above], -1))
        )
        inner += (y_weights * function(rho * x[:, None] + across * y) * normal(y)).sum(-1)
    return (x_weights * function(x) * inner * normal(x)).sum()


def pieces(ends):
    """Nodes and weights on intervals [piece, end]; with half as many nodes, the results below are the same."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    half = np.diff(ends) / 2
    return (ends.mean(-1, keepdims=True) + half * nodes).ravel(), (half * weights).ravel()


def normal(z):
    return np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)


FUNCTIONS = {
    "elu": lambda z: np.where(z > 0, z, np.expm1(np.minimum(z, 0))),
    "z/(1+Abs(z))": lambda z: z / (1 + np.abs(z)),
}


@pytest.mark.parametrize("angle", [0.1, 0.01, 1e-3])
def test_against_quadrature(angle):
    """The quadrature itself is compared with the kernel of Cho and Saul."""
    arc_cosine = (np.sin(angle) + (np.pi - angle) * np.cos(angle)) / (2 * np.pi)
    assert abs(by_quadrature(lambda z: np.maximum(z, 0), angle) - arc_cosine) < ACCURACY / 100
    X = np.array([[1.0, 0.0], [np.cos(angle), np.sin(angle)]])
    for name, function in FUNCTIONS.items():
        value = geometry.kernel_matrix(name, X[:1], X[1:])[0, 0]
        assert abs(value - by_quadrature(function, angle)) < ACCURACY


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("elu", "nngp"),
        ("z/(1+Abs(z))", "ntk"),
        *slow(("z/(1+Abs(z))", "nngp"), ("elu", "ntk")),
    ],
)
def test_nearly_parallel_inputs_are_computed_at_any_depth(name, kind):
    """No entry is refused, the matrix joins its diagonal continuously, and equal inputs have the value of it."""
    angles = np.array([0.0, 1e-12, 1e-9, 1e-5, np.pi])
    X = np.concatenate([[[1.0, 0.0]], np.stack([np.cos(angles), np.sin(angles)], -1)])
    for depth in (1, 2):
        matrix = geometry.kernel_matrix(name, X[:1], X, depth, kind)
        diagonal = geometry.kernel_diagonal(name, X, depth, kind)
        np.testing.assert_array_equal(matrix[0, :2], diagonal[:2])
        np.testing.assert_allclose(
            matrix[0, 2:5], diagonal[0], rtol=5e-5 if kind == "ntk" else 1e-9
        )
        np.testing.assert_allclose(matrix[0, 2:4], diagonal[0], rtol=1e-7)
    operator = geometry.kernel_operator(name, X[[0, 3]], kind=kind)
    np.testing.assert_allclose(
        operator @ np.eye(2), geometry.kernel_matrix(name, X[[0, 3]], kind=kind), rtol=1e-12
    )

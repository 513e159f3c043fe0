"""Kernels of activations with a kink at zero: nearly parallel inputs, closed forms, 30 digits."""

import mpmath
import numpy as np
import pytest

from theory import geometry
from theory.geometry import kernel_polar

ANGLES = [0.0, 1e-12, 1e-9, 1e-6, 1e-3, 0.02, 0.1, 0.5, np.pi / 2, 3.0, np.pi - 0.01, np.pi - 1e-6, np.pi]
ACCURACY = 1e-12  # relative to the kernels of both inputs with themselves


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


def by_mpmath(function, rho):
    """E[f(z) f(z')] at unit variances with 30 digits, by the conditional Gaussian, split at every kink."""
    with mpmath.workdps(30):
        rho = mpmath.mpf(rho)
        across = mpmath.sqrt(1 - rho**2)

        def inner(x):
            kink = -rho * x / across
            ends = sorted([mpmath.mpf(-9), mpmath.mpf(9), min(max(kink, -9), 9)])
            return mpmath.quad(lambda y: function(rho * x + across * y) * mpmath.npdf(y), ends)

        near = 9 * across
        ends = [-12, -4, -near, 0, near, 4, 12] if near < 4 else [-12, -4, 0, 4, 12]
        return mpmath.quad(lambda x: function(x) * inner(x) * mpmath.npdf(x), ends)


FUNCTIONS = {
    "elu": lambda z: z if z > 0 else mpmath.expm1(z),
    "z/(1+Abs(z))": lambda z: z / (1 + abs(z)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("angle", [0.1, 0.01, 1e-3])
def test_against_quadrature_at_30_digits(name, angle):
    X = np.array([[1.0, 0.0], [np.cos(angle), np.sin(angle)]])
    value = geometry.kernel_matrix(name, X[:1], X[1:])[0, 0]
    rho = mpmath.cos(mpmath.mpf(angle))
    assert float(abs(value - by_mpmath(FUNCTIONS[name], rho))) < ACCURACY


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("kind", ["nngp", "ntk"])
def test_nearly_parallel_inputs_are_computed_at_any_depth(name, kind):
    """No entry is refused, the matrix joins its diagonal continuously, and equal inputs have the value of it."""
    angles = np.array([0.0, 1e-12, 1e-9, 1e-5, np.pi])
    X = np.concatenate([[[1.0, 0.0]], np.stack([np.cos(angles), np.sin(angles)], -1)])
    for depth in (1, 2):
        matrix = geometry.kernel_matrix(name, X[:1], X, depth, kind)
        diagonal = geometry.kernel_diagonal(name, X, depth, kind)
        np.testing.assert_array_equal(matrix[0, :2], diagonal[:2])
        np.testing.assert_allclose(matrix[0, 2:5], diagonal[0], rtol=5e-5 if kind == "ntk" else 1e-9)
        np.testing.assert_allclose(matrix[0, 2:4], diagonal[0], rtol=1e-7)
    operator = geometry.kernel_operator(name, X[[0, 3]], kind=kind)
    np.testing.assert_allclose(operator @ np.eye(2), geometry.kernel_matrix(name, X[[0, 3]], kind=kind), rtol=1e-12)

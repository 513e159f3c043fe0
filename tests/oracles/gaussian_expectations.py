"""Expectations over one and two Gaussians by quadrature in mpmath, from functions written by hand."""

from __future__ import annotations

import mpmath

FUNCTIONS = {
    "erf": lambda z: mpmath.erf(z / mpmath.sqrt(2)),
    "gelu": lambda z: z * mpmath.erfc(-z / mpmath.sqrt(2)) / 2,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "exp": mpmath.exp,
    "gaussian": lambda z: mpmath.exp(-(z**2) / 2),
    "relu": lambda z: max(z, mpmath.mpf(0)),
    "leaky_relu": lambda z: z if z > 0 else z / 4,
    "relu_power_2": lambda z: max(z, mpmath.mpf(0)) ** 2,
    "relu_power_3": lambda z: max(z, mpmath.mpf(0)) ** 3,
    "monomial_3": lambda z: z**3 / mpmath.sqrt(15),
    "hermite_4": lambda z: z**4 - 6 * z**2 + 3,
    "tanh": mpmath.tanh,
    "softplus": lambda z: mpmath.log(1 + mpmath.exp(z)),
}


def pair_mean(one, other, variance_x, variance_y, covariance):
    """``E[one(z) other(z')]``, by conditioning z' on z; both are cut at 0, where they may have kinks."""
    deviation = mpmath.sqrt(variance_x)
    slope = covariance / variance_x
    rest = mpmath.sqrt(variance_y - covariance * slope)

    def inner(z):
        return mpmath.quad(
            lambda u: other(slope * z + rest * u) * mpmath.npdf(u), sorted([-12, -slope * z / rest, 12]), maxdegree=6
        )

    return mpmath.quad(lambda u: one(deviation * u) * inner(deviation * u) * mpmath.npdf(u), [-12, 0, 12], maxdegree=6)

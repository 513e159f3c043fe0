"""The metric of an infinitely wide layer by quadrature, and its curvature by two methods, in 30 digits.

This module uses neither code of `theory` nor its rules (Stein's lemma, Price's theorem). Given z = w.x + b, the part of
w along x is Gaussian with mean sigma^2 |x| z / v and variance sigma^2 zeta^2 / v, so both eigenvalues of
E[phi'(z)^2 w w'] are integrals over z alone. They are differentiated numerically with respect to r = |x|^2.
"""

from __future__ import annotations

import functools

import mpmath

from tests.oracles.geometry_christoffel import scalar_curvature

DIGITS = 30
_WORK = 50  # a second difference of step 1e-9 leaves 32 digits of these
_STEP = mpmath.mpf(10) ** -9
# the error exp(-2 pi 16 y), y the distance of a pole, is below 50 digits for y > 1.2
_POINTS_PER_UNIT = 16


def _pdf(z):
    return mpmath.exp(-(z**2) / 2) / mpmath.sqrt(2 * mpmath.pi)


def _cdf(z):
    return mpmath.erfc(-z / mpmath.sqrt(2)) / 2


# phi', by hand.
SLOPES = {
    "erf": lambda z: 2 * _pdf(z),
    "gelu": lambda z: _cdf(z) + z * _pdf(z),
    "sin": mpmath.cos,
    "cos": lambda z: -mpmath.sin(z),
    "exp": mpmath.exp,
    "gaussian": lambda z: -z * mpmath.exp(-(z**2) / 2),
    "relu": lambda z: mpmath.mpf(z > 0),
    "leaky_relu": lambda z: mpmath.mpf(1) if z > 0 else mpmath.mpf(1) / 4,
    "relu_power_2": lambda z: 2 * z if z > 0 else mpmath.mpf(0),
    "relu_power_3": lambda z: 3 * z**2 if z > 0 else mpmath.mpf(0),
    "monomial_2": lambda z: 2 * z / mpmath.sqrt(3),
    "monomial_3": lambda z: 3 * z**2 / mpmath.sqrt(15),
    "hermite_3": lambda z: 3 * z**2 - 3,
    "polynomial": lambda z: 2 - z + z**2 / 2,
    "tanh": lambda z: 1 / mpmath.cosh(z) ** 2,
    "sigmoid": lambda z: 1 / (4 * mpmath.cosh(z / 2) ** 2),
    "softplus": lambda z: 1 / (1 + mpmath.exp(-z)),
    "swish": lambda z: 1 / (1 + mpmath.exp(-z)) + z / (4 * mpmath.cosh(z / 2) ** 2),
}

KINKED = ("relu", "leaky_relu", "relu_power_2", "relu_power_3")
ANALYTIC = tuple(name for name in SLOPES if name not in KINKED)


@functools.cache
def _trapezoids():
    """Points and weights of the trapezoidal rule under the normal density; exp(-200) is below what is kept."""
    with mpmath.workdps(_WORK):
        points = [
            mpmath.mpf(k) / _POINTS_PER_UNIT
            for k in range(-20 * _POINTS_PER_UNIT, 20 * _POINTS_PER_UNIT + 1)
        ]
        return points, [_pdf(u) / _POINTS_PER_UNIT for u in points]


def _mean_squares(name, deviation):
    """E[slope(z)^2] and E[slope(z)^2 z^2] of a Gaussian z with this deviation."""
    slope = SLOPES[name]
    if name in ANALYTIC:
        points, weights = _trapezoids()
        squares = [slope(deviation * u) ** 2 for u in points]
        weighted = [weight * u**2 for weight, u in zip(weights, points, strict=True)]
        return mpmath.fdot(squares, weights), deviation**2 * mpmath.fdot(squares, weighted)

    @functools.cache  # both integrals have the same nodes
    def density(u):
        return slope(deviation * u) ** 2 * _pdf(u)

    def integral(integrand):
        return mpmath.quad(integrand, [-20, -8, -3, 0, 3, 8, 20], method="gauss-legendre")

    return integral(density), deviation**2 * integral(lambda u: density(u) * u**2)


@functools.lru_cache
def eigenvalues(name, r, sigma, zeta):
    """Tangential and radial eigenvalue at |x|^2 = r; all arguments but the name are mpmath numbers."""
    v = sigma**2 * r + zeta**2
    square, along = _mean_squares(name, mpmath.sqrt(v))
    return sigma**2 * square, sigma**4 * r * along / v**2 + sigma**2 * zeta**2 / v * square


@functools.lru_cache
def jets(name, r, sigma, zeta):
    """a, its first two derivatives in r, b = (radial - a)/r and its first two."""
    with mpmath.workdps(_WORK):
        r, sigma, zeta = map(mpmath.mpf, (r, sigma, zeta))
        table = []
        for k in (-2, -1, 0, 1, 2):
            at = r + k * _STEP
            across, along = eigenvalues(name, at, sigma, zeta)
            table.append((across, (along - across) / at))
        first = [mpmath.mpf(c) / 12 for c in (1, -8, 0, 8, -1)]
        second = [mpmath.mpf(c) / 12 for c in (-1, 16, -30, 16, -1)]
        values = []
        for column in zip(*table, strict=True):
            values += [
                column[2],
                mpmath.fdot(first, column) / _STEP,
                mpmath.fdot(second, column) / _STEP**2,
            ]
        return tuple(values)


def volume_element(name, d, r, sigma, zeta):
    """Root of the determinant, as the product of the eigenvalues."""
    with mpmath.workdps(_WORK):
        across, along = eigenvalues(name, *map(mpmath.mpf, (r, sigma, zeta)))
        return mpmath.sqrt(across ** (d - 1) * along)


def curvature_by_christoffel(name, d, r, sigma, zeta):
    """The Ricci scalar from all Christoffel symbols in d dimensions, at a point off the axes."""
    with mpmath.workdps(_WORK):
        a, a1, a2, b, b1, b2 = jets(name, r, sigma, zeta)
        x = [mpmath.mpf(k + 1) for k in range(d)]
        scale = mpmath.sqrt(mpmath.mpf(r) / mpmath.fsum(c * c for c in x))
        x = [scale * c * (-1) ** k for k, c in enumerate(x)]
        delta = [[mpmath.mpf(i == j) for j in range(d)] for i in range(d)]

        def metric(i, j):
            return a * delta[i][j] + b * x[i] * x[j]

        def slope(k, i, j):
            product = delta[i][k] * x[j] + delta[j][k] * x[i]
            return 2 * x[k] * (a1 * delta[i][j] + b1 * x[i] * x[j]) + b * product

        def bend(l, k, i, j):
            product = delta[i][k] * x[j] + delta[j][k] * x[i]
            product_l = delta[i][l] * x[j] + delta[j][l] * x[i]
            twice = delta[i][k] * delta[j][l] + delta[j][k] * delta[i][l]
            along = 2 * delta[k][l] * (a1 * delta[i][j] + b1 * x[i] * x[j])
            across = 4 * x[k] * x[l] * (a2 * delta[i][j] + b2 * x[i] * x[j])
            return along + across + 2 * x[k] * b1 * product_l + 2 * x[l] * b1 * product + b * twice

        span = range(d)
        return scalar_curvature(
            [[metric(i, j) for j in span] for i in span],
            [[[slope(k, i, j) for j in span] for i in span] for k in span],
            [[[[bend(l, k, i, j) for j in span] for i in span] for k in span] for l in span],
        )


def curvature_by_warping(name, d, r, sigma, zeta):
    """The Ricci scalar of ds^2 + f(s)^2 dOmega^2: -2 (d-1) f''/f + (d-1)(d-2)(1 - f'^2)/f^2, for any d."""
    with mpmath.workdps(_WORK):
        a, a1, a2, b, b1, _ = jets(name, r, sigma, zeta)
        r = mpmath.mpf(r)
        rho = mpmath.sqrt(r)
        root, along = mpmath.sqrt(a), a + r * b
        f = rho * root
        # d/drho = 2 rho d/dr
        f_rho = root + r * a1 / root
        f_rho_rho = 2 * rho * (a1 / (2 * root) + (a1 + r * a2) / root - r * a1**2 / (2 * a * root))
        along_rho = 2 * rho * (a1 + b + r * b1)
        f_s = f_rho / mpmath.sqrt(along)
        f_s_s = f_rho_rho / along - f_rho * along_rho / (2 * along**2)
        return (d - 1) * (-2 * f_s_s / f + (d - 2) * (1 - f_s**2) / f**2)

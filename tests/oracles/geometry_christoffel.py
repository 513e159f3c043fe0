"""Curvature from its definition, in 30 digits: Christoffel symbols, their derivatives, Riemann tensor, two traces.

No property of the metric is assumed: neither symmetric derivatives, nor a diagonal form, nor a dimension.
"""

from __future__ import annotations

import functools
from itertools import product

import mpmath

DIGITS = 30


def scalar_curvature(g, dg, ddg):
    """The Ricci scalar from ``g[i][j]``, ``dg[k][i][j]`` (derivative in k) and ``ddg[l][k][i][j]``, of mpmath."""
    d = len(g)
    span = range(d)
    inverse = mpmath.matrix(g) ** -1
    # derivative of the inverse, from 0 = d(g^-1 g)
    dinverse = [-(inverse * mpmath.matrix(dg[k]) * inverse) for k in span]

    def first_kind(m, j, k):
        return (dg[j][m][k] + dg[k][m][j] - dg[m][j][k]) / 2

    def slope_of_first_kind(n, m, j, k):
        return (ddg[n][j][m][k] + ddg[n][k][m][j] - ddg[n][m][j][k]) / 2

    gamma, dgamma = {}, {}
    for i, j, k in product(span, repeat=3):
        gamma[i, j, k] = mpmath.fsum(inverse[i, m] * first_kind(m, j, k) for m in span)
        for n in span:
            dgamma[n, i, j, k] = mpmath.fsum(
                dinverse[n][i, m] * first_kind(m, j, k)
                + inverse[i, m] * slope_of_first_kind(n, m, j, k)
                for m in span
            )
    total = mpmath.mpf(0)
    for j, l, i in product(span, repeat=3):
        riemann = dgamma[i, i, j, l] - dgamma[l, i, j, i]
        riemann += mpmath.fsum(
            gamma[i, i, m] * gamma[m, j, l] - gamma[i, l, m] * gamma[m, j, i] for m in span
        )
        total += inverse[j, l] * riemann
    return total


def of_metric(metric, x, digits=2 * DIGITS):
    """The same for a metric given as a function ``metric(x) -> rows``, differentiated numerically in so many digits."""
    with mpmath.workdps(digits):
        x = [mpmath.mpf(v) for v in x]
        d = len(x)
        step = mpmath.mpf(10) ** -15

        @functools.cache  # the differences meet at the same points
        def metric_moved_by(steps):
            return mpmath.matrix(
                metric([v + size * step for v, size in zip(x, steps, strict=True)])
            )

        def at(*moves):
            steps = [0] * d
            for index, size in moves:
                steps[index] += size
            return metric_moved_by(tuple(steps))

        def rows(matrix):
            return [[matrix[i, j] for j in range(d)] for i in range(d)]

        stencil = {
            -2: mpmath.mpf(1) / 12,
            -1: mpmath.mpf(-2) / 3,
            1: mpmath.mpf(2) / 3,
            2: mpmath.mpf(-1) / 12,
        }
        dg = [
            sum((w * at((k, s)) for s, w in stencil.items()), mpmath.zeros(d)) / step
            for k in range(d)
        ]
        ddg = [
            [
                sum(
                    (
                        w * v * at((k, s), (l, t))
                        for s, w in stencil.items()
                        for t, v in stencil.items()
                    ),
                    mpmath.zeros(d),
                )
                / step**2
                for k in range(d)
            ]
            for l in range(d)
        ]
        return scalar_curvature(
            rows(at()), [rows(m) for m in dg], [[rows(m) for m in line] for line in ddg]
        )


def of_network(weights, biases, x, slope, bend, third):
    """Volume element and curvature of a shallow network; derivatives of the activation are functions of mpmath."""
    with mpmath.workdps(DIGITS):
        weights = [[mpmath.mpf(float(v)) for v in row] for row in weights]
        x = [mpmath.mpf(float(v)) for v in x]
        n, d = len(weights), len(x)
        zs = [
            mpmath.fdot(row, x) + mpmath.mpf(float(b))
            for row, b in zip(weights, biases, strict=True)
        ]
        first = [slope(z) for z in zs]
        second = [bend(z) for z in zs]
        square = [s * s / n for s in first]
        cube = [2 * s * t / n for s, t in zip(first, second, strict=True)]
        quart = [2 * (t * t + s * third(z)) / n for s, t, z in zip(first, second, zs, strict=True)]
        cache = {}

        def moment(values, *indices):
            key = (id(values), *sorted(indices))
            if key not in cache:
                total = mpmath.mpf(0)
                for value, row in zip(values, weights, strict=True):
                    for index in indices:
                        value = value * row[index]
                    total += value
                cache[key] = total
            return cache[key]

        span = range(d)
        g = [[moment(square, i, j) for j in span] for i in span]
        dg = [[[moment(cube, i, j, k) for j in span] for i in span] for k in span]
        ddg = [
            [[[moment(quart, i, j, k, l) for j in span] for i in span] for k in span] for l in span
        ]
        return mpmath.sqrt(mpmath.det(mpmath.matrix(g))), scalar_curvature(g, dg, ddg)

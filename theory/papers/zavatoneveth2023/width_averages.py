"""Metric and determinant averaged over all networks of a width whose units are drawn from four, summed exactly."""

from __future__ import annotations

import itertools
from functools import cache

import sympy as sp

from theory.core import Check, Claim

# Weights and bias of one unit, each triple equally probable; slopes of the unit at x = (1, -1) for phi = z^2/2.
UNITS = ((1, 0, 1), (0, 1, 2), (-1, 2, 0), (2, 1, -1))
Units = tuple[tuple[int, int, int], ...]


def _sum_of_squares(units: Units) -> sp.Matrix:
    total = sp.zeros(2)
    for w1, w2, bias in units:
        total += (w1 - w2 + bias) ** 2 * sp.Matrix([w1, w2]) * sp.Matrix([[w1, w2]])
    return total


@cache
def mean_metric(width: int, power: sp.Expr) -> sp.ImmutableMatrix:
    """Of features that are scaled by ``width**power``, over all networks of ``width`` units."""
    networks = list(itertools.product(UNITS, repeat=width))
    total = sum((_sum_of_squares(units) for units in networks), sp.zeros(2))
    return sp.ImmutableMatrix(total * sp.Integer(width) ** (2 * power) / len(networks))


def _mean_determinant(width: int) -> sp.Expr:
    values = [(_sum_of_squares(units) / width).det() for units in itertools.product(UNITS, repeat=width)]
    return sum(values, sp.S.Zero) / len(values)


def _determinant_falls_short() -> bool:
    limit = (_sum_of_squares(UNITS) / len(UNITS)).det()  # every unit once is the distribution of units itself
    return all(_mean_determinant(n) == sp.Rational(n * (n - 1), n * n) * limit for n in (1, 2, 3))


def is_the_average(claim: Claim) -> tuple[Check, ...]:
    """Whether the mean of the metric is that of the limit at every width."""
    limit = sp.ImmutableMatrix(_sum_of_squares(UNITS) / len(UNITS))
    return (
        Check("mean metric", lambda: all(mean_metric(n, claim["power"]) == limit for n in (1, 2, 3)), "exact sums"),
        Check("mean determinant", _determinant_falls_short, "n!/((n-d)! n^d) of the limit, exact sums"),
    )

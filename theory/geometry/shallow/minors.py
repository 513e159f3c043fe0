r"""The determinant of a shallow network's metric as a sum over minors of the weights.

.. math:: \det g = \frac{1}{n^d} \sum_{j_1 < \dots < j_d} M_{j_1 \dots j_d}^2\,
    \varphi'(z_{j_1})^2 \cdots \varphi'(z_{j_d})^2

This is the Cauchy-Binet formula for :math:`g = J^\top J`. The steps check it with symbolic weights and slopes for every
shape at which an error in the combinatorics could show: as many units as inputs, one more, and two more.
"""

from __future__ import annotations

from itertools import combinations

import sympy as sp

from theory.core import Premise, Step

SHAPES = ((2, 2), (3, 2), (4, 2), (3, 3), (4, 3))


def weight_matrix(width: int, dimension: int) -> sp.Matrix:
    """Return symbols ``w_ai`` for the weights, [width, d]."""
    return sp.Matrix(width, dimension, lambda a, i: sp.Symbol(f"w_{a + 1}{i + 1}", real=True))


def slopes(width: int) -> tuple[sp.Symbol, ...]:
    """Return symbols for the slopes of the activation at every unit."""
    return tuple(sp.Symbol(f"s_{a + 1}", real=True) for a in range(width))


def metric(weights: sp.Matrix, at: tuple[sp.Expr, ...]) -> sp.Matrix:
    """Return the metric of Eq. (2) in symbols, from weights [width, d] and slopes ``at`` [width]."""
    return weights.T * sp.diag(*(s**2 for s in at)) * weights / weights.rows


def sum_over_minors(weights: sp.Matrix, at: tuple[sp.Expr, ...]) -> sp.Expr:
    """Return the determinant of Eq. (3) in symbols, as a sum over unordered tuples."""
    n, d = weights.shape
    terms = (
        weights.extract(list(rows), list(range(d))).det(method="berkowitz") ** 2 * sp.prod([at[a] ** 2 for a in rows])
        for rows in combinations(range(n), d)
    )
    return sp.Add(*terms) / sp.Integer(n) ** d


METRIC = Premise(
    "the metric of n units is J'J/n: the sum of phi'(z_a)^2 w_a w_a' over them, such as three",
    metric(weight_matrix(3, 2), slopes(3)),
)


def expansion(width: int, dimension: int) -> Step:
    """Step for the expansion at one shape of the weights."""
    weights, at = weight_matrix(width, dimension), slopes(width)
    return Step(
        f"det g is the sum over minors for {width} units and {dimension} inputs",
        sp.Determinant(metric(weights, at)),
        sum_over_minors(weights, at),
        because="Cauchy and Binet: a minor of the weights for every choice of units, squared",
        uses=(METRIC,),
    )


STEPS = tuple(expansion(*shape) for shape in SHAPES)
"""The checked cases; ``expansion`` gives any other."""

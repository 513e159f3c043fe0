r"""Scalar curvature of any metric by definition, from its value and its first two derivatives at a point.

.. math:: \Gamma^i_{jk} = \tfrac12 g^{im} (\partial_j g_{mk} + \partial_k g_{mj} - \partial_m g_{jk}), \quad
    R^i{}_{jkl} = \partial_k \Gamma^i_{jl} - \partial_l \Gamma^i_{jk}
    + \Gamma^i_{km} \Gamma^m_{jl} - \Gamma^i_{lm} \Gamma^m_{jk}, \quad R = g^{jl} R^i{}_{jil}

Derivatives of the inverse are :math:`-g^{-1} (\partial g) g^{-1}`, so that the result is rational in the jet (the value
and the derivatives). No function is differentiated and no property of a special metric is used; shorter formulas are
checked against this one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

import sympy as sp

First = Callable[[int, int, int], sp.Expr]
Second = Callable[[int, int, int, int], sp.Expr]


def scalar_curvature(g: sp.Matrix, first: First, second: Second) -> sp.Expr:
    """Return the Ricci scalar as an expression that is not simplified.

    Args:
        g: metric at the point, [d, d].
        first: function such that ``first(i, j, k)`` is the derivative of g_ij in coordinate k.
        second: function such that ``second(i, j, k, l)`` is the derivative of g_ij in coordinates k and l.
    """
    d = g.rows
    first, second = cache(first), cache(second)
    inverse = g.inv()
    indices = range(d)
    slopes = [sp.Matrix(d, d, lambda i, j, k=k: first(i, j, k)) for k in indices]
    inverse_slopes = [-inverse * slope * inverse for slope in slopes]

    def lowered(m: int, j: int, k: int) -> sp.Expr:
        return (first(m, k, j) + first(m, j, k) - first(j, k, m)) / 2

    def lowered_slope(m: int, j: int, k: int, along: int) -> sp.Expr:
        return (second(m, k, j, along) + second(m, j, k, along) - second(j, k, m, along)) / 2

    gamma = {
        (i, j, k): sp.Add(*(inverse[i, m] * lowered(m, j, k) for m in indices))
        for i, j, k in product(indices, repeat=3)
    }

    def gamma_slope(i: int, j: int, k: int, along: int) -> sp.Expr:
        return sp.Add(
            *(
                inverse_slopes[along][i, m] * lowered(m, j, k) + inverse[i, m] * lowered_slope(m, j, k, along)
                for m in indices
            )
        )

    def riemann(i: int, j: int, k: int, l: int) -> sp.Expr:
        return (
            gamma_slope(i, j, l, k)
            - gamma_slope(i, j, k, l)
            + sp.Add(*(gamma[i, k, m] * gamma[m, j, l] - gamma[i, l, m] * gamma[m, j, k] for m in indices))
        )

    return sp.Add(*(inverse[j, l] * riemann(i, j, i, l) for i, j, l in product(indices, repeat=3)))

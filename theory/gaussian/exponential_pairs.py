r"""Differences of two exponentials, rewritten so that they keep their digits where the exponents are nearly equal.

.. math:: e^p - e^q = (p - q)\, \varphi_1(q - p)\, e^p = (p - q)\, \varphi_1(p - q)\, e^q, \qquad
    \varphi_1(x) = \frac{e^x - 1}{x}

The first form is used where :math:`p \ge q`, the second elsewhere, so that :math:`\varphi_1` never exceeds 1.
"""

from __future__ import annotations

import sympy as sp

from theory.core.formula.special import phi1


def without_difference(expression: sp.Expr) -> sp.Expr:
    """Rewrite every pair of terms ``a exp(p) - a exp(q)`` of a sum; return the sum unchanged if there is none.

    Args:
        expression: a sum of real terms, of which some are products of one exponential and other factors.
    """
    rest: list[sp.Expr] = []
    waiting: dict[sp.Expr, sp.Expr] = {}  # factor of an exponential whose partner is not yet found -> its exponent
    for term in sp.Add.make_args(expression):
        factor, exponential = term.as_independent(sp.exp, as_Add=False)
        if not isinstance(exponential, sp.exp):
            rest.append(term)
        elif -factor in waiting:
            rest.append(_difference(-factor, waiting.pop(-factor), exponential.args[0]))
        elif factor in waiting:
            rest.append(term)
        else:
            waiting[factor] = exponential.args[0]
    return sp.Add(*rest, *(factor * sp.exp(exponent) for factor, exponent in waiting.items()))


def _difference(factor: sp.Expr, p: sp.Expr, q: sp.Expr) -> sp.Expr:
    """Return ``factor (exp(p) - exp(q))``."""
    gap = sp.expand(p - q)
    larger, smaller = (factor * gap * phi1(side * gap) * sp.exp(end) for side, end in ((-1, p), (1, q)))
    return sp.Piecewise((larger, gap >= 0), (smaller, True))

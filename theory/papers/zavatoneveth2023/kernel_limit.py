"""The kernel of n features of Section II.C, as the width tends to infinity."""

from __future__ import annotations

from typing import Any

import mpmath
import sympy as sp

from theory.core import Step
from theory.core.ledger.printed import relations, solved
from theory.core.ledger.proving import meant
from theory.papers.zavatoneveth2023.index_notation import n
from theory.papers.zavatoneveth2023.letters import kernel

WIDTH = 10
dot_product = sp.Function("dot_product")
average = sp.Symbol("average", real=True)
"""Of the product of the activations of one unit at both inputs, over weights and biases."""


def _of_features(width: sp.Expr) -> sp.Expr:
    """Expectation of the product of ``width`` features, each scaled by the root of the width."""
    return width * (width ** sp.Rational(-1, 2)) ** 2 * average


def limit_of_features(statement: Any) -> tuple[Step, ...]:
    """The limit that is printed is the average over weights and biases."""
    (relation,) = relations(statement)
    meanings = {kernel: average, dot_product: _of_features}
    left, right = (meant(side, meanings) for side in (relation.lhs, relation.rhs))
    return (Step("limit", left, right, because="II.C features"),)


def mean_square() -> float:
    """E[erf(z/sqrt 2)^2] of a standard normal z, by quadrature."""
    return float(mpmath.quad(lambda z: mpmath.erf(z / mpmath.sqrt(2)) ** 2 * mpmath.npdf(z), [-12, 0, 12]))


def number_of_units(statement: Any) -> float:
    """What a statement gives for the kernel of error functions in the mean over networks of WIDTH units."""
    (relation,) = relations(statement)
    value = meant(relation.rhs.replace(sp.Limit, lambda form, *_: form.subs(n, WIDTH)), {dot_product: _of_features})
    numbers = {average: 2 * sp.asin(sp.Rational(1, 2)) / sp.pi}
    return float(solved(sp.Eq(relation.lhs, value, evaluate=False), kernel).subs(numbers))

r"""The slope of the curvature of monomials in the variance :math:`\sigma^2 \|\mathbf{x}\|^2`, by differentiation."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import sympy as sp

from theory.core import Check, Claim, Step
from theory.core.ledger.printed import solved
from theory.core.ledger.proving import has_digits
from theory.papers.zavatoneveth2023.index_notation import d
from theory.papers.zavatoneveth2023.monomials import CURVATURE
from theory.papers.zavatoneveth2023.symbols import q, r, sigma, zeta

squared, threshold = sp.symbols("squared threshold", positive=True)
slope = sp.Symbol("slope_of_R", real=True)
m = sp.Symbol("m", positive=True)
DEGREE = {q: (1 + m) / 2}
"""All q > 1/2, for which 2q - 1 is positive."""
FACTOR = (
    (d - 1)
    * (q - 1) ** 2
    * (2 * q - 1)
    / (q**2 * (squared + zeta**2) ** (q + 1) * ((2 * q - 1) * squared + zeta**2) ** 3)
)
"""Positive for d > 1 and q > 1."""


curvature = CURVATURE.subs(r, squared / sigma**2)


@cache
def derived_cubic() -> sp.Expr:
    """The slope over its positive factor."""
    ratio = sp.simplify(sp.powsimp(sp.diff(curvature, squared) / FACTOR))
    return sp.expand(sp.cancel(ratio))


def is_the_derivative(relation: Any) -> tuple[Step, ...]:
    """The slope of the curvature is the right-hand side times the positive factor."""
    left = relation.lhs.subs(slope, sp.Derivative(curvature, squared))
    return (Step("derivative", left, FACTOR * relation.rhs, "differentiation", DEGREE),)


def _positive_roots(inputs: int, degree: int) -> int:
    return int(sp.Poly(derived_cubic().subs({d: inputs, q: degree, zeta: 1}), squared).count_roots(0))


def has_one_minimum(claim: Claim) -> tuple[Check, ...]:
    """How often the slope changes its sign, on which side it is negative, and the limit of R."""
    cases = tuple(itertools.product((2, 3, 10, 784), (2, 3, 10)))
    coefficients = sp.Poly(derived_cubic(), squared).all_coeffs()
    first, last = (claim[name] == "increase" for name in ("first", "second"))

    def is_positive(inputs: int, degree: int, size: sp.Rational) -> bool:
        return bool(derived_cubic().subs({d: inputs, q: degree, zeta: 1, squared: size}) > 0)

    def turns() -> bool:
        signs = [coefficients[0].subs({d: 3, q: 2, zeta: 1}), coefficients[1].subs({d: 3, q: 2, zeta: 1})]
        once = all(_positive_roots(*case) == 1 for case in cases) and all(sign > 0 for sign in signs)
        return once is (claim["shape"] == "non-monotonic")

    def sides() -> bool:
        low, high = sp.Rational(1, 10**6), sp.Integer(10**6)
        return all(is_positive(*case, low) is first and is_positive(*case, high) is last for case in cases)

    def limit() -> bool:
        return bool(sp.limit(curvature.subs({d: 3, q: 2, zeta: 1}), squared, sp.oo) == claim["limit"])

    return (
        Check("one positive root", turns, "Descartes' rule of signs; Sturm sequences"),
        Check("first and last sign of the slope", sides, "values"),
        Check("limit", limit, "d = 3, q = 2"),
    )


def _sign(inputs: int, degree: int, factor: sp.Expr) -> int:
    """Of the derived slope at a multiple of its positive zero with two inputs."""
    polynomial = sp.Poly(derived_cubic().subs({d: 2, q: degree, zeta: 1}), squared)
    (zero,) = (root for root in sp.real_roots(polynomial) if root > 0)
    value = derived_cubic().subs({d: inputs, q: degree, zeta: 1, squared: factor * zero})
    return int(sp.sign(sp.simplify(value)))


def slope_changes_at(claim: Claim) -> tuple[Check, ...]:
    """The sign of the slope below, at and above its zero."""
    said = [1 if claim[name] == "positive" else -1 for name in ("below", "above")]
    inputs = int(claim["inputs"])

    def run() -> bool:
        return all(
            [_sign(inputs, degree, factor) for factor in (sp.Rational(99, 100), sp.S.One, sp.Rational(101, 100))]
            == [said[0], 0, said[1]]
            for degree in (2, 3, 5)
        )

    return (Check("three points, three degrees", run, "the derived slope"),)


def is_the_quadratic(equation: Any) -> tuple[Step, ...]:
    """The derived cubic at d = 2 is a positive multiple of the quadratic."""
    cubic = derived_cubic().subs({d: 2, squared: threshold})
    return (Step("at d = 2", cubic, 4 * zeta**2 * (equation.lhs - equation.rhs), "factorisation"),)


def is_the_threshold(equation: Any) -> tuple[Step | Check, ...]:
    """The slope vanishes at the threshold with two inputs, and it is positive."""
    root = solved(equation, threshold)
    return (
        Step("the slope vanishes", derived_cubic().subs({d: 2, squared: root}), sp.S.Zero, "substitution", DEGREE),
        Check(
            "positive", lambda: all(root.subs({q: degree, zeta: 1}).is_positive for degree in range(2, 20)), "degrees"
        ),
    )


def is_the_number(claim: Claim) -> tuple[Check, ...]:
    """The root of the positive zero of the slope, to the printed digits."""
    relation = claim["number"]

    def run() -> bool:
        polynomial = sp.Poly(derived_cubic().subs({d: 2, q: claim["degree"], zeta: 1}), squared)
        (zero,) = (root for root in sp.real_roots(polynomial) if root > 0)
        return has_digits(relation.lhs.subs(threshold, zero), relation.rhs / zeta)

    return (Check("digits", run, "the derived slope"),)

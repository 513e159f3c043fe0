r"""Appendix C.2: where the curvature of monomials (C.46) is smallest, Eqs. (C.49) to (C.51)."""

from __future__ import annotations

import itertools
from functools import cache, partial
from typing import Any

import sympy as sp

from theory.core import Check, Claim, Step, for_all
from theory.core.ledger.ledger import Programs
from theory.core.ledger.printed import solved
from theory.core.ledger.proving import chosen, has_digits
from theory.papers.zavatoneveth2023.monotone import in_variance, s
from theory.papers.zavatoneveth2023.symbols import letters, shown

d, q, zeta, threshold = letters("d q zeta threshold")
ODD = {q: (1 + sp.Symbol("odd", positive=True)) / 2}


@cache
def cubic() -> sp.Expr:
    """The slope of the curvature in the variance over the factor by which (C.49) is implied, positive for d, q > 1."""
    factor = (d - 1) * (q - 1) ** 2 * (2 * q - 1) / (q**2 * (s + zeta**2) ** (q + 1) * ((2 * q - 1) * s + zeta**2) ** 3)
    ratio = sp.simplify(sp.powsimp(sp.diff(in_variance(shown("(C.46)", "corrected").rhs), s) / factor))
    return sp.expand(sp.cancel(ratio))


def is_the_derivative(relation: Any) -> tuple[Step | Check, ...]:
    """The slope of the curvature is the right-hand side times a positive factor."""
    by, form = relation.lhs.args
    is_slope = relation.lhs.func == letters("slope") and form == letters("R") and in_variance(by) == s
    return (
        Check("slope of R", lambda: bool(is_slope), "the left-hand side"),
        Step("derivative", cubic(), in_variance(relation.rhs), "differentiation", ODD),
    )


def _sign_of_slope(inputs: int, degree: int, size: Any) -> int:
    return int(sp.sign(sp.simplify(cubic().subs({d: inputs, q: degree, zeta: 1, s: size}))))


@cache
def _zero(degree: Any) -> Any:
    """The positive zero of the slope with two inputs."""
    roots = sp.real_roots(sp.Poly(cubic().subs({d: 2, q: degree, zeta: 1}), s))
    (zero,) = (root for root in roots if root > 0)
    return zero


def has_one_minimum(claim: Claim) -> tuple[Check, ...]:
    """How often the slope changes its sign, on which side it is negative, and the limit of R."""
    cases = list(itertools.product((2, 3, 10, 784), (2, 3, 10)))
    leading = [term.subs({d: 3, q: 2, zeta: 1}) for term in sp.Poly(cubic(), s).all_coeffs()[:2]]
    signs = [chosen(claim, name, {"increase": 1, "decrease": -1}) for name in ("first", "second")]
    limit = chosen(claim, "limit", {"zero": 0, "infinity": sp.oo})
    turns = chosen(claim, "shape", {"non-monotonic": True, "monotonic": False})

    def turns_once(case: tuple[int, int]) -> bool:
        return bool(sp.Poly(cubic().subs({d: case[0], q: case[1], zeta: 1}), s).count_roots(0) == 1) is turns

    def sides(case: tuple[int, int]) -> bool:
        return [_sign_of_slope(*case, size) for size in (sp.Rational(1, 10**6), sp.Integer(10**6))] == signs

    far = sp.limit(in_variance(shown("(C.46)", "corrected").rhs).subs({d: 3, q: 2, zeta: 1}), s, sp.oo)
    return (
        Check("one positive root", lambda: for_all(cases, turns_once) and min(leading) > 0, "Descartes, Sturm"),
        Check("first and last sign of the slope", lambda: for_all(cases, sides), "values"),
        Check("limit", lambda: bool(far == limit), "d = 3, q = 2"),
    )


def slope_changes_at(claim: Claim) -> tuple[Check, ...]:
    """The sign of the slope below, at and above its zero, for three degrees."""
    said = [chosen(claim, name, {">": 1, "<": -1}) for name in ("below", "above")]
    places = (sp.Rational(99, 100), sp.S.One, sp.Rational(101, 100))

    def run(degree: int) -> bool:
        signs = [_sign_of_slope(claim["inputs"], degree, place * _zero(degree)) for place in places]
        return signs == [said[0], 0, said[1]]

    return tuple(Check(f"q = {degree}", partial(run, degree), "the derived slope") for degree in (2, 3, 5))


def is_the_quadratic(equation: Any) -> tuple[Step, ...]:
    """The derived cubic at d = 2 is a positive multiple of the quadratic."""
    at_two = cubic().subs({d: 2, s: threshold})
    return (Step("at d = 2", at_two, 4 * zeta**2 * (equation.lhs - equation.rhs), "factorisation"),)


def is_the_threshold(equation: Any) -> tuple[Step | Check, ...]:
    """The slope vanishes at the threshold with two inputs, and it is positive."""
    root = solved(equation, threshold)

    def is_positive(degree: int) -> bool:
        return bool(root.subs({q: degree, zeta: 1}).is_positive)

    return (
        Step("the slope vanishes", cubic().subs({d: 2, s: root}), sp.S.Zero, "substitution", ODD),
        Check("positive", lambda: for_all(range(2, 20), is_positive), "degrees"),
    )


def is_the_number(claim: Claim) -> tuple[Check, ...]:
    """The root of the positive zero of the slope, to the printed digits."""
    relation = claim["number"]
    value = relation.lhs.subs(threshold, _zero(claim["degree"]))
    return (Check("digits", lambda: has_digits(value, relation.rhs / zeta), "the derived slope"),)


PROGRAMS: Programs = {
    "(C.49)": is_the_derivative,
    "C.2 one minimum": has_one_minimum,
    "(C.50)": is_the_quadratic,
    "C.2 sides of the threshold": slope_changes_at,
    "(C.51)": is_the_threshold,
    "C.2 threshold at q = 2": is_the_number,
}

r"""Sections IV.B and C.2: signs, trends and extrema of volume element and curvature at infinite width.

The forms are those that (C.27), (C.28), (C.45) and (C.46) show as corrected, in the variance :math:`s = \sigma^2
\|\mathbf{x}\|^2`; prefactors do not matter here.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Step
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.ledger.proving import chosen, deciding, has_digits, stating
from theory.core.numbers.evaluation import evaluate
from theory.papers.zavatoneveth2023.index_notation import Case
from theory.papers.zavatoneveth2023.symbols import letters, shown

d, q, sigma, zeta, threshold, X, norm = letters("d q sigma zeta threshold X norm")
s = sp.Symbol("s", positive=True)
further, higher = sp.symbols("further higher", nonnegative=True)
"""Inputs and degrees beyond the least ones of a statement."""
AT = {d: 3, q: 2, zeta: 1, sigma: 1}  # where limits are taken
ODD = {q: (1 + sp.Symbol("odd", positive=True)) / 2}


def in_variance(form: sp.Expr) -> sp.Expr:
    """The form in the variance s instead of the norm."""
    return form.subs(norm(X), sp.sqrt(s) / sigma)


@cache
def form(label: str, field: str = "corrected") -> sp.Expr:
    """The right-hand side that an entry shows, in the variance."""
    return in_variance(shown(label, field).rhs)


@cache
def sign(quantity: sp.Expr, inputs: int = 1, degree: int = 1) -> str:
    """Of a quantity for all inputs and degrees from these on, whatever the variance, sigma and zeta are.

    Returns:
        "+", "-", "0+" where it may vanish but has no negative value, "0-", "0", or "?" where it has no one sign.
    """
    found = sp.factor(sp.simplify(quantity.subs({d: inputs + further, q: degree + higher})))
    tests = {
        "0": found.is_zero, "+": found.is_positive, "-": found.is_negative,
        "0+": found.is_nonnegative, "0-": found.is_nonpositive,
    }  # fmt: skip
    return next((name for name, holds in tests.items() if holds), "?")


def trend(quantity: sp.Expr, inputs: int = 1, degree: int = 1) -> str:
    """Whether a quantity rises or falls with the norm."""
    return {"+": "increasing", "-": "decreasing"}.get(sign(sp.diff(quantity, s), inputs, degree), "neither")


def bound(holds: Callable[[int], bool]) -> int:
    """The number above which a property of all larger numbers begins."""
    return next(number for number in range(7) if holds(number + 1))


def last_flat(letter: sp.Symbol, curvature: sp.Expr) -> int:
    """The largest number of inputs, or degree, at which a curvature vanishes."""
    return max(number for number in range(1, 7) if sign(curvature.subs(letter, number)) == "0")


def without_biases() -> sp.Expr:
    """The curvature of monomials without biases."""
    return form("(C.46)").subs(zeta, 0)


def volume_grows(degree: int) -> bool:
    """Whether the volume element of monomials rises with the norm for all degrees from this one on."""
    return trend(sp.log(form("(C.45)", "inferred")), 1, degree) == "increasing"


def _trend_for_erf() -> str:
    trends = {trend(form("(C.28)"), 2), trend(sp.log(form("(C.27)", "inferred")), 2)}
    return trends.pop() if len(trends) == 1 else "different"


SIGNS = {"negative": -1, "positive": 1}


def _inputs() -> Iterator[Case]:
    grid = itertools.product((1, 2, 3, 7), (0.0, 0.03, 0.8, 1.2, 5.5), (0.5, 1.3), (0.0, 0.8))
    return ({**dict(zip(("d", "X", "sigma", "zeta"), case, strict=True)), "norm": abs} for case in grid)


def _sign_at(case: Case) -> int:
    """Of the curvature of error functions."""
    return int(np.sign(evaluate(shown("(C.28)", "corrected").rhs, case)))


def has_the_sign(claim: Claim, case: Case) -> bool:
    """Whether the curvature of error functions has the sign of a claim for those dimensions only that it names."""
    return (_sign_at(case) == chosen(claim, "sign", SIGNS)) is bool(case["d"] > claim["bound"])


@cache
def cubic() -> sp.Expr:
    """The slope of the curvature in the variance over the factor by which (C.49) is implied, positive for d, q > 1."""
    factor = (d - 1) * (q - 1) ** 2 * (2 * q - 1) / (q**2 * (s + zeta**2) ** (q + 1) * ((2 * q - 1) * s + zeta**2) ** 3)
    return sp.expand(sp.cancel(sp.simplify(sp.powsimp(sp.diff(form("(C.46)"), s) / factor))))


def is_the_derivative(relation: Any) -> tuple[Step | Check, ...]:
    """The slope of the curvature is the right-hand side times a positive factor."""
    by, form = relation.lhs.args
    is_slope = relation.lhs.func == letters("slope") and form == letters("R") and in_variance(by) == s
    return (
        Check("slope of R", lambda: bool(is_slope), "the left-hand side"),
        Step("derivative", cubic(), in_variance(relation.rhs), "differentiation", ODD),
    )


def turn(place: int) -> str:
    """What the curvature does near the origin (0) and far away (1), by the cubic for d > 1 and q > 1.

    Whatever the sign of its linear term is, by Descartes' rule of signs it has one positive zero.
    """
    third, second, _, constant = (sign(term.subs(zeta, 1), 2, 2) for term in sp.Poly(cubic(), s).all_coeffs())
    if (third, second) != ("0+", "+"):
        raise ArithmeticError(f"signs: got {third} and {second}, needs 0+ and +")
    return {"+": "increase", "-": "decrease"}[(constant, second)[place]]


def shape() -> str:
    """Of the curvature of monomials along the norm."""
    return "monotonic" if turn(0) == turn(1) else "non-monotonic"


@cache
def _zero(degree: Any) -> Any:
    """The positive zero of the slope with two inputs and zeta = 1."""
    (zero,) = sp.solve(cubic().subs({d: 2, q: degree, zeta: 1}), s)
    return zero


def _inputs_of_the_threshold() -> int:
    zero = shown("(C.51)", "printed").rhs.subs({q: 2, zeta: 1})
    return next(inputs for inputs in range(2, 7) if sp.expand(cubic().subs({d: inputs, q: 2, zeta: 1, s: zero})) == 0)


def _side(factor: sp.Rational) -> str:
    """The sign of the slope with two inputs where the variance is this factor of its zero, for three degrees."""
    at = {d: 2, zeta: 1}
    signs = {sp.sign(cubic().subs({**at, q: degree, s: factor * _zero(degree)})) for degree in (2, 3, 5)}
    return {1: ">", -1: "<"}[signs.pop()] if len(signs) == 1 else "="


def is_the_quadratic(equation: Any) -> tuple[Step, ...]:
    """The derived cubic at d = 2 is a positive multiple of the quadratic."""
    at_two = cubic().subs({d: 2, s: threshold})
    return (Step("at d = 2", at_two, 4 * zeta**2 * (equation.lhs - equation.rhs), "factorisation"),)


def is_the_threshold(equation: Any) -> tuple[Step | Check, ...]:
    """The slope vanishes at the threshold with two inputs, and it is positive for degrees up to 20."""
    root = solved(equation, threshold)
    values = [root.subs({q: degree, zeta: 1}) for degree in range(2, 21)]
    return (
        Step("the slope vanishes", cubic().subs({d: 2, s: root}), sp.S.Zero, "substitution", ODD),
        Check("positive", lambda: all(value.is_positive for value in values), "degrees"),
    )


def is_the_number(claim: Claim) -> bool:
    """The root of the positive zero of the slope, to the printed digits."""
    relation = claim["number"]
    return has_digits(relation.lhs.subs(threshold, _zero(claim["degree"])), relation.rhs / zeta)


DERIVED = "signs that sympy proves for all parameters"

PROGRAMS: Programs = {
    "IV.B erf": stating({"change": _trend_for_erf}, DERIVED),
    "C.2 monotone for erf": stating(
        {
            "change": lambda: trend(form("(C.28)"), 2),
            "sign": lambda: {-sp.oo: "negative", sp.oo: "positive"}[sp.limit(form("(C.28)").subs(AT), s, sp.oo)],
        },
        DERIVED,
    ),
    "C.2 sign for erf": Program(
        deciding(has_the_sign, "(C.28) as corrected", _inputs),
        lambda: _sign_at({"d": 2, "X": 0.0, "sigma": 1.0, "zeta": 0.5, "norm": abs}),
        lambda claim: float(chosen(claim, "sign", SIGNS)),
    ),
    "C.2 volume of monomials": stating(
        {"degree": lambda: bound(volume_grows), "change": lambda: "increasing" if volume_grows(2) else "decreasing"},
        DERIVED,
    ),
    "C.2 flat monomials": stating(
        {"degree": lambda: last_flat(q, form("(C.46)")), "inputs": lambda: last_flat(d, form("(C.46)"))}, DERIVED
    ),
    "C.2 monomials without biases": stating(
        {
            "inputs": lambda: last_flat(d, without_biases()),
            "bound": lambda: bound(lambda inputs: sign(without_biases(), inputs, 2) == "-"),
            "sign": lambda: {"-": "<", "+": ">"}[sign(without_biases(), 3, 2)],
            "change": lambda: trend(-without_biases(), 3, 2),
        },
        DERIVED,
    ),
    "IV.B monomials, all biases": stating(
        {
            "volume": lambda: "increasing" if volume_grows(2) else "decreasing",
            "sign": lambda: {"0-": "non-positive", "0+": "non-negative"}[sign(form("(C.46)"), 2)],
            "shape": shape,
        },
        DERIVED,
    ),
    "IV.B monomials": stating(
        {
            "change": lambda: {"increasing": "non-decreasing"}.get(trend(without_biases(), 3, 2), "decreasing"),
            "limit": lambda: sp.limit(without_biases().subs(AT), s, 0),
            "inputs": lambda: last_flat(d, without_biases()),
        },
        DERIVED,
    ),
    "(C.49)": is_the_derivative,
    "C.2 one minimum": stating(
        {
            "shape": shape,
            "first": lambda: turn(0),
            "second": lambda: turn(1),
            "limit": lambda: {sp.S.Zero: "zero"}.get(sp.limit(form("(C.46)").subs(AT), s, sp.oo), "infinity"),
        },
        "Descartes' rule of signs",
    ),
    "(C.50)": is_the_quadratic,
    "C.2 sides of the threshold": stating(
        {
            "inputs": _inputs_of_the_threshold,
            "below": lambda: _side(sp.Rational(99, 100)),
            "above": lambda: _side(sp.Rational(101, 100)),
        },
        "the derived slope",
    ),
    "(C.51)": is_the_threshold,
    "C.2 threshold at q = 2": deciding(is_the_number, "the derived slope"),
}

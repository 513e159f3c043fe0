r"""Sections IV.B and C.2: signs, trends and extrema of volume element and curvature at infinite width.

Most statements are checks of ``theory.geometry.threshold``, which sympy proves for all parameters, in the variance
:math:`s = \sigma^2 \|\mathbf{x}\|^2`, from curvatures that do not come from the paper.
"""

import itertools
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp

from papers.zavatoneveth2023.ledger.index_notation import Case, letters, shown
from theory.core import Check, Claim, Program, Programs, Step, Verdict, evaluate
from theory.core.ledger.proving import chosen, deciding, declaring, has_digits, identity, stating
from theory.gaussian.symbols import variance
from theory.geometry.profile import s
from theory.geometry.threshold import (
    bias,
    curvature_threshold,
    monomial_curvature,
    negative,
    radius,
    squared_slope,
    statements,
    threshold_expression,
)

d, q, sigma, zeta, threshold, X, norm = letters("d q sigma zeta threshold X norm")
AT = {d: 3, q: 2, bias: 1, sigma: 1, zeta: 1}  # where limits are taken
further, higher = sp.symbols("further higher", nonnegative=True)
"""Inputs and degrees beyond two."""
ODD = {q: (1 + sp.Symbol("odd", positive=True)) / 2}
OF_ERF = "erf: R decreases with the radius", "erf: the volume element decreases with the radius"
VOLUME = "monomials, q > 1: the volume element increases"
WITHOUT_BIASES = "monomials without biases, d > 2: R < 0 and |R| decreases"


@cache
def proved(words: tuple[str, str], *claims: str) -> str:
    """Signs of the closed forms and of their slopes, which sympy proves for all parameters."""
    checks = {check.claim: check for check in statements()}
    verdict = Verdict.all(checks[claim].check() for claim in claims)
    if verdict is Verdict.UNDECIDED:
        raise ArithmeticError(f"sympy decides neither of {' and '.join(words)}")
    return words[verdict is Verdict.FAILS]


def last(holds: Callable[[int], Any]) -> int:
    """The largest number up to six for which something holds."""
    return max(number for number in range(1, 7) if holds(number))


def last_flat(spread: Any) -> int:
    """The number of inputs up to which monomials have no curvature is counted, with biases of this variance."""
    return last(lambda inputs: sp.simplify(monomial_curvature(sp.Integer(inputs), spread)) == 0)


def sign_of_monomials() -> str:
    """The sign of the curvature of monomials, for all inputs beyond one and all degrees above one."""
    is_negative = negative(monomial_curvature(2 + further, bias**2).subs({q: 1 + q, s: radius}))
    if is_negative is None:
        raise ArithmeticError("sympy finds no sign of the curvature")
    return "non-positive" if is_negative else "non-negative"


SIGNS = {"negative": -1, "positive": 1}


def _inputs() -> Iterator[Case]:
    grid = itertools.product((1, 2, 3, 7), (0.0, 0.03, 0.8, 1.2, 5.5), (0.5, 1.3), (0.0, 0.8))
    return (
        {**dict(zip(("d", "X", "sigma", "zeta"), case, strict=True)), "norm": abs} for case in grid
    )


def _sign_at(case: Case) -> int:
    """Of the curvature of error functions."""
    return int(np.sign(evaluate(shown("(C.28)", "corrected").rhs, case)))


def has_the_sign(claim: Claim, case: Case) -> bool:
    """(C.28) as corrected on a grid of inputs, dimensions and parameters; the prefactor does not matter."""
    return (_sign_at(case) == chosen(claim, "sign", SIGNS)) is bool(case["d"] > claim["bound"])


def diverges(claim: Claim, case: Case) -> bool:
    """Limits of the curvature without biases for one to seven inputs, and its slope for all numbers above two."""
    scalar = monomial_curvature(sp.Integer(case["d"]), sp.S.Zero)
    limit = sp.limit(scalar.subs(AT), s, 0)
    change = proved(("non-decreasing", "decreasing"), WITHOUT_BIASES)
    return bool(limit == claim["limit"]) and change == claim["change"]


@cache
def cubic() -> sp.Expr:
    """The slope of the curvature in s over the factor by which (C.49) is implied, positive for d, q > 1."""
    factor = (
        (d - 1)
        * (q - 1) ** 2
        * (2 * q - 1)
        / (q**2 * (s + bias**2) ** (q + 1) * ((2 * q - 1) * s + bias**2) ** 3)
    )
    slope = sp.diff(monomial_curvature(d, bias**2), s)
    return sp.expand(sp.cancel(sp.simplify(sp.powsimp(slope / factor)))).subs(bias, zeta)


def is_the_derivative(relation: Any) -> tuple[Step | Check, ...]:
    """The slope of the curvature is the right-hand side times a positive factor."""
    by, right = (
        side.subs(norm(X), sp.sqrt(s) / sigma) for side in (relation.lhs.args[0], relation.rhs)
    )
    is_slope = (
        relation.lhs.func == letters("slope") and relation.lhs.args[1] == letters("R") and by == s
    )
    return (
        Check("slope of R", lambda: bool(is_slope), "the left-hand side"),
        Step("derivative", cubic(), right, "differentiation", ODD),
    )


def turn(place: int) -> str:
    """The cubic decides what the curvature does near the origin (place 0) and far away (1), for d > 1 and q > 1.

    Whatever the sign of its linear term is, by Descartes' rule of signs it has one positive zero.
    """
    third, second, _, first = (
        term.subs({d: 2 + further, q: 2 + higher})
        for term in sp.Poly(cubic().subs(zeta, 1), s).all_coeffs()
    )
    if not (sp.factor(third).is_nonnegative and sp.factor(second).is_positive):
        raise ArithmeticError(f"coefficients: got {third} and {second}, needs none below zero")
    return "decrease" if (first, second)[place].is_negative else "increase"


def shape() -> str:
    """The coefficients of the derived cubic change sign once, for every d >= 2 and q >= 2."""
    return "monotonic" if turn(0) == turn(1) else "non-monotonic"


@cache
def _zero(degree: Any) -> Any:
    """The positive zero of the slope with two inputs and zeta = 1."""
    (zero,) = (
        root for root in sp.roots(cubic().subs({d: 2, q: degree, zeta: 1}), s) if root.is_positive
    )
    return zero


def _side(factor: sp.Rational) -> str:
    """The sign of the slope with two inputs where the variance is this factor of its zero, for three degrees."""
    signs = {
        sp.sign(cubic().subs({d: 2, zeta: 1, q: degree, s: factor * _zero(degree)}))
        for degree in (2, 3, 5)
    }
    return {1: ">", -1: "<"}[signs.pop()] if len(signs) == 1 else "="


def is_the_number(claim: Claim) -> bool:
    """The positive zero of the derived slope with two inputs is (sqrt(13) - 2)/9 zeta^2, whose root is 0.4224 zeta."""
    relation = claim["number"]
    return has_digits(relation.lhs.subs(threshold, _zero(claim["degree"])), relation.rhs / zeta)


of_threshold = identity({threshold: threshold_expression.subs(bias, zeta)})

FALLS, RISES = ("decreasing", "increasing"), ("increasing", "decreasing")

PROGRAMS: Programs = {
    "IV.B erf": stating(change=partial(proved, FALLS, *OF_ERF)),
    "C.2 monotone for erf": stating(
        change=partial(proved, FALLS, OF_ERF[0]),
        sign=partial(
            proved, ("negative", "positive"), "erf: R < 0 for d > 1 away from the origin"
        ),
    ),
    "C.2 sign for erf": Program(
        deciding(has_the_sign, cases=_inputs),
        lambda d, X, sigma, zeta: _sign_at(
            {"d": d, "X": X, "sigma": sigma, "zeta": zeta, "norm": abs}
        ),
        lambda claim: float(chosen(claim, "sign", SIGNS)),
        at={"d": 2, "X": 0.0, "sigma": 1.0, "zeta": 0.5},
        quantity="sign of R",
    ),
    "C.2 volume of monomials": stating(
        degree=lambda: last(lambda degree: not squared_slope.subs(q, degree).has(variance)),
        change=partial(proved, RISES, VOLUME),
    ),
    "C.2 flat monomials": stating(
        degree=lambda: last(
            lambda degree: sp.simplify(monomial_curvature(d, bias**2).subs(q, degree)) == 0
        ),
        inputs=partial(last_flat, bias**2),
    ),
    "C.2 monomials without biases": stating(
        inputs=partial(last_flat, sp.S.Zero),
        bound=partial(last_flat, sp.S.Zero),
        sign=partial(proved, ("<", ">"), WITHOUT_BIASES),
        change=partial(proved, FALLS, WITHOUT_BIASES),
    ),
    "IV.B monomials, all biases": stating(
        volume=partial(proved, RISES, VOLUME), sign=sign_of_monomials, shape=shape
    ),
    "IV.B monomials": deciding(
        diverges, cases=lambda: ({"d": inputs} for inputs in (1, 2, 3, 4, 7))
    ),
    "(C.49)": declaring(is_the_derivative, "∝"),
    "C.2 one minimum": stating(
        shape=shape,
        first=partial(turn, 0),
        second=partial(turn, 1),
        limit=lambda: {0: "zero", sp.oo: "infinity", -sp.oo: "infinity"}[
            sp.limit(monomial_curvature(d, bias**2).subs(AT), s, sp.oo)
        ],
    ),
    "(C.50) | (C.51)": lambda relation: (*curvature_threshold().steps, *of_threshold(relation)),
    "C.2 sides of the threshold": stating(
        inputs=lambda: last(lambda inputs: sp.degree(cubic().subs(d, inputs), s) == 2),
        below=lambda: _side(sp.Rational(99, 100)),
        above=lambda: _side(sp.Rational(101, 100)),
    ),
    "C.2 threshold at q = 2": declaring(deciding(is_the_number), "≈"),
}

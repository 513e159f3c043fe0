r"""Appendix E.2: what the factor chi says for monomials, Eqs. (E.34) to (E.37), and Figure E.1."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, for_all, numerically
from theory.core.ledger.ledger import Programs
from theory.papers.zavatoneveth2023.appendix_letters import d
from theory.papers.zavatoneveth2023.overlap import SETTINGS, chi_at, letters, settings
from theory.papers.zavatoneveth2023.overlap_slope import coefficients_change_sign_once, sign_at_one

t = sp.Symbol("t", nonnegative=True)
DEGREES = range(2, 11)


def of_degree(degree: int) -> list[dict[str, Any]]:
    """Letters for one degree, two and three inputs, two overlaps."""
    return [letters(degree, inputs, overlap) for inputs in (2, 3) for overlap in (0.6, 0.25)]


def _series(first: int, second: int) -> sp.Expr:
    half = sp.Rational(1, 2)
    last = -max(first, second)
    return sp.Add(*(
        sp.rf(first, k) * sp.rf(second, k) / (sp.rf(half, k) * sp.factorial(k)) * t**k for k in range(last + 1)
    ))  # fmt: skip


@cache
def excess(degree: int) -> sp.Expr:
    """Chi - d in the squared overlap t, by (E.33)."""
    unequal, equals = _series(1 - degree, -degree), _series(-degree, -degree)
    return sp.expand((d + 2 * (2 * degree - 1)) * unequal - 2 * (degree - 1) * equals - d)


@cache
def slope_sign(degree: int) -> int:
    """Sign of the slope of chi for all overlaps and any number of inputs from 1 on; 0 where it is not one sign."""
    one_input = sp.Poly(excess(degree).subs(d, 1), t).diff(t)
    further = sp.Poly(excess(degree).coeff(d, 1), t).diff(t)
    if one_input.count_roots(0, 1) or any(term < 0 for term in further.all_coeffs()):
        return 0
    return int(sp.sign(one_input.eval(sp.Rational(1, 2))))


def rises(claim: Claim) -> tuple[Check, ...]:
    """Any degree and number of inputs by Descartes' rule and Gauss's sum; degrees 2 to 10 by Sturm sequences."""
    sign = {"increases": 1, "decreases": -1}[claim["change"]]
    return (
        Check("at full overlap", lambda: sign_at_one() == sign, "Gauss's sum"),
        Check("one change of sign", coefficients_change_sign_once, "Descartes' rule of signs"),
        Check("q = 2 to 10", lambda: for_all(DEGREES, lambda degree: slope_sign(degree) == sign), "Sturm sequences"),
        Check("q = 1", lambda: (sp.diff(excess(1), t) == 0) is (claim["linear"] == "constant"), "(E.33)"),
        Check("(E.33)", _is_chi, "definition of chi, by quadrature"),
    )


def _is_chi() -> bool:
    def agrees(setting: tuple[int, int]) -> bool:
        degree, inputs = setting
        value = float(excess(degree).subs({d: inputs, t: sp.Rational(9, 25)}))
        return bool(abs(value + inputs - chi_at(degree, inputs, 0.36)) < 1e-8)

    return for_all(SETTINGS, agrees)


def has_sign(claim: Claim) -> tuple[Check, ...]:
    """The least excess, without overlap, and no change of sign with the overlap."""
    sign = {"positive": 1, "negative": -1}[claim["sign"]]
    least = [sp.sign(excess(degree).subs(t, 0)) for degree in (1, *DEGREES)]
    return (
        Check("without overlap", lambda: all(value == sign for value in least), "(E.33)"),
        Check("rises from there", lambda: sign_at_one() == 1 and coefficients_change_sign_once(), "'E.2 monotone'"),
        Check("all overlaps", lambda: for_all(DEGREES, lambda degree: slope_sign(degree) == sign), "Sturm sequences"),
        Check("(E.33)", _is_chi, "definition of chi, by quadrature"),
    )


def separations(claim: Claim) -> tuple[Check, ...]:
    """Ratio of chi at full overlap to chi without, for degrees 2 to 5 and up to 100 inputs."""

    def ratio(degree: int, inputs: int) -> sp.Expr:
        return (1 + excess(degree).subs({t: 1, d: inputs}) / inputs) / (
            1 + excess(degree).subs({t: 0, d: inputs}) / inputs
        )

    table = np.array([[float(ratio(degree, inputs)) for inputs in (2, 10, 100)] for degree in (2, 3, 4, 5)])
    increases = {axis: bool(np.all(np.diff(table, axis=index) > 0)) for index, axis in enumerate(("q", "d"))}
    return (
        Check("with q", lambda: increases["q"] is (claim["change"] == "increasing"), "(E.33)"),
        Check("with d", lambda: increases["d"] is (claim["change"] == "increasing"), "(E.33)"),
        Check("(E.33)", _is_chi, "definition of chi, by quadrature"),
    )


PROGRAMS: Programs = {
    "(E.34)": numerically(lambda: of_degree(1), "definition of chi"),
    "(E.35)": numerically(lambda: of_degree(2), "definition of chi"),
    "(E.36)": numerically(settings, "definition of chi"),
    "(E.37)": numerically(settings, "definition of chi"),
    "E.2 monotone": rises,
    "E.2 excess": has_sign,
    "Figure E.1": separations,
}

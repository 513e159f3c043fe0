r"""The factor chi of Appendix E for monomials, from its definition and in hypergeometric functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import sympy as sp

from theory.core import Step
from theory.papers.zavatoneveth2023.monomial_kernel import double_factorial, hypergeometric, moment, rho
from theory.papers.zavatoneveth2023.symbols import d, q, r

HALF = sp.Rational(1, 2)
DEGREES = (1, 2, 3, 4)
p2 = sp.Symbol("p2", nonnegative=True)
"""Squared overlap of the two inputs."""
w1, w2 = sp.symbols("w1 w2", real=True)
z, za = sp.symbols("z z_a", positive=True)


def chi_33(degree: int) -> sp.Expr:
    """Eq. (E.33), in the squared overlap."""
    return sp.expand(
        (d + 2 * (2 * degree - 1)) * hypergeometric(1 - degree, -degree, HALF, p2)
        - 2 * (degree - 1) * hypergeometric(-degree, -degree, HALF, p2)
    )


def chi_28(degree: int) -> sp.Expr:
    """Eq. (E.28), moments by integration by parts."""
    scale = double_factorial(2 * degree - 1) ** 2
    return sp.expand(
        (2 * degree - 1) * (d + 2 * (2 * degree - 1)) * moment(2 * degree, 2 * degree - 2) / scale
        - 2 * (degree - 1) * moment(2 * degree, 2 * degree) / scale
    ).subs(rho, sp.sqrt(p2))


def average(polynomial: sp.Expr | sp.Poly) -> sp.Expr:
    """Over two independent standard normal weights."""
    return sp.Add(
        *(
            c * double_factorial(i - 1) * double_factorial(j - 1)
            for (i, j), c in sp.Poly(polynomial, w1, w2).terms()
            if i % 2 == 0 and j % 2 == 0
        )
    )


@cache
def chi_17(degree: int) -> sp.Expr:
    """Eq. (E.17) term by term: x along the first axis, x_a in the plane of the first two, both of unit length."""
    along, across = (sp.Poly(w, w1, w2) for w in (w1, w2))
    other = sp.Poly(rho * w1 + sp.Symbol("s") * w2, w1, w2)
    factor = other ** (2 * degree) * along ** (2 * degree - 2)
    # The inverse metric, per exp(-Omega): 1/(2q-1) along x, 1 across; the slope squared per exp(Omega) is
    # w1^(2q-2) (2q-1)/(2q-1)!!.
    inner = [average(factor * weight) for weight in (along**2, across**2, 1)]
    total = inner[0] / (2 * degree - 1) + inner[1] + (d - 2) * inner[2]
    value = total * (2 * degree - 1) / double_factorial(2 * degree - 1) ** 2
    return sp.expand(sp.expand(value).subs(sp.Symbol("s"), sp.sqrt(1 - rho**2)).subs(rho, sp.sqrt(p2)))


def each(
    claim: str,
    left: Callable[[int], sp.Expr],
    right: Callable[[int], sp.Expr],
    because: str,
    degrees: tuple[int, ...] = DEGREES,
) -> tuple[Step, ...]:
    """One step for each degree."""
    return tuple(Step(f"{claim}, q = {n}", left(n), right(n), because=because) for n in degrees)


def increases(degree: int) -> bool:
    """Chi - d increases in the overlap for one input already; further inputs add increasing terms."""
    slope = sp.Poly(chi_33(degree).subs(d, 1).diff(p2), p2)
    more = sp.Poly(chi_33(degree).coeff(d, 1).diff(p2), p2)
    return (
        slope.count_roots(0, 1) == 0
        and bool(slope.eval(HALF) > 0)
        and all(coefficient > 0 for coefficient in more.all_coeffs())
    )


def positive_coefficients() -> bool:
    """Whether all coefficients of both hypergeometric functions are positive, up to degree 8."""
    return all(
        coefficient > 0
        for degree in range(2, 9)
        for form in (
            hypergeometric(1 - degree, -degree, HALF, p2),
            hypergeometric(-degree, -degree, HALF, p2),
        )
        for coefficient in sp.Poly(form, p2).all_coeffs()
    )


def end(degree: int) -> sp.Expr:
    """Eq. (E.37)."""
    return (
        double_factorial(2 * (2 * degree - 1) - 1)
        / double_factorial(2 * degree - 1) ** 2
        * ((2 * degree - 1) * d + 2 * degree)
    )


omega = sp.log(q**2 / (2 * q - 1) * r ** (q - 1))
unit = za**q
slope = q * z ** (q - 1)

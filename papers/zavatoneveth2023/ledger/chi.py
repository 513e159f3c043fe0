r"""Monomials, exactly: Mehler's expansion of their kernel, Eqs. (C.29) to (C.43), and chi, Eqs. (E.18) to (E.37)."""

import itertools
from collections.abc import Iterable
from functools import cache, partial
from typing import Any

import sympy as sp

from papers.zavatoneveth2023.ledger import gaussian
from papers.zavatoneveth2023.ledger.gaussian import (
    NORMALS,
    OPERATORS,
    Meanings,
    entries,
    exactly,
    mean,
)
from papers.zavatoneveth2023.ledger.index_notation import letters, shown
from theory.core import Programs, stating

BEYOND = 14  # averages over Hermite polynomials of a higher order than the power vanish


def hypergeometric(a: Any, b: Any, c: Any, at: Any) -> Any:
    """A series that ends."""
    last = -max(a, b)
    if not (last.is_Integer and last >= 0):
        raise ValueError(f"2F1: got {a} and {b}, needs a negative integer")
    terms = (
        sp.rf(a, m) * sp.rf(b, m) / (sp.rf(c, m) * sp.factorial(m)) * at**m
        for m in range(last + 1)
    )
    return sp.Add(*terms)


def power(degree: int) -> dict[str, Any]:
    """The normalised monomial and its derivatives."""
    return gaussian.activation(gaussian.ARGUMENT**degree / sp.sqrt(sp.factorial2(2 * degree - 1)))


@cache
def _two_inputs(degree: int) -> Meanings:
    """Both inputs, their kernel and their correlation, from averages over weights and bias."""
    sigma, zeta, x, y = sp.Rational(1, 2), sp.Integer(2), sp.Matrix([2, 4]), sp.Matrix([8, 8])
    (u, other), phi = NORMALS[:2], power(degree)["phi0"]

    def z(at: Any) -> Any:
        return sigma * sp.Matrix(NORMALS[:2]).dot(at) + zeta * NORMALS[2]

    def product(one: Any, two: Any) -> Any:
        return mean(sp.expand(one * two))

    rho = product(z(x), z(y)) / sp.sqrt(product(z(x), z(x)) * product(z(y), z(y)))
    return {
        **OPERATORS, "X": x, "Y": y, "sigma": sigma, "zeta": zeta, "z": z(x), "rho": rho, "q": sp.Integer(degree),
        "kernel": lambda one, two: product(phi(z(one)), phi(z(two))), "ell": sp.Integer(degree // 2), "oo": BEYOND,
        "u": u, "v": rho * u + sp.sqrt(1 - rho**2) * other, "t": u, "E_t": mean, "F": hypergeometric,
        "He": lambda order, at: sp.expand(sp.hermite_prob(order, at)) if order >= 0 else sp.S.Zero,
    }  # fmt: skip


def of_degrees(degrees: Iterable[int] = range(1, 7), orders: int = 1) -> list[Meanings]:
    """Degrees up to six, with exact moments."""
    cases: list[Meanings] = []
    for q in degrees:
        for k, m in itertools.product(range(orders), range(q // 2 + 1 if orders > 1 else 1)):
            cases.append({**_two_inputs(q), "k": sp.Integer(k), "m": sp.Integer(m)})
    return cases


NORM, NORM_A, OVERLAP = sp.Rational(13, 10), sp.Rational(4, 5), sp.Rational(3, 5)
SETTINGS = ((1, 2), (2, 2), (2, 3), (3, 2), (4, 2))  # degree and number of inputs
CUBIC = (
    sp.Rational(1, 3) + gaussian.ARGUMENT - 2 * gaussian.ARGUMENT**2 / 5 + gaussian.ARGUMENT**3 / 7
)
d, q, F, corr = letters("d q F corr")
overlap2, more = sp.symbols("overlap2 more", nonnegative=True)
higher = sp.Symbol("higher", positive=True)
"""The squared overlap; inputs and degrees beyond one."""


def _unit(inputs: int, overlap: Any) -> dict[str, Any]:
    """One unit of standard normal weights, an input and a training input of this overlap."""
    w = sp.Matrix(NORMALS[:inputs])
    x = sp.Matrix([NORM, *[0] * (inputs - 1)])
    x_a = NORM_A * sp.Matrix([overlap, sp.sqrt(1 - overlap**2), *[0] * (inputs - 2)])
    return {**OPERATORS, "d": sp.Integer(inputs), "X": x, "X_a": x_a, "z": w.dot(x), "z_a": w.dot(x_a),
            "x": entries(x), "w1": entries(w)}  # fmt: skip


def _chi(unit: Meanings, phi: Meanings) -> tuple[Any, sp.Matrix]:
    """Chi from (E.17), and the metric."""
    size = int(unit["d"])
    slope, feature = (
        sp.expand(form**2) for form in (phi["phi1"](unit["z"]), phi["phi0"](unit["z_a"]))
    )

    def weighted(by: Any) -> sp.Matrix:
        return sp.Matrix(
            size,
            size,
            lambda i, k: mean(sp.expand(unit["w1"](i + 1) * unit["w1"](k + 1) * slope * by)),
        )

    metric, tilted = weighted(sp.S.One), weighted(feature)
    return sp.expand((metric.inv() * tilted).trace() / mean(feature)), metric


@cache
def chi(degree: int, inputs: int, overlap: Any) -> Any:
    """Chi of a monomial from its definition."""
    if not 0 <= overlap <= 1:
        raise ValueError(f"overlap: got {overlap}, needs a number from 0 to 1")
    return _chi(_unit(inputs, overlap), power(degree))[0]


@cache
def monomial(degree: int, inputs: int, overlap: Any = OVERLAP) -> Meanings:
    """Values of all letters of Appendix E.2."""
    u, other = NORMALS[:2]
    unit, phi = _unit(inputs, overlap), power(degree)
    across = sp.log(_chi(unit, phi)[1][1, 1])  # the eigenvalue of the metric across the input
    return {
        **unit, **phi, "q": sp.Integer(degree), "rho": overlap, "E_u": mean, "u": u,
        "u_a": overlap * u + sp.sqrt(1 - overlap**2) * other, "F": hypergeometric, "chi": chi(degree, inputs, overlap),
        "chi_of": lambda squared: chi(degree, inputs, sp.sqrt(squared)), "chi_at": partial(chi, degree, inputs),
        "Omega_of(norm(X)**2)": across,
    }  # fmt: skip


def of_powers(*settings: tuple[int, int]) -> list[Meanings]:
    """Degrees 1 to 4, two and three inputs, exact moments; chi from its definition (E.17)."""
    overlaps = (OVERLAP, sp.Rational(1, 4))
    return [
        monomial(*setting, overlap)
        for setting, overlap in itertools.product(settings or SETTINGS, overlaps)
    ]


@cache
def of_a_cubic() -> list[Meanings]:
    """Three inputs and a cubic activation function, averaged exactly; the metric inverted as a matrix."""
    unit, phi, scale = (
        _unit(3, OVERLAP),
        gaussian.activation(CUBIC),
        sp.Symbol("scale", positive=True),
    )
    turn = sp.Matrix([[3, -4, 0], [4, 3, 0], [0, 0, 5]]) / 5
    x, x_a, w = turn * unit["X"], turn * unit["X_a"], sp.Matrix(NORMALS[:3])
    at = {**unit, **phi, "X": x, "X_a": x_a, "z": w.dot(x), "z_a": w.dot(x_a), "x": entries(x)}
    value, metric = _chi(at, phi)
    stretched = sp.log(mean(sp.expand(phi["phi1"](scale * at["z"]) ** 2)))
    slope = sp.diff(stretched, scale).subs(scale, 1) / (2 * x.dot(x))
    omega = {"Omega_of(norm(X)**2)": stretched.subs(scale, 1), "Omega_slope(norm(X)**2)": slope}
    return gaussian.of_components(
        {**at, **omega, "chi": value, "g_bar_up": entries(metric.inv())}, (1, 1), (1, 2), (3, 2)
    )


def stated(degree: int) -> sp.Expr:
    """Chi as (E.33) states it, in the squared overlap."""
    meanings = {"q": sp.Integer(degree), "rho": sp.sqrt(overlap2), "F": hypergeometric}
    return sp.expand(gaussian.read(shown("(E.33)", "printed").rhs, meanings))


def coefficients() -> tuple[sp.Expr, sp.Expr]:
    """What the two functions of (E.33), of unequal and of equal parameters, stand with."""
    form, half = shown("(E.33)", "printed").rhs, sp.Rational(1, 2)
    return form.coeff(F(1 - q, -q, half, corr**2)), form.coeff(F(-q, -q, half, corr**2))


def _slope(a: sp.Expr) -> sp.Expr:
    """Of 2F1(a, -q; 1/2; t) at t = 1, by Gauss's sum."""
    c = sp.Rational(3, 2)
    return (
        -2
        * a
        * q
        * sp.gamma(c)
        * sp.gamma(q - a - c + 1)
        / (sp.gamma(c - a - 1) * sp.gamma(c + q - 1))
    )


@cache
def trend() -> str:
    """The slope of chi vanishes once at most, by Descartes' rule, and is positive at both ends, by Gauss's sum.

    Per term of the second function, the terms of chi fall linearly with their order, from above zero, since those of
    the first are q - k times as large, over q.
    """
    first, second = coefficients()

    def has_such_terms(degree: int) -> bool:
        orders = range(degree)
        ratios = [sp.Rational(degree - order, degree) for order in orders]
        return all(
            sp.rf(1 - degree, k) == ratio * sp.rf(-degree, k)
            for k, ratio in zip(orders, ratios, strict=True)
        )

    are_terms = all(map(has_such_terms, range(2, 9)))
    free = sp.Symbol("free", positive=True)  # sympy expands gamma functions of what is no integer
    ratio = sp.simplify(sp.expand_func((_slope(1 - q) / _slope(-q)).subs(q, free))).subs(free, q)
    above_one = {d: 1 + more, q: 1 + higher}
    forms = [
        sp.factor(form.subs(above_one)) for form in (first, first + second, first * ratio + second)
    ]
    rises = are_terms and all(form.is_positive for form in forms)
    return "increases" if rises else "decreases"


def sign_of_excess() -> str:
    """The least value of chi - d, 2q, is taken without overlap, since chi does not fall; see E.2 monotone."""
    least = sp.expand(sum(coefficients()) - d)
    return "positive" if trend() == "increases" and least.is_positive else "negative"


def separation() -> str:
    """Chi at full overlap per chi without: degrees 2 to 5; 2, 10 and 100 inputs."""
    table = sp.Matrix(
        4, 3, lambda i, k: stated(i + 2).subs(overlap2, 1) / stated(i + 2).subs(overlap2, 0)
    )
    table = sp.Matrix(4, 3, lambda i, k: table[i, k].subs(d, (2, 10, 100)[k]))
    with_q, with_d = table[1:, :] - table[:-1, :], table[:, 1:] - table[:, :-1]
    return "increasing" if min([*with_q, *with_d]) > 0 else "decreasing"


@cache
def terms() -> list[list[Any]]:
    """Coefficients of both functions of (E.33) in the squared overlap, degrees 2 to 20."""
    coefficients = []
    for degree in range(2, 21):
        for first in (1 - degree, -degree):
            form = hypergeometric(sp.Integer(first), -degree, sp.Rational(1, 2), overlap2)
            coefficients.append(sp.Poly(form, overlap2).all_coeffs()[::-1])
    return coefficients


PROGRAMS: Programs = {
    "(C.29) | (C.31) | (C.33) | (C.34) | (C.35)": exactly(of_degrees),
    "(C.36) | (C.37)": exactly(partial(of_degrees, orders=8)),
    "(C.38) | (C.39) | (C.40)": exactly(partial(of_degrees, (2, 4, 6))),
    "(C.41) | (C.42) | (C.43)": exactly(partial(of_degrees, (1, 3, 5))),
    "(E.18) | (E.20) | (E.21)": exactly(of_a_cubic),
    "(E.22) | (E.23) | (E.24) | (E.25) | (E.26) | (E.27)": exactly(of_powers),
    "(E.28) | (E.31) | (E.32) | (E.33) | (E.36) | (E.37)": exactly(of_powers),
    "(E.34)": exactly(partial(of_powers, (1, 2), (1, 3))),
    "(E.35)": exactly(partial(of_powers, (2, 2), (2, 3))),
    "E.2 positive coefficients": stating(
        sign=lambda: "positive" if all(min(row) > 0 for row in terms()) else "negative",
        value=lambda: "unity" if all(row[0] == 1 for row in terms()) else "zero",
    ),
    "E.2 monotone": stating(
        change=trend, linear=lambda: "not constant" if stated(1).has(overlap2) else "constant"
    ),
    "E.2 excess": stating(sign=sign_of_excess),
    "Figure E.1": stating(change=separation),
}

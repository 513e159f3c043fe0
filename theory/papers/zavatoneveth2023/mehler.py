r"""Appendix C.2: the NNGP kernel of monomials by Mehler's expansion, Eqs. (C.29) to (C.43), exactly."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import sympy as sp

from theory.core.ledger.ledger import Programs
from theory.papers.zavatoneveth2023.gaussian import ARGUMENT, NORMALS, OPERATORS, Meanings, activation, exactly, mean

BEYOND = 14  # averages over Hermite polynomials of a higher order than the power vanish


def hypergeometric(a: Any, b: Any, c: Any, at: Any) -> Any:
    """A series that ends."""
    last = -max(a, b)
    if not (last.is_Integer and last >= 0):
        raise ValueError(f"2F1: got {a} and {b}, needs a negative integer")
    terms = (sp.rf(a, m) * sp.rf(b, m) / (sp.rf(c, m) * sp.factorial(m)) * at**m for m in range(last + 1))
    return sp.Add(*terms)


def hermite(order: Any, at: Any) -> Any:
    """Probabilists' Hermite polynomial by recursion; zero for negative orders."""
    one, other = sp.S.Zero, sp.S.One
    for step in range(int(order)):
        one, other = other, sp.expand(at * other - step * one)
    return other if order >= 0 else one


def power(degree: int) -> dict[str, Any]:
    """The normalised monomial and its derivatives."""
    return activation(ARGUMENT**degree / sp.sqrt(sp.factorial2(2 * degree - 1)))


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
        "u": u, "v": rho * u + sp.sqrt(1 - rho**2) * other, "t": u, "E_t": mean, "He": hermite, "F": hypergeometric,
    }  # fmt: skip


def of_degrees(degrees: Iterable[int] = range(1, 7), orders: int = 1) -> Callable[[], list[Meanings]]:
    """Cases: these degrees q, with so many orders k, and with all m up to half the degree if there are several."""

    def cases() -> list[Meanings]:
        return [
            {**_two_inputs(q), "k": sp.Integer(k), "m": sp.Integer(m)}
            for q in degrees
            for k, m in itertools.product(range(orders), range(q // 2 + 1 if orders > 1 else 1))
        ]

    return cases


EXACT = "exact moments of normal variables"

PROGRAMS: Programs = {
    **dict.fromkeys((f"(C.{number})" for number in (29, 31, 33, 34, 35)), exactly(of_degrees(), EXACT)),
    **dict.fromkeys(("(C.36)", "(C.37)"), exactly(of_degrees(orders=8), EXACT)),
    **dict.fromkeys(("(C.38)", "(C.39)", "(C.40)"), exactly(of_degrees((2, 4, 6)), EXACT)),
    **dict.fromkeys(("(C.41)", "(C.42)", "(C.43)"), exactly(of_degrees((1, 3, 5)), EXACT)),
}

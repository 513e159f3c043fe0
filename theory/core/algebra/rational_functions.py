"""Arithmetic with rational functions of many variables with flint, about a thousand times faster than sympy's expand.

A rational function is a numerator and a factored denominator, so that sums over powers of one denominator stay small.
Flint cannot be interrupted, so the sizes are limited before it is called.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy as sp
from flint import Ordering, fmpq, fmpq_mpoly_ctx

_MOST_TERMS = 40_000_000  # of a product, before equal terms are collected
# product of the sizes of two polynomials whose common factor is sought
_MOST_TERMS_TO_SPLIT = 250_000
_LARGEST_POWER = 200

# Polynomials are flint's fmpq_mpoly. A denominator is a sequence of (monic factor, multiplicity).
Denominator = tuple[tuple[Any, int], ...]
Fraction = tuple[Any, Denominator]
# Base b and monomial m of b**(c*m) with a rational number c.
Power = tuple[sp.Expr, sp.Expr]


class TooLarge(Exception):
    """An expression has more terms, or a higher power, than the limits allow."""


def as_power(node: sp.Expr) -> tuple[Power, sp.Rational]:
    """Return ((base, monomial), rational coefficient) of a power, and ((node, 1), 1) for any other node."""
    if not isinstance(node, (sp.Pow, sp.exp)):
        return (node, sp.S.One), sp.S.One
    base, exponent = node.as_base_exp()
    coefficient, monomial = exponent.as_coeff_Mul(rational=True)
    return (base, monomial), coefficient


def generator_orders(leaves: Iterable[sp.Expr]) -> dict[Power, int]:
    """Return for each (base b, monomial m) the smallest q for which all its powers are integer powers of b**(m/q)."""
    orders: dict[Power, int] = {}
    for leaf in leaves:
        power, coefficient = as_power(leaf)
        orders[power] = int(sp.ilcm(orders.get(power, 1), coefficient.q))
    return orders


def is_arithmetic(node: sp.Basic) -> bool:
    """Return whether the node is a rational number, a sum, a product or an integer power."""
    return node.is_Rational or node.is_Add or node.is_Mul or (node.is_Pow and node.exp.is_Integer)


class RationalFunctions:
    """The field of rational functions in the roots b**(m/q), of which ``orders`` is (base b, monomial m) -> q."""

    def __init__(self, orders: Mapping[Power, int]) -> None:
        self._context = fmpq_mpoly_ctx.get([f"x{i}" for i in range(len(orders))], Ordering.lex)
        self._one = self._context.constant(1)
        self._orders = dict(orders)
        self._generators = dict(zip(orders, self._context.gens(), strict=True))
        self._known: dict[sp.Expr, Fraction] = {}

    def of(self, node: sp.Expr) -> Fraction:
        """Return numerator and factored denominator of an expression; TooLarge or ZeroDivisionError for none."""
        if node not in self._known:
            self._known[node] = self._convert(node)
        return self._known[node]

    def _convert(self, node: sp.Expr) -> Fraction:
        if node.is_Rational:
            return self._context.constant(fmpq(int(node.p), int(node.q))), ()
        if node.is_Pow and node.exp.is_Integer:
            return self._power(self.of(node.base), int(node.exp))
        if not is_arithmetic(node):
            power, coefficient = as_power(node)
            exponent = coefficient * self._orders.get(power, 0)
            if exponent and exponent.is_Integer:
                return self._power((self._generators[power], ()), int(exponent))
            raise TypeError(f"{node} is not a rational expression in the generators")
        first, *rest = (self.of(child) for child in node.args)
        for other in rest:
            first = self._sum(first, other) if node.is_Add else self._product(first, other)
        return first

    def _power(self, base: Fraction, exponent: int) -> Fraction:
        if abs(exponent) > _LARGEST_POWER:
            raise TooLarge
        top, bottom = base
        if exponent < 0:
            if top.is_zero():
                raise ZeroDivisionError
            leading = top.leading_coefficient()
            top, bottom = self._expanded(bottom) / leading, ((top / leading, 1),)
        return self._expanded(((top, abs(exponent)),)), tuple(
            (f, m * abs(exponent)) for f, m in bottom
        )

    def _expanded(self, factors: Denominator) -> Any:
        result = self._one
        for factor, multiplicity in factors:
            for _ in range(multiplicity):
                result = times(result, factor)
        return result

    def _sum(self, one: Fraction, other: Fraction) -> Fraction:
        basis = common_basis(one[1], other[1])
        left = times(one[0], self._expanded(tuple((f, max(b - a, 0)) for f, a, b in basis)))
        right = times(other[0], self._expanded(tuple((f, max(a - b, 0)) for f, a, b in basis)))
        return cancelled(left + right, tuple((f, max(a, b)) for f, a, b in basis))

    def _product(self, one: Fraction, other: Fraction) -> Fraction:
        basis = common_basis(one[1], other[1])
        return cancelled(times(one[0], other[0]), tuple((f, a + b) for f, a, b in basis))


def common_basis(one: Denominator, other: Denominator) -> list[tuple[Any, int, int]]:
    """Return factors without common divisors, each with its multiplicities in the first and the other denominator."""
    basis: list[tuple[Any, int, int]] = []
    waiting = [(f, m, 0) for f, m in one] + [(f, 0, m) for f, m in other]
    while waiting:
        factor, a, b = waiting.pop()
        if factor.is_constant():
            continue
        for index, (known, c, d) in enumerate(basis):
            if known == factor:
                basis[index] = factor, a + c, b + d
                break
            small = len(known) * len(factor) <= _MOST_TERMS_TO_SPLIT
            shared = known.gcd(factor) if small else None
            if shared is not None and not shared.is_constant():
                del basis[index]
                shared = shared / shared.leading_coefficient()
                waiting += [
                    (shared, a + c, b + d),
                    (factor / shared, a, b),
                    (known / shared, c, d),
                ]
                break
        else:
            basis.append((factor, a, b))
    return basis


def cancelled(top: Any, bottom: Denominator) -> Fraction:
    """Return the fraction after cancelling the factors of the denominator that divide the numerator."""
    if top.is_zero():
        return top, ()
    uncancelled = []
    for factor, multiplicity in bottom:
        remaining = multiplicity
        while remaining:
            quotient, rest = divmod(top, factor)
            if not rest.is_zero():
                break
            top, remaining = quotient, remaining - 1
        uncancelled += [(factor, remaining)] if remaining else []
    return top, tuple(uncancelled)


def times(one: Any, other: Any) -> Any:
    """Return the product of two polynomials; raise TooLarge if it would have too many terms."""
    if len(one) * len(other) > _MOST_TERMS:
        raise TooLarge
    return one * other


def remainder(polynomial: Any, relations: Sequence[Any]) -> Any:
    """Return the polynomial modulo the relations, in the given order; each leading term is a power of one generator."""
    for relation in relations:
        if not polynomial.is_zero():
            polynomial = divmod(polynomial, relation)[1]
    return polynomial

"""Arithmetic with rational functions of many variables, by flint: a thousand times faster than expanding with sympy.

A rational function is a pair (numerator, denominator) of polynomials with rational coefficients. Common factors are
cancelled where that is cheap. Flint cannot be interrupted, so sizes are bounded before it is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
from flint import Ordering, fmpq, fmpq_mpoly_ctx

_MOST_TERMS = 4_000_000  # of a product, before terms are collected
_MOST_TERMS_TO_CANCEL = 40_000  # product of the sizes of what a common factor is sought of
_LARGEST_POWER = 200

Fraction = tuple[Any, Any]


class TooLarge(Exception):
    """An expression that is not worth the time."""


class RationalFunctions:
    """The field of rational functions in ``generators``, the ones to be eliminated first leading.

    Args:
        generators: sympy symbols, in the lexicographic order of the polynomials.
    """

    def __init__(self, generators: Sequence[sp.Symbol]) -> None:
        self._context = fmpq_mpoly_ctx.get([f"x{i}" for i in range(len(generators))], Ordering.lex)
        self._one = self._context.constant(1)
        gens = zip(generators, self._context.gens(), strict=True)
        self._known: dict[sp.Expr, Fraction] = {symbol: (gen, self._one) for symbol, gen in gens}

    def of(self, node: sp.Expr) -> Fraction:
        """The pair of polynomials for a rational expression in the generators.

        Raises:
            TooLarge: if it has too many terms.
            ZeroDivisionError: if a denominator vanishes identically.
        """
        if node not in self._known:
            self._known[node] = self._convert(node)
        return self._known[node]

    def _convert(self, node: sp.Expr) -> Fraction:
        if node.is_Rational:
            return self._context.constant(fmpq(int(node.p), int(node.q))), self._one
        if node.is_Pow and node.exp.is_Integer:
            return self._power(self.of(node.base), int(node.exp))
        if not (node.is_Add or node.is_Mul):
            raise TypeError(f"{node} is not a rational expression in the generators")
        first, *rest = (self.of(child) for child in node.args)
        for other in rest:
            first = self._sum(first, other) if node.is_Add else self._product(first, other)
        return first

    def _power(self, base: Fraction, exponent: int) -> Fraction:
        if abs(exponent) > _LARGEST_POWER:
            raise TooLarge
        top, bottom = base if exponent >= 0 else base[::-1]
        if bottom.is_zero():
            raise ZeroDivisionError
        result = self._one, self._one
        for _ in range(abs(exponent)):
            result = times(result[0], top), times(result[1], bottom)
        return result

    def _sum(self, one: Fraction, other: Fraction) -> Fraction:
        shared = self._common(one[1], other[1])
        left, right = one[1] / shared, other[1] / shared
        return self._cancelled(times(one[0], right) + times(other[0], left), times(one[1], right))

    def _product(self, one: Fraction, other: Fraction) -> Fraction:
        a, b = self._cancelled(one[0], other[1])
        c, d = self._cancelled(other[0], one[1])
        return times(a, c), times(b, d)

    def _cancelled(self, top: Any, bottom: Any) -> Fraction:
        if top.is_zero():
            return top, self._one
        shared = self._common(top, bottom)
        return top / shared, bottom / shared

    def _common(self, one: Any, other: Any) -> Any:
        if one.is_constant() or other.is_constant() or len(one) * len(other) > _MOST_TERMS_TO_CANCEL:
            return self._one
        return one.gcd(other)


def times(one: Any, other: Any) -> Any:
    """The product of two polynomials; raises TooLarge rather than start on a huge one."""
    if len(one) * len(other) > _MOST_TERMS:
        raise TooLarge
    return one * other


def remainder(polynomial: Any, relations: Sequence[Any]) -> Any:
    """``polynomial`` modulo relations whose leading terms are powers of single generators, in the order given."""
    for relation in relations:
        if not polynomial.is_zero():
            polynomial = divmod(polynomial, relation)[1]
    return polynomial

"""Factorisation over the rational numbers with flint: it simplifies roots of squares and shortens formulas."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import sympy as sp
from sympy.core.mul import _keep_coeff

from theory.core.algebra.rational_functions import (
    RationalFunctions,
    TooLarge,
    generator_orders,
    is_arithmetic,
)
from theory.core.formula.subexpressions import distinct

# Flint cannot be interrupted, so expressions with more terms are not factored.
_MOST_TERMS_TO_FACTOR = 5_000
_MOST_COMPLEX_TERMS = 20  # sympy factors those, in a quarter of a second


def factored(expression: sp.Expr) -> sp.Expr:
    """Return the expression as a product of powers of irreducible factors, or unchanged if it is too large."""
    leaves = [node for node in distinct(expression, _is_leaf) if _is_leaf(node)]
    orders = generator_orders(leaves)
    field = RationalFunctions(orders)
    try:
        top, bottom = field.of(expression)
    except (TooLarge, ZeroDivisionError):
        return expression
    if len(top) + sum(len(factor) for factor, _ in bottom) > _MOST_TERMS_TO_FACTOR:
        return expression
    generators = [base ** (monomial / order) for (base, monomial), order in orders.items()]
    parts = [(top, 1), *((factor, -multiplicity) for factor, multiplicity in bottom)]
    return sp.Mul(
        *chain.from_iterable(_powers(part, exponent, generators) for part, exponent in parts)
    )


def with_factored_argument(node: sp.Basic) -> sp.Basic:
    """Return the node simplified by factoring its argument: sqrt((p + m)**2), |p*(p + m)| of positive symbols."""
    if isinstance(node, (sp.Abs, sp.sign)) or (
        node.is_Pow and node.exp.is_Rational and not node.exp.is_Integer
    ):
        return node.func(factored(node.args[0]), *node.args[1:])
    return node


def as_product(expression: sp.Expr) -> sp.Expr:
    """Return what ``sp.factor`` returns, by flint in a tenth of the time, or the expression if it is too large."""
    expression = sp.sympify(expression)
    symbols = sorted(
        (node for node in distinct(expression, _is_leaf) if _is_leaf(node)),
        key=sp.default_sort_key,
    )
    if not all(symbol.is_Symbol or symbol.is_NumberSymbol or symbol is sp.I for symbol in symbols):
        return sp.factor(expression)
    try:
        top, bottom = RationalFunctions({(symbol, sp.S.One): 1 for symbol in symbols}).of(
            expression
        )
    except TooLarge:
        return expression
    except ZeroDivisionError:
        return sp.factor(expression)
    if top.is_zero():
        return sp.S.Zero
    terms = len(top) + sum(len(part) for part, _ in bottom)
    if terms > (_MOST_COMPLEX_TERMS if sp.I in symbols else _MOST_TERMS_TO_FACTOR):
        return expression
    if sp.I in symbols:
        return sp.factor(expression)
    coefficient, powers = sp.S.One, []
    for part, exponent in ((top, 1), *((part, -multiplicity) for part, multiplicity in bottom)):
        number, *found = _powers(part, exponent, symbols)
        coefficient *= number
        for power in found:
            base, times = power.as_base_exp()
            content, primitive = _primitive(base)
            coefficient *= content**times
            powers.append(primitive**times)
    return _keep_coeff(coefficient, sp.Mul(*powers))


def _primitive(polynomial: sp.Expr) -> tuple[sp.Rational, sp.Expr]:
    """Return the content and the primitive part, whose leading coefficient is positive in sympy's order."""
    if not polynomial.is_Add:
        return sp.S.One, polynomial
    content, primitive = sp.Poly(polynomial).primitive()
    sign = -1 if primitive.LC() < 0 else 1
    return sign * content, (sign * primitive).as_expr()


def _is_leaf(node: sp.Basic) -> bool:
    return not is_arithmetic(node)


def _powers(polynomial: Any, exponent: int, generators: Sequence[sp.Expr]) -> Iterator[sp.Expr]:
    """Yield the constant and the irreducible factors of a power of a polynomial, as sympy expressions."""
    constant, factors = polynomial.factor()
    yield _rational(constant) ** exponent
    for factor, multiplicity in factors:
        terms = (
            sp.Mul(
                _rational(coefficient),
                *(g**n for g, n in zip(generators, map(int, powers), strict=True) if n),
            )
            for powers, coefficient in factor.terms()
        )
        yield sp.Add(*terms) ** (multiplicity * exponent)


def _rational(number: Any) -> sp.Rational:
    return sp.Rational(int(number.p), int(number.q))

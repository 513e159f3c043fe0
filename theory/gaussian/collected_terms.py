"""Rewriting of a sum in a short form without cancellation, with one term for each transcendental factor."""

import itertools
from functools import lru_cache
from itertools import chain

import sympy as sp

from theory.core.algebra.factoring import as_product
from theory.core.formula.special import opened

KEPT = 4096  # factors, exponents and coefficients, which recur in the terms of a sum and in other sums


def collected(expression: sp.Expr) -> sp.Expr:
    """Collect terms with the same roots, exponentials and other functions, and factor their rational coefficients."""
    groups: dict[sp.Expr, list[sp.Expr]] = {}
    for term in _terms(expression):
        rational, rest = _split(term)
        groups.setdefault(rest, []).append(rational)
    return sp.Add(
        *(_factored(sp.Add(*coefficients)) * rest for rest, coefficients in groups.items())
    )


def _terms(expression: sp.Expr) -> list[sp.Expr]:
    """Multiply out sums that are not rational, and, unlike ``sp.expand``, leave denominators unchanged."""
    if _is_rational(expression) and not expression.has(sp.I):
        return [expression]
    if expression.is_Add:
        return list(chain.from_iterable(_terms(child) for child in expression.args))
    if not expression.is_Mul:
        return [expression]
    choices = [_terms(factor) for factor in expression.args]
    return [sp.Mul(*choice) for choice in itertools.product(*choices)]


@lru_cache(maxsize=KEPT)
def _is_rational(expression: sp.Expr) -> bool:
    return expression.is_number or bool(opened(expression).is_rational_function())


def _split(term: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Return the rational coefficient of a term and its other factors: square roots, exponentials and functions."""
    rational, rest, exponents = sp.S.One, sp.S.One, []
    for factor in sp.Mul.make_args(term):
        base, power = factor.as_base_exp()
        if base is sp.E:
            exponents.append(power)
        else:
            inner, outer = _split_factor(factor)
            rational, rest = rational * inner, rest * outer
    # Sums of exponents such as v^2/(2v + 2) - v/2 simplify in one variable; in several variables they only get longer.
    together = len(set().union(*(power.free_symbols for power in exponents))) <= 1
    grown = [_factored(sp.Add(*exponents))] if together else exponents
    return rational, rest * sp.Mul(*map(sp.exp, grown))


@lru_cache(maxsize=KEPT)
def _split_factor(factor: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    base, power = factor.as_base_exp()
    if power.is_Rational and not power.is_Integer:
        root = _opens(factor)
        if root != factor:
            return _split(root)
        whole = sp.sign(power) * sp.floor(abs(power))
        return opened(base) ** whole, base ** (power - whole)
    if _is_rational(factor):
        return opened(factor), sp.S.One
    return sp.S.One, factor


@lru_cache(maxsize=KEPT)
def _factored(expression: sp.Expr) -> sp.Expr:
    return as_product(expression)


def _opens(root: sp.Expr) -> sp.Expr:
    """Return a root of a rational function with squares moved out of the root."""
    base, power = root.as_base_exp()
    if not base.is_rational_function() or base.is_number:
        return root
    return sp.expand_power_base(as_product(base) ** power)

"""Rewriting of a sum in a short form without cancellation, with one term for each transcendental factor."""

from __future__ import annotations

import itertools

import sympy as sp

from theory.core.special import opened


def collected(expression: sp.Expr) -> sp.Expr:
    """Collect terms with the same roots, exponentials and other functions, and factor their rational coefficients."""
    groups: dict[sp.Expr, sp.Expr] = {}
    for term in _terms(expression):
        rational, rest = _split(term)
        groups[rest] = groups.get(rest, sp.S.Zero) + rational
    return sp.Add(*(sp.factor(coefficient) * rest for rest, coefficient in groups.items()))


def _terms(expression: sp.Expr) -> list[sp.Expr]:
    """Multiply out sums and, unlike ``sp.expand``, leave denominators unchanged."""
    if expression.is_Add:
        return [term for child in expression.args for term in _terms(child)]
    if not expression.is_Mul:
        return [expression]
    choices = [_terms(factor) for factor in expression.args]
    return [sp.Mul(*choice) for choice in itertools.product(*choices)]


def _split(term: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Return the rational coefficient of a term and its other factors: square roots, exponentials and functions."""
    rational, rest, exponents = sp.S.One, sp.S.One, []
    for factor in sp.Mul.make_args(term):
        base, power = factor.as_base_exp()
        if base is sp.E:
            exponents.append(power)
        elif power.is_Rational and not power.is_Integer and _opens(factor) != factor:
            inner, outer = _split(_opens(factor))
            rational, rest = rational * inner, rest * outer
        elif power.is_Rational and not power.is_Integer:
            whole = sp.sign(power) * sp.floor(abs(power))
            rational *= opened(base) ** whole
            rest *= base ** (power - whole)
        elif factor.is_number or opened(factor).is_rational_function():
            rational *= opened(factor)
        else:
            rest *= factor
    # Sums of exponents such as v^2/(2v + 2) - v/2 simplify in one variable; in several variables they only get longer.
    together = len(set().union(*(power.free_symbols for power in exponents))) <= 1
    grown = [sp.factor(sp.Add(*exponents))] if together else exponents
    return rational, rest * sp.Mul(*map(sp.exp, grown))


def _opens(root: sp.Expr) -> sp.Expr:
    """Return a root of a rational function with squares moved out of the root."""
    base, power = root.as_base_exp()
    if not base.is_rational_function() or base.is_number:
        return root
    return sp.expand_power_base(sp.factor(base) ** power)

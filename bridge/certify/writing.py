"""Expressions of sympy as terms, with the structure that they have in a step: nothing is worked out."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from bridge.certify.terms import (
    FUNCTIONS,
    LARGEST,
    ONE,
    OPAQUE,
    PI,
    Names,
    Term,
    Unsupported,
    substituted,
)
from theory.core.formula import special
from theory.core.formula.let import Let

WORDS = (
    sp.Subs, sp.Derivative, sp.Limit, sp.Sum, sp.Product, sp.UnevaluatedExpr, Let,
)  # fmt: skip


def term(node: Any, names: Names) -> Term:
    """Return the term of a scalar expression, in which quantities of ``names`` are functions of their symbols.

    Raises:
        Unsupported: if the expression has a part that is not exported.
    """
    if node in names.quantities:
        values: dict[sp.Symbol, Term] = {
            symbol: ("var", names.of(symbol)) for symbol in arguments(node)
        }
        quantities, names.quantities = (
            names.quantities,
            {},
        )  # its body stands in the file without them
        # equal expressions may be written in two ways, and the file has that of the quantity
        body = _written(next(known for known in quantities if known == node), names)
        names.quantities = quantities
        return (*applied(body, values, names), quantities[node])
    return _written(node, names)


def _written(node: Any, names: Names) -> Term:
    if isinstance(node, sp.Rational):
        return _quotient(
            ("num", abs(int(node.p))), [("num", int(node.q))] if node.q != 1 else [], node.p < 0
        )
    if isinstance(node, sp.Symbol):
        return ("var", names.of(node))
    if node is sp.pi:
        return PI
    if node is sp.E:
        return ("fn", "exp", ONE)
    if isinstance(node, sp.Add):
        return sum_of([term(part, names) for part in node.as_ordered_terms()])
    if isinstance(node, sp.Mul):
        return _product(node, names)
    if isinstance(node, sp.Pow):
        return _power(node.base, node.exp, names)
    if isinstance(node, WORDS):
        return _put_together(node, names)
    return _function(node, names)


def _put_together(node: Any, names: Names) -> Term:
    """Return the term of what puts values together: a value at a point, a derivative, a limit, a sum, letters."""
    if isinstance(node, sp.Subs):
        values = {
            old: term(new, names) for old, new in zip(node.variables, node.point, strict=True)
        }
        return applied(node.expr, values, names)
    if isinstance(node, sp.Derivative):
        return _slope(node, names)
    if isinstance(node, sp.Limit):
        return _limit(node, names)
    if isinstance(node, sp.Sum) and len(node.limits) == 1:
        return _sum(node, names)
    if isinstance(node, Let):
        whole = term(node.result, names)
        for letter, value in reversed(node.definitions):
            whole = applied(whole, {letter: term(value, names)}, names)
        return whole
    if isinstance(node, sp.UnevaluatedExpr):
        return term(node.args[0], names)
    if isinstance(node, sp.Product) and len(node.limits) == 1:
        index, low, high = node.limits[0]
        if not node.function.has(index):  # equal factors, as many as there are indices
            return _power(node.function, high - low + 1, names)
    return _function(node, names)


def _function(node: Any, names: Names) -> Term:
    kind = type(node)
    if kind in FUNCTIONS:
        return ("fn", FUNCTIONS[kind], *(term(part, names) for part in node.args))
    if kind in LARGEST:
        parts = [term(part, names) for part in sp.ordered(node.args)]
        return reduce(lambda one, other: ("fn", LARGEST[kind], one, other), parts)
    if kind is sp.asinh:
        return term(sp.log(node.args[0] + sp.sqrt(node.args[0] ** 2 + 1)), names)
    if kind is sp.sech:
        return ("div", ONE, ("fn", "cosh", term(node.args[0], names)))
    if isinstance(node, (*OPAQUE, AppliedUndef)):
        name = f"f_{kind.__name__}"
        names.functions[name] = len(node.args)
        return ("fn", name, *(term(part, names) for part in node.args))
    opened = special.outermost_opened(node)
    if opened == node:
        raise Unsupported(f"{kind.__name__} is not exported")
    return term(opened, names)


def sum_of(parts: list[Term]) -> Term:
    """Return the sum of terms, with a difference for each that is negative."""
    return reduce(
        lambda one, other: ("sub", one, other[1]) if other[0] == "neg" else ("add", one, other),
        parts,
    )


def _product(node: sp.Mul, names: Names) -> Term:
    coefficient, *factors = node.args if node.args[0].is_Rational else (sp.S.One, *node.args)
    over: list[Term] = [("num", abs(int(coefficient.p)))] if abs(coefficient.p) != 1 else []
    under: list[Term] = [("num", int(coefficient.q))] if coefficient.q != 1 else []
    for factor in factors:
        if factor.is_Pow and factor.exp.is_Rational and factor.exp < 0:
            under.append(_power(factor.base, -factor.exp, names))
        else:
            over.append(term(factor, names))
    return _quotient(_times(over), under, coefficient < 0)


def _times(parts: list[Term]) -> Term:
    return reduce(lambda one, other: ("mul", one, other), parts) if parts else ONE


def _quotient(over: Term, under: list[Term], negative: bool) -> Term:
    whole = ("div", over, _times(under)) if under else over
    return ("neg", whole) if negative else whole


def _power(base: sp.Expr, exponent: sp.Expr, names: Names) -> Term:
    if exponent.is_Rational and exponent < 0:
        return ("div", ONE, _power(base, -exponent, names))
    if base is sp.E:
        return ("fn", "exp", term(exponent, names))
    inner = term(base, names)
    if exponent.is_Integer:
        return inner if exponent == 1 else ("pow", inner, int(exponent))
    if exponent.is_Rational and exponent.q == 2:
        root = ("fn", "sqrt", inner)
        return root if exponent.p == 1 else ("pow", root, int(exponent.p))
    if exponent.is_integer and not base.is_positive:
        raise Unsupported(
            "a power with an integer letter as exponent, of a number that may be negative"
        )
    return ("fn", "Rpower", inner, term(exponent, names))


def _slope(node: sp.Derivative, names: Names) -> Term:
    whole = term(node.expr, names)
    for variable in node.variables:
        bound, at = names.fresh(str(variable)), names.of(variable)
        whole = ("derive", bound, substituted(whole, {at: ("var", bound)}), ("var", at))
    return whole


def _limit(node: sp.Limit, names: Names) -> Term:
    """Return the limit at infinity; that from above at a point is one of the point plus 1/s at infinity."""
    inner, variable, point, side = node.args
    bound = names.fresh(str(variable))
    there: Term = ("var", bound)
    if point is not sp.oo:
        if str(side) != "+" or not point.is_finite:
            raise Unsupported("a limit from below")
        there = ("add", term(point, names), ("div", ONE, there))
    return ("limit", bound, substituted(term(inner, names), {names.of(variable): there}))


def _sum(node: sp.Sum, names: Names) -> Term:
    index, low, high = node.limits[0]
    bound = names.fresh(str(index))
    body = substituted(term(node.function, names), {names.of(index): ("var", bound)})
    return ("sum", bound, body, term(low, names), term(high, names))


def applied(body: Any, values: Mapping[sp.Symbol, Term], names: Names) -> Term:
    """Return the term of a function of the symbols, applied to the values; the function is an expression or a term."""
    inside: Term = body if isinstance(body, tuple) else term(body, names)
    bound = {names.of(symbol): names.fresh(str(symbol)) for symbol in values}
    renamed = substituted(inside, {old: ("var", new) for old, new in bound.items()})
    return ("app", tuple(bound.values()), renamed, tuple(values.values()))


def arguments(expression: sp.Expr) -> list[sp.Symbol]:
    """Return the symbols of an expression in the order in which a function of them takes its values."""
    return sorted(expression.free_symbols, key=str)

"""Expressions of sympy as terms, with the structure that they have in a step: nothing is worked out."""

from collections.abc import Mapping
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.core.certify.terms import FUNCTIONS, INFINITE, ONE, OPAQUE, PI, ZERO, Names, Term, Unsupported, substituted
from theory.core.formula import special

RATIOS = {sp.sech: ("one", "cosh"), sp.csch: ("one", "sinh"), sp.tan: ("sin", "cos"), sp.coth: ("cosh", "sinh")}


def term(node: Any, names: Names) -> Term:
    """Return the term of a scalar expression, in which quantities of ``names`` are functions of their symbols.

    Raises:
        Unsupported: if the expression has a part that is not exported.
    """
    if node in names.quantities:
        values: dict[sp.Symbol, Term] = {symbol: ("var", names.of(symbol)) for symbol in arguments(node)}
        return (*applied(_written(node, names), values, names), names.quantities[node])
    return _written(node, names)


def _written(node: Any, names: Names) -> Term:
    if isinstance(node, sp.Rational):
        return _quotient(("num", abs(int(node.p))), [("num", int(node.q))] if node.q != 1 else [], node.p < 0)
    if isinstance(node, sp.Float):
        return term(sp.Rational(node), names)
    if isinstance(node, sp.Symbol):
        return ("var", names.of(node))
    if node is sp.pi:
        return PI
    if node is sp.E:
        return ("fn", "exp", ONE)
    if isinstance(node, sp.Add):
        return _sum([term(part, names) for part in node.as_ordered_terms()])
    if isinstance(node, sp.Mul):
        return _product(node, names)
    if isinstance(node, sp.Pow):
        return _power(node.base, node.exp, names)
    if isinstance(node, (sp.Subs, sp.Derivative, sp.Integral, sp.Piecewise)):
        return _binding(node, names)
    return _function(node, names)


def _function(node: Any, names: Names) -> Term:
    kind = type(node)
    if kind in FUNCTIONS and (len(node.args) == 1 or kind in (sp.Max, sp.Min)):
        parts = [term(part, names) for part in node.args]
        whole = ("fn", FUNCTIONS[kind], *parts[:2])
        for part in parts[2:]:
            whole = ("fn", FUNCTIONS[kind], whole, part)
        return whole
    if kind in RATIOS:
        over, under = RATIOS[kind]
        argument = term(node.args[0], names)
        return ("div", ONE if over == "one" else ("fn", over, argument), ("fn", under, argument))
    if kind is sp.asinh:
        return term(sp.log(node.args[0] + sp.sqrt(node.args[0] ** 2 + 1)), names)
    if kind is sp.erfc:
        return ("sub", ONE, ("fn", "erf", term(node.args[0], names)))
    if isinstance(node, (*OPAQUE, AppliedUndef)):
        name = names.function(f"f_{kind.__name__}", len(node.args))
        return ("fn", name, *(term(part, names) for part in node.args))
    if isinstance(node, sp.UnevaluatedExpr):
        return term(node.args[0], names)
    opened = special.opened(node) if not isinstance(node, special.phi1) else node
    if opened == node:
        words = {sp.I: "complex numbers", sp.oo: "infinity", -sp.oo: "infinity"}
        raise Unsupported(words.get(node, f"{kind.__name__} is not exported"))
    return term(opened, names)


def _sum(parts: list[Term]) -> Term:
    whole = parts[0]
    for part in parts[1:]:
        whole = ("sub", whole, part[1]) if part[0] == "neg" else ("add", whole, part)
    return whole


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
    whole = parts[0] if parts else ONE
    for part in parts[1:]:
        whole = ("mul", whole, part)
    return whole


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
        raise Unsupported("a power with an integer letter as exponent, of a number that may be negative")
    return ("fn", "Rpower", inner, term(exponent, names))


def _binding(node: Any, names: Names) -> Term:
    if isinstance(node, sp.Subs):
        values = tuple(term(value, names) for value in node.point)
        return applied(node.expr, dict(zip(node.variables, values, strict=True)), names)
    if isinstance(node, sp.Derivative):
        whole = term(node.expr, names)
        for variable in node.variables:
            bound, at = names.fresh(str(variable)), names.of(variable)
            whole = ("derive", bound, substituted(whole, {at: ("var", bound)}), ("var", at))
        return whole
    if isinstance(node, sp.Integral):
        if len(node.limits) != 1 or len(node.limits[0]) != 3:
            raise Unsupported("an integral without bounds, or over several variables")
        variable, *ends = node.limits[0]
        infinite = dict(zip((sp.oo, -sp.oo), INFINITE, strict=True))
        low, high = (("fn", infinite[end]) if end in infinite else term(end, names) for end in ends)
        inside = applied(node.function, {variable: ZERO}, names)
        return ("int", inside[1][0], inside[2], low, high)
    (value, condition), *rest = node.args
    if condition == sp.true:
        return term(value, names)
    if not isinstance(condition, (sp.Lt, sp.Le, sp.Gt, sp.Ge)) or not rest:
        raise Unsupported("a case distinction by something else than an inequality")
    last = term(sp.Piecewise(*rest), names)
    test = "Rlt_dec" if isinstance(condition, (sp.Lt, sp.Gt)) else "Rle_dec"
    return ("if", test, term(condition.lts, names), term(condition.gts, names), term(value, names), last)


def applied(body: Any, values: Mapping[sp.Symbol, Term], names: Names) -> Term:
    """Return the term of a function of the symbols, applied to the values; the function is an expression or a term."""
    inside: Term = body if isinstance(body, tuple) else term(body, names)
    bound = {names.of(symbol): names.fresh(str(symbol)) for symbol in values}
    renamed = substituted(inside, {old: ("var", new) for old, new in bound.items()})
    return ("app", tuple(bound.values()), renamed, tuple(values.values()))


def arguments(expression: sp.Expr) -> list[sp.Symbol]:
    """Return the symbols of an expression in the order in which a function of them takes its values."""
    return sorted(expression.free_symbols, key=str)  # type: ignore[arg-type]

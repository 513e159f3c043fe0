"""Kinks and jumps at a point, where derivatives do not say what a function does nearby."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import sympy as sp

from theory.core.formula.subexpressions import distinct, put_in

_AT_ZERO = (sp.sign, sp.Heaviside, sp.DiracDelta)
_AT_INTEGERS = (sp.floor, sp.ceiling)


def is_smooth(functions: Iterable[sp.Expr], at: Mapping[sp.Symbol, sp.Expr]) -> bool:
    """Return whether functions with their derivatives have a value at a point, the same from all sides.

    Args:
        functions: expressions in the variables, with their derivatives.
        at: variable -> its value.

    >>> x = sp.Symbol("x", real=True)
    >>> is_smooth([abs(x), sp.diff(abs(x), x)], {x: 0})
    False
    >>> is_smooth([x * abs(x), sp.diff(x * abs(x), x)], {x: 0})
    True
    """
    point = {variable: sp.sympify(value) for variable, value in at.items()}
    return all(_is_smooth(function, point) for function in functions)


def _is_smooth(function: sp.Expr, point: Mapping[sp.Symbol, sp.Expr]) -> bool:
    sides = {node: sp.Dummy("side") for node in distinct(function) if _jumps(node, point)}
    value = put_in(function.xreplace(sides), point)
    has_value = not value.has(sp.nan, sp.zoo, sp.oo, -sp.oo)
    return has_value and not sp.simplify(value).has(*sides.values())


def _jumps(node: sp.Basic, point: Mapping[sp.Symbol, sp.Expr]) -> bool:
    """Return whether a node jumps at the point, or would if its other branch had another value."""
    if isinstance(node, _AT_ZERO):
        return _vanishes(node.args[0], point)
    if isinstance(node, _AT_INTEGERS):
        return put_in(node.args[0], point).is_integer is not False
    if not isinstance(node, sp.Piecewise):
        return False
    borders = [
        relation.lhs - relation.rhs for relation in node.atoms(sp.core.relational.Relational)
    ]
    values = {sp.simplify(put_in(value, point)) for value, _ in node.args}
    return len(values) > 1 and any(_vanishes(border, point) for border in borders)


def _vanishes(expression: sp.Expr, point: Mapping[sp.Symbol, sp.Expr]) -> bool:
    return sp.simplify(put_in(expression, point)) == 0

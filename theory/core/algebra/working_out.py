"""Sides of a step with their derivatives, sums and products worked out, and the limits that are proved."""

from collections.abc import Mapping
from typing import Any

import sympy as sp

from theory.core.algebra.factoring import with_factored_argument
from theory.core.algebra.limits import proved_limit
from theory.core.formula.subexpressions import (
    binds,
    distinct,
    put_in,
    rebuilt,
    substituted,
    with_other_letters,
)


def taken(
    expression: sp.Expr, values: Mapping[sp.Symbol, sp.Expr], *, infinite: bool = False
) -> sp.Expr:
    """Return the expression with the value of each limit that is proved after symbols have these values.

    Args:
        expression: scalar expression.
        values: parametrisation of the domain, or a point of it: symbol -> expression.
        infinite: whether a limit that is infinite is taken as well. Default: False.
    """
    limits: dict[sp.Expr, sp.Expr] = {}
    for node in distinct(expression):
        if isinstance(node, sp.Limit) and is_scalar(node):
            inside, variable, point, direction = node.args
            others = {symbol: value for symbol, value in values.items() if symbol != variable}
            inside = rebuilt(done(put_in(inside, others)), with_factored_argument)
            limits[node] = proved_limit(
                sp.Limit(inside, variable, point.subs(others), str(direction))
            )
    limits = {
        node: value
        for node, value in limits.items()
        if value is not None and (infinite or not value.is_infinite)
    }
    return substituted(expression, limits, within=lambda node: node) if limits else expression


def done(side: Any, by_sympy: bool = False) -> Any:
    """Return an expression with what binds symbols worked out, as by :func:`worked_out`."""
    # Between two derivatives sympy would collect factors, which takes more time than it saves.
    is_unfinished = any(
        isinstance(node, sp.UnevaluatedExpr) or (binds(node) and not isinstance(node, sp.Integral))
        for node in distinct(side)
    )
    return worked_out(side, by_sympy) if is_unfinished else side


def worked_out(side: Any, by_sympy: bool) -> Any:
    """Return an expression with all but integrals worked out by sympy, and limits only if ``by_sympy`` says so."""
    kept = (
        {}
        if by_sympy
        else {node: sp.Dummy("limit") for node in distinct(side, binds) if _has_limit(node)}
    )
    if kept:
        side = side.xreplace(kept)
    explicit = _put_in_at_once(side).doit(integrals=False, simplify=False)
    return explicit.xreplace({dummy: node for node, dummy in kept.items()}) if kept else explicit


def _put_in_at_once(side: Any) -> Any:
    """Return an expression with the value of each Subs whose point has bound letters, the innermost first.

    sympy puts values in one after the other, also below an integral that binds a letter of them. It also takes a Subs
    with other variables for the same, and so may return the old one; hence each is worked out once its variables have
    letters of their own.
    """
    if isinstance(side, sp.MatrixBase):
        return side.applyfunc(_put_in_at_once)
    return rebuilt(side, _value) if side.has(sp.Subs) else side


def _value(node: sp.Basic) -> sp.Basic:
    if not isinstance(node, sp.Subs):
        return node
    # sympy leaves a value at a point that is itself one as it is below an integral
    point = (
        node.point.doit(integrals=False, simplify=False) if node.point.has(sp.Subs) else node.point
    )
    letters = point.free_symbols
    inside = with_other_letters(node.expr, letters)
    if inside is node.expr and point is node.point and not letters & set(node.variables):
        return node
    names = {
        variable: sp.Dummy(variable.name, **variable.assumptions0) for variable in node.variables
    }
    renamed = sp.Subs(inside.xreplace(names), tuple(names.values()), tuple(point))
    return renamed.doit(integrals=False, simplify=False)


def _has_limit(node: sp.Basic) -> bool:
    return binds(node) and is_scalar(node) and node.has(sp.Limit)


def is_scalar(node: sp.Basic) -> bool:
    """Return whether the node is neither a matrix nor a limit or a derivative of one."""
    return not any(isinstance(part, (sp.MatrixBase, sp.MatrixExpr)) for part in distinct(node))

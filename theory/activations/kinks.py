"""The points at which an expression in one symbol is not smooth, found from its structure."""

from collections.abc import Iterator
from itertools import chain, combinations

import sympy as sp
from sympy.core.relational import Relational

_SWITCHING = (sp.Abs, sp.sign, sp.Heaviside)
_STEPPING = (sp.floor, sp.ceiling, sp.frac, sp.Mod)

Ends = tuple[sp.Expr, sp.Expr]


def kinks_of(expression: sp.Expr, symbol: sp.Symbol) -> tuple[sp.Expr, ...]:
    """Return the real points, in order, at which an ``Abs``, ``Max``, ... changes branch; ValueError for none."""
    points = set(
        chain.from_iterable(
            _real_roots(switch, symbol) for switch in set(_switches(expression, symbol))
        )
    )
    return tuple(sorted(points))


def branch(expression: sp.Expr, symbol: sp.Symbol, ends: Ends) -> sp.Expr:
    """Return the expression between two kinks, which may be infinite, with one branch of ``Abs``, ``Max`` ... each."""
    low, high = ends
    if low.is_finite and high.is_finite:
        inside = (low + high) / 2
    else:
        inside = high - 1 if high.is_finite else low + 1 if low.is_finite else sp.S.Zero

    def chosen(node: sp.Expr) -> sp.Expr:
        if isinstance(node, (sp.Max, sp.Min)):
            return (max if isinstance(node, sp.Max) else min)(
                node.args, key=lambda part: part.subs(symbol, inside)
            )
        if isinstance(node, sp.Piecewise):
            return next(
                value
                for value, condition in node.args
                if condition.subs(symbol, inside) == sp.true
            )
        side = sp.sign(node.args[0].subs(symbol, inside))
        return {sp.Abs: side * node.args[0], sp.sign: side, sp.Heaviside: (1 + side) / 2}[
            node.func
        ]

    return expression.replace(
        lambda node: isinstance(node, (sp.Max, sp.Min, sp.Piecewise, *_SWITCHING)), chosen
    )


def one_sided(expression: sp.Expr, symbol: sp.Symbol, ends: Ends, at: sp.Expr) -> sp.Expr:
    """Return the one-sided limit at one of two neighbouring kinks; infinite or NaN if it does not exist."""
    between = branch(expression, symbol, ends)
    value = between.subs(symbol, at)
    return (
        value if value.is_finite else sp.limit(between, symbol, at, "-" if at == ends[1] else "+")
    )


def _switches(expression: sp.Expr, symbol: sp.Symbol) -> Iterator[sp.Expr]:
    """Yield the expressions at whose zeros a branch changes."""
    for node in sp.preorder_traversal(expression):
        if isinstance(node, _STEPPING) and node.has(symbol):
            raise ValueError(f"expression: got {node}, needs finitely many kinks")
        if isinstance(node, _SWITCHING):
            yield node.args[0]
        elif isinstance(node, (sp.Max, sp.Min)):
            yield from (first - second for first, second in combinations(node.args, 2))
        elif isinstance(node, Relational):
            yield node.lhs - node.rhs


def _real_roots(switch: sp.Expr, symbol: sp.Symbol) -> tuple[sp.Expr, ...]:
    roots = sp.solveset(switch, symbol, sp.S.Reals)
    if not isinstance(roots, sp.FiniteSet) and roots is not sp.S.EmptySet:
        raise ValueError(f"kinks: cannot find the zeros of {switch}; give them as kinks=(...)")
    return tuple(roots)

"""Where an expression in one symbol fails to be smooth, read off its structure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import sympy as sp
from sympy.core.relational import Relational

_SWITCHING = (sp.Abs, sp.sign, sp.Heaviside)


def kinks_of(expression: sp.Expr, symbol: sp.Symbol) -> tuple[sp.Expr, ...]:
    """The real points, in order, at which an ``Abs``, ``Max``, ``Piecewise`` ... in ``expression`` changes branch.

    Raises:
        ValueError: if such a point cannot be found exactly; then the caller must say where they are.
    """
    points = {root for switch in set(_switches(expression)) for root in _real_roots(switch, symbol)}
    return tuple(sorted(points))


def _switches(expression: sp.Expr) -> Iterator[sp.Expr]:
    """Expressions at whose zeros a branch changes."""
    for node in sp.preorder_traversal(expression):
        if isinstance(node, _SWITCHING):
            yield node.args[0]
        elif isinstance(node, (sp.Max, sp.Min)):
            yield from (one - other for one, other in combinations(node.args, 2))
        elif isinstance(node, Relational):
            yield node.lhs - node.rhs


def _real_roots(switch: sp.Expr, symbol: sp.Symbol) -> tuple[sp.Expr, ...]:
    roots = sp.solveset(switch, symbol, sp.S.Reals)
    if not isinstance(roots, sp.FiniteSet) and roots is not sp.S.EmptySet:
        raise ValueError(f"kinks: cannot find the zeros of {switch}; give them as kinks=(...)")
    return tuple(roots)

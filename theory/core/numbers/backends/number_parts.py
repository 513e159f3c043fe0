"""The parts of an expression that depend on single numbers only, which are computed once before the arrays."""

from collections.abc import Sequence

import sympy as sp

from theory.core.formula.deferred_function import Applied, Iterated
from theory.core.formula.rounding import compensated
from theory.core.formula.subexpressions import binds


def separated(expression: sp.Basic, numbers: Sequence[sp.Symbol]) -> tuple[dict[sp.Symbol, sp.Expr], sp.Basic]:
    """Return names of the parts that depend on ``numbers`` only, and the expression with these names in their place.

    The numbers among the factors of a product, and among the terms of a sum, are one part.
    """
    single = frozenset(numbers)
    names: dict[sp.Expr, sp.Symbol] = {}
    known: dict[sp.Basic, sp.Basic] = {}

    def visit(node: sp.Basic) -> sp.Basic:
        if node not in known:
            known[node] = rebuilt(node)
        return known[node]

    def rebuilt(node: sp.Basic) -> sp.Basic:
        if not node.args or not node.free_symbols:
            return node
        if node.free_symbols <= single and isinstance(node, sp.Expr):
            return names.setdefault(node, sp.Symbol(f"number_{len(names)}", real=True))
        if binds(node) or isinstance(node, (sp.Piecewise, compensated, Applied, Iterated)):
            return node
        if isinstance(node, (sp.Add, sp.Mul)):
            alone = [child for child in node.args if child.free_symbols <= single]
            others = [child for child in node.args if not child.free_symbols <= single]
            return node.func(visit(node.func(*alone)), *map(visit, others))
        return node.func(*map(visit, node.args))

    rest = visit(expression)
    return {name: part for part, name in names.items()}, rest

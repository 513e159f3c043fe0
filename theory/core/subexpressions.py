"""Walks over an expression that visit every distinct part once.

An expression is a graph in which parts are shared; written out as a tree, as sympy's own walks see it, it can be
hundreds of times larger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import sympy as sp

_BINDING = (sp.Integral, sp.Sum, sp.Product, sp.Limit, sp.Derivative, sp.Subs, sp.Lambda)


def binds(node: sp.Basic) -> bool:
    """Whether the value of the node depends on more of its parts than their values at one point."""
    return isinstance(node, _BINDING)


def distinct(expression: sp.Basic, closed: Callable[[sp.Basic], bool] = lambda node: False) -> Iterator[sp.Basic]:
    """Every distinct part once, the expression itself first.

    Args:
        expression: any expression.
        closed: takes a node; True if its own parts are to be left out.
    """
    waiting, seen = [expression], {expression}
    while waiting:
        node = waiting.pop()
        yield node
        for child in () if closed(node) else node.args:
            if child not in seen:
                seen.add(child)
                waiting.append(child)


def rebuilt(expression: sp.Basic, rule: Callable[[sp.Basic], sp.Basic]) -> sp.Basic:
    """``rule`` applied to every part, innermost first, as ``replace`` does.

    Args:
        expression: any expression.
        rule: takes a node whose parts are rebuilt already; gives what takes its place.
    """
    known: dict[sp.Basic, sp.Basic] = {}

    def visit(node: sp.Basic) -> sp.Basic:
        if node not in known:
            arguments = tuple(map(visit, node.args))
            known[node] = rule(node if arguments == node.args else node.func(*arguments))
        return known[node]

    return visit(expression)


def substituted(
    expression: sp.Basic, values: Mapping[Any, sp.Basic], within: Callable[[sp.Basic], sp.Basic]
) -> sp.Basic:
    """Parts replaced by others, all at once, outermost first.

    Args:
        expression: any expression.
        values: part -> what takes its place.
        within: takes a node that binds symbols and gives what takes its place.
    """
    known: dict[Any, sp.Basic] = dict(values)

    def visit(node: sp.Basic) -> sp.Basic:
        if node not in known:
            if binds(node):
                known[node] = within(node)
            else:
                arguments = tuple(map(visit, node.args))
                known[node] = node if arguments == node.args else node.func(*arguments)
        return known[node]

    return visit(expression)

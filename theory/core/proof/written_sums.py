"""Sums and products over integers term by term, at random numbers of terms: the search for their counterexamples."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import sympy as sp

from theory.core.algebra.sums import FINITE
from theory.core.formula.sampling import satisfies
from theory.core.formula.subexpressions import distinct, put_in

_SIZES = (1, 2, 3, 4, 0)
_ATTEMPTS = 40


def numbers_of_terms(sides: tuple[Any, ...], seed: str) -> dict[sp.Symbol, sp.Integer]:
    """Return a small number for each integer symbol, and for each symbol in the ends of a sum.

    Args:
        sides: both sides of a step.
        seed: seed of the random generator.
    """
    draw = random.Random(seed)
    whole = {symbol for side in sides for symbol in side.free_symbols if symbol.is_integer}
    labels = set()
    for side in sides:
        for node in distinct(side):
            if isinstance(node, FINITE):
                for _, low, high in node.limits:
                    whole |= low.free_symbols | high.free_symbols
            if isinstance(node, sp.Indexed):
                labels |= node.base.label.free_symbols
    bound = {
        name
        for side in sides
        for node in distinct(side)
        if isinstance(node, FINITE)
        for name in node.variables
    }
    values = {}
    for symbol in sorted(whole - labels - bound, key=sp.default_sort_key):
        for _ in range(_ATTEMPTS):
            value = sp.Integer(draw.choice(_SIZES))
            if satisfies(symbol, value):
                values[symbol] = value
                break
    return values


def term_by_term(node: Any, values: Mapping[sp.Symbol, sp.Expr]) -> Any:
    """Return an expression or matrix with its sums and products written out, and a symbol for each indexed letter.

    Args:
        node: expression or matrix.
        values: numbers of terms, as of :func:`numbers_of_terms`.

    Raises:
        ValueError: if the range of a sum is not one of numbers.

    >>> n, i = sp.symbols("n i", integer=True, positive=True)
    >>> term_by_term(sp.Sum(sp.IndexedBase("x")[i], (i, 1, n)), {n: sp.Integer(2)})
    x_1 + x_2
    """
    return _written(node.subs(values), {})


def _written(node: Any, known: dict[Any, Any]) -> Any:
    if isinstance(node, sp.MatrixBase):
        return node.applyfunc(lambda entry: _written(entry, known))
    if isinstance(node, FINITE):
        terms = _terms(node)
        total = sp.Add(*terms) if isinstance(node, sp.Sum) else sp.Mul(*terms)
        return _written(total, known)
    if isinstance(node, sp.Indexed):
        name = f"{node.base}_{'_'.join(map(str, node.indices))}"
        return sp.Symbol(name, **node.assumptions0)
    if isinstance(node, sp.Subs) and node.has(*FINITE):
        at = dict(zip(node.variables, node.point, strict=True))
        return _written(put_in(node.expr, at), known)
    if not node.args or not node.has(*FINITE, sp.Indexed):
        return node
    if node not in known:
        known[node] = node.func(*(_written(part, known) for part in node.args))
    return known[node]


def _terms(node: sp.Expr) -> list[sp.Expr]:
    """Return the terms of a sum or a product over its last limit, the outermost."""
    *inner, (index, low, high) = node.limits
    if not (low.is_Integer and high.is_Integer) or high < low - 1:
        raise ValueError(f"the range of {index} is none of numbers")
    inside = node.func(node.function, *inner) if inner else node.function
    return [inside.subs(index, value) for value in range(int(low), int(high) + 1)]

r"""Functions with a kink or a jump, such as ``Max``, without it: region by region of the signs of what decides.

``Max(a, b)`` is ``a`` where :math:`a - b` is positive, and ``b`` where it is negative. What decides is factored, so
that the factors whose sign is known drop out: ``Max(0, c x)`` and ``c Max(0, x)`` have the same regions if ``c`` is
positive.
An identity of continuous functions in all open regions holds on their boundaries too; one with jumps is also tried
there.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from theory.core.algebra.signs import open_part, sign_of
from theory.core.formula.subexpressions import binds, distinct, substituted

_EXTREMES = (sp.Max, sp.Min)
JUMPS = (sp.Heaviside, sp.sign)
KINKED = (*_EXTREMES, *JUMPS, sp.Abs)
_MOST_REGIONS = 64


class TooMany(Exception):
    """There are more regions than are tried, or what decides has no factor that can be split."""


def regions(expression: sp.Expr) -> Iterator[sp.Expr]:
    """Yield the expression in every region without its functions with a kink or jump, except inside of integrals.

    Args:
        expression: scalar expression.

    Raises:
        TooMany: if there are more than 64 regions.

    >>> x, c = sp.Symbol("x", real=True), sp.Symbol("c", positive=True)
    >>> list(regions(sp.Max(0, c * x) - sp.Max(0, x)))
    [c*x - x, 0]
    """
    for count, region in enumerate(_split(expression, ()), start=1):
        if count > _MOST_REGIONS:
            raise TooMany
        yield region


def _split(expression: sp.Expr, positive: tuple[sp.Expr, ...]) -> Iterator[sp.Expr]:
    """Yield the expression in the regions in which all of ``positive`` are positive."""
    node = _innermost(expression)
    if node is None:
        yield expression
        return
    decides = _decides(node)
    sign = sign_of(decides, positive)
    if sign is None:
        sign = _implied(decides, positive)
    if sign is not None:
        yield from _split(_replaced(expression, node, sign), positive)
        return
    factor = _one_factor(decides, positive)
    for side in (factor, -factor):
        yield from _split(expression, (*positive, sp.expand(side)))
    if any(isinstance(part, JUMPS) for part in distinct(expression, closed=binds)):
        yield from _split(_on_boundary(expression, factor), positive)


def _innermost(expression: sp.Expr) -> sp.Expr | None:
    """Return a function with a kink or jump of real arguments that has none inside, outside of integrals."""
    nodes = [
        node
        for node in distinct(expression, closed=binds)
        if isinstance(node, KINKED)
        and all(argument.is_extended_real for argument in node.args[:1])
        and not any(isinstance(part, KINKED) for part in distinct(node) if part != node)
    ]
    return min(nodes, key=sp.default_sort_key, default=None)


def _decides(node: sp.Expr) -> sp.Expr:
    return node.args[0] - node.args[1] if isinstance(node, _EXTREMES) else node.args[0]


def _replaced(expression: sp.Expr, node: sp.Expr, sign: int) -> sp.Expr:
    if isinstance(node, _EXTREMES):
        first, second, *others = node.args
        is_first = (sign > 0) == isinstance(node, sp.Max)
        value = node.func(first if is_first else second, *others)
    elif isinstance(node, sp.Abs):
        value = sign * node.args[0]
    else:
        value = sp.Integer(sign) if isinstance(node, sp.sign) else node.func(sign, *node.args[1:])
    return substituted(expression, {node: value}, within=lambda inner: inner)


def _one_factor(decides: sp.Expr, positive: tuple[sp.Expr, ...]) -> sp.Expr:
    part = open_part(decides, positive)
    factors = [factor for factor in sp.Mul.make_args(part) if not factor.is_number]
    powers = [factor.as_base_exp() for factor in factors]
    if not all(exponent.is_odd and base.is_extended_real for base, exponent in powers):
        raise TooMany
    return powers[0][0]


def _implied(decides: sp.Expr, positive: tuple[sp.Expr, ...]) -> int | None:
    """Return the sign of what decides where it is a sum of one or two positive expressions and of one more."""
    sums = [*positive, *(a + b for i, a in enumerate(positive) for b in positive[:i])]
    for sign in (1, -1):
        for known in sums:
            rest = sp.expand(sign * decides - known)
            if rest == 0 or sign_of(rest) == 1:
                return sign
    return None


def _on_boundary(expression: sp.Expr, factor: sp.Expr) -> sp.Expr:
    """Return the expression where a factor, linear in some symbol, is zero."""
    for symbol in sorted(factor.free_symbols, key=sp.default_sort_key):
        slope = sp.diff(factor, symbol)
        if sign_of(slope) in (1, -1) and not slope.has(symbol):
            value = sp.expand(symbol - factor / slope)
            return expression.subs(symbol, value) if symbol.is_Symbol else expression
    raise TooMany

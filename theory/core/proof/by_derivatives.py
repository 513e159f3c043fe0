r"""Proofs by derivatives: smooth functions on a connected domain are equal if all derivatives and one value are.

It proves what the normal form cannot, since functions are variables without relations there:
:math:`\arctan x + \arctan(1/x) = \pi/2` for positive :math:`x`, a logarithm of a product, an inverse function by
another one. A domain is what the assumptions on real symbols leave, so it is connected if none of them has a gap.
"""

import itertools
from collections.abc import Callable, Iterator

import sympy as sp

from theory.core.algebra.fewer_functions import in_fewer_functions, without_reciprocals
from theory.core.algebra.normal_form import vanishes
from theory.core.algebra.signs import sign_of
from theory.core.formula.sampling import satisfies
from theory.core.formula.special import opened
from theory.core.formula.subexpressions import distinct

_MOST_SYMBOLS = 4
_LARGEST = 150  # operations of a difference whose derivatives are tried

_EVERYWHERE = (sp.exp, sp.sin, sp.cos, sp.sinh, sp.cosh, sp.erf, sp.erfc, sp.atan, sp.asinh)  # fmt: skip
_WHERE_POSITIVE: dict[type, Callable[[sp.Expr], sp.Expr]] = {
    sp.log: lambda x: x,
    sp.asin: lambda x: 1 - x**2,
    sp.acos: lambda x: 1 - x**2,
    sp.atanh: lambda x: 1 - x**2,
    sp.acosh: lambda x: x - 1,
}
"""What must be positive of a real argument, so that the function is real and smooth."""

_SIGNS = ("positive", "negative", "nonnegative", "nonpositive")
_INTERVALS = [
    sp.Symbol("x", real=True).assumptions0,
    *(sp.Symbol("x", real=True, **{sign: True}).assumptions0 for sign in _SIGNS),
]
"""Assumptions that leave all real numbers, or all of a sign, and so no gap."""
_SHORT = (sp.S.Zero, sp.S.One, sp.S.NegativeOne, sp.Integer(2))


def are_equal_by_derivatives(left: sp.Expr, right: sp.Expr) -> bool:
    """Return whether equal derivatives and one equal value prove ``left = right``; False says nothing.

    >>> x = sp.Symbol("x", positive=True)
    >>> are_equal_by_derivatives(sp.atan(x) + sp.atan(1 / x), sp.pi / 2)
    True
    """
    difference = without_reciprocals(opened(left - right)).rewrite(sp.tanh, sp.exp)
    symbols = sorted(difference.free_symbols, key=sp.default_sort_key)
    if not 0 < len(symbols) <= _MOST_SYMBOLS or difference.count_ops() > _LARGEST:
        return False
    return (
        all(symbol.assumptions0 in _INTERVALS for symbol in symbols)
        and all(map(_is_smooth, distinct(difference)))
        and all(vanishes(sp.diff(difference, symbol)) for symbol in symbols)
        and any(_vanishes_at(difference, point) for point in _points(symbols))
    )


def _is_smooth(node: sp.Basic) -> bool:
    """Return whether a part is real and smooth wherever its arguments are real; False if that is not seen."""
    if isinstance(node, (sp.Symbol, sp.Rational, sp.NumberSymbol, sp.Add, sp.Mul, *_EVERYWHERE)):
        return True
    if isinstance(node, sp.Pow):
        sign = sign_of(node.base)
        return sign == 1 or bool(node.exp.is_Integer and (node.exp > 0 or sign == -1))
    condition = _WHERE_POSITIVE.get(node.func)
    return condition is not None and sign_of(condition(node.args[0])) == 1


def _points(symbols: list[sp.Symbol]) -> Iterator[dict[sp.Symbol, sp.Integer]]:
    """Yield points of the domain at which functions have short values."""
    values = [[value for value in _SHORT if satisfies(symbol, value)] for symbol in symbols]
    for point in itertools.product(*values):
        yield dict(zip(symbols, point, strict=True))


def _vanishes_at(difference: sp.Expr, point: dict[sp.Symbol, sp.Integer]) -> bool:
    value = sp.expand_log(in_fewer_functions(difference.subs(point)))
    return value == 0 or vanishes(value)

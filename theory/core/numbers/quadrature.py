"""Definite integrals with many digits for comparisons, by flint or, where flint fails, by mpmath."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import flint
import sympy as sp

from theory.core.formula.subexpressions import binds, distinct, substituted
from theory.core.numbers.backends import complex_ball_backend, mpmath_backend
from theory.core.numbers.backends.certified_integral import enclosed, middle
from theory.core.numbers.backends.compiler import compile_expression
from theory.core.numbers.exact import number

# Where flint has failed, trying it again would only take time.
_MPMATH_ALONE = SimpleNamespace(**{name: part for name, part in vars(mpmath_backend).items() if name != "certified"})


def integral(node: sp.Integral, point: Mapping[sp.Symbol, sp.Expr], digits: int) -> Any:
    """Return an integral at a point to some digits, as a number of ``WORK``, whose lock the caller holds."""
    symbols = _symbols(node)
    values = [point[symbol] for symbol in symbols]
    function = _compiled(node, symbols) if all(value.is_Rational for value in values) else None
    backend: Any = mpmath_backend
    if function is not None:
        # Values are not cached, since flint may return a wrong value when it is interrupted.
        ball = enclosed(function, values, lambda value: flint.arb(flint.fmpq(int(value.p), int(value.q))), digits)
        if ball is not None:
            return mpmath_backend.WORK.make_mpf(middle(ball))
        backend = _MPMATH_ALONE
    numbers = (number(value, mpmath_backend.WORK) for value in values)
    return compile_expression(node, symbols, backend, context=mpmath_backend.WORK)(*numbers)


@lru_cache(maxsize=256)
def without_integrals(expression: sp.Expr) -> tuple[sp.Expr, dict[sp.Integral, sp.Dummy]]:
    """Return the expression with its outermost integrals replaced by symbols, and the map integral -> symbol."""
    integrals = {node: sp.Dummy("integral") for node in distinct(expression, binds) if isinstance(node, sp.Integral)}
    return (substituted(expression, integrals, within=lambda node: node) if integrals else expression), integrals


def _symbols(node: sp.Integral) -> tuple[sp.Symbol, ...]:
    return tuple(sorted(node.free_symbols, key=sp.default_sort_key))


@lru_cache(maxsize=256)
def _compiled(node: sp.Integral, symbols: tuple[sp.Symbol, ...]) -> Callable[..., Any] | None:
    """Return the integral as a function of balls; None if flint lacks a function or integrals are nested."""
    if len(node.limits) > 1 or node.function.has(sp.Integral):
        return None
    try:
        return compile_expression(node, symbols, complex_ball_backend)
    except NotImplementedError:
        return None

"""Signs of expressions that follow from the assumptions on their symbols and from factors known to be positive."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import sympy as sp

from theory.core.algebra.factoring import factored


def sign_of(expression: sp.Expr, positive: Collection[sp.Expr] = ()) -> int | None:
    """Return the sign of a real expression, factor by factor.

    Args:
        expression: scalar expression.
        positive: factors that are known to be positive. Default: none.

    Returns:
        1, 0 or -1, the same for all values of the symbols; None if the assumptions leave it open.

    >>> a, b = sp.symbols("a b", positive=True)
    >>> sign_of(-(a**2) - 2 * a * b - b**2), sign_of(a - b), sign_of(b * (b - a), [a - b])
    (-1, None, -1)
    """
    sign, unknown = _split(expression, positive)
    return sign if not unknown or sign == 0 else None


def open_part(expression: sp.Expr, positive: Collection[sp.Expr] = ()) -> sp.Expr:
    """Return an expression of the same sign, without the factors whose sign is known.

    Args:
        expression: scalar expression.
        positive: as for :func:`sign_of`. Default: none.

    >>> a, b = sp.symbols("a b", positive=True)
    >>> open_part(-(a**2) * (a - b) / (a + b))
    -a + b
    """
    sign, unknown = _split(expression, positive)
    return sp.expand(sign * unknown[0]) if len(unknown) == 1 else sp.Mul(sign, *unknown)


def _split(expression: sp.Expr, positive: Collection[sp.Expr]) -> tuple[int, list[sp.Expr]]:
    """Return the sign of the factors whose sign is known, and the others, in their smallest odd or even powers."""
    sign, unknown = 1, []
    for factor in sp.Mul.make_args(factored(sp.together(expression))):
        base, exponent = factor.as_base_exp()
        of_base = _of_base(base, positive)
        if factor.is_zero:
            return 0, []
        if of_base == 1 or factor.is_positive or _is_even_pole(base, exponent):
            continue
        if of_base == -1 and exponent.is_integer:
            sign *= -1 if exponent.is_odd else 1
        else:
            # the cube of an imaginary number has another sign than the number
            unknown.append(base if exponent.is_odd and base.is_extended_real else factor)
    return sign, unknown


def _of_base(base: sp.Expr, positive: Collection[sp.Expr]) -> int | None:
    if base.is_positive or base in positive:
        return 1
    if base.is_negative or sp.expand(-base) in positive:
        return -1
    return None


def _is_even_pole(base: sp.Expr, exponent: sp.Expr) -> bool:
    """Return whether a factor is an even negative power of something real, which is positive where it has a value."""
    return bool(base.is_extended_real and exponent.is_even and exponent.is_negative)


def positive_factors(expressions: Collection[sp.Expr]) -> Iterator[sp.Expr]:
    """Yield the factors that are positive where each of the expressions is, if only one factor has an open sign.

    Args:
        expressions: expressions that a condition makes positive.

    >>> a, b = sp.symbols("a b", positive=True)
    >>> list(positive_factors([a * (a - b), -a * (b - 1)]))
    [a - b, 1 - b]
    """
    for expression in expressions:
        _, unknown = _split(expression, ())
        if len(unknown) == 1:
            yield open_part(expression)

"""Reproducible exact values that satisfy the assumptions on symbols and functions."""

import random
from collections.abc import Iterable
from functools import lru_cache

import sympy as sp
from sympy.core.function import AppliedUndef

_ATTEMPTS = 400
_POINTS = 3  # at one the slopes may be dependent by chance


def rational_point(symbols: Iterable[sp.Symbol], seed: str) -> dict[sp.Symbol, sp.Expr]:
    """Return an exact value for every symbol: a rational for real symbols, else a Gaussian rational."""
    return {
        s: _value(s, random.Random(f"{seed}:{s.name}"))
        for s in sorted(symbols, key=sp.default_sort_key)
    }


def satisfies(symbol: sp.Expr, value: sp.Expr) -> bool:
    """Return whether ``value`` violates none of the assumptions on a symbol, or on an undefined function."""
    return all(
        getattr(value, f"is_{key}", None) in (wanted, None)
        for key, wanted in symbol.assumptions0.items()
    )


@lru_cache(maxsize=256)
def reaches_neighbourhood(values: sp.Dict) -> bool:
    """Return whether expressions in place of symbols reach a neighbourhood of a point, so that no relation holds there.

    They do where their slopes are independent at a random point, and if they have no numbers as slopes.

    Args:
        values: symbol -> expression in its place.

    >>> x, y, p = sp.symbols("x y p", positive=True)
    >>> [reaches_neighbourhood(sp.Dict(v)) for v in ({x: p**2}, {x: 1}, {x: p, y: p**2}, {x: y, y: y})]
    [True, False, False, False]
    """
    import numpy as np  # which formulas alone do not load

    letters = sorted(set().union(*(v.free_symbols for v in values.values())), key=str)
    if len(letters) < len(values):
        return False
    slopes = [[sp.diff(value, letter) for letter in letters] for value in values.values()]
    for seed in range(_POINTS):
        point = rational_point(letters, str(seed))
        try:
            numbers = [[complex(slope.xreplace(point)) for slope in row] for row in slopes]
        except TypeError:  # an undefined function
            return True
        if np.linalg.matrix_rank(np.array(numbers)) == len(values):
            return True
    return False


def _value(symbol: sp.Symbol, draw: random.Random) -> sp.Expr:
    for _ in range(_ATTEMPTS):
        value = _candidate(symbol, draw)
        if satisfies(symbol, value):
            return value
    raise ValueError(
        f"no value found that satisfies the assumptions of {symbol}: {symbol.assumptions0}"
    )


def _candidate(symbol: sp.Symbol, draw: random.Random) -> sp.Expr:
    if symbol.is_integer:
        return sp.Integer(draw.randint(-9, 12))
    # Two decades around one; small denominators keep exact arithmetic cheap.
    size = sp.Rational(draw.randint(2, 97), draw.randint(5, 41))
    if symbol.is_positive or symbol.is_nonnegative:
        return size
    if symbol.is_negative or symbol.is_nonpositive:
        return -size
    if symbol.is_imaginary:
        return sp.I * size
    signed = size * draw.choice((-1, 1))
    if symbol.is_extended_real:
        return signed
    return signed + sp.I * sp.Rational(draw.randint(-60, 60), draw.randint(7, 23))


def concrete(expression: sp.Basic, seed: str) -> sp.Basic:
    """Replace undefined functions by random cubic polynomials, or by squares plus one if they are assumed positive."""
    functions = {node.func: node for node in expression.atoms(AppliedUndef)}
    for function, node in sorted(functions.items(), key=lambda item: str(item[0])):
        expression = expression.replace(
            function, _polynomial(node, random.Random(f"{seed}:{function}"))
        )
    return expression


def _polynomial(node: sp.Expr, draw: random.Random) -> sp.Lambda:
    variables = [sp.Dummy(f"x{i}", **arg.assumptions0) for i, arg in enumerate(node.args)]

    def coefficient() -> sp.Rational:
        return sp.Rational(draw.randint(1, 30) * draw.choice((-1, 1)), draw.randint(7, 23))

    body: sp.Expr = coefficient()
    for power in (1, 2, 3):
        body += coefficient() * sp.Add(*(coefficient() * v for v in variables)) ** power
    if node.is_extended_real and (node.is_extended_nonnegative or node.is_extended_nonpositive):
        sign = 1 if node.is_extended_nonnegative else -1
        body = sign * (body**2 + sp.Rational(1, 3))
    kept = node.func(*variables)
    if not satisfies(kept, body) or kept.is_integer:
        raise ValueError(f"no polynomial satisfies the assumptions of {node}")
    return sp.Lambda(tuple(variables), body)

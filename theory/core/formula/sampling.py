"""Reproducible random points that satisfy the assumptions on symbols and functions, and strategies of hypothesis.

Every point of a strategy is valid by construction: one that violates a condition is moved towards a point that
satisfies all of them until it does so too. Numbers shrink towards the simplest, as those of hypothesis do.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.core.function import AppliedUndef

from closedform import checks
from closedform.missing import require
from closedform.suggestions import unknown

if TYPE_CHECKING:
    import numpy as np

    from theory.core.formula.closed_form import ClosedForm
    from theory.core.formula.domain import Argument, Condition

_ATTEMPTS = 400
MOST_POINTS = 10**6  # drawn one by one, which takes half a minute
_MOST_REJECTIONS = 10_000
STEPS = (1.0, 0.5, 0.25, 0.1, 0.0)  # of a point, from the valid one towards the one that was drawn


def rational_point(symbols: Iterable[sp.Symbol], seed: str) -> dict[sp.Symbol, sp.Expr]:
    """Return an exact value for every symbol: a rational for real symbols, else a Gaussian rational."""
    return {s: _value(s, random.Random(f"{seed}:{s.name}")) for s in sorted(symbols, key=sp.default_sort_key)}


def satisfies(symbol: sp.Symbol, value: sp.Expr) -> bool:
    """Return whether ``value`` violates none of the assumptions on ``symbol``."""
    return all(getattr(value, f"is_{key}", None) in (wanted, None) for key, wanted in symbol.assumptions0.items())


def _value(symbol: sp.Symbol, draw: random.Random) -> sp.Expr:
    for _ in range(_ATTEMPTS):
        value = _candidate(symbol, draw)
        if satisfies(symbol, value):
            return value
    raise ValueError(f"no value found that satisfies the assumptions of {symbol}: {symbol.assumptions0}")


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
        expression = expression.replace(function, _polynomial(node, random.Random(f"{seed}:{function}")))
    return expression


def _polynomial(node: sp.Expr, draw: random.Random) -> sp.Lambda:
    variables = [sp.Dummy(f"x{i}", **arg.assumptions0) for i, arg in enumerate(node.args)]

    def coefficient() -> sp.Rational:
        return sp.Rational(draw.randint(1, 30) * draw.choice((-1, 1)), draw.randint(7, 23))

    body: sp.Expr = coefficient()
    for power in (1, 2, 3):
        body += coefficient() * sp.Add(*(coefficient() * v for v in variables)) ** power
    if node.is_positive or node.is_nonnegative:
        body = body**2 + sp.Rational(1, 3)
    return sp.Lambda(tuple(variables), body)


def random_points(
    arguments: Sequence[Argument], conditions: Sequence[Condition], size: int, seed: int
) -> dict[str, np.ndarray]:
    """Return random points in the domain, see :meth:`theory.core.ClosedForm.sample`."""
    import numpy as np

    from theory.core.numbers.backends import load
    from theory.core.numbers.backends.compiler import compile_expression

    size = checks.integer("size", size, 0, MOST_POINTS)
    draw = np.random.default_rng(checks.seed("seed", seed))
    symbols = [argument.symbol for argument in arguments]
    gaps = [compile_expression(condition.gap, symbols, load("numpy")) for condition in conditions]
    points: list[list[float]] = []
    for _ in range(_MOST_REJECTIONS * size):
        if len(points) == size:
            break
        point = [_draw(argument, draw) for argument in arguments]
        if all(gap(*map(np.float64, point)) > 0 for gap in gaps):
            points.append(point)
    else:
        raise ArithmeticError("the samples of the arguments hardly ever satisfy the conditions")
    columns = np.array(points, dtype=float).reshape(size, len(symbols)).T
    return {argument.name: column for argument, column in zip(arguments, columns, strict=True)}


def _draw(argument: Argument, draw: np.random.Generator) -> float:
    low, high = argument.range
    if argument.allowed.is_integer:
        return float(draw.integers(int(low), int(high), endpoint=True))
    return float(draw.uniform(low, high))


def strategy(form: ClosedForm, ranges: Mapping[str, Any]) -> Any:
    """Return the strategy of ``{argument: value}``; see :meth:`ClosedForm.strategy`."""
    require("strategy:", "hypothesis")
    from hypothesis import strategies as st

    names = [argument.name for argument in form.arguments]
    for name in ranges:
        if name not in names:
            raise ValueError(unknown("argument", name, names))
    bounds = {argument.name: _bounds(argument, ranges.get(argument.name)) for argument in form.arguments}
    valid = _valid(form, bounds)
    each = {argument.name: _numbers(argument, *bounds[argument.name]) for argument in form.arguments}
    return st.fixed_dictionaries(each).map(lambda point: _moved(form, point, valid))


def _bounds(argument: Argument, given: Any) -> tuple[float, float]:
    """Return the range of an argument: the given one, one number for both ends, or that from which tests draw."""
    if given is None:
        return argument.range
    ends = tuple(given) if isinstance(given, Sequence) else (given, given)
    checks.require(len(ends) == 2, argument.name, repr(given), "a number or a range (low, high)")
    low, high = (checks.real_number(argument.name, end) for end in ends)
    inside = low <= high and all(satisfies(argument.symbol, sp.nsimplify(end)) for end in (low, high))
    checks.require(inside, argument.name, f"({low:g}, {high:g})", f"a range (low, high) of {argument.needs}")
    return low, high


def _numbers(argument: Argument, low: float, high: float) -> Any:
    from hypothesis import strategies as st

    if argument.allowed.is_integer:
        return st.integers(math.ceil(low), math.floor(high))
    numbers = st.floats(low, high, allow_nan=False, allow_infinity=False)
    return numbers.filter(bool) if argument.allowed.is_nonzero and low <= 0 <= high else numbers


def _valid(form: ClosedForm, bounds: Mapping[str, tuple[float, float]]) -> dict[str, float]:
    """Return a point within the bounds that satisfies the conditions; raise ValueError if none is found."""
    inside = [replace(argument, sample=bounds[argument.name]) for argument in form.arguments]
    try:
        found = random_points(inside, form.conditions, 1, 0)
    except ArithmeticError as error:
        raise ValueError(f"ranges: hardly any point of {form.name} in them satisfies its conditions") from error
    return {name: float(values[0]) for name, values in found.items()}


def _moved(form: ClosedForm, point: Mapping[str, float], valid: Mapping[str, float]) -> dict[str, float]:
    """Return the point, or the first one on the way to the valid point that satisfies all conditions."""
    for share in STEPS:
        between: dict[str, float] = {}
        for argument in form.arguments:
            there, here = point[argument.name], valid[argument.name]
            number = there if share == 1 else here + share * (there - here)
            between[argument.name] = round(number) if argument.allowed.is_integer else number
        if not form.conditions or _is_inside(form, between):
            break
    return between


def _is_inside(form: ClosedForm, point: Mapping[str, float]) -> bool:
    from theory.core.formula.arguments import in_domain

    try:
        in_domain(form.arguments, list(point.values()), form.conditions)
    except ValueError:
        return False
    return True

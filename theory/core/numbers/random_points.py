"""Random points of the domain of a closed form, and strategies of hypothesis.

Every point of a strategy is valid by construction: one that violates a condition is moved towards a point that
satisfies all of them until it does so too. Numbers shrink towards the simplest, as those of hypothesis do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from closedform import checks
from closedform.missing import require
from closedform.suggestions import unknown
from theory.core.formula.sampling import satisfies
from theory.core.numbers.arguments import in_domain
from theory.core.numbers.backends import numpy_backend
from theory.core.numbers.backends.source import compile_expression

if TYPE_CHECKING:
    from theory.core.formula.domain import Argument, Condition
    from theory.core.formula.form import Form

MOST_POINTS = 10**6  # drawn one by one, which takes half a minute
_MOST_REJECTIONS = 10_000
STEPS = (1.0, 0.5, 0.25, 0.1, 0.0)  # of a point, from the valid one towards the one that was drawn


def random_points(
    arguments: Sequence[Argument], conditions: Sequence[Condition], size: int, seed: int
) -> dict[str, np.ndarray]:
    """Return random points in the domain, see :meth:`theory.core.ClosedForm.sample`."""
    size = checks.integer("size", size, 0, MOST_POINTS)
    draw = np.random.default_rng(checks.seed("seed", seed))
    symbols = [argument.symbol for argument in arguments]
    gaps = [compile_expression(condition.gap, symbols, numpy_backend) for condition in conditions]
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


def strategy(form: Form, ranges: Mapping[str, Any]) -> Any:
    """Return the strategy of ``{argument: value}``; see :meth:`ClosedForm.strategy`."""
    require("strategy:", "hypothesis")
    from hypothesis import strategies as st

    names = [argument.name for argument in form.arguments]
    for name in ranges:
        if name not in names:
            raise ValueError(unknown("argument", name, names))
    bounds = {
        argument.name: _bounds(argument, ranges.get(argument.name)) for argument in form.arguments
    }
    valid = _valid(form, bounds)
    each = {
        argument.name: _numbers(argument, *bounds[argument.name]) for argument in form.arguments
    }
    return st.fixed_dictionaries(each).map(lambda point: _moved(form, point, valid))


def _bounds(argument: Argument, given: Any) -> tuple[float, float]:
    """Return the range of an argument: the given one, one number for both ends, or that from which tests draw."""
    if given is None:
        return argument.range
    ends = tuple(given) if isinstance(given, Sequence) else (given, given)
    checks.require(len(ends) == 2, argument.name, repr(given), "a number or a range (low, high)")
    low, high = (checks.real_number(argument.name, end) for end in ends)
    inside = low <= high and all(
        satisfies(argument.symbol, sp.nsimplify(end)) for end in (low, high)
    )
    checks.require(
        inside, argument.name, f"({low:g}, {high:g})", f"a range (low, high) of {argument.needs}"
    )
    return low, high


def _numbers(argument: Argument, low: float, high: float) -> Any:
    from hypothesis import strategies as st

    if argument.allowed.is_integer:
        return st.integers(math.ceil(low), math.floor(high))
    numbers = st.floats(low, high, allow_nan=False, allow_infinity=False)
    return numbers.filter(bool) if argument.allowed.is_nonzero and low <= 0 <= high else numbers


def _valid(form: Form, bounds: Mapping[str, tuple[float, float]]) -> dict[str, float]:
    """Return a point within the bounds that satisfies the conditions; raise ValueError if none is found."""
    inside = [replace(argument, sample=bounds[argument.name]) for argument in form.arguments]
    try:
        points = random_points(inside, form.conditions, 1, 0)
    except ArithmeticError as error:
        raise ValueError(
            f"ranges: hardly any point of {form.name} in them satisfies its conditions"
        ) from error
    return {name: float(values[0]) for name, values in points.items()}


def _moved(form: Form, point: Mapping[str, float], valid: Mapping[str, float]) -> dict[str, float]:
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


def _is_inside(form: Form, point: Mapping[str, float]) -> bool:
    try:
        in_domain(form.arguments, list(point.values()), form.conditions)
    except ValueError:
        return False
    return True

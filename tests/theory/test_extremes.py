"""The catalogue at ordinary and extreme arguments and at the edges of domains: right digits, an error or a warning.

Each point is computed by numpy from Python numbers and from arrays, and by torch, and held against ``evaluate``.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy as sp

import theory
from tests.theory.forms import NAMES, forms
from theory.core.numbers.backends import mpmath_backend
from theory.core.numbers.backends.source import compile_expression

EXTREME, ORDINARY = 1e-6, 1e-10  # largest relative error that may come in silence
UNDERFLOW = {float: 1e-290, np.longdouble: 1e-290, np.float32: 1e-37}


def extreme(form, rng):
    """A point of the domain: magnitudes from 1e-8 to 1e8, and now and then two arguments that are nearly equal."""
    point = []
    for argument in form.arguments:
        symbol, (low, high) = argument.symbol, argument.range
        if symbol.is_integer:
            point.append(float(rng.integers(int(low), max(int(low), int(high)) + 1)))
            continue
        value = 10.0 ** rng.uniform(-8, 8) if rng.random() < 0.7 else abs(rng.uniform(low, high))
        sign = 1 if symbol.is_nonnegative else -1 if symbol.is_nonpositive else rng.choice([-1, 1])
        if point and rng.random() < 0.15 and value > 0:
            value = abs(point[-1] * (1 + 10.0 ** rng.uniform(-15, -3))) or value
        point.append(float(sign * max(value, 1e-8)))
    return point


def at_the_edge(form, rng):
    """A point of the ranges, of which one argument is moved onto the boundary of a condition, or 1e-15 to 1e-3 next.

    Integers are drawn up to ten thousand times beyond their range.
    """
    point = ordinary(form, rng)
    for place, argument in enumerate(form.arguments):
        if argument.symbol.is_integer and rng.random() < 0.5:
            most = 10.0 ** rng.uniform(0, 4) * max(abs(argument.range[1]), 1)
            sign = -1 if argument.symbol.is_nonpositive else 1
            point[place] = sign * float(max(1, round(most)))
    if not form.conditions:
        return point
    gap = form.conditions[rng.integers(len(form.conditions))].gap
    free = [
        place
        for place, a in enumerate(form.arguments)
        if a.symbol in gap.free_symbols and not a.symbol.is_integer
    ]
    if not free:
        return point
    place = int(rng.choice(free))
    value = compile_expression(gap, [a.symbol for a in form.arguments], mpmath_backend)

    def along(x):
        return value(*map(mpmath.mpf, [*point[:place], x, *point[place + 1 :]]))

    with contextlib.suppress(ValueError, ZeroDivisionError, TypeError), mpmath.workdps(30):
        root = mpmath.findroot(along, point[place])
        apart = (
            0 if rng.random() < 0.2 else float(rng.choice([-1, 1]) * 10.0 ** rng.uniform(-16, -3))
        )
        point[place] = float(mpmath.re(root)) * (1 + apart)
    return point


def ordinary(form, rng):
    """A point of the ranges from which examples are drawn."""
    return [float(column[0]) for column in form.sample(1, seed=int(rng.integers(2**30))).values()]


def paths(form, with_torch: bool) -> dict[str, Callable[..., Any]]:
    """The ways in which a user computes the value at a point."""
    ways: dict[str, Callable[..., Any]] = {"numbers": form}
    if form.arguments:
        ways["arrays"] = lambda *point: form(*(np.array([x, x]) for x in point))[1]
    if with_torch:
        torch = pytest.importorskip("torch")
        function = form.function("torch")
        ways["torch"] = lambda *point: function(
            *(torch.tensor(x, dtype=torch.float64) for x in point)
        )
        if form.arguments:
            ways["a tensor beside numbers"] = lambda x, *rest: function(
                torch.tensor([x], dtype=torch.float64), *rest
            )
    return ways


def of_type(kind):
    """The form at numbers of a shorter or a longer type."""
    return lambda form, _: {kind.__name__: lambda *point: form(*map(kind, point))}


def silent(function, point):
    """The value, or None if it came with an error or a warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = function(*point)
        except (ValueError, ArithmeticError, NotImplementedError):  # longdouble has few functions
            return None
    return None if caught else value if isinstance(value, np.longdouble) else float(value)


def worst(form, draw, count, seed, with_torch=False, ways=paths, kind=float):
    """The largest silent error of a way to compute the form among ``count`` points, with its way and point."""
    return max(
        silent_errors(form, draw, count, seed, with_torch, ways, kind), default=(0.0, "", [])
    )


def silent_errors(form, draw, count, seed, with_torch, ways, kind):
    """The errors that came without a warning, with their ways and points; infinite for NaN and silent overflow."""
    rng, errors, ways = np.random.default_rng(seed), [], ways(form, with_torch)
    for _ in range(4 * count):
        point = [float(kind(x)) for x in draw(form, rng)]
        values = {way: value for way, f in ways.items() if (value := silent(f, point)) is not None}
        if not values:
            continue
        try:
            exact = form.evaluate(*map(sp.Rational, point), digits=25)
        # outside of a condition, within the rounding that floats are forgiven
        except (ValueError, ArithmeticError):
            continue
        for way, value in values.items():
            errors.append((wrong(value, exact, UNDERFLOW[kind]), way, point))
        if len(errors) >= count * len(ways):
            break
    return errors


def wrong(value, exact, underflow):
    """The relative error of a value, which of one that underflows is whether it does not."""
    with mpmath.workdps(30):
        value = mpmath.mpmathify(value)
        error = (
            abs(value) > underflow if abs(exact) < underflow else abs(value - exact) / abs(exact)
        )
    return np.inf if mpmath.isnan(error) else float(error)


def points_of(form, count):
    return max(1, count // 20) if form.expression.has(sp.Integral) else count


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", forms())
def test_no_wrong_digit_in_silence(name):
    form = theory.catalogue()[name]
    error, *where = worst(form, extreme, points_of(form, 2), seed=5)
    assert error < EXTREME, where


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "count", "seed", "most"),
    [(extreme, 300, 6, EXTREME), (ordinary, 200, 7, ORDINARY), (at_the_edge, 60, 8, EXTREME)],
)
@pytest.mark.parametrize("name", NAMES)
def test_no_wrong_digit_in_silence_at_many_points(name, draw, count, seed, most):
    form = theory.catalogue()[name]
    error, *where = worst(form, draw, points_of(form, count), seed, with_torch=True)
    assert error < most, where


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "most"), [(np.float32, 3e-7), (np.longdouble, ORDINARY)])
@pytest.mark.parametrize("draw", [ordinary, extreme, at_the_edge])
@pytest.mark.parametrize("name", NAMES)
def test_other_floating_points(name, draw, kind, most):
    form = theory.catalogue()[name]
    error, *where = worst(form, draw, points_of(form, 8), seed=9, ways=of_type(kind), kind=kind)
    assert error < (most if draw is ordinary else max(most, EXTREME)), where

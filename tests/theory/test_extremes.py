"""The catalogue at extreme and nearly degenerate arguments: right to six digits, or an error or a warning."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sympy as sp

import theory

NAMES = sorted(theory.catalogue())
WRONG = 1e-6
TORCH = 1e-6
UNDERFLOW = 1e-290
# What is known to be wrong in silence, and where. Nothing may be added.
KNOWN = {
    "geometry.nngp_kernel.sin": "kernels below 1e-10, as differences of two exponentials",
    "geometry.scalar_curvature.gelu": "sigma^2 r above 1e10, where the curvature is below 1e-30",
}


def drawn(form, rng):
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


def silent_error(form, function, point):
    """The relative error of a value that came without an error or a warning; None for the others."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = float(function(*point))
        except (ValueError, ArithmeticError):
            return None
    if caught:
        return None
    exact = float(form.evaluate(*map(sp.Rational, point), digits=20))
    return abs(value) > UNDERFLOW if abs(exact) < UNDERFLOW else abs(value - exact) / abs(exact)


def worst(form, function, count, seed):
    """The largest silent error among ``count`` points, with its point."""
    rng, errors = np.random.default_rng(seed), [(0.0, [])]
    for _ in range(4 * count):
        point = drawn(form, rng)
        error = silent_error(form, function, point)
        if error is not None:
            errors.append((error, point))
        if len(errors) > count:
            break
    return max(errors)


def points_of(form, count):
    return max(1, count // 20) if form.expression.has(sp.Integral) else count


@pytest.mark.parametrize("name", [name for name in NAMES if name not in KNOWN])
def test_no_wrong_digit_in_silence(name):
    form = theory.catalogue()[name]
    error, point = worst(form, form, points_of(form, 3), seed=5)
    assert error < WRONG, point


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name not in KNOWN])
def test_no_wrong_digit_in_silence_at_many_points(name):
    form = theory.catalogue()[name]
    error, point = worst(form, form, points_of(form, 300), seed=6)
    assert error < WRONG, point


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name not in KNOWN])
def test_torch_has_no_wrong_digit_in_silence(name):
    torch = pytest.importorskip("torch")
    form = theory.catalogue()[name]
    function = form.function("torch")
    tensors = lambda *point: function(*(torch.tensor(value, dtype=torch.float64) for value in point))  # noqa: E731
    error, point = worst(form, tensors, points_of(form, 100), seed=7)
    assert error < TORCH, point


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN)
def test_what_is_known_to_be_wrong_still_is(name):
    form = theory.catalogue()[name]
    assert max(worst(form, form, 200, seed)[0] for seed in range(4)) > WRONG, "take it out of the list"

"""Tests that the ways to compute a closed form in float64 agree: at arrays, at one point and by numba."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
import sympy as sp

import theory
from closedform.missing import MissingPackageError
from tests.theory.core.demonstrations import transcribed
from tests.theory.forms import LONG, NAMES, forms
from theory.core import Argument, ClosedForm, Condition, Status
from theory.core.formula.deferred_function import iterated
from theory.core.formula.rounding import compensated, watched
from theory.core.formula.special import phi1
from theory.core.numbers.backends import (
    numba_backend,
    number_backend,
    numpy_backend,
    scipy_functions,
)

LAST_DIGITS = 1e-12  # libm and numpy may differ in the last digit of a function, which ill-conditioned forms magnify
NUMBERS = (-2.5, -1.0, -0.3, 0.0, 0.4, 1.0, 3.0)
POINTS = 20
# one form in four is fast: the source is written by the printer of the demonstrations, which has all functions
ANOTHER_TIME = {*NAMES} - {*NAMES[::4]} | LONG
KINDS = ("real", "positive", "negative", "nonnegative", "nonpositive", "nonzero", "integer")
x, y = sp.symbols("x y", real=True)


@pytest.fixture
def no_general_way(monkeypatch):
    """Let the general way, which converts arguments, raise an error."""

    def refuse(*_):
        raise AssertionError("the general way was taken")

    monkeypatch.setattr(numpy_backend, "convert", refuse)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", forms(slow=ANOTHER_TIME))
def test_one_point_has_the_value_of_arrays_by_the_short_way(name, no_general_way):
    form = theory.catalogue()[name]
    if form.expression.has(sp.Integral) or not form.arguments:
        pytest.skip("an integral, or no argument, which takes the general way")
    points = form.sample(POINTS, seed=3)
    values = np.broadcast_to(form(**points), POINTS)
    unchecked = form.function(validate=False)
    np.testing.assert_array_equal(unchecked(**points), values)
    for index in range(3):
        point = [float(column[index]) for column in points.values()]
        value = form(*point)
        assert isinstance(value, np.float64)
        assert value == unchecked(*point)
        assert value == pytest.approx(values[index], rel=LAST_DIGITS, abs=LAST_DIGITS)
        of_one_number = form(*(np.full((1, 1), number) for number in point))
        np.testing.assert_array_equal(of_one_number, [[value]], strict=True)
        assert isinstance(form(*map(np.array, point)), np.float64)


@pytest.mark.slow
@pytest.mark.parametrize("name", theory.catalogue())
def test_machine_code_has_the_value_of_arrays(name):
    pytest.importorskip("numba")
    form = theory.catalogue()[name]
    try:
        function, unchecked = form.function("numba"), form.function("numba", validate=False)
    except NotImplementedError as problem:
        assert any(word in str(problem) for word in ("no ", "none"))  # noqa: PT017
        return
    points = form.sample(1000, seed=5)
    expected = form(**points)
    np.testing.assert_allclose(function(**points), expected, rtol=LAST_DIGITS, atol=LAST_DIGITS)
    np.testing.assert_array_equal(unchecked(**points), function(**points))


def test_machine_code_takes_layouts_and_refuses_as_numpy_does(monkeypatch):
    pytest.importorskip("numba")
    form = ClosedForm(
        "tests.root",
        "Test.",
        (Argument(x, "one"), Argument(sp.Symbol("n", positive=True, integer=True), "a count")),
        sp.sqrt(1 - x) * sp.Symbol("n", positive=True, integer=True),
        Status.TRANSCRIBED,
        conditions=(Condition(1 - x, "x is at most one"),),
    )
    function = form.function("numba")
    columns = np.linspace(-1, 0.9, 12)
    for grid in (
        columns.reshape(3, 4),
        np.asfortranarray(columns.reshape(3, 4)),
        columns[::-2],
        columns[:1],
    ):
        np.testing.assert_allclose(function(grid, 3), 3 * np.sqrt(1 - grid), rtol=1e-15)
    rows = np.array([[1.0], [2.0]])
    np.testing.assert_allclose(function(columns, rows), rows * np.sqrt(1 - columns), rtol=1e-15)
    assert function(0.75, 2) == 1
    assert function(np.float32(0.75), 2).dtype == np.float32
    for bad, message in (
        ((np.array([0.0, math.nan]), 2), "x .one.: got nan"),
        ((0.0, 2.5), "n .a count.: got 2.5, needs a positive integer"),
        ((np.array([0.0, 2.0]), 2), "requires: x is at most one"),
        ((np.zeros(3), np.ones(2)), "do not broadcast"),
        ((np.zeros(0), 1), "needs at least one number"),
    ):
        for way in (function, form):
            with pytest.raises(ValueError, match=message):
                way(*bad)


def test_machine_code_falls_back_where_digits_are_lost_or_the_pair_overflows():
    """In one formula with an iteration and cases, since numba takes a second to translate it."""
    pytest.importorskip("numba")
    repeated = iterated({x: x * y / 2 + 1}, {x: y}, 5, x**3)
    cases = sp.Piecewise((repeated, y < 6), (phi1(x), True))
    form = transcribed(
        (compensated(x * y - 1) + cases) / watched(sp.asin(x) - y),
        Argument(x, "one"),
        Argument(y, "other"),
    )
    spoilt = 0.5, float(np.arcsin(0.5)) * (1 + 1e-12)
    exact = float(form.evaluate(*spoilt))
    assert form.function("numba")(*spoilt) == pytest.approx(exact, rel=1e-15)
    points = np.array([1e-200, 0.3, 0.7]), np.array([1e300, 5.0, 7.0])
    np.testing.assert_allclose(form.function("numba")(*points), form(*points), rtol=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["power", "log_ratio"])
def test_powers_and_ratios_of_machine_code_are_those_of_numpy(name, rng):
    """Also of negative numbers and at the ends; NaN, which numpy then decides, only at what is not finite."""
    numba = pytest.importorskip("numba")
    function = numba_backend.functions()[name]
    compiled = numba.vectorize(["float64(float64, float64)"])(lambda x, y: function(x, y))
    ends = [0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 0.5, -0.5, 1e-320, 1e200, math.inf, math.nan]
    at_ends = np.array(np.meshgrid(ends, ends)).reshape(2, -1)
    columns = np.hstack([at_ends, rng.uniform(0.01, 5, (2, 200))])
    with np.errstate(all="ignore"):
        values, expected = compiled(*columns), numpy_backend.functions()[name](*columns)
    is_compared = np.isfinite(expected) & (np.isfinite(columns).all(axis=0) | ~np.isnan(values))
    np.testing.assert_allclose(values[is_compared], expected[is_compared], rtol=LAST_DIGITS)


@pytest.mark.slow
def test_products_of_pairs_have_their_rounding_errors_by_fused_operations():
    """The error of a product is the same number by splitting and by one fused operation."""
    numba = pytest.importorskip("numba")
    product = numba_backend.functions()["pair_of_product"]
    square = numba_backend.functions()["pair_of_square"]
    error = numba.vectorize(["float64(float64, float64)"])(
        lambda x, y: product(x, y)[1] + 2 * square(x)[1]
    )
    numbers = np.random.default_rng(1).normal(size=(2, 100))
    of_product, of_square = (
        numpy_backend.functions()[name] for name in ("pair_of_product", "pair_of_square")
    )
    expected = of_product(*numbers)[1] + 2 * of_square(numbers[0])[1]
    assert np.abs(expected).min() > 0
    np.testing.assert_array_equal(error(*numbers), expected)


@pytest.mark.slow
def test_machine_code_that_is_kept_is_loaded_by_the_next_process(tmp_path, monkeypatch):
    pytest.importorskip("numba")
    monkeypatch.setenv("CLOSEDFORM_CACHE", str(tmp_path))
    form = theory.catalogue()["compression.tangent_kernel"]
    points = form.sample(1000, seed=5)
    np.testing.assert_allclose(form.function("numba")(**points), form(**points), rtol=LAST_DIGITS)
    point = [float(column[0]) for column in points.values()]
    value = numba_backend.machine_code(form, True)(*map(np.array, point))
    assert list(tmp_path.rglob("*.nbi"))
    program = (
        f"import theory; print(theory.catalogue()[{form.name!r}].function('numba')(*{point}))"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert float(printed) == value


def test_without_numba_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setattr("closedform.missing.find_spec", lambda name: None)
    numba_backend.functions.cache_clear()
    with pytest.raises(MissingPackageError, match=r"function\('numba'\) needs numba.*\[fast\]"):
        transcribed(x / 2, Argument(x, "one")).function("numba")


@pytest.mark.parametrize(
    "name",
    sorted(
        ({*number_backend.functions()} & {*numpy_backend.functions()})
        - {*scipy_functions.FUNCTIONS}
    ),
)
def test_functions_of_floats_are_those_of_numpy(name):
    ours, theirs = number_backend.functions()[name], numpy_backend.functions()[name]
    if ours is theirs or name == "logical_not" or "pair" in name or not callable(ours):
        return
    compared = 0
    for arguments in (
        [(a,) for a in NUMBERS]
        + [(a, b) for a in NUMBERS for b in NUMBERS]
        + [(0.3, 0.5, 2.0)] * 2
    ):
        with np.errstate(all="ignore"):
            try:
                expected, value = theirs(*map(np.float64, arguments)), ours(*arguments)
            except (TypeError, ValueError, ArithmeticError, AttributeError):
                continue
        np.testing.assert_allclose(value, expected, rtol=1e-14, atol=1e-15)
        compared += 1
    assert compared


def outcome(form, value):
    """The value, or the message of the error."""
    try:
        return float(np.ravel(form(value))[0])
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("kind", KINDS)
def test_the_domain_is_the_same_in_all_ways(kind):
    symbol = sp.Symbol("x", **{"real": True, kind: True})
    form = transcribed(
        symbol / 2, Argument(symbol, "a number", sample=(1, 1) if kind == "nonzero" else None)
    )
    for value in (*NUMBERS, 1e308, -1e308, math.inf, -math.inf, math.nan, 5, 0, -3):
        expected = outcome(form, np.array([value], dtype=np.longdouble))
        assert outcome(form, np.array([value], dtype=float)) == expected
        assert outcome(form, np.array([1, value], dtype=float)[1:]) == expected
        assert outcome(form, value) == expected


def test_long_arrays_are_computed_in_blocks_and_a_bad_point_is_found_in_each():
    form = transcribed(sp.exp(x), Argument(x, "one"))
    points = np.linspace(-1, 1, 3 * 4096 + 17)
    np.testing.assert_array_equal(form(points), np.exp(points))
    for bad in (0, 5000, points.size - 1):
        spoilt = points.copy()
        spoilt[bad] = math.nan
        with pytest.raises(ValueError, match="got nan"):
            form(spoilt)
        spoilt[bad] = 1e4
        with pytest.raises(ArithmeticError, match="not finite in numpy arithmetic"):
            form(spoilt)


@pytest.mark.parametrize("size", [2, 100, 25_000])
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 0.0, -1.0])
def test_a_bad_entry_is_found_in_each_of_three_arrays(size, bad):
    """Finite entries are told by the sum of products of two arrays, of which the last one has no partner."""
    letters = sp.symbols("x y z", positive=True)
    form = transcribed(1 / (1 + sum(letters)), *(Argument(s, s.name) for s in letters))
    good = np.linspace(1, 2, size)
    for place in range(3):
        columns = [good, good, good]
        columns[place] = good.copy()
        columns[place][size // 2] = bad
        with pytest.raises(ValueError, match=letters[place].name):
            form(*columns)


def test_large_entries_whose_products_overflow_are_finite():
    form = transcribed(x / y, Argument(x, "x"), Argument(y, "y"))
    large = np.array([1e200, -1e250, 1e300])
    np.testing.assert_array_equal(form(large, large), np.ones(3))
    with pytest.raises(ArithmeticError, match="not finite"):
        form(large, 1 / large)

"""Tests of closed forms at arrays of points: programs of operations in buffers, against the general way."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import sympy as sp

import theory
from closedform import compiled
from tests.theory.core.demonstrations import EVERYWHERE, transcribed
from theory.core import Argument, ClosedForm, Condition, Status
from theory.core.numbers.backends import array_program, numpy_backend, numpy_functions
from theory.core.numbers.backends.array_program import ArrayProgram
from theory.core.numbers.backends.tape import Tape, opaque

# The forms with more than 800 operations, which take seconds to compile. No form is built while tests are collected.
LONG = {f"two_point.{name}" for name in ("dy2", "w", "escape_time", "rotating_dh2", "rotating_dy")}
MEMBERS = {name for name in theory.catalogue() if name.count(".") > 1 and not name.endswith(".erf")}  # of families
FORMS = [pytest.param(name, marks=pytest.mark.slow if name in LONG | MEMBERS else ()) for name in theory.catalogue()]
# numpy's vectorised functions may differ in the last digit with the length and the stride of an array.
LAST_DIGITS = 1e-13


def general(form, points, **options):
    """The values by the general way, which arrays in another memory layout take."""
    scattered = {key: np.stack([column, column]).T for key, column in points.items()}
    return form.function(**options)(**scattered)[:, 0]


def require_same_bits(monkeypatch, function, points):
    """Require the same bits by ufuncs and, where llvmlite is installed, by the compiled core."""
    results = []
    for choice in ("off", "on"):
        monkeypatch.setattr(compiled, "choice", choice)
        results.append(np.asarray(function(**points)).tobytes())
    assert results[0] == results[1]


@pytest.mark.parametrize("name", FORMS)
def test_every_form_takes_the_short_way_and_has_the_same_values(name, no_general_way, monkeypatch):
    form = theory.catalogue()[name]
    assert (form.expression.count_ops() > 800) is (name in LONG)
    if not form.arguments or form.expression.has(sp.Integral):
        pytest.skip("a constant or an integral, which takes the general way")
    points = form.sample(64, seed=4)
    expected = general(form, points)
    some, *others = points
    one = {**points, some: np.full(64, points[some][0])}
    expected_of_one = None if form.conditions or not others else general(form, one)
    no_general_way()
    for function in (form.function(), form.function(validate=False)):
        require_same_bits(monkeypatch, function, points)
        np.testing.assert_allclose(function(**points), expected, rtol=LAST_DIGITS)
        if expected_of_one is not None:
            values = function(**{**points, some: float(points[some][0])})
            np.testing.assert_allclose(values, expected_of_one, rtol=LAST_DIGITS)


@pytest.mark.parametrize("choice", ["off", "on"])
@pytest.mark.parametrize("short", [0, -1])
def test_arrays_of_one_number_broadcast(choice, short, monkeypatch):
    monkeypatch.setattr(compiled, "choice", choice)
    form = theory.catalogue()["two_point.dh2_rate"]
    columns = list(form.sample(40, seed=2).values())
    columns[short] = columns[short][:1]
    function = form.function(validate=False)  # which would not notice that it reads beside an array
    expected = function(*map(np.array, np.broadcast_arrays(*columns)))
    np.testing.assert_allclose(function(*columns), expected, rtol=LAST_DIGITS)


@pytest.mark.parametrize("name", EVERYWHERE)
def test_the_demonstrations(name):
    expression, arguments = EVERYWHERE[name]
    form = transcribed(expression, *arguments)
    if not arguments:
        return
    points = form.sample(40, seed=3)
    np.testing.assert_allclose(form(**points), general(form, points), rtol=LAST_DIGITS)


def outcome(form, value):
    """The values, or the message of the error."""
    try:
        return form(value).tolist()
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("kind", ["real", "positive", "negative", "nonnegative", "nonpositive", "nonzero", "integer"])
def test_the_domain_is_that_of_the_general_way(kind):
    x = sp.Symbol("x", **{"real": True, kind: True})
    form = transcribed(x / 2, Argument(x, "a number", sample=(1, 1) if kind == "nonzero" else None))
    allowed = {"negative": -2.0, "nonpositive": -2.0}.get(kind, 2.0)
    for value in (-2.5, -1.0, -0.0, 0.0, 0.4, 1.0, 1e308, -1e308, math.inf, -math.inf, math.nan, 5e-324):
        for place in (0, 7, 8):
            column = np.full(9, allowed)
            column[place] = value
            two_columns = np.stack([column, column]).T
            expected = outcome(form, two_columns)
            got = outcome(form, column)
            assert got == (expected if isinstance(expected, str) else [row[0] for row in expected])


def with_condition(expression, relation):
    x, y = sp.symbols("x y", real=True)
    return ClosedForm(
        name="tests.many_points",
        meaning="Test.",
        arguments=(Argument(x, "one"), Argument(y, "other")),
        expression=expression(x, y),
        status=Status.TRANSCRIBED,
        conditions=(Condition(relation(x, y), "y is larger"),),
    )


def test_conditions_and_results():
    one, less, more = np.ones(5), np.full(5, 0.5), np.full(5, 2.0)
    closed = with_condition(lambda x, y: x + y, lambda x, y: y - x)
    strict = with_condition(lambda x, y: x + y, lambda x, y: y > x)
    assert closed(one, one).tolist() == [2.0] * 5
    assert strict(one, more).tolist() == strict(1.0, more).tolist() == strict(one, 2).tolist() == [3.0] * 5
    assert closed(one, one - 1e-14) == pytest.approx(2 * one)  # rounding is forgiven, by the general way
    for form, point in ((closed, (one, less)), (strict, (one, one)), (strict, (one, 1.0)), (strict, (1, one))):
        with pytest.raises(ValueError, match="requires: y is larger; got x = "):
            form(*point)
    huge = with_condition(lambda x, y: sp.exp(x) * y, lambda x, y: y - x)
    with pytest.raises(ArithmeticError, match="not finite in numpy arithmetic"):
        huge(800 * one, 900 * one)
    assert huge.function(validate=False)(800 * one, 900 * one).tolist() == [math.inf] * 5
    with pytest.raises(ValueError, match="do not broadcast"):
        huge(one, np.ones(4))
    with pytest.raises(TypeError, match="masked"):
        huge(one, np.ma.masked_array(one, mask=[1, 0, 0, 0, 0]))
    with pytest.raises(ValueError, match="needs at least one number"):
        huge(one[:0], one[:0])


def test_blocks_are_joined_and_a_bad_point_is_found_in_each():
    form = theory.catalogue()["geometry.volume_element.gelu"]
    size = 2 * array_program._BLOCK + 3
    r = np.linspace(0, 4, size)
    values = form(3, r, 1.1, 0.6)
    assert values.shape == (size,)
    for index in (0, size // 2, size - 1):
        assert values[index] == pytest.approx(form(3.0, float(r[index]), 1.1, 0.6), rel=LAST_DIGITS)
        bad = r.copy()
        bad[index] = -1e-3
        with pytest.raises(ValueError, match=r"r .*: got .*, needs a nonnegative"):
            form(3, bad, 1.1, 0.6)
    assert form(3, r[: size - 1].reshape(2, -1), 1.1, 0.6).tolist() == values[: size - 1].reshape(2, -1).tolist()


def test_threads_do_not_share_buffers():
    form = theory.catalogue()["geometry.volume_element.gelu"]
    columns = [np.linspace(0, top, 30_000) for top in (1, 2, 3, 4)]
    expected = [form(3, column, 1.1, 0.6) for column in columns]
    with ThreadPoolExecutor(4) as threads:
        for _ in range(5):
            for value, known in zip(threads.map(lambda r: form(3, r, 1.1, 0.6), columns), expected, strict=True):
                assert (value == known).all()


def test_signs_move_and_operations_are_shared_without_a_change_of_bits():
    def body(x, y, c):
        return -x * y + (-x * y) / (-c) - (-y) + 2.0 * (-x) + y * (-3.0) - x / -y

    tape = Tape([True] * 3)
    tape.values(body)
    result = tape.operations[-1]  # a chain of sums and differences, the last of which had a negated operand
    assert result.function is np.add
    x, y = np.random.default_rng(0).normal(size=(2, 50))
    program = ArrayProgram([True, True, False], body)
    assert (program([x, y], [np.float64(0.7)])[0] == body(x, y, 0.7)).all()


def test_the_operands_of_an_opaque_function_are_kept():
    same = opaque(lambda x, y: x)

    def body(x, y):
        product = x * y
        kept = same(product, y)
        return (x + y) * (x - y) + kept

    x, y = np.random.default_rng(1).normal(size=(2, 20))
    assert (ArrayProgram([True, True], body)([x, y], [])[0] == body(x, y)).all()


def test_signs_of_numbers_stay_with_the_numbers():
    tape = Tape([True, False])
    (value,) = tape.values(lambda x, c: np.exp(-c * x))
    assert [operation.function for operation in tape.operations] == [np.negative, np.multiply, np.exp]
    assert tape.is_array == [True, False, False, True, True]
    assert value == 4


def test_limits_of_ratios_and_correlations_are_written_into_buffers():
    x, y = np.random.default_rng(3).normal(size=(2, 30))
    x[3] = y[3] = x[5] = y[7] = 0
    quotient, correlation = (numpy_functions.ELEMENTARY[name] for name in ("quotient", "correlation"))
    for body in (
        lambda x, y: quotient(x, y),
        lambda x, y: quotient(x + 0.0, y + 0.0) * y,  # both parts are in buffers
        lambda x, y: (quotient(x + 0.0, y + 0.0), x + 0.0, y + 0.0),
        lambda x, y: correlation(2 * x, x * x, y * y) + y,
        lambda x, y: (correlation(2 * x, x * x, y * y), x * x),
    ):
        with numpy_backend.quiet():
            expected = body(x, y)
            values = ArrayProgram([True, True], body)([x, y], [])
        np.testing.assert_array_equal(values, expected if isinstance(expected, tuple) else [expected])


def test_what_cannot_be_recorded_is_left_to_the_general_way():
    with pytest.raises(TypeError):
        ArrayProgram([True], lambda x: x if x > 0 else -x)
    with pytest.raises(TypeError):
        ArrayProgram([True], lambda x: np.modf(x)[0])
    with numpy_backend.quiet():
        assert ArrayProgram([True], lambda x: 2.0)([np.ones(3)], []).tolist() == [[2.0] * 3]
        assert ArrayProgram([True], lambda x: x)([np.ones(3)], []).tolist() == [[1.0] * 3]


def test_several_results_for_several_sets_of_numbers():
    def body(t, a, b):
        return np.exp(-a * t) * b, t, a - b

    rng = np.random.default_rng(2)
    program = ArrayProgram([True, False, False], body)
    for sets, size in ((1, 5), (7, 50), (3, array_program._BLOCK + 1), (5, array_program._BLOCK // 2)):
        t, a, b = rng.uniform(size=size), *rng.uniform(size=(2, sets))
        expected = [body(t, *numbers) for numbers in zip(a, b, strict=True)]
        values = program.of_sets([t], [a, b])
        assert values.shape == (3, sets, size)
        assert (values == program.of_sets([np.tile(t, (sets, 1))], [a, b])).all()  # with points of their own
        for index, curves in enumerate(expected):
            for row, curve in zip(values[:, index], curves, strict=True):
                np.testing.assert_allclose(row, np.broadcast_to(curve, size), rtol=LAST_DIGITS)

"""Tests of closed forms at single points of Python numbers, against the same points in arrays."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp

import theory
from closedform import compiled
from tests.theory.core.demonstrations import EVERYWHERE, transcribed
from theory.core import Argument, ClosedForm, Condition, Status
from theory.core.formula.rounding import compensated
from theory.core.numbers.backends import double_double, float_backend, numpy_backend
from theory.core.numbers.backends import single_point as single_point_module
from theory.core.numbers.backends.compiler import compile_expression
from theory.core.numbers.backends.single_point import _translated, single_point

LAST_DIGITS = 1e-12  # libm and numpy may differ in the last digit of a function, which ill-conditioned forms magnify
NUMBERS = (-2.5, -1.0, -0.3, 0.0, 0.4, 1.0, 3.0)
SCALAR = (
    "two_point.final_distance",
    "two_point.w",
    "two_point.crossing_time",
    "geometry.curvature_threshold",
    "geometry.nngp_kernel.gelu",
    "geometry.volume_element.erf",
    "collapse.noise_floor",
)


def same_as_in_arrays(form):
    points = form.sample(20, seed=3)
    values = np.broadcast_to(form(**points), 20)
    alone, plain = single_point(form, True), form.function(validate=False)
    for index, expected in enumerate(values):
        point = [float(column[index]) for column in points.values()]
        assert form(*point) == pytest.approx(expected, rel=LAST_DIGITS, abs=LAST_DIGITS)
        assert plain(*point) == form(**dict(zip(points, point, strict=True))) == form(*point)
        assert isinstance(form(*point), np.float64)
        yield alone(*point)


@pytest.mark.parametrize("name", EVERYWHERE)
def test_the_demonstrations(name):
    expression, arguments = EVERYWHERE[name]
    list(same_as_in_arrays(transcribed(expression, *arguments)))


def test_differences_in_twice_the_digits_are_those_of_pairs_to_the_last_bit(rng):
    a, b, c = sp.symbols("a b c", real=True)
    inside = (a * b - 3 * c**2 / a) * sp.sqrt(sp.Abs(b - c)) / b - sp.Rational(1, 3) * sp.sign(a * c - b)
    function = compile_expression(compensated(inside), [a, b, c], float_backend)
    pairs = compile_expression(inside, [a, b, c], double_double, root=math.sqrt, sign=np.sign, log=math.log)
    for point in rng.normal(size=(50, 3)).tolist():
        assert function(*point) == pairs(*map(double_double.Pair, point)).high
    assert function(2.0, 1e200, 1.0) == pytest.approx(2e200 * 1e100 / 1e200, rel=LAST_DIGITS)  # the halves overflow
    with pytest.raises(ArithmeticError):
        function(0.0, 1.0, 1.0)


@pytest.mark.parametrize("name", SCALAR)
def test_forms_of_the_catalogue_take_the_short_way(name):
    assert None not in list(same_as_in_arrays(theory.catalogue()[name]))


@pytest.mark.parametrize("name", sorted({*float_backend.functions()} & {*numpy_backend.functions()}))
def test_functions_of_floats_are_those_of_numpy(name):
    ours, theirs = float_backend.functions()[name], numpy_backend.functions()[name]
    if ours is theirs or name == "logical_not":
        return
    compared = 0
    for arguments in [(x,) for x in NUMBERS] + [(x, y) for x in NUMBERS for y in NUMBERS] + [(0.3, 0.5, 2.0)] * 2:
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


@pytest.mark.parametrize("kind", ["real", "positive", "negative", "nonnegative", "nonpositive", "nonzero", "integer"])
def test_the_domain_is_that_of_arrays(kind):
    x = sp.Symbol("x", **{"real": True, kind: True})
    form = transcribed(x / 2, Argument(x, "a number", sample=(1, 1) if kind == "nonzero" else None))
    for value in (*NUMBERS, 1e308, -1e308, math.inf, -math.inf, math.nan, 5, 0, -3):
        expected = outcome(form, np.array([value], dtype=float))
        assert outcome(form, value) == expected
        assert outcome(form, float(value)) == expected


def test_conditions_and_results():
    x, y = sp.symbols("x y", real=True)
    arguments = Argument(x, "one"), Argument(y, "other")

    def made(expression, relation):
        return ClosedForm(
            name="tests.single_point",
            meaning="Test.",
            arguments=arguments,
            expression=expression,
            status=Status.TRANSCRIBED,
            conditions=(Condition(relation, "y is larger"),),
        )

    closed, strict = made(x + y, y - x), made(x + y, y > x)
    assert closed(1.0, 1.0) == 2
    assert strict(1.0, 2.0) == 3
    assert closed(1.0, 1.0 - 1e-14) == pytest.approx(2)  # rounding is forgiven, by the arrays
    for form, point in ((closed, (1.0, 0.5)), (strict, (1.0, 1.0))):
        with pytest.raises(ValueError, match="requires: y is larger; got x = "):
            form(*point)
    huge = made(sp.exp(x) * y, y - x)
    with pytest.raises(ArithmeticError, match="not finite in numpy arithmetic"):
        huge(800.0, 900.0)
    assert huge.function(validate=False)(800.0, 900.0) == math.inf
    with pytest.raises(TypeError, match="needs y"):
        huge(1.0)
    with pytest.raises(TypeError, match="got multiple values for argument 'x'"):
        huge(1.0, x=2.0)
    with pytest.raises(TypeError, match="no argument 'z'"):
        huge(1.0, z=2.0)
    with pytest.raises(TypeError):
        huge(True, 2.0)


@pytest.mark.skipif(not compiled.is_installed(), reason="llvmlite is not installed")
@pytest.mark.parametrize(
    "name", ["two_point.final_distance", "geometry.nngp_kernel.gelu", "leaky_resnet.depth_of_mean"]
)
def test_machine_code_has_the_bits_of_python_floats(name, rng):
    form = theory.catalogue()[name]
    symbols = [argument.symbol for argument in form.arguments]
    parts = [form.expression, *(condition.gap for condition in form.conditions)]
    body, *gaps = (compile_expression(part, symbols, numpy_backend, dtype=np.float64) for part in parts)
    conditions = [(condition, gap, None) for condition, gap in zip(form.conditions, gaps, strict=True)]
    ordinary = np.transpose([np.broadcast_to(column, 40) for column in form.sample(40, seed=5).values()]).tolist()
    others = [[*point] for point in ordinary]
    for point in others:
        point[rng.integers(len(point))] = float(rng.choice([*NUMBERS, -0.0, 5e-324, 1e308, math.inf, math.nan]))
    for validate in (True, False):
        quick, plain = _translated(form, validate, body, conditions), single_point(form, validate)
        assert [quick(*point) for point in ordinary] == [plain(*point) for point in ordinary]
        assert None not in map(quick, *zip(*ordinary, strict=True))
        for point in others:
            with np.errstate(all="ignore"):
                assert repr(quick(*point)) in (repr(plain(*point)), "None")


@pytest.mark.skipif(not compiled.is_installed(), reason="llvmlite is not installed")
def test_machine_code_is_used_when_it_pays_and_python_floats_where_it_declines(monkeypatch):
    monkeypatch.setattr(compiled, "choice", "auto")
    monkeypatch.setattr(compiled.Account, "_of_all", compiled.LOADING)
    monkeypatch.setattr(single_point_module, "SAVED", single_point_module.TRANSLATION)
    x, y = sp.symbols("x y", real=True)
    form = transcribed(compensated(x * y - 1) / y, Argument(x, "one"), Argument(y, "other"))
    call = form.function()
    scope = call.__globals__
    found = [(call(3.0, 2.0), type(scope["_single"]).__name__) for _ in range(3)]
    assert found == [(2.5, "function"), (2.5, "builtin_function_or_method"), (2.5, "builtin_function_or_method")]
    assert scope["_single"](1.0, 1e305) is None  # the halves of 53 bits overflow
    monkeypatch.setitem(scope, "_general", None)
    assert call(1.0, 1e305) == 1
    with pytest.raises(TypeError, match="NoneType"):
        call(1.0, 0.0)


def test_a_call_at_numbers_compiles_nothing_for_arrays_and_the_parts_for_floats_once(monkeypatch):
    x = sp.Symbol("x", positive=True)
    argument = Argument(x, "a number", sample=(0.5, 2), example=1)
    form = ClosedForm(
        "one.half", "Half of it.", (argument,), x / 2, Status.CONJECTURED, conditions=(Condition(x - 1, "x"),)
    )
    assert form(3.0) == 1.5
    assert not any(form.__dict__["_compiled"].values())
    monkeypatch.setattr(single_point_module, "compile_expression", None)
    assert form.function(validate=False)(4.0) == form.function()(4.0) == 2.0
    assert form(np.array([3.0, 5.0])).tolist() == [1.5, 2.5]
    with pytest.raises(ValueError, match="requires"):
        form.function()(0.5)

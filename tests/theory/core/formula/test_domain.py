"""Tests that bad input raises an error that names the argument, and never gives a number."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from tests.theory.core.demonstrations import ROOT, A, B, N, X, a, b, n, transcribed, x
from theory.core import Argument, Condition
from theory.core.numbers.arguments import in_domain

COUNTED = transcribed(a * n + b + x, A, N, B, X)
GOOD = {"a": 1.0, "n": 2, "b": 0.0, "x": -1.0}
BACKENDS = ("numpy", "torch", "mpmath")


def call(form, backend, **values):
    if backend == "evaluate":
        return form.evaluate(**values)
    if backend == "torch":
        pytest.importorskip("torch")
    return form.function(backend)(**values)


BAD_VALUES = {
    ("a", 0): r"a \(a rate\): got 0.*, needs a positive, finite number",
    ("a", -1.5): r"a \(a rate\): got -1.5.*, needs a positive, finite number",
    ("a", math.nan): "a",
    ("a", math.inf): "a",
    ("b", -1e-300): r"b \(an offset\): got -1.*, needs a nonnegative, finite number",
    ("x", -math.inf): "x",
    ("x", math.nan): "x",
    ("n", 1.5): r"n \(a count\): got 1.5.*, needs a positive integer",
    ("n", 0): r"n \(a count\): got 0.*, needs a positive integer",
}


@pytest.mark.parametrize("backend", [*BACKENDS, "evaluate"])
def test_a_value_outside_its_domain_is_refused(backend):
    for (name, value), message in BAD_VALUES.items():
        with pytest.raises(ValueError, match=f"^{message}"):
            call(COUNTED, backend, **{**GOOD, name: value})


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_bad_entry_spoils_an_array(backend):
    for bad in (math.nan, 0.0, -1.0, math.inf):
        values = np.ones(1000)
        values[617] = bad
        with pytest.raises(ValueError, match=r"^a( \(a rate\))?: got "):
            call(COUNTED, backend, **{**GOOD, "a": values})


@pytest.mark.parametrize("backend", [*BACKENDS, "evaluate"])
def test_what_is_no_number_is_refused(backend):
    for bad in ("one", None, 1 + 2j, True, {"a": 1}, object()):
        with pytest.raises((TypeError, ValueError), match=r"^a( \(a rate\))?: got "):
            call(COUNTED, backend, **{**GOOD, "a": bad})


def test_what_is_no_array_of_numbers_is_refused():
    for bad in ("0.3.1", [True, False], np.array([1j]), np.array(["a"]), [[1, 2], [3]]):
        with pytest.raises((TypeError, ValueError), match="a"):
            COUNTED(**{**GOOD, "a": bad})


def test_masked_arrays_are_refused():
    with pytest.raises(TypeError, match="a: got a masked array"):
        COUNTED(**{**GOOD, "a": np.ma.masked_less([1.0, -1.0], 0)})


@pytest.mark.parametrize("backend", BACKENDS)
def test_empty_and_mismatched_arrays_are_refused(backend):
    with pytest.raises(ValueError, match=r"a: got shape .*, needs at least one number"):
        call(COUNTED, backend, **{**GOOD, "a": np.array([])})
    with pytest.raises(ValueError, match=r"do not broadcast|could not be broadcast"):
        call(COUNTED, backend, **{**GOOD, "a": np.ones(2), "x": np.ones(3)})


@pytest.mark.parametrize("backend", [*BACKENDS, "evaluate"])
def test_arguments_are_bound_as_in_a_python_call(backend):
    function = ROOT.evaluate if backend == "evaluate" else ROOT.function(backend)
    assert function(1, 2) == function(1, a=2) == function(a=2, x=1) == 2
    for given_, named, message in (
        ((1,), {}, r"root\(x, a\) needs a"),
        ((), {"a": 1}, "needs x"),
        ((1, 2, 3), {}, "takes 2 arguments, got 3"),
        ((1, 2), {"y": 1}, "no argument 'y'"),
        ((1, 2), {"a": 1}, "got ('a' twice|multiple values for argument 'a')"),
    ):
        with pytest.raises(TypeError, match=message):
            function(*given_, **named)


rate, offset = sp.symbols("rate offset", positive=True)
NAMED = transcribed(rate + offset, Argument(rate, "a rate"), Argument(offset, "an offset"))
CAUCHY_SCHWARZ = Condition(a * b - x**2, "x^2 <= a b")


@pytest.mark.parametrize("backend", [*BACKENDS, "evaluate"])
def test_conditions_are_enforced_up_to_rounding(backend):
    form = transcribed(a + b + x, A, B, X, conditions=(CAUCHY_SCHWARZ,))
    assert float(call(form, backend, a=2, b=3, x=2)) == 7
    # On the boundary, after rounding.
    call(form, backend, a=0.1, b=0.3, x=math.sqrt(0.1 * 0.3) * (1 + 1e-14))
    with pytest.raises(ValueError, match=r"requires: x\^2 <= a b; got a = "):
        call(form, backend, a=0.1, b=0.3, x=math.sqrt(0.1 * 0.3) * (1 + 1e-9))
    with pytest.raises(ValueError, match=r"requires: x\^2 <= a b; got a = "):
        call(form, backend, a=2, b=3, x=-2.5)


def test_float32_is_forgiven_its_own_rounding():
    form = transcribed(a + b + x, A, B, X, conditions=(CAUCHY_SCHWARZ,))
    rate, offset = np.float32(0.1), np.float32(0.3)
    form(rate, offset, np.sqrt(rate * offset) * np.float32(1 + 1e-6))
    with pytest.raises(ValueError, match=r"requires: .* got a = 0\.1000"):
        form(rate, offset, np.sqrt(rate * offset) * np.float32(1 + 1e-4))


def test_the_point_that_violates_a_condition_most_is_shown():
    form = transcribed(a + b + x, A, B, X, conditions=(CAUCHY_SCHWARZ,))
    with pytest.raises(ValueError, match=r"requires: .* got a = 2, b = 3, x = -7$"):
        form(2, 3, np.array([1.0, 4.0, -7.0, 5.0]))
    with pytest.raises(ValueError, match=r": got 2\.25, needs a positive integer$"):
        transcribed(n * a, N, A)(np.array([1, 2.25, 3]), 1.0)


def test_the_point_is_found_where_the_condition_has_fewer_axes_than_the_values():
    condition = Condition(b - a, "a <= b")
    values = np.array([[1.0], [3.0], [2.0]]), 2.5, np.array([1.0, 2.0])
    with pytest.raises(ValueError, match=r"required: a <= b; got a = 3, b = 2\.5$"):
        in_domain((A, B, X), values, (condition,))
    with pytest.raises(ValueError, match=r"requires: a <= b; got a = 3, b = 2\.5$"):
        transcribed(a + b + x, A, B, X, conditions=(condition,))(*values)


def test_a_misspelt_keyword_suggests_the_argument():
    with pytest.raises(
        TypeError, match=r"form\(rate, offset\): no argument 'ofset'; did you mean offset\?"
    ):
        NAMED(rate=1, ofset=2)


@pytest.mark.parametrize("backend", [*BACKENDS, "evaluate"])
def test_strict_conditions_forgive_nothing(backend):
    form = transcribed(a / (a - x), A, X, conditions=(Condition(x < a, "x < a"),))
    assert float(call(form, backend, a=2, x=1)) == 2
    with pytest.raises(ValueError, match=r"requires: x < a; got a = 1, x = 1$"):
        call(form, backend, a=1, x=1)


@given(
    st.floats(allow_nan=True, allow_infinity=True), st.floats(allow_nan=True, allow_infinity=True)
)
def test_any_floats_give_a_finite_number_or_an_error(abscissa, rate):
    try:
        value = ROOT(abscissa, rate)
    except ValueError:
        assert not (math.isfinite(abscissa) and math.isfinite(rate) and rate > 0)
    except ArithmeticError:
        assert max(abs(abscissa), rate) > 1e150  # the square overflows
    else:
        assert math.isfinite(value)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Argument("a", "a rate"), "symbol: got .*, needs a sympy Symbol"),
        (lambda: Argument(sp.Symbol("a"), "a rate"), "needs a real domain"),
        (lambda: Argument(sp.Symbol("a b", real=True), "a rate"), "can be a keyword"),
        (lambda: Argument(a, " "), "meaning of 'a': got no text"),
        (lambda: Argument(a, "a rate", sample=(-1, 1)), "needs a range in its domain"),
        (lambda: Argument(a, "a rate", sample=(2, 1)), "finite range"),
        (lambda: Condition("a < b", "a below b"), "needs a sympy expression"),
        (lambda: Condition(sp.Eq(a, b), "a is b"), "needs a sympy expression or an inequality"),
        (lambda: Condition(a - b, ""), "sentence of the condition"),
    ],
)
def test_a_malformed_domain_is_refused(build, message):
    with pytest.raises((TypeError, ValueError), match=message):
        build()


def test_domains_in_words():
    words = {A: "positive", B: "nonnegative", X: "real", N: "positive integer"}
    assert {argument: argument.domain for argument in words} == words

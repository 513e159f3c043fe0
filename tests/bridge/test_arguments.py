"""Tests that every check names the argument, its value and the requirement, for numbers of Python and numpy."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from bridge import arguments

TRACE = xr.Dataset({"loss": ("seed", [1.0])}, attrs={"config": "{}"})


@pytest.mark.parametrize("kind", [int, np.int64, np.uint8])
def test_whole_numbers_of_any_kind(kind):
    assert arguments.whole_number("n", kind(3), 1) == 3
    assert type(arguments.whole_number("n", kind(3), 1, 3)) is int


@pytest.mark.parametrize("kind", [int, float, np.float32, np.int64, np.array])
def test_real_numbers_of_any_kind(kind):
    assert arguments.positive_number("x", kind(2)) == 2.0
    assert type(arguments.positive_number("x", kind(2))) is float


@pytest.mark.parametrize(
    ("check", "values", "message"),
    [
        (lambda v: arguments.whole_number("n", v, 1), [0, -1], r"n: got -?\d, needs a whole number of at least 1"),
        (lambda v: arguments.whole_number("n", v, 1, 4), [5], "n: got 5, needs a whole number from 1 to 4"),
        (lambda v: arguments.share("s", v), [0, 1, -0.1, np.nan], "s: got .*, needs a number between 0 and 1"),
        (lambda v: arguments.positive_number("x", v), [0, -1, np.inf, np.nan], "x: got .*, needs a positive number"),
        (
            lambda v: arguments.positive_number("x", v, "errors"),
            [0.0],
            r"x: got 0\.0, needs a positive number of errors",
        ),
        (lambda v: arguments.one_of("a", v, ("b", "c")), ["d"], "a: got 'd', needs one of b, c"),
        (lambda v: arguments.filled_array("y", v), [[]], "y: is empty, needs at least one number"),
        (lambda v: arguments.positive_array("y", v), [[1, 0], [-1]], "y: got -?[01], needs positive numbers"),
        (lambda v: arguments.positive_array("y", v, or_zero=True), [[0, -1]], "y: got -1, needs numbers of at least 0"),
        (lambda v: arguments.real_array("y", v), [[1, np.nan]], r"y: 1 of 2 entries .* \(the first in row 1\)"),
        (
            lambda v: arguments.dataset(v, "E", ("loss", "w"), ("seed", "layer"), attributes=("config", "date")),
            [TRACE],
            "trace: lacks w, the dimension layer, the attribute date; needs a trace of E",
        ),
    ],
)
def test_bad_values(check, values, message):
    for value in values:
        with pytest.raises(ValueError, match=message):
            check(value)


@pytest.mark.parametrize(
    ("check", "values", "message"),
    [
        (
            lambda v: arguments.whole_number("n", v, 1),
            [2.0, True, "2", None, np.True_],
            "n: got .*, needs a whole number",
        ),
        (lambda v: arguments.share("s", v), [True, "1", None, [0.5], 0.5j], "s: got .*, needs a number between"),
        (lambda v: arguments.real_array("y", v), [["a"], [1j], [True], [None]], "y: needs real numbers, got"),
        (lambda v: arguments.dataset(v, "E", ()), [[1], None, TRACE["loss"]], "trace: got .*, needs a Dataset"),
    ],
)
def test_values_of_another_kind(check, values, message):
    for value in values:
        with pytest.raises(TypeError, match=message):
            check(value)


def test_good_values_come_back():
    assert arguments.dataset(TRACE, "E", ("loss",), ("seed",), attributes=("config",)) is TRACE
    assert arguments.one_of("a", "b", ("b",)) == "b"
    assert arguments.real_array("y", [1, 2]).dtype == np.float64
    assert arguments.positive_array("y", [0, 2], or_zero=True).tolist() == [0, 2]


def test_an_attribute_of_a_trace_is_read_as_json():
    assert arguments.attribute(TRACE, "config") == {}
    for name, text, message in (
        ("versions", None, "trace: lacks the attribute 'versions'"),
        ("config", "[" * 100_000, "trace: config: got JSON with more than 100 levels"),
        ("config", "[]", "trace: config: got JSON of the kind list, needs an object"),
    ):
        with pytest.raises(ValueError, match=message):
            arguments.attribute(TRACE.assign_attrs({} if text is None else {name: text}), name)

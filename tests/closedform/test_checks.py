"""Tests of the checks of arguments: valid values are returned, others raise "name: got X, needs Y"."""

from __future__ import annotations

import fractions
import math
import subprocess
import sys

import numpy as np
import pytest
import sympy as sp
import torch

from closedform import checks
from closedform.checks import arrays

REFUSED = [
    (lambda: checks.integer("n", 2.0), TypeError, "n: got 2.0, needs an integer"),
    (lambda: checks.integer("n", True), TypeError, "n: got True, needs an integer"),
    (lambda: checks.integer("n", np.True_, 1), TypeError, "n: got np.True_, needs an integer of at least 1"),
    (lambda: checks.integer("n", "2"), TypeError, "n: got '2', needs an integer"),
    (lambda: checks.integer("n", None), TypeError, "n: got None, needs an integer"),
    (lambda: checks.integer("n", torch.ones(3)), TypeError, "n: got shape (3,), needs an integer"),
    (lambda: checks.integer("n", 0, 1), ValueError, "n: got 0, needs an integer of at least 1"),
    (lambda: checks.integer("n", np.int64(0), 1), ValueError, "n: got 0, needs an integer of at least 1"),
    (lambda: checks.integer("n", 7, 2, 6), ValueError, "n: got 7, needs an integer from 2 to 6"),
    (lambda: checks.integer("n", 1, 2, 6), ValueError, "n: got 1, needs an integer from 2 to 6"),
    (lambda: checks.integer("n", 2**63), ValueError,
     "n: got 9223372036854775808, needs an integer of at most 9223372036854775807"),
    (lambda: checks.integer("n", 10**5000), ValueError,
     "n: got an integer of 16610 bits, needs an integer of at most 9223372036854775807"),
    (lambda: checks.size("n", 0), ValueError, "n: got 0, needs an integer of at least 1"),
    (lambda: checks.size("n", 10**10), ValueError, "n: got 10000000000, needs an integer from 1 to 1000000000"),
    (lambda: checks.seed("seed", 2**63), ValueError,
     "seed: got 9223372036854775808, needs an integer from 0 to 9223372036854775807"),
    (lambda: checks.integers("n", "12"), TypeError, "n: got '12', needs a sequence of integers"),
    (lambda: checks.integers("n", 12), TypeError, "n: got 12, needs a sequence of integers"),
    (lambda: checks.integers("n", np.broadcast_to(1, 10**9)), ValueError,
     "n: got 1,000,000,000 integers, needs at most 10,000,000"),
    (lambda: checks.sizes("n", (), some=True), ValueError, "n: got none, needs at least one"),
    (lambda: checks.real_number("x", "1"), TypeError, "x: got '1', needs a finite number"),
    (lambda: checks.real_number("x", False), TypeError, "x: got False, needs a finite number"),
    (lambda: checks.real_number("x", np.array(True)), TypeError, "x: got array(True), needs a finite number"),
    (lambda: checks.real_number("x", [0.5]), TypeError, "x: got [0.5], needs a finite number"),
    (lambda: checks.real_number("x", np.ones(1)), TypeError, "x: got shape (1,), needs a finite number"),
    (lambda: checks.real_number("x", 1j), TypeError, "x: got 1j, needs a finite number"),
    (lambda: checks.real_number("x", math.nan), ValueError, "x: got nan, needs a finite number"),
    (lambda: checks.real_number("x", -math.inf), ValueError, "x: got -inf, needs a finite number"),
    (lambda: checks.real_number("x", 10**400), ValueError,
     "x: got a number beyond the range of float64, needs a finite number"),
    (lambda: checks.real_number("x", 1e300, above=0, most=1e30), ValueError,
     "x: got 1e+300, needs a number in (0, 1e+30]"),
    (lambda: checks.real_number("x", -1, above=0, most=checks.LARGEST_REAL), ValueError,
     "x: got -1.0, needs a positive number"),
    (lambda: checks.real_number("x", 1e300, above=0, most=checks.LARGEST_REAL), ValueError,
     "x: got 1e+300, needs a number in (0, 1e+200]"),
    (lambda: checks.real_number("x", 1, least=0, below=1), ValueError, "x: got 1.0, needs a number in [0, 1)"),
    (lambda: checks.real_number("x", 2, least=0, most=1), ValueError, "x: got 2.0, needs a number in [0, 1]"),
    (lambda: checks.real_number("x", 2, most=1), ValueError, "x: got 2.0, needs a number of at most 1"),
    (lambda: checks.real_number("x", 1, below=1), ValueError, "x: got 1.0, needs a number below 1"),
    (lambda: checks.real_number("x", 1, above=1), ValueError, "x: got 1.0, needs a number above 1"),
    (lambda: checks.real_number("x", 3, "less than two", below=2), ValueError, "x: got 3.0, needs less than two"),
    (lambda: checks.positive_number("x", 0), ValueError, "x: got 0.0, needs a positive number"),
    (lambda: checks.positive_number("x", np.nan), ValueError, "x: got nan, needs a positive number"),
    (lambda: checks.positive_number("x", 0.0, "errors"), ValueError, "x: got 0.0, needs a positive number of errors"),
    (lambda: checks.nonnegative_number("x", -1), ValueError, "x: got -1.0, needs a number of at least 0"),
    (lambda: checks.share("s", 1), ValueError, "s: got 1.0, needs a number between 0 and 1"),
    (lambda: checks.share("s", "1"), TypeError, "s: got '1', needs a number between 0 and 1"),
    (lambda: checks.one_of("kind", "c", ("a", "b")), ValueError, "kind: got 'c', needs one of a, b"),
    (lambda: checks.one_of("kind", ["a"], ("a", "b")), ValueError, "kind: got ['a'], needs one of a, b"),
    (lambda: checks.one_of("depth", 3, {18: 0, 34: 1}), ValueError, "depth: got 3, needs one of 18, 34"),
    (lambda: checks.boolean("flag", 1), TypeError, "flag: got 1, needs True or False"),
    (lambda: checks.boolean("flag", np.True_), TypeError, "flag: got np.True_, needs True or False"),
    (lambda: checks.instance("x", 1, str, "text"), TypeError, "x: got int, needs text"),
    (lambda: checks.function("f", 1, "a callable"), TypeError, "f: got int, needs a callable"),
    (lambda: checks.require(False, "x", 1, "two"), ValueError, "x: got 1, needs two"),
    (lambda: arrays.real_array("y", ["a"]), TypeError, "y: got 'a', needs real numbers"),
    (lambda: arrays.real_array("y", [1j]), TypeError, "y: got 'complex128', needs real numbers"),
    (lambda: arrays.real_array("y", [True]), TypeError, "y: got 'bool', needs real numbers"),
    (lambda: arrays.real_array("y", [None]), TypeError, "y: got None, needs real numbers"),
    (lambda: arrays.real_array("y", [[1], [1, 2]]), ValueError,
     "y: got rows of different lengths, needs a regular array of numbers"),
    (lambda: arrays.real_array("y", [1, np.nan]), ValueError,
     "y: got NaN or infinity in 1 of 2 entries (the first in row 1), needs finite numbers"),
    (lambda: arrays.real_array("y", np.inf), ValueError,
     "y: got NaN or infinity in 1 of 1 entries, needs finite numbers"),
    (lambda: arrays.real_array("y", [1, -(10**400)]), ValueError,
     "y: got a number beyond the range of float64, needs finite numbers"),
    (lambda: arrays.real_array("y", [1.0], 2), ValueError, "y: got shape (1,), needs 2 dimension(s)"),
    (lambda: arrays.real_array("y", [1.0], last=3), ValueError, "y: got shape (1,), needs [..., 3]"),
    (lambda: arrays.real_array("y", np.ma.masked_array([1.0])), TypeError,
     "y: got a masked array, needs an array without a mask; fill or drop the masked entries"),
    (lambda: arrays.filled_array("y", []), ValueError, "y: got shape (0,), needs at least one number"),
    (lambda: arrays.positive_array("y", [1, 0]), ValueError, "y: got 0, needs positive numbers"),
    (lambda: arrays.positive_array("y", [0, -1], or_zero=True), ValueError, "y: got -1, needs numbers of at least 0"),
    (lambda: arrays.integer_array("y", [1.0]), TypeError, "y: got float64, needs integers"),
    (lambda: arrays.integer_array("y", []), ValueError, "y: got shape (0,), needs at least one integer"),
]  # fmt: skip


def test_what_is_refused():
    for call, error, message in REFUSED:
        with pytest.raises(error) as caught:
            call()
        assert str(caught.value) == message


@pytest.mark.parametrize("kind", [int, np.int64, np.uint8, sp.Integer])
def test_integers_of_any_kind(kind):
    assert checks.integer("n", kind(3), 1, 3) == 3
    assert type(checks.integer("n", kind(3))) is int


@pytest.mark.parametrize(
    "kind", [int, float, np.float32, np.array, torch.tensor, sp.Integer, fractions.Fraction]
)
def test_real_numbers_of_any_kind(kind):
    assert checks.positive_number("x", kind(2)) == 2.0
    assert type(checks.positive_number("x", kind(2))) is float


def test_what_is_good_comes_back():
    assert checks.integer("n", 6, 2, 6) == 6
    assert checks.integers("n", [np.int64(2), 1]) == (2, 1)
    assert checks.sizes("n", ()) == ()
    assert checks.real_number("x", np.float32(0.5), least=0.5, below=1) == 0.5
    assert checks.real_number("x", 1, most=1) == 1.0
    assert checks.one_of("kind", "a", ("a", "b")) == "a"
    assert checks.boolean("flag", False) is False
    assert checks.instance("x", "a", str, "text") == "a"
    assert arrays.real_array("y", [1, 2]).dtype == np.float64
    assert arrays.real_array("y", []).size == 0
    assert arrays.positive_array("y", [0, 2], or_zero=True).tolist() == [0, 2]
    assert arrays.integer_array("y", [[1, 2]]).tolist() == [[1, 2]]


def test_numbers_are_checked_without_numpy():
    code = "import sys; from closedform import checks; checks.integer('n', 1); print('numpy' in sys.modules)"
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "False\n"
    )


def within_itself():
    made = [1.0]
    made.append(made)
    return made


STRANGE = {
    "bytes": lambda: bytearray(b"1"),
    "deep": within_itself,
    "float8": lambda: torch.ones(2).to(torch.float8_e4m3fn),
    "meta": lambda: torch.ones(2, device="meta"),
    "sparse": lambda: torch.eye(2).to_sparse(),
    "nested": lambda: torch.nested.nested_tensor(
        [torch.ones(2), torch.ones(3)], layout=torch.jagged
    ),
    "lazy": lambda: torch.nn.UninitializedParameter(),
    "masked": lambda: np.ma.masked_array([1.0, 2.0], [True, False]),
    "in a list": lambda: [[torch.ones(2, device="meta")]],
}


@pytest.mark.parametrize("made", STRANGE.values(), ids=STRANGE)
def test_the_gate_refuses_by_name(made):
    value = made()
    for check in (checks.real_number, checks.integer, arrays.real_array, arrays.integer_array):
        with pytest.raises((TypeError, ValueError), match=r"^x: got "):
            check("x", value)


def test_views_and_gradients_are_worked_out():
    negative = torch.ones(2, dtype=torch.complex128).mul(1j).conj().imag
    assert arrays.real_array("x", negative).tolist() == [-1.0, -1.0]
    assert arrays.real_array("x", [torch.ones((), requires_grad=True), 2.0]).tolist() == [1.0, 2.0]


def test_messages_show_anything_and_stay_short():
    for value in (10**10**5, [0] * 10**6, within_itself(), "x" * 10**6, object()):
        with pytest.raises((TypeError, ValueError)) as caught:
            checks.boolean("x", value)
        assert len(str(caught.value)) < 300

"""Tests of the checks of arguments: valid values are returned, others raise "name: got X, needs Y"."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from empirics import check

REFUSED = [
    (lambda: check.whole("n", 2.0), TypeError, "n: got 2.0, needs an integer"),
    (lambda: check.whole("n", True), TypeError, "n: got True, needs an integer"),
    (lambda: check.whole("n", "2"), TypeError, "n: got '2', needs an integer"),
    (lambda: check.whole("n", 0), ValueError, "n: got 0, needs an integer >= 1"),
    (lambda: check.whole("n", 7, 2, 6), ValueError, "n: got 7, needs an integer from 2 to 6"),
    (lambda: check.whole("n", 1, 2, 6), ValueError, "n: got 1, needs an integer from 2 to 6"),
    (lambda: check.whole("n", 10**10), ValueError, "n: got 10000000000, needs an integer of at most 1000000000"),
    (lambda: check.whole("n", 10**5000), ValueError,
     "n: got an integer of 16610 bits, needs an integer of at most 1000000000"),
    (lambda: check.seed("seed", 2**63), ValueError,
     "seed: got 9223372036854775808, needs an integer from 0 to 9223372036854775807"),
    (lambda: check.real("x", 10**400), ValueError, "x: got inf, needs a finite number"),
    (lambda: check.real("x", 1e300, positive=True, at_most=1e30), ValueError,
     "x: got 1e+300, needs a number in (0, 1e+30]"),
    (lambda: check.tensor("x", np.ma.masked_array([1.0])), TypeError,
     "x: got a masked array, needs an array without a mask; fill or drop the masked entries"),
    (lambda: check.whole_numbers("n", "12"), TypeError, "n: got '12', needs a sequence of integers"),
    (lambda: check.whole_numbers("n", 12), TypeError, "n: got 12, needs a sequence of integers"),
    (lambda: check.whole_numbers("n", (), some=True), ValueError, "n: got none, needs at least one"),
    (lambda: check.real("x", "1"), TypeError, "x: got '1', needs a number"),
    (lambda: check.real("x", False), TypeError, "x: got False, needs a number"),
    (lambda: check.real("x", 1j), TypeError, "x: got 1j, needs a number"),
    (lambda: check.real("x", math.nan), ValueError, "x: got nan, needs a finite number"),
    (lambda: check.real("x", -math.inf), ValueError, "x: got -inf, needs a finite number"),
    (lambda: check.real("x", 0, positive=True), ValueError, "x: got 0.0, needs a positive number"),
    (lambda: check.real("x", 1, at_least=0, below=1), ValueError, "x: got 1.0, needs a number in [0, 1)"),
    (lambda: check.real("x", 2, at_least=0, at_most=1), ValueError, "x: got 2.0, needs a number in [0, 1]"),
    (lambda: check.one_of("kind", "c", ("a", "b")), ValueError, "kind: got 'c', needs one of a, b"),
    (lambda: check.one_of("depth", 3, {18: 0, 34: 1}), ValueError, "depth: got 3, needs one of 18, 34"),
    (lambda: check.true_or_false("flag", 1), TypeError, "flag: got 1, needs True or False"),
    (lambda: check.instance("x", 1, str, "text"), TypeError, "x: got int, needs text"),
    (lambda: check.function("f", 1, "a callable"), TypeError, "f: got int, needs a callable"),
    (lambda: check.require(False, "x", 1, "two"), ValueError, "x: got 1, needs two"),
    (lambda: check.shape("x", torch.zeros(2), False, "[N, 2]"), ValueError, "x: got shape [2], needs [N, 2]"),
    (lambda: check.finite("x", torch.tensor([1.0, math.nan])), ValueError,
     "x: got values that are not finite, needs finite numbers"),
    (lambda: check.tensor("x", "text"), TypeError, "x: got str, needs a tensor, an array or numbers"),
    (lambda: check.real_numbers("x", [1j]), TypeError, "x: got torch.complex128, needs real numbers"),
    (lambda: check.real_numbers("x", [True]), TypeError, "x: got torch.bool, needs real numbers"),
    (lambda: check.finite_numbers("x", [math.inf]), ValueError,
     "x: got values that are not finite, needs finite numbers"),
    (lambda: check.class_indices("y", [1.0]), TypeError,
     "y: got torch.float64, needs integers, the class indices"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "message"), REFUSED)
def test_what_is_refused(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message


def test_what_is_good_comes_back():
    assert check.whole("n", np.int32(3)) == 3
    assert type(check.whole("n", np.int32(3))) is int
    assert check.whole("n", 6, 2, 6) == 6
    assert check.whole_numbers("n", [np.int64(2), 1]) == (2, 1)
    assert check.whole_numbers("n", ()) == ()
    assert check.real("x", np.float32(0.5), at_least=0.5, below=1) == 0.5
    assert check.real("x", 1, at_most=1) == 1.0
    assert check.one_of("kind", "a", ("a", "b")) == "a"
    assert check.true_or_false("flag", False) is False
    assert check.instance("x", "a", str, "text") == "a"


def test_numbers_become_tensors_without_gradient():
    weights = torch.ones(2, requires_grad=True)
    assert not check.tensor("x", weights).requires_grad
    assert check.real_numbers("x", np.ones(2, np.float32)).dtype == torch.float32
    assert check.finite_numbers("x", [[1, 2]]).dtype == torch.float64
    assert check.class_indices("y", np.array([0, 1], np.uint8)).tolist() == [0, 1]

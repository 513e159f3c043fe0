"""Functions of formulas and programs of ledgers name what they refuse, also what fails wherever it is looked at."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from theory.core import (
    Conditional,
    allowed,
    correlation,
    has_digits,
    normal_cdf,
    normal_pdf,
    phi1,
    quotient,
)
from theory.core.formula.special import besselk_scaled
from theory.core.ledger.rulings import Reading

FUNCTIONS = {
    "x of phi1": phi1,
    "x of normal_cdf": normal_cdf,
    "x of quotient": lambda value: quotient(value, 1),
    "y of quotient": lambda value: quotient(1, value),
    "w of correlation": lambda value: correlation(1, 2, value),
    "order of besselk_scaled": lambda value: besselk_scaled(value, 1),
    "x": normal_pdf,
}


class Unshowable:
    def _fail(self, *_):
        raise RuntimeError("this object has no text")

    __repr__ = __str__ = __iter__ = _fail


CONDITIONAL = Conditional(sp.Gt(sp.Symbol("x"), 0), sp.Gt(sp.Symbol("x"), 1))
HOSTILE = [
    "x",
    "",
    b"1",
    "__import__('os')",
    ["a", "b"],
    object(),
    Unshowable(),
    None,
    np.ones(2),
    sp.true,
    True,
]


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: type(value).__name__)
def test_what_is_no_expression_is_refused_by_name(name, value):
    with pytest.raises(TypeError, match=f"^{name}: got "):
        FUNCTIONS[name](value)


@pytest.mark.parametrize("cases", [3, [3], ["x"], [Unshowable()], [np.ones(2)]])
def test_cases_that_are_no_mappings_are_refused(cases):
    with pytest.raises(
        TypeError, match=r"cases: got .* needs (mappings of names to values|several of them)"
    ):
        allowed(CONDITIONAL, cases)


def test_without_a_condition_a_case_may_be_anything():
    assert allowed(sp.true, (1, "untrained")) == [1, "untrained"]


@pytest.mark.parametrize("value", ["x", object(), Unshowable(), [1.0, [2.0]], np.ones(3), 1j])
def test_a_reading_of_no_numbers_is_refused(value):
    with pytest.raises(TypeError, match=r"reading: got .* needs numbers or arrays of one shape"):
        _ = Reading(value, 1.0, np.ones(2)).contradicts_printed


def test_printed_decimals_that_cannot_be_shown_are_refused():
    with pytest.raises(TypeError, match=r"printed: got .*Unshowable"):
        has_digits(1, Unshowable())

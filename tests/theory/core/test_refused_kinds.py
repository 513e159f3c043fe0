"""Texts and parts of formulas, derivations and the ledger: those of another kind are refused by the argument's name."""

import numpy as np
import pytest
import sympy as sp

from theory.core import (
    Algorithm,
    Argument,
    Check,
    Claim,
    Condition,
    Measurement,
    Source,
    Step,
    Witness,
    Word,
    allowed,
    correlation,
    has_digits,
    normal_cdf,
    normal_pdf,
    phi1,
    quotient,
    relations,
    solved,
)
from theory.core.formula.special import besselk_scaled
from theory.core.ledger.printed import Conditional
from theory.core.ledger.rulings import Reading


class Unshowable:
    """An object that fails wherever it is looked at."""

    def _fail(self, *_):
        raise RuntimeError("this object has no text, no length and no truth")

    __repr__ = __str__ = __len__ = __bool__ = __eq__ = __hash__ = __iter__ = _fail


SYMBOL = sp.Symbol("z", real=True)


@pytest.mark.parametrize(
    ("name", "call"),
    {
        "text of an algorithm": lambda wrong: Algorithm(wrong),
        "first": lambda wrong: Algorithm("a = 1", wrong),
        "unit": lambda wrong: Argument(SYMBOL, "a number", unit=wrong),
        "latex": lambda wrong: Argument(SYMBOL, "a number", latex=wrong),
        "claim": lambda wrong: Check(wrong, bool),
        "run": lambda wrong: Check("a fact", wrong),
        "because": lambda wrong: Check("a fact", bool, wrong),
        "aside": lambda wrong: Check("a fact", bool, aside=wrong),
        "uses": lambda wrong: Check("a fact", bool, uses=wrong),
        "because of step": lambda wrong: Step("a sum", SYMBOL + SYMBOL**2, SYMBOL, wrong),
        "text": lambda wrong: Claim(wrong, {"n": 2}),
        "others": lambda wrong: Word("more", ("fewer", wrong)),
        "relation": lambda wrong: Condition(wrong, "a sentence"),
        "sentence": lambda wrong: Condition(SYMBOL, wrong),
        "measured": lambda wrong: Measurement("study", "smoke", wrong),
        "key": lambda wrong: Source(wrong, "Eq. (7)"),
        "locator": lambda wrong: Source("zavatoneveth2023", wrong),
        "edition": lambda wrong: Source("zavatoneveth2023", "Eq. (7)", wrong),
        "at": lambda wrong: Witness(wrong, float),
        "independent": lambda wrong: Witness({}, wrong),
        "statement": lambda wrong: relations(wrong),
        "equation": lambda wrong: solved(wrong, SYMBOL),
        "printed": lambda wrong: has_digits(1, wrong),
    }.items(),
)
def test_texts_and_parts_of_the_ledger_of_another_kind_are_refused_by_name(name, call):
    for wrong in (np.array(False), Unshowable(), b"text", np.empty((3, 0)), 1.5):
        with pytest.raises(TypeError, match=rf"^{name.split()[0]}[^:]*: got"):
            call(wrong)


@pytest.mark.parametrize(
    "code", ["a = = 1", "a = \0", "-" * 10**5 + "1", "(" * 1000 + "1" + ")" * 1000]
)
def test_an_algorithm_that_python_does_not_read_is_refused_by_name(code):
    with pytest.raises(ValueError, match=r"^text: got"):
        Algorithm(code)


@pytest.mark.parametrize("sentence", ["There are {n.", "There are {n}}.", "There are {"])
def test_a_claim_whose_braces_do_not_match_is_refused_by_name(sentence):
    with pytest.raises(ValueError, match=r"^text: got .* needs braces in pairs"):
        Claim(sentence, {"n": 2})


@pytest.mark.parametrize("rounded", [0.5, np.float32(0.1), np.float64(0.1), np.float16(0.1)])
def test_a_claim_refuses_floats_of_numpy_as_those_of_python(rounded):
    with pytest.raises(TypeError, match=r"^values: got a float for n"):
        Claim("There are {n}.", {"n": rounded})


FUNCTIONS = {
    "x of phi1": phi1,
    "x of normal_cdf": normal_cdf,
    "x of quotient": lambda value: quotient(value, 1),
    "y of quotient": lambda value: quotient(1, value),
    "w of correlation": lambda value: correlation(1, 2, value),
    "order of besselk_scaled": lambda value: besselk_scaled(value, 1),
    "x": normal_pdf,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_no_expression_is_refused_by_the_name_of_the_argument(name):
    text = "__import__('os')"
    for wrong in (text, b"1", ["a"], None, True, sp.true, np.ones(2), Unshowable()):
        with pytest.raises(TypeError, match=f"^{name}: got "):
            FUNCTIONS[name](wrong)


@pytest.mark.parametrize("cases", [3, [3], ["x"], [Unshowable()], [np.ones(2)]])
def test_cases_are_mappings_where_a_condition_reads_them(cases):
    conditional = Conditional(sp.Gt(sp.Symbol("x"), 0), sp.Gt(sp.Symbol("x"), 1))
    with pytest.raises(
        TypeError, match=r"cases: got .* needs (mappings of names to values|several of them)"
    ):
        allowed(conditional, cases)
    assert allowed(sp.true, (1, "untrained")) == [1, "untrained"]


@pytest.mark.parametrize("wrong", ["x", Unshowable(), [1.0, [2.0]], np.ones(3), 1j])
def test_a_reading_of_no_numbers_is_refused(wrong):
    with pytest.raises(TypeError, match=r"reading: got .* needs numbers or arrays of one shape"):
        _ = Reading(wrong, 1.0, np.ones(2)).contradicts_printed

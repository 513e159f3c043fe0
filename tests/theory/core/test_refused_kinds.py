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
    relations,
    solved,
)


class Unshowable:
    """An object that fails wherever it is looked at."""

    def _fail(self, *_):
        raise RuntimeError("this object has no text, no length and no truth")

    __repr__ = __str__ = __len__ = __bool__ = __eq__ = __hash__ = __iter__ = _fail


SYMBOL = sp.Symbol("z", real=True)


@pytest.mark.parametrize("wrong", [np.array(False), Unshowable(), b"text", np.empty((3, 0)), 1.5])
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
    }.items(),
)
def test_texts_and_parts_of_the_ledger_of_another_kind_are_refused_by_name(name, call, wrong):
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

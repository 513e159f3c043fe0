"""Tests of the programs of ledger entries that several papers share."""

import numpy as np
import pytest
import sympy as sp

from theory.core import (
    Approximates,
    Claim,
    Conditional,
    Scales,
    Tends,
    Word,
    declaring,
    identity,
    numerically,
)
from theory.core.ledger.program import witness_of
from theory.core.ledger.proving import chosen, deciding, of_each_relation, stating
from theory.core.ledger.relation_kinds import refuse_undeclared
from theory.core.numbers.evaluation import evaluate

X, Y = sp.symbols("x y", real=True)
CASES = [{"x": 0.5}, {"x": 2.0}]
SENTENCE = Claim(
    "It {verb} in {n} steps.", {"verb": Word("rises", ("falls",)), "n": sp.Integer(3)}
)


def verdicts(prove, statement):
    return [step.check().name for step in prove(statement)]


@pytest.mark.parametrize(
    ("relation", "verdict"),
    [
        (sp.Le(X, Y), "HOLDS"),
        (sp.Lt(X, Y), "FAILS"),
        (sp.Ge(X, Y), "HOLDS"),
        (sp.Gt(X, Y), "FAILS"),
    ],
)
def test_strictness_is_decided_where_both_sides_are_equal(relation, verdict):
    equal_up_to_rounding = numerically(
        lambda: [{"x": 0.1 + 0.2, "y": 0.3}, {"x": 0.3, "y": 0.1 + 0.2}], "numbers"
    )
    assert verdicts(equal_up_to_rounding, relation) == [verdict]


@pytest.mark.parametrize(
    ("declared", "right", "wrong"),
    [
        ("", sp.Eq(X, 1), Scales(X, 1)),
        (">", sp.Gt(X, 1), Tends(X, 1)),
        ("~", Scales(X, 1), sp.Eq(X, 1)),
        ("~", sp.Tuple(Scales(X, 1), Scales(1, X)), sp.Tuple(Scales(X, 1), Tends(X, 1))),
        ("->", Tends(X, 1), Approximates(X, 1)),
        ("= ≈", sp.Tuple(sp.Eq(X, 1), Approximates(X, 1)), sp.Tuple(Approximates(X, 1), sp.Eq(X, 1))),
        ("= or ≈", Approximates(X, 1), Scales(X, 1)),
        ("≈", Claim("It is {a}.", {"a": Approximates(X, 1)}), Claim("It is {a}.", {"a": sp.Eq(X, 1)})),
    ],
)  # fmt: skip
def test_a_program_refuses_relations_that_it_does_not_decide(declared, right, wrong):
    for prove in (identity({}), numerically(list)):
        declaring_it = declaring(prove, declared)
        refuse_undeclared(declaring_it, right)
        refuse_undeclared(declaring(prove, under=declared), Conditional(sp.Eq(X, 2), right))
        for statement in (wrong, Conditional(wrong, sp.Gt(X, 0))):
            with pytest.raises(ValueError, match="prove: got the relation"):
                refuse_undeclared(declaring_it, statement)
        with pytest.raises(ValueError, match="got the relation"):
            refuse_undeclared(declaring(prove, under=declared), Conditional(sp.Eq(X, 2), wrong))


def test_only_a_program_that_reads_the_sign_decides_inequalities_without_a_declaration():
    for strict in (sp.Lt(X, Y), sp.Implies(sp.Gt(X, 0), sp.Eq(X, Y))):
        refuse_undeclared(numerically(list), strict)
        with pytest.raises(ValueError, match="needs = or !=, which it decides"):
            refuse_undeclared(identity({}), strict)


def test_what_an_equation_may_differ_by_decides_no_inequality():
    """Sides that differ by less than the tolerance are equal: neither is smaller."""
    close = numerically(lambda: [{"x": 1.0, "y": 1.0 + 1e-7}], tolerance=1e-6)
    verdicts = {kind: close(kind(X, Y))[0].check().name for kind in (sp.Eq, sp.Lt, sp.Le, sp.Gt)}
    assert verdicts == {sp.Eq: "HOLDS", sp.Lt: "FAILS", sp.Le: "HOLDS", sp.Gt: "FAILS"}


def test_the_witness_is_the_first_case_in_which_the_printed_relation_fails():
    squares = numerically(lambda: [{"x": 2.0, "y": 4.0}, {"x": 3.0, "y": 9.0}], "numbers")
    printed, corrected = sp.Eq(Y, 2 * X), sp.Eq(Y, X**2)
    reading = witness_of(squares, printed, corrected).reading(printed, corrected)
    assert (reading.printed, reading.corrected, reading.independent) == (6, 9, 9)
    with pytest.raises(ValueError, match="got none in which"):
        squares.counterexample(corrected)


def test_each_slot_is_compared_with_what_is_computed():
    true, false = (
        {"verb": lambda: "rises", "n": lambda: 3.0},
        {"verb": lambda: "falls", "n": lambda: 3.1},
    )
    assert verdicts(stating("numbers", **true), SENTENCE) == ["HOLDS", "HOLDS"]
    assert verdicts(stating("numbers", **false), SENTENCE) == ["FAILS", "FAILS"]
    with pytest.raises(ValueError, match="got noun, needs slots among verb, n"):
        stating("numbers", noun=lambda: "rises")(SENTENCE)


def test_the_words_of_a_condition_are_arguments_of_what_is_computed():
    condition = Claim("The weight is {sign}.", {"sign": Word("positive", ("negative",))})
    stated = stating(
        "numbers",
        verb=lambda sign="any": {"positive": "rises"}.get(sign, "falls"),
        n=lambda sign="any": 3,
    )
    assert verdicts(stated, Conditional(SENTENCE, condition)) == ["HOLDS", "HOLDS"]
    assert verdicts(stated, SENTENCE) == ["FAILS", "HOLDS"]


def test_a_word_without_a_meaning_is_refused():
    assert chosen(SENTENCE, "verb", {"rises": 1, "falls": -1}) == 1
    with pytest.raises(ValueError, match="verb: got 'rises', needs one of falls"):
        chosen(SENTENCE, "verb", {"falls": -1})


def test_a_function_decides_a_claim_in_the_cases_that_its_condition_allows():
    rises = deciding(
        lambda claim, case: (claim["verb"] == "rises") is (case["x"] > 1), "numbers", lambda: CASES
    )
    assert verdicts(rises, SENTENCE) == ["FAILS"]
    assert verdicts(rises, Conditional(SENTENCE, X > 1)) == ["HOLDS"]
    assert verdicts(deciding(lambda claim: claim["n"] == 3, "numbers"), SENTENCE) == ["HOLDS"]


def test_a_function_decides_each_relation():
    assert verdicts(
        of_each_relation(lambda one: one.rhs == 1, "numbers"), sp.Tuple(sp.Lt(X, 1), sp.Lt(X, 2))
    ) == [
        "HOLDS",
        "FAILS",
    ]


def test_a_printed_derivative_of_a_function_is_its_slope():
    f = sp.Function("f")
    assert evaluate(sp.Derivative(X * f(X), X), {"x": 0.5, "f": np.exp}) == pytest.approx(
        1.5 * np.exp(0.5)
    )


@pytest.mark.parametrize(
    ("meaning", "words"),
    [
        (sp.Symbol("x", positive=True) ** 2, "'real' in the text and 'positive' in a meaning"),
        (X**2, "what is printed itself"),
    ],
)
def test_a_meaning_that_can_prove_nothing_is_refused(meaning, words):
    with pytest.raises(ValueError, match=words):
        identity({Y: meaning})(sp.Eq(Y, X**2))

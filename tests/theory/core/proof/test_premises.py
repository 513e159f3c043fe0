"""Tests of the way from premises to a formula: what a step uses, what is refused, and how the way is drawn."""

from __future__ import annotations

import dataclasses

import pytest
import sympy as sp

from theory.core import Argument, Check, ClosedForm, Premise, Status, Step, deferred
from theory.core.proof.premises import Kind, concluding, ends, way, with_lemmas
from theory.core.proof.tree import text, tree

x, y = sp.symbols("x y", positive=True)
EXPRESSION = (x + 1) ** 2
SIDE = Premise("the side of the square is x + 1", x + 1)
FLAT = "the plane is flat"
OPENED = Step("the square opens", x * (x + 2), x**2 + 2 * x, uses=(SIDE, FLAT))
LAST = Step("the area", EXPRESSION, x * (x + 2) + 1, uses=(OPENED,))

LAST_AGAIN = Step("the area again", EXPRESSION, x**2 + 2 * x + 1, uses=(LAST,))


@pytest.fixture(autouse=True)
def without_the_rule_for_the_last_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule that the last step takes its values has tests of its own."""
    monkeypatch.setattr("theory.core.proof.derived.require_taken", lambda form: None)


def form(*steps, assumptions=(FLAT,), name="a.square"):
    return ClosedForm(
        name,
        "A square.",
        (Argument(x, "a length"),),
        EXPRESSION,
        Status.DERIVED,
        steps,
        assumptions=assumptions,
    )


def test_the_premises_are_those_that_the_steps_use_and_the_assumptions():
    square = form(OPENED, LAST, assumptions=(FLAT, "the length is known"))
    assert [(premise.kind, premise.text) for premise in square.premises] == [
        (Kind.DEFINITION, SIDE.text),
        (Kind.ASSUMPTION, FLAT),
        (Kind.ASSUMPTION, "the length is known"),
    ]
    assert str(square.premises[0]) == "definition: the side of the square is x + 1"


def test_another_closed_form_is_a_premise_with_premises_of_its_own():
    square = form(OPENED, LAST)
    cube = Step("from the square", EXPRESSION, x * (x + 2) + 1, uses=(square,))
    other = form(cube, assumptions=(), name="a.cube")
    (premise,) = other.premises
    assert (premise.kind, premise.text) == (Kind.CLOSED_FORM, "a.square")
    assert premise.premises == square.premises


def test_a_step_that_names_none_uses_those_of_which_it_has_a_value():
    remark = Step("doubled", x + x, sp.UnevaluatedExpr(2) * x, aside="an example")
    area = Step("area", EXPRESSION, x * (x + 2) + 1)
    assert way(form(OPENED, remark, area)).uses[1:] == ((), (OPENED,))


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ((LAST,), "step 'the area' of a.square: got 'the square opens', needs a step before it"),
        ((LAST, OPENED, LAST_AGAIN), "got 'the square opens', needs a step before it"),
        (
            (OPENED, Step("area", EXPRESSION, x * (x + 2) + 1, uses=())),
            "'the square opens' .*: got no later step",
        ),
        (
            (Step("area", EXPRESSION, x * (x + 2) + 1, uses=("it is round",)),),
            "got 'it is round', needs one of",
        ),
    ],
)
def test_a_derivation_that_is_not_connected_is_refused(steps, message):
    with pytest.raises(ValueError, match=message):
        form(*steps)
    later = dataclasses.replace(form(OPENED, LAST), steps=deferred(lambda: steps))
    assert later(1.0) == 4
    with pytest.raises(ValueError, match=message):
        _ = later.steps


def test_a_side_remark_says_why():
    remark = Check(
        "at x = 1 it is 4", lambda: EXPRESSION.subs(x, 1) == 4, uses=(), aside="an example"
    )
    square = form(remark, OPENED, LAST)
    assert way(square).reached == {1, 2}
    assert text(square).splitlines()[-1] == "└─ side remark, an example: 1. at x = 1 it is 4"


def test_every_step_that_contains_the_formula_is_a_conclusion():
    at_zero = Step("at 0 it is 1", sp.Subs(EXPRESSION, x, 0), 1, uses=())
    slope = Step("its slope", sp.Derivative(EXPRESSION, x), 2 * x + 2, uses=())
    assert concluding(form(at_zero, slope)) == (at_zero, slope)


def test_a_derivation_is_what_its_last_step_uses():
    assert with_lemmas((LAST_AGAIN,)) == (OPENED, LAST, LAST_AGAIN)
    other = Step(OPENED.claim, x**2, x * x * sp.UnevaluatedExpr(1), uses=())
    with pytest.raises(ValueError, match="which is the claim of a lemma"):
        with_lemmas((LAST, other))


def test_the_ends_of_a_derivation_are_what_nothing_uses_yet():
    other = Step("other", x * (x + 1), x**2 + x, uses=())
    assert ends((OPENED, LAST, other)) == (LAST, other)
    assert ends((OPENED, Step("area", EXPRESSION, x * (x + 2) + 1), other))[0].claim == "area"


def test_the_tree_names_each_premise_once():
    second = Step("again", y * EXPRESSION, y * (x * (x + 2) + 1), uses=(OPENED, SIDE))
    square = form(OPENED, second, LAST)
    assert text(square, 50).splitlines() == [
        "a.square: A square.",
        "├─ 2. again",
        "│  ├─ 1. the square opens",
        "│  │  ├─ [a] definition: the side of the square",
        "│  │  │     is x + 1",
        "│  │  └─ [b] assumption: the plane is flat",
        "│  └─ [a] above",
        "└─ 3. the area",
        "   └─ 1 above",
    ]
    assert [branch.label for branch in tree(square).below] == ["2. again", "3. the area"]


def test_a_step_that_says_something_else_than_its_namesake_is_not_used():
    other = Step(OPENED.claim, 2 * OPENED.left, 2 * OPENED.right)
    with pytest.raises(ValueError, match="says something else than the step of that name"):
        way(form(OPENED, Step("area", EXPRESSION, x * (x + 2) + 1, uses=(other,))))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((x, "the side"), TypeError, "text of a premise: got "),
        ((" ",), ValueError, "text of a premise: got "),
        (("the side", "x + 1"), TypeError, "expression of 'the side': got 'x . 1', needs an expression"),
    ],
)  # fmt: skip
def test_a_premise_is_words_and_an_expression(arguments, error, message):
    with pytest.raises(error, match=message):
        Premise(*arguments)

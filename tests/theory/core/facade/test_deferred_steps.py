"""Tests that a derivation is made when somebody reads it, and is required to derive the expression then."""

from __future__ import annotations

import copy
import pickle

import pytest
import sympy as sp

import theory
from theory.core import Argument, ClosedForm, Premise, Status, Step, deferred

x = sp.Symbol("x", positive=True)
AREA = Premise("a rectangle, longer than wide by 1", x * (x + 1))
MADE: list[int] = []


def form(expression=x**2 + x):
    def steps():
        MADE.append(1)
        return (Step("it factorises", expression, x * (x + 1), uses=(AREA,)),)

    argument = Argument(x, "a length", "positive")
    return ClosedForm(
        "a.form", "A form.", (argument,), expression, Status.DERIVED, deferred(steps)
    )


def test_a_number_makes_no_derivation():
    MADE.clear()
    square = form()
    assert float(square(2.0)) == 6.0
    assert square.evaluate("2", digits=20) == 6
    assert MADE == []
    assert [step.claim for step in square.steps] == ["it factorises"]
    assert square.check()["it factorises"].name == "HOLDS"
    assert MADE == [1]


def test_copies_and_special_cases_have_the_derivation():
    for copied in (copy.copy(form()), pickle.loads(pickle.dumps(form()))):
        assert len(copied.steps) == 1
    assert len(form().specialise(x=3).steps) == 2


@pytest.mark.parametrize(
    ("steps", "error", "message"),
    [
        (lambda: (), ValueError, "is DERIVED and has no steps"),
        (
            lambda: (Step("else", sp.UnevaluatedExpr(2 * x), 2 * x),),
            ValueError,
            "does not have its expression in it",
        ),
        (lambda: ["no step"], TypeError, "steps of a.form: got .*, needs a tuple"),
    ],
)
def test_a_derivation_of_something_else_is_refused_when_it_is_read(steps, error, message):
    argument = Argument(x, "a length", "positive")
    wrong = ClosedForm("a.form", "A form.", (argument,), x**2, Status.DERIVED, deferred(steps))
    assert float(wrong(3.0)) == 9.0
    with pytest.raises(error, match=message):
        wrong.check()


def test_the_curvature_of_any_activation_is_computed_without_its_derivation(monkeypatch):
    # what modules make when they are imported is no derivation of this one
    theory.geometry.scalar_curvature("sin")
    made = []
    monkeypatch.setattr(Step, "__post_init__", lambda self: made.append(self.claim), raising=False)
    act = theory.activations.from_expression(
        sp.tanh(theory.activations.z) + theory.activations.z / 7
    )
    theory.geometry.scalar_curvature(act)
    assert made == []

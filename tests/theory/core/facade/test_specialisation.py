"""Tests of closed forms with arguments set to values or functions filled in."""

from __future__ import annotations

import pytest
import sympy as sp

from tests.theory.core.demonstrations import LARGER_ROOT, ROOT, A, X, a, transcribed, x, z
from theory.core import ClosedForm, Condition, Premise, Status, Step, Verdict

phi = sp.Function("phi", real=True)
MOMENT = sp.Integral(phi(a * z) * sp.exp(-(z**2) / 2), (z, -sp.oo, sp.oo)) / sp.sqrt(2 * sp.pi)
MEAN = Premise("the mean of phi(a z) over a standard Gaussian z", MOMENT)
ABSTRACT = ClosedForm(
    "demonstration.moment",
    "Mean of phi under a Gaussian.",
    (A,),
    MOMENT,
    Status.DERIVED,
    (Step("definition", MOMENT, sp.UnevaluatedExpr(MOMENT), uses=(MEAN,)),),
)


def test_a_value_takes_the_place_of_an_argument():
    unit = ROOT.specialise(
        a=1, name="demonstration.golden", meaning="Larger root of r^2 = x r + 1."
    )
    assert [argument.name for argument in unit.arguments] == ["x"]
    assert unit.name == "demonstration.golden"
    assert unit.expression == LARGER_ROOT.subs(a, 1)
    assert unit(1) == ROOT(1, 1)
    assert list(unit.check().values()) == [Verdict.HOLDS] * 3
    assert unit.steps[:-1] == ROOT.steps
    assert unit.status is Status.DERIVED
    assert unit.evaluate(1, digits=30) == ROOT.evaluate(1, 1, digits=30)


def test_the_added_step_holds_the_general_form_against_the_special_one():
    """Not the special one against itself: a wrong rewriting is found out."""
    right = ROOT.specialise(a=1, expression=(x + sp.sqrt(x**2 + 4)) / 2)
    wrong = ROOT.specialise(a=1, expression=(x + sp.sqrt(x**2 + 5)) / 2)
    assert list(right.check().values())[-1] is Verdict.HOLDS
    assert list(wrong.check().values())[-1] is Verdict.FAILS


def test_an_argument_may_become_an_expression_in_the_others():
    tied = ROOT.specialise({a: 2 * x**2 + 1})
    assert tied(2) == ROOT(2, 9)


def test_an_undefined_function_is_filled_in():
    squared = ABSTRACT.specialise(phi=lambda u: u**2, expression=a**2)
    assert squared(3) == 9
    assert list(squared.check().values())[-1] is Verdict.HOLDS
    assert ABSTRACT.specialise({phi: sp.Lambda(z, sp.tanh(z) ** 2)})(1.0) == pytest.approx(
        0.394294490397841174
    )
    wrong = ABSTRACT.specialise(phi=lambda u: u**4, expression=a**4)
    assert list(wrong.check().values())[-1] is Verdict.FAILS


def test_function_and_value_together():
    assert ABSTRACT.specialise(phi=sp.cos, a=1)() == pytest.approx(
        sp.exp(-sp.Rational(1, 2)).evalf(), rel=1e-10
    )


def test_conditions_follow():
    form = transcribed(x + a, X, A, conditions=(Condition(a - x**2, "x^2 <= a"),))
    assert form.specialise(x=1)(2) == 3
    with pytest.raises(ValueError, match=r"requires: x\^2 <= a, where x = 2; got a = 3$"):
        form.specialise(x=2)(3)
    assert form.specialise(x=1, a=2).conditions == ()
    with pytest.raises(ValueError, match=r"requires: x\^2 <= a; got "):
        form.specialise(x=2, a=3)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"y": 1}, "no argument or undefined function 'y'; it has x, a"),
        ({"a": -1}, r"a \(a rate\): got -1, needs a positive, finite number"),
        ({"a": sp.I}, "a: got .*, needs a finite real number"),
        ({"a": sp.oo}, "a: got .*, needs a finite real number"),
        ({}, "needs at least one"),
        ({"a": "foo(1)"}, "^a: no function 'foo'"),
        ({"a": "1 +"}, "^a: got '1 .'"),
        ({"a": "1/0"}, "^a: got '1/0', needs a denominator"),
    ],
)
def test_bad_values_are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        ROOT.specialise(values)


def test_a_function_needs_a_function():
    with pytest.raises(TypeError, match="phi is a function"):
        ABSTRACT.specialise(phi=2)


def test_without_derivation_there_is_no_step_to_add():
    assert transcribed(LARGER_ROOT, X, A).specialise(a=1).steps == ()

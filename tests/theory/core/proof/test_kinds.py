"""A rule at values and a derivative: the step is made from what it is about, and rests on it."""

from __future__ import annotations

import dataclasses

import pytest
import sympy as sp

from theory.core import Argument, ClosedForm, Premise, Status, Verdict, applied, differentiated

a, r, h = sp.symbols("a r h", positive=True)
AREA = Premise("a circle has the area pi r^2", sp.pi * r**2)
TWICE = Premise("its radius is 2 a", 2 * a)


def test_a_rule_at_values_rests_on_the_rule_and_on_what_states_a_value():
    step = applied("area", 4 * sp.pi * a**2, AREA, {r: TWICE}, "put in", uses=("flat",))
    assert step.uses == (AREA, TWICE, "flat")
    assert step.right == sp.Subs(AREA.expression, r, 2 * a)
    assert step.check() is Verdict.HOLDS


def test_an_error_in_the_rule_or_in_a_value_is_found():
    wrong = dataclasses.replace(AREA, expression=sp.pi * r**3)
    assert applied("area", 4 * sp.pi * a**2, wrong, {r: TWICE}).check() is Verdict.FAILS
    assert applied("area", 4 * sp.pi * a**2, AREA, {r: 3 * a}).check() is Verdict.FAILS


def test_a_closed_form_is_a_rule_as_well():
    step = applied("area", 4 * sp.pi * a**2, AREA, {r: TWICE})
    form = ClosedForm(
        name="own.area",
        meaning="Area.",
        arguments=(Argument(a, "half the radius"),),
        expression=4 * sp.pi * a**2,
        status=Status.DERIVED,
        steps=(step,),
    )
    cylinder = differentiated("twice the circumference", 8 * sp.pi * a, form, a)
    assert cylinder.uses == (form,)
    assert cylinder.check() is Verdict.HOLDS


def test_a_derivative_of_an_order_and_in_a_matrix():
    x = sp.Matrix(2, 2, sp.symbols("x1:3_1:3", real=True))
    assert differentiated("bend", 6 * h, h**3, (h, 2)).check() is Verdict.HOLDS
    assert differentiated("bend", 6 * h, h**4, (h, 2)).check() is Verdict.FAILS
    assert differentiated("gradient", 2 * x, (x.T * x).trace(), x).check() is Verdict.HOLDS
    assert differentiated("gradient", 2 * x.T, (x.T * x).trace(), x).check() is Verdict.FAILS


def test_a_slope_at_equal_letters_is_that_in_its_own_letter():
    for letter, slope in ((a, r**2), (h, 2 * r**2)):
        step = differentiated("slope", slope, a * h**2, letter, at={a: r, h: r})
        assert step.check(fresh=True) is Verdict.HOLDS
        wrong = differentiated("slope", 3 * r**2 - slope, a * h**2, letter, at={a: r, h: r})
        assert wrong.check(fresh=True) is Verdict.FAILS


def test_what_states_nothing_is_no_rule():
    with pytest.raises(ValueError, match="needs a premise with an expression, or a closed form"):
        applied("area", sp.pi * a**2, Premise("a circle"), {r: a})
    with pytest.raises(ValueError, match="needs a value of at least one letter"):
        applied("area", sp.pi * a**2, AREA, {})

"""Tests of the class ClosedForm: consistency of its fields, calls, checks and pickling."""

from __future__ import annotations

import dataclasses
import pickle

import pytest
import sympy as sp

from tests.theory.core.demonstrations import (
    LARGER_ROOT,
    QUADRATIC,
    ROOT,
    ROOT_LETTER,
    A,
    X,
    a,
    b,
    transcribed,
    x,
)
from theory.core import Argument, Check, ClosedForm, Condition, Premise, Status, Step, Verdict


def derived(*steps, expression=LARGER_ROOT, **fields):
    """A root, whose last step rests on a premise that states both sides where it names nothing itself."""
    if steps and steps[-1].uses is None and isinstance(steps[-1], Step):
        both = Premise("both sides", sp.Tuple(steps[-1].left, steps[-1].right))
        steps = (*steps[:-1], dataclasses.replace(steps[-1], uses=(both,)))
    return ClosedForm(
        "demonstration.root",
        "A root.",
        (X, A),
        expression,
        Status.DERIVED,
        steps,
        **fields,
    )


def test_fields_and_check():
    assert ROOT.name == "demonstration.root"
    assert [argument.name for argument in ROOT.arguments] == ["x", "a"]
    assert ROOT.check() == {"it is the positive one": Verdict.HOLDS, "it is a root": Verdict.HOLDS}
    assert ROOT(1, 2) == ROOT(x=1, a=2) == 2


def test_it_is_frozen_and_compares_by_content():
    with pytest.raises(dataclasses.FrozenInstanceError):
        ROOT.meaning = "something else"
    assert dataclasses.replace(ROOT) == ROOT
    assert hash(ROOT) == hash(dataclasses.replace(ROOT))
    assert dataclasses.replace(ROOT, meaning="something else") != ROOT


def test_it_pickles_with_functions_made():
    ROOT.function("numpy")
    ROOT.evaluate(1, 2)
    copy = pickle.loads(pickle.dumps(ROOT))
    assert copy == ROOT
    assert copy(1, 2) == 2


def test_a_planted_error_in_a_step_shows():
    step = Step("it is a root", LARGER_ROOT**2 - x * LARGER_ROOT, 2 * a)
    assert derived(step).check() == {"it is a root": Verdict.FAILS}


@pytest.mark.parametrize(
    "step",
    [
        Step("about something else", (x + 1) ** 2, x**2 + 2 * x + 1),
        Step("evaluated", sp.diff(LARGER_ROOT, a), 1 / sp.sqrt(x**2 + 4 * a)),
        Step(
            "in another form", (x + sp.sqrt(x**2 + 4 * a)) / 2, 2 * a / (sp.sqrt(x**2 + 4 * a) - x)
        ),
        Check("a program", lambda: True),
    ],
)
def test_the_last_step_must_have_the_expression_in_it(step):
    root = Step("it is a root", LARGER_ROOT**2 - x * LARGER_ROOT, a)
    with pytest.raises(ValueError, match="does not have its expression in it"):
        derived(root, step)
    taken = sp.Subs(QUADRATIC.expression, ROOT_LETTER, LARGER_ROOT)
    derived(
        dataclasses.replace(step, uses=(), aside="a remark"),
        Step("it is a root", taken, a, uses=(QUADRATIC,)),
    )


@pytest.mark.parametrize(
    "last",
    [
        Step("derivative", sp.Derivative(LARGER_ROOT, a), 1 / (2 * sp.sqrt(x**2 / 4 + a))),
        Step("whole", LARGER_ROOT, (x + sp.sqrt(x**2 + 4 * a)) / 2),
        Step("in a matrix", sp.Matrix([LARGER_ROOT**2, 1]), sp.Matrix([x * LARGER_ROOT + a, 1])),
        Step("on the right", a, LARGER_ROOT**2 - x * LARGER_ROOT),
    ],
)
def test_ways_to_have_the_expression_in_the_last_step(last):
    assert derived(last).check() == {last.claim: Verdict.HOLDS}


def test_derived_needs_steps():
    with pytest.raises(ValueError, match="DERIVED and has no steps"):
        derived()
    assert transcribed(LARGER_ROOT, X, A).check() == {}


STEP = Step("it is a root", LARGER_ROOT**2 - x * LARGER_ROOT, a)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"expression": LARGER_ROOT + b},
            "got b, needs only symbols that are among the arguments",
        ),
        ({"expression": LARGER_ROOT + sp.Symbol("a")}, "other assumptions is another symbol"),
        (
            {"conditions": (Condition(a - b, "b < a"),)},
            "got b, needs only symbols that are among the arguments",
        ),
        (
            {"arguments": (X, A, Argument(sp.Symbol("a", real=True), "another a"))},
            "more than one argument called 'a'",
        ),
        ({"steps": (STEP, STEP)}, "more than one step called 'it is a root'"),
        ({"name": "two words"}, "dotted name"),
        ({"name": ""}, "dotted name"),
        ({"meaning": " "}, "needs a meaning"),
        ({"meaning": None}, "meaning of a closed form: got None, needs text"),
        ({"arguments": [X, A]}, "arguments of demonstration.root: got .*, needs a tuple"),
        ({"arguments": (x, a)}, "needs a tuple of Argument"),
        ({"status": "derived"}, "needs a Status"),
        ({"sources": ("eq. (10)",)}, "sources of"),
        ({"assumptions": "one sentence"}, "assumptions of"),
        ({"expression": sp.Matrix([x, a]), "status": Status.TRANSCRIBED}, "needs a scalar"),
        ({"expression": sp.Eq(x, a), "status": Status.TRANSCRIBED}, "needs a scalar"),
    ],
)
def test_what_does_not_fit_together_is_refused(fields, message):
    with pytest.raises((TypeError, ValueError), match=message):
        dataclasses.replace(ROOT, **fields)


def test_samples_lie_in_the_domain():
    form = transcribed(x + a, X, A, conditions=(Condition(a - x**2, "x^2 <= a"),))
    points = form.sample(50, seed=1)
    assert (points["x"] ** 2 <= points["a"]).all()
    assert form(**points).shape == (50,)
    assert (form.sample(50, seed=1)["x"] == points["x"]).all()
    never = transcribed(x, X, conditions=(Condition(x - 10, "x >= 10"),))
    with pytest.raises(ArithmeticError, match="hardly ever"):
        never.sample(1)

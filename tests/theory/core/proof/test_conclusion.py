"""The last step of every derivation takes its values: a factor in a value, in the body or on both sides is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp

import theory
from tests.theory.forms import MEMBERS, forms
from theory.core import Argument, Check, ClosedForm, Premise, Status, Step
from theory.core.formula.let import Let, bound_letter
from theory.core.proof.premises import way
from theory.core.proof.values import stated, takes, taking

x, side = sp.symbols("x side", positive=True)
AREA = Premise("the area of a square is the square of its side", side**2)


def refused(form: ClosedForm, last: Step) -> bool:
    """Whether a derivation with another last step is refused as one that takes its values."""
    try:
        replace(form, steps=(*form.steps[:-1], last))
    except ValueError as error:
        reasons = "nothing states", "does not have its expression", "got no later step"
        return any(reason in str(error) for reason in reasons)
    return False


def with_factor(side: sp.Basic, index: int) -> sp.Basic:
    """The side with three times one of the values that are put in, or three times what they are put into."""
    inside = next(part for part in sp.preorder_traversal(side) if isinstance(part, sp.Subs))
    if index < 0:
        changed = sp.Subs(3 * inside.expr, inside.variables, inside.point)
    else:
        values = list(inside.point)
        values[index] = 3 * values[index]
        changed = sp.Subs(inside.expr, inside.variables, values)
    return side.xreplace({inside: changed})


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", forms(slow=MEMBERS))
def test_three_times_the_formula_is_not_derived(name: str) -> None:
    """Both sides of the last step are multiplied, so that it still holds, as the formula is by 3^d in other cases."""
    form = theory.catalogue()[name]
    last = form.steps[-1]
    assert last.uses, "it rests on something"
    assert refused(form, replace(last, left=3 * last.left, right=3 * last.right))


# with the longest values, half a second each
MANY_FACTORS = {
    "geometry.three_unit_curvature",
    *(f"two_point.{name}" for name in ("dy2", "rotating_dy", "w")),
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", forms(slow=MEMBERS | MANY_FACTORS))
def test_a_factor_in_a_value_or_in_the_body_is_refused(name: str) -> None:
    form = theory.catalogue()[name]
    last = form.steps[-1]
    for which in ("left", "right"):
        side = getattr(last, which)
        subs = [part for part in sp.preorder_traversal(side) if isinstance(part, sp.Subs)]
        if not subs or isinstance(subs[0].expr, sp.MatrixBase):
            continue
        plain = [value.is_Symbol or value.is_number for value in subs[0].point]
        for index in (-1, *(number for number, simple in enumerate(plain) if not simple)):
            changed = replace(last, **{which: with_factor(side, index)})
            other = last.right if which == "left" else last.left
            if other == form.expression and not refused(form, changed):
                # three times a value may be another one that is stated, or the formula: then the step is false
                assert changed.counterexample() is not None, (which, index)


def test_a_step_of_the_same_name_that_says_something_else_is_refused() -> None:
    form = theory.catalogue()["geometry.volume_element.erf"]
    *before, last = form.steps
    stated = next(step for step in way(form).steps if step.claim == "of the metric")
    other = replace(stated, left=3 * stated.left, right=3 * stated.right)
    uses = tuple(other if step is stated else step for step in last.uses)
    with pytest.raises(ValueError, match="says something else"):
        replace(form, steps=(*before, replace(last, uses=uses)))


def test_an_own_formula_takes_its_values() -> None:
    square = Step(
        "the area", (x + 1) ** 2, sp.Subs(AREA.expression, side, x + 1), uses=(AREA, "it is flat")
    )
    longer = Premise("the side is longer by one", x + 1)

    def form(last: Step) -> ClosedForm:
        return ClosedForm(
            "own.area",
            "An area.",
            (Argument(x, "a length"),),
            (x + 1) ** 2,
            Status.DERIVED,
            (last,),
            assumptions=("it is flat",),
        )

    with pytest.raises(ValueError, match="got x \\+ 1, which nothing states that it uses"):
        form(square)
    assert form(replace(square, uses=(*square.uses, longer))).check()["the area"].name == "HOLDS"


def test_a_step_that_is_named_and_of_which_no_value_is_taken_is_refused() -> None:
    """Also where a later step would take one; so no derivation rests on another step in words."""
    area = Step("the area", side**2, side * side * sp.UnevaluatedExpr(1), uses=(AREA,))
    cube = Step("another exponent", sp.Subs(side**3, side, x), x**3, uses=(area,))
    last = Step("at x", sp.Subs(side**2, side, x), x**2, uses=(area,))

    def form(*steps: Step) -> ClosedForm:
        argument = Argument(x, "a length")
        return ClosedForm("own.area", "An area.", (argument,), x**2, Status.DERIVED, steps)

    assert form(area, last).check()["at x"].name == "HOLDS"
    with pytest.raises(
        ValueError, match=r"'the area' .*: got no later step that uses it and has a"
    ):
        form(area, replace(last, left=sp.Subs(side * x, side, x), uses=(area, AREA)))
    remark = form(area, replace(cube, aside="a remark"), last)
    assert way(remark).uses[1] == ()


def test_a_letter_is_a_value_where_it_defines_another() -> None:
    """Letters of a level of a network may be arguments, or numbers."""
    name = bound_letter("K", positive=True)
    level = Step("the first level", x, sp.Subs(side * x, side, 1), uses=())
    lettered = Step("above it", x**2, Let([(name, x)], sp.UnevaluatedExpr(name**2)))
    assert takes(lettered, level)
    assert not takes(replace(lettered, right=x * sp.UnevaluatedExpr(x)), level)


def test_a_step_takes_a_value_or_rests_in_words() -> None:
    area = Step("the area", side**2, side * side * sp.UnevaluatedExpr(1), uses=())
    same = Step("at x", sp.Subs(side**2, side, x), x**2, uses=(area,))
    other = Step("another exponent", sp.Subs(side**3, side, x), x**3, uses=(area,))
    program = Check("a program", lambda: True, uses=(area,))
    assert takes(same, area)
    assert takes(same, AREA)
    assert not any(takes(step, area) for step in (other, program))
    assert not takes(same, program)


def test_letters_alone_are_no_value() -> None:
    """Derivatives by one letter, and values at one point, have its letters and its numbers in common."""
    at_zero = Step("at 0 and 1", sp.Subs(x + side, (x, side), (0, 1)), 1, uses=())
    slope = Step("a slope", sp.Derivative(side**2, side), 2 * side, uses=())
    other = Step("another slope", sp.Derivative(side**4, side), 4 * side**3, uses=())
    there = Step("there", sp.Subs(x * side, (x, side), (0, 1)), 0, uses=())
    assert not takes(there, at_zero)
    assert not takes(other, slope)
    assert takes(replace(slope, left=sp.Derivative(side**2, side) + x, right=2 * side + x), slope)


def test_a_step_uses_what_it_takes() -> None:
    same = Step("at x", sp.Subs(side**2, side, x), x**2, uses=())
    assert taking(same, (AREA, Premise("its side", x + side))).uses == (AREA,)


# What is changed in a step of which another takes a value: then the other is false, or its form refuses it.
PLANTED = {
    "geometry.deep_volume_element.erf_2": (
        *("v, a, b above an activation", "one layer up, by the definitions of the ratios"),
        *("the first layer, by the definitions of the ratios", "layer 1 by the rules above"),
    ),
    "geometry.scalar_curvature.erf": ("curvature of a rotational metric in 3 dimensions",),
    "geometry.ntk_scalar_curvature.monomial_2": (
        "ratios of the metric of the tangent kernel",
        "metric of a kernel of x.x, y.y and x.y",
    ),
    "geometry.volume_element.tanh": ("first derivative of a mean in v, by its moments",),
    "geometry.conformal_volume_factor": ("metric of the transformed kernel",),
    "geometry.bayesian_volume_correction.monomial_2": (
        "the posterior tilts the prior by (y^2/k - 1)/2 times the relative excess of K",
    ),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "claim"), [(n, c) for n in PLANTED for c in PLANTED[n]])
def test_a_wrong_value_of_an_earlier_step_makes_a_later_one_false(name: str, claim: str) -> None:
    """Each value that a later step takes is doubled there, as it would be if the earlier step said so."""
    whole = way(theory.catalogue()[name])
    earlier = next(step for step in whole.steps if step.claim == claim)
    pairs = zip(whole.steps, whole.uses, strict=True)
    later = [step for step, used in pairs if earlier in used and takes(step, earlier)]
    assert later
    doubled = {value: 2 * value for value in stated(earlier) if isinstance(value, sp.Expr)}
    for step in later:
        verdicts = [
            changed.decide(fresh=True).verdict.name
            for value in doubled
            for changed in with_another(step, value, doubled[value])
        ]
        assert set(verdicts) == {"FAILS"}, step.claim


def with_another(step: Step, value: sp.Expr, other: sp.Expr) -> list[Step]:
    """The step with another value on each side that has it."""
    sides = {which: getattr(step, which).xreplace({value: other}) for which in ("left", "right")}
    return [
        replace(step, **{which: side})
        for which, side in sides.items()
        if side != getattr(step, which)
    ]

"""Ways to make a false derivation, each on a formula: it is refused when it is made, or a step of it fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

import theory
from theory.core import ClosedForm, Step, Verdict
from theory.engine import Mean

Change = Callable[[Any], Any]


def changed(form: ClosedForm, change: Change, *claims: str) -> ClosedForm:
    """The derivation with both sides of steps changed, by default of all, and with the later steps that use them."""
    made: dict[str, Any] = {}
    for step in form.steps:
        uses = step.uses and tuple(
            made.get(getattr(node, "claim", ""), node) for node in step.uses
        )
        own = replace(step, uses=uses)
        if not claims or step.claim in claims:
            own = replace(own, left=change(step.left), right=change(step.right))
        made[step.claim] = own
    return replace(form, steps=tuple(made.values()))


def with_last(form: ClosedForm, **fields: Any) -> ClosedForm:
    """The derivation with other fields of its last step."""
    return replace(form, steps=(*form.steps[:-1], replace(form.steps[-1], **fields)))


def another(form: ClosedForm, formula: sp.Expr) -> ClosedForm:
    """Another formula in its place, in the last step as well."""
    last = form.steps[-1]
    sides = {k: getattr(last, k).xreplace({form.expression: formula}) for k in ("left", "right")}
    return replace(form, expression=formula, steps=(*form.steps[:-1], replace(last, **sides)))


def twice_in_the_last_step(form: ClosedForm) -> ClosedForm:
    last = form.steps[-1]
    sides = {"left": 2 * last.left, "right": 2 * last.right}
    return replace(
        form, expression=2 * form.expression, steps=(*form.steps[:-1], replace(last, **sides))
    )


def another_definition(form: ClosedForm) -> ClosedForm:
    wrong = next(p.expression for p in form.premises if p.expression is not None and not p.form)
    values = wrong if isinstance(wrong, sp.MatrixBase) else [wrong]
    return changed(form, lambda side: side.xreplace({value: 2 * value for value in values}))


def a_dropped_premise(form: ClosedForm) -> ClosedForm:
    return with_last(form, uses=form.steps[-1].uses[1:])


def sums_from_the_second_term(form: ClosedForm) -> ClosedForm:
    def shortened(side: Any) -> Any:
        def later(total: sp.Sum) -> sp.Sum:
            return sp.Sum(total.function, *((k, low + 1, high) for k, low, high in total.limits))

        return side.replace(lambda node: isinstance(node, sp.Sum), later)

    return changed(form, shortened, form.steps[-1].claim)


def exchanged_arguments(form: ClosedForm) -> ClosedForm:
    one, other = (argument.symbol for argument in form.arguments[:2])
    return another(form, form.expression.xreplace({one: other, other: one}))


def a_value_of_another_step(form: ClosedForm) -> ClosedForm:
    return with_last(form, uses=(form.steps[0],))


def an_unproved_result(form: ClosedForm) -> ClosedForm:
    formula = 2 * form.expression
    result = Step("it is so", formula, sp.UnevaluatedExpr(formula) * 1, uses=())
    return replace(form, expression=formula, steps=(result,))


def a_letter_that_may_be_negative(form: ClosedForm) -> ClosedForm:
    (letter,) = (s for s in form.steps[-1].left.free_symbols if s.name == "N")
    return changed(form, lambda side: side.xreplace({letter: sp.Symbol("N", real=True)}))


def a_start_at_index_one(form: ClosedForm) -> ClosedForm:
    start = next(step for step in form.steps if step.claim.endswith("at index 0"))
    later = sp.Subs(start.left.expr, start.left.variables, (1,))
    return changed(form, lambda side: later if side == start.left else side, start.claim)


def the_rule_of_another_number(form: ClosedForm) -> ClosedForm:
    """The rule of the kernel where that of its variance is asked for."""
    level = next(step for step in form.steps if step.claim == "3: dense")
    kernel, variance = (part.expr for part in level.right[:2])
    return changed(form, lambda side: side.xreplace({variance: kernel}), level.claim)


def a_special_case(form: ClosedForm) -> ClosedForm:
    letter = min((s for s in form.expression.free_symbols if s.is_positive), key=str)
    return with_last(form, where={letter: sp.S.One})


def a_dropped_assumption(form: ClosedForm) -> ClosedForm:
    return replace(form, assumptions=form.assumptions[1:])


def a_limit_elsewhere(form: ClosedForm) -> ClosedForm:
    def at_zero(side: Any) -> Any:
        return side.replace(
            lambda node: isinstance(node, sp.Limit), lambda node: sp.Limit(*node.args[:2], 0)
        )

    return changed(form, at_zero)


def another_closed_form(form: ClosedForm) -> ClosedForm:
    """The second velocity cited in the place of the first."""
    last = form.steps[-1]
    cited = [node for node in last.uses if isinstance(node, ClosedForm)]
    others = tuple(node for node in last.uses if node is not cited[0])
    return with_last(form, uses=(*others, cited[1]))


def a_step_on_the_way_doubled(form: ClosedForm) -> ClosedForm:
    return changed(form, lambda side: 2 * side, form.steps[-2].claim)


def slopes_in_another_letter(form: ClosedForm) -> ClosedForm:
    def other(node: sp.Derivative) -> sp.Derivative:
        letters = sorted(node.expr.free_symbols - set(node.variables), key=str)
        return sp.Derivative(node.expr, letters[0])

    return changed(
        form, lambda side: side.replace(lambda node: isinstance(node, sp.Derivative), other)
    )


def the_square_of_a_mean(form: ClosedForm) -> ClosedForm:
    """In the place of the mean of a square, in all steps."""

    def exchanged(node: Mean) -> sp.Expr:
        function, letters, covariance = node.args
        is_square = function.is_Pow and function.exp == 2
        return Mean(function.base, tuple(letters), covariance) ** 2 if is_square else node

    return changed(form, lambda side: side.replace(lambda node: isinstance(node, Mean), exchanged))


WAYS = {
    "two_point.final_distance_mean": twice_in_the_last_step,
    "geometry.conformal_volume_factor": another_definition,
    "collapse.simplex_nc1": a_dropped_premise,
    "leaky_resnet.nonnegative_cost": sums_from_the_second_term,
    "leaky_resnet.affine_distance": exchanged_arguments,
    "geometry.volume_element.erf": a_value_of_another_step,
    "compression.growth_time": an_unproved_result,
    "compression.amplification": a_letter_that_may_be_negative,
    "finite_width.rectifier_kurtosis": a_start_at_index_one,
    "finite_width.kernel_spread.relu_2": the_rule_of_another_number,
    "leaky_resnet.mode_weight_norm": a_special_case,
    "two_point.lazy_rate": a_dropped_assumption,
    "two_point.final_distance": a_limit_elsewhere,
    "two_point.conserved_quantity": another_closed_form,
    "compression.crossover_time": a_step_on_the_way_doubled,
    "two_point.dh2_rate": slopes_in_another_letter,
    "finite_width.critical_spread": the_square_of_a_mean,
}


REFUSED = {
    twice_in_the_last_step,
    a_dropped_premise,
    a_letter_that_may_be_negative,
    a_value_of_another_step,
    an_unproved_result,
    a_special_case,
    a_dropped_assumption,
    another_closed_form,
    a_step_on_the_way_doubled,
}
"""What is refused when it is made."""


def test_a_volume_element_that_is_too_large_is_refused_in_three_ways() -> None:
    """Values three times as large in the last step and in the first one, and another definition of the volume."""
    form = theory.catalogue()["geometry.volume_element.erf"]
    (dimension,) = (s for s in form.expression.free_symbols if s.name == "d")
    wrong = form.expression * sp.sqrt(3) ** dimension
    last = form.steps[-1]
    rule, letters, (mean, slope, *others) = last.right.args
    in_the_last = replace(
        last, left=wrong, right=sp.Subs(rule, letters, (3 * mean, 3 * slope, *others))
    )
    with pytest.raises(ValueError, match="which nothing states that it uses"):
        replace(form, expression=wrong, steps=(*form.steps[:-1], in_the_last))
    with pytest.raises(ValueError, match="got no later step that uses it"):
        changed(form, lambda side: 3 * side, form.steps[0].claim)
    root = another_definition(form).steps[1]
    assert root.check(fresh=True) is Verdict.FAILS


@pytest.mark.parametrize("name", WAYS)
def test_a_false_derivation_is_refused_or_fails(name: str) -> None:
    form = theory.catalogue()[name]
    if WAYS[name] in REFUSED:
        with pytest.raises(ValueError, match=r"step .*: got|got no later step"):
            WAYS[name](form)
    else:
        verdicts = WAYS[name](form).check(fresh=True).values()
        assert "FAILS" in {verdict.name for verdict in verdicts}

"""Solutions of a flow or a recursion, with the steps that they start, solve it and end as claimed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import sympy as sp

from closedform import checks
from theory.core import Check, Premise, Step, Verdict
from theory.core.formula.parsing import sympy_object
from theory.core.formula.subexpressions import at_values
from theory.core.proof import premises
from theory.core.proof.premises import with_lemmas
from theory.core.proof.values import takes, taking
from theory.engine.blow_up import has_values, may_end
from theory.engine.derived import Derived
from theory.engine.rates import Rates

Cases = Mapping[str, Mapping[sp.Symbol, sp.Expr]]
_EVERYWHERE: Cases = {"": {}}


@dataclass(frozen=True, repr=False, eq=False)
class Solution:
    """A solution of a flow or a recursion with the steps that show that it is one.

    Attributes:
        curves: variable -> its value as a function of time, or of the index of a recursion.
        steps: what the rates or rules rest on; for each variable where it starts, that it solves the flow or obeys the
            rule, and where it ends.
        of_curve: variable -> the steps of its curve.
        time: the time of the flow, or the index of the recursion.
    """

    curves: Mapping[sp.Symbol, sp.Expr]
    steps: tuple[Step | Check, ...]
    of_curve: Mapping[sp.Symbol, tuple[Step | Check, ...]]
    time: sp.Symbol

    def check(self, fresh: bool = False) -> dict[str, Verdict]:
        """Check every step, as :meth:`theory.engine.derived.Derived.check`.

        Args:
            fresh: whether to decide every step again. Default: False.
        """
        return {step.claim: step.check(fresh) for step in self.steps}

    def __getitem__(self, variable: sp.Symbol) -> Derived:
        """Return the curve of one variable with its part of the derivation, from which a closed form can be made.

        Args:
            variable: a variable of the flow, or a letter of the recursion.

        Raises:
            KeyError: if it is none.
        """
        own = self.of_curve[variable]
        before: list[Step | Check] = []
        lasts: list[Step | Check] = []
        for *others, last in (part for part in self.of_curve.values() if part and part is not own):
            before += (step for step in others if step not in before)
            ends = (step for step in premises.ends(before) if step in others or step in lasts)
            taken = tuple(step for step in ends if takes(last, step))
            lasts.append(replace(last, uses=(*(last.uses or ()), *taken)) if taken else last)
            before.append(lasts[-1])
        before += (step for step in own[:-1] if step not in before)
        last = replace(own[-1], uses=(*(own[-1].uses or ()), *premises.ends(before)))
        return Derived(
            f"{variable} as a function of {self.time}",
            self.curves[variable],
            steps=(*before, last),
        )

    def quantity(
        self,
        definition: Premise,
        value: Any = None,
        at: Any = None,
        uses: tuple[Any, ...] = (),
    ) -> Derived:
        """Return a function of the variables along the solution, such as a loss, or a variance over a squared mean.

        Args:
            definition: what the quantity is, in words and as an expression in the variables.
            value: what it is along the solution. Default: the expression there, simplified.
            at: the time or the depth, an expression. Default: the time of the flow, the index of the recursion.
            uses: what the definition rests on besides the solution: steps, closed forms, premises. Default: nothing.

        Returns:
            The quantity; its last step decides whether it has this value.

        Raises:
            TypeError: if ``definition`` is no premise, or ``value`` no expression.
            ValueError: if the definition has no expression.

        >>> from theory.engine import Flow
        >>> x, x_0, r = sp.symbols("x x_0 r", positive=True)
        >>> decay = Flow({x: -r * x})
        >>> found = decay.solution({x: x_0 * sp.exp(-r * decay.time)}, starts={x: x_0})
        >>> found.quantity(Premise("the loss is half the squared distance", x**2 / 2))
        the loss is half the squared distance: x_0**2*exp(-2*r*t)/2
        """
        checks.instance("definition", definition, Premise, "a premise with an expression")
        formula = definition.expression
        checks.require(formula is not None, "definition", definition, "an expression as well")
        curves = dict(self.curves)
        if at is not None:
            there = sympy_object("at", at)
            curves = {k: sp.Subs(curve, self.time, there) for k, curve in curves.items()}
        meant = at_values(formula, curves, curves.values())
        expression = sp.simplify(meant.doit()) if value is None else sympy_object("value", value)
        last = Step(
            f"along the solution, {definition.text}",
            meant,
            expression,
            "the definition at the solution",
            uses=(definition, *uses, *premises.ends(self.steps)),
        )
        return Derived(definition.text, expression, steps=with_lemmas((*self.steps, last)))

    def __repr__(self) -> str:
        return "\n".join(f"{variable} = {sp.sstr(x)}" for variable, x in self.curves.items())


def solution(
    flow: Rates,
    curves: Mapping[sp.Symbol, Any],
    starts: Mapping[sp.Symbol, Any],
    ends: Mapping[sp.Symbol, Any],
    begin: Any,
    end: Any,
    cases: Cases | None,
) -> Solution:
    """Return the steps of a solution; see :meth:`theory.engine.Flow.solution`."""
    given = _values("curves", curves)
    for name, values in (("curves", given), ("starts", starts), ("ends", ends)):
        unknown = [str(variable) for variable in values if variable not in flow.rates]
        if unknown or (name == "curves" and len(values) < len(flow.rates)):
            needs = f"{'all' if name == 'curves' else 'some'} of {', '.join(map(str, flow.state))}"
            raise ValueError(f"{name}: got {', '.join(map(str, values)) or 'none'}, needs {needs}")
    where = _EVERYWHERE if cases is None else checks.mapping("cases", cases)
    checks.require(bool(where), "cases", where, "at least one case, or None")
    of_curve = {
        variable: (
            *_starts(flow, variable, curve, _values("starts", starts), begin, where),
            *_solves(flow, variable, given, where),
            *_ends(flow, variable, curve, _values("ends", ends), (begin, end), where),
        )
        for variable, curve in given.items()
    }
    steps = tuple(step for of_one in of_curve.values() for step in of_one)
    return Solution(
        given,
        (*flow.steps, *steps),
        {variable: (*flow.steps, *of_one) for variable, of_one in of_curve.items()},
        flow.time,
    )


def _starts(
    flow: Rates,
    variable: sp.Symbol,
    curve: sp.Expr,
    starts: Mapping[sp.Symbol, sp.Expr],
    begin: Any,
    cases: Cases,
) -> Sequence[Step]:
    if variable not in starts:
        return ()
    sides = sp.Subs(curve, flow.time, begin), starts[variable]
    return _of_cases(f"{variable} starts at {starts[variable]}", sides, "substitution", cases, ())


def _solves(
    flow: Rates, variable: sp.Symbol, curves: Mapping[sp.Symbol, sp.Expr], cases: Cases
) -> Sequence[Step]:
    rate = flow.rates[variable]
    # sympy makes one Subs of two, and then puts the curves into nothing that the inner one has put in
    rate = sp.UnevaluatedExpr(rate) if rate.has(sp.Subs) else rate
    along = sp.Subs(rate, tuple(curves), tuple(curves.values()))
    sides = sp.Derivative(curves[variable], flow.time), along

    steps = _of_cases(f"{variable} solves the flow", sides, "differentiation", cases, ())
    return tuple(taking(step, flow.premises) for step in steps)


def _ends(
    flow: Rates,
    variable: sp.Symbol,
    curve: sp.Expr,
    ends: Mapping[sp.Symbol, sp.Expr],
    times: tuple[Any, Any],
    cases: Cases,
) -> Sequence[Step | Check]:
    if variable not in ends:
        return ()
    begin, end = times
    on_the_way: tuple[Check, ...] = ()
    if may_end(curve):
        wheres = sp.Tuple(*map(sp.Dict, cases.values()))
        on_the_way = (
            Check(
                f"{variable} has a value at all times from {begin} to {end}",
                partial(has_values, curve, flow.time, sp.sympify(begin), sp.sympify(end), wheres),
                because="signs of denominators, roots and logarithms; a search for poles at random parameters",
                uses=(),
                aside="a condition of the solution, of which no step takes a value",
            ),
        )
    is_limit = end in (sp.oo, -sp.oo)
    reached = (sp.Limit if is_limit else sp.Subs)(curve, flow.time, end)
    claim, sides = f"{variable} ends at {ends[variable]}", (reached, ends[variable])
    because = "its limit" if is_limit else "substitution"
    return (*on_the_way, *_of_cases(claim, sides, because, cases, ()))


def _of_cases(
    claim: str, sides: tuple[sp.Expr, sp.Expr], because: str, cases: Cases, uses: tuple[Any, ...]
) -> tuple[Step, ...]:
    """Return the step in each case; a side that sympy has already made equal to the other is a case of no step."""
    if sides[0] == sides[1]:
        return ()
    return tuple(
        Step(f"{claim}, {words}" if words else claim, *sides, because, where, uses=uses)
        for words, where in cases.items()
    )


def _values(name: str, values: Mapping[sp.Symbol, Any]) -> dict[sp.Symbol, sp.Expr]:
    return {
        symbol: sympy_object(f"{name} of {symbol}", value)
        for symbol, value in checks.mapping(name, values).items()
    }

"""Fixed points of a flow, with the linearised flow around each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from closedform import checks
from theory.core import Check, Step, Verdict
from theory.core.algebra.factoring import with_factored_argument
from theory.core.algebra.signs import positive_factors
from theory.core.formula.parsing import sympy_object
from theory.core.formula.sampling import satisfies
from theory.core.formula.subexpressions import rebuilt
from theory.engine.derived import Derived
from theory.engine.kinks import is_smooth
from theory.engine.rates import Rates
from theory.engine.stability import SADDLE, STABLE, UNSTABLE, stability, stability_check
from theory.engine.zeros import resting_points

NO_VALUE = (
    "UNDECIDED: the velocities have no value there; a change of variables may remove the pole"
)
KINK = "UNDECIDED: the velocities have no derivatives there, as at a kink, so that no linearised flow decides"
Where = Mapping[sp.Symbol, sp.Expr] | None


@dataclass(frozen=True, repr=False, eq=False)
class FixedPoint:
    """A fixed point of a flow, or a family of them.

    Attributes:
        position: variable -> its value; a variable whose value is itself is free.
        exists: conditions under which the position is in the domain of the variables, in words.
        jacobian: derivatives of the velocities with respect to the variables, in their order, [n, n]; None where the
            velocities have no value or no derivatives.
        characteristic: characteristic polynomial of the Jacobian in the letter ``lambda``.
        eigenvalues: rates of the linearised flow, 1/time, as often as they occur; without those that have no short
            formula.
        stability: "stable", "unstable", "unstable, a saddle", or a text that begins with UNDECIDED and says on what it
            depends. A family is stable if all rates but those along it are negative.
        steps: the derivation.
    """

    position: Mapping[sp.Symbol, sp.Expr]
    exists: tuple[str, ...]
    jacobian: sp.ImmutableMatrix | None
    characteristic: sp.Expr | None
    eigenvalues: tuple[sp.Expr, ...]
    stability: str
    steps: tuple[Step | Check, ...]

    @property
    def free(self) -> tuple[sp.Symbol, ...]:
        """The variables that may have any value, along which the fixed point is a family."""
        return tuple(variable for variable, value in self.position.items() if value == variable)

    def check(self, fresh: bool = False) -> dict[str, Verdict]:
        """Check every step, as :meth:`theory.engine.derived.Derived.check`.

        Args:
            fresh: whether to decide every step again. Default: False.
        """
        return {step.claim: step.check(fresh) for step in self.steps}

    def rate(self, index: int) -> Derived:
        """Return an eigenvalue with its derivation, from which a closed form can be made.

        Args:
            index: number of the eigenvalue in ``eigenvalues``.

        Raises:
            IndexError: if there are not so many.
        """
        value = self.eigenvalues[checks.integer("index", index)]
        last = next(step for step in self.steps if step.claim == _claim_of(value))
        before = tuple(step for step in self.steps[:3] if step is not last)
        return Derived(f"rate at {self._place}", value, steps=(*before, last))

    @property
    def _place(self) -> str:
        return ", ".join(f"{variable} = {sp.sstr(x)}" for variable, x in self.position.items())

    def __repr__(self) -> str:
        rows = [self._place]
        rows += [f"  exists if {condition}" for condition in self.exists]
        rows += [f"  free: {', '.join(map(str, self.free))}"] if self.free else []
        rows += [f"  eigenvalues: {', '.join(map(sp.sstr, self.eigenvalues))}"] * bool(
            self.eigenvalues
        )
        return "\n".join([*rows, f"  {self.stability}"])


def _claim_of(value: sp.Expr) -> str:
    return f"{sp.sstr(value)} is an eigenvalue there"


def fixed_points(flow: Rates, where: Where) -> tuple[FixedPoint, ...]:
    """Return all fixed points in the domain; see :meth:`theory.engine.Flow.fixed_points`."""
    _require_autonomous(flow)
    points = []
    for zero in resting_points(flow.rates, "fixed_point(position) takes one in letters", 4):
        position = {variable: zero.get(variable, variable) for variable in flow.state}
        if all(satisfies(x, _in(value, dict(where or {}))) for x, value in position.items()):
            points.append(fixed_point(flow, position, where))
    return tuple(points)


def fixed_point(flow: Rates, position: Mapping[sp.Symbol, Any], where: Where) -> FixedPoint:
    """Return the fixed point at a position; see :meth:`theory.engine.Flow.fixed_point`."""
    _require_autonomous(flow)
    given = checks.mapping("position", position)
    if set(given) != set(flow.state):
        raise ValueError(
            f"position: got {', '.join(map(str, given))}, needs a value of each of {', '.join(map(str, flow.state))}"
        )
    at = {
        variable: sympy_object(f"value of {variable}", given[variable]) for variable in flow.state
    }
    if any(sp.simplify(sp.fraction(sp.together(r))[1].subs(at)) == 0 for r in flow.rates.values()):
        return FixedPoint(at, _conditions(at), None, None, (), NO_VALUE, ())
    return _linearised(flow, at, where)


def _linearised(flow: Rates, at: dict[sp.Symbol, sp.Expr], where: Where) -> FixedPoint:
    velocities, values = sp.ImmutableMatrix(list(flow.rates.values())), tuple(at.values())
    opened = dict(where or {})
    slopes = velocities.jacobian(flow.state)
    vanishing = Step(
        f"the flow vanishes at {', '.join(f'{x} = {sp.sstr(value)}' for x, value in at.items())}",
        velocities.applyfunc(lambda rate: sp.Subs(rate, flow.state, values)),
        sp.ImmutableMatrix.zeros(len(velocities), 1),
        because="substitution",
        where=where,
        uses=flow.premises,
    )
    if not is_smooth((*velocities, *slopes), at):
        return FixedPoint(at, _conditions(at), None, None, (), KINK, (*flow.steps, vanishing))
    jacobian = slopes.subs(at).applyfunc(sp.simplify).as_immutable()
    rate = _fresh("lambda", jacobian)
    characteristic = jacobian.charpoly(rate, simplify=sp.factor).as_expr()
    coefficients = [_in(c, opened) for c in sp.Poly(characteristic, rate).all_coeffs()]
    eigenvalues = _roots(characteristic, rate)
    linear = Step(
        "the Jacobian there",
        _slopes(velocities, at),
        jacobian,
        because="each column is the derivative along a shift of one variable",
        where=where,
        uses=(vanishing, *flow.premises),
    )
    polynomial = Step(
        "the characteristic polynomial of the Jacobian",
        sp.Determinant(sp.MatAdd(rate * sp.eye(len(at)), sp.MatMul(-1, jacobian))),
        characteristic,
        because="expansion of the determinant",
        where=where,
        uses=(linear,),
    )
    steps: tuple[Any, ...] = (*flow.steps, vanishing, linear, polynomial)
    for value in dict.fromkeys(eigenvalues):
        steps += (
            Step(
                _claim_of(value),
                sp.Subs(characteristic, rate, value),
                sp.S.Zero,
                because="a root of the characteristic polynomial",
                where=where,
                uses=(polynomial,),
            ),
        )
    flat = sum(value == variable for variable, value in at.items())
    inside = {variable: _in(value, opened) for variable, value in at.items()}
    positive = [inside[variable] for variable in at if variable.is_positive]
    positive += [-inside[variable] for variable in at if variable.is_negative]
    words = stability(coefficients, flat, tuple(positive_factors(positive)))
    if words in (STABLE, UNSTABLE, SADDLE):
        matrix = sp.ImmutableMatrix(jacobian.subs(opened))
        steps += (stability_check(words, matrix, flat, inside, (polynomial,)),)
    return FixedPoint(at, _conditions(at), jacobian, characteristic, eigenvalues, words, steps)


def _slopes(velocities: sp.ImmutableMatrix, at: Mapping[sp.Symbol, sp.Expr]) -> sp.ImmutableMatrix:
    """Return the unevaluated derivatives of the velocities along a shift of each variable from the fixed point.

    At a point with x = y these are :func:`mistakable <theory.core.formula.subexpressions.mistakable>` in the variables;
    a shift has a letter of its own.
    """
    shift = _fresh("shift", sp.Tuple(velocities, *at, *at.values()))
    columns = []
    for variable in at:
        moved = {**at, variable: at[variable] + shift}
        near = velocities.subs(moved, simultaneous=True)
        columns.append(near.applyfunc(lambda rate: sp.Subs(sp.Derivative(rate, shift), shift, 0)))
    return sp.ImmutableMatrix.hstack(*columns)


def _fresh(name: str, inside: sp.Basic) -> sp.Symbol:
    """Return a letter of a name that does not occur in an expression, with a mark where its own name does."""
    taken = {symbol.name for symbol in inside.free_symbols}
    while name in taken:
        name += "_"
    return sp.Symbol(name)


def _in(expression: sp.Expr, where: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr:
    """Return an expression in the symbols of a parametrisation, in which roots of squares open."""
    return sp.simplify(rebuilt(expression.subs(where), with_factored_argument))


def _roots(characteristic: sp.Expr, rate: sp.Symbol) -> tuple[sp.Expr, ...]:
    """Return the roots of the linear and quadratic factors, with multiplicity."""
    roots: list[sp.Expr] = []
    numerator = sp.fraction(sp.together(characteristic))[0]
    for factor, times in sp.factor_list(numerator, rate)[1]:
        solved = sp.roots(factor, rate, cubics=False, quartics=False)
        for root, multiplicity in solved.items():
            roots += [sp.simplify(root)] * (multiplicity * times)
    return tuple(sorted(roots, key=sp.default_sort_key))


def _conditions(at: Mapping[sp.Symbol, sp.Expr]) -> tuple[str, ...]:
    """Return for each variable the assumptions on it that its value may violate."""
    sentences = []
    for variable, value in at.items():
        words = [
            word
            for word in ("real", "positive", "negative", "nonnegative", "nonpositive", "nonzero")
            if getattr(variable, f"is_{word}") and getattr(value, f"is_{word}") is None
        ]
        # a positive number is real, nonnegative and not zero
        if words:
            strongest = next(
                (word for word in words if word in ("positive", "negative")), words[0]
            )
            sentences.append(f"{variable} = {sp.sstr(value)} is {strongest}")
    return tuple(sentences)


def _require_autonomous(flow: Rates) -> None:
    if flow.depends_on_time:
        raise ValueError(f"fixed points: got velocities that depend on {flow.time}, needs others")

r"""Sections 3.1, 4 and 6: exponents of the learning curves, and what compressed data gain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import sympy as sp

from theory.compression.ntk import cusp_exponent
from theory.compression.scaling import BALANCES, beta, d, d_parallel, ell, spacing, weight, xi
from theory.core import Check, Scales, Step, identity
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given, solved
from theory.core.ledger.proving import stating, unconditional
from theory.papers.paccolat2021.notation import letters

epsilon, Lambda, beta_lazy, beta_feature, d_perp = letters("epsilon Lambda beta_lazy beta_feature d_perp")
more, short = sp.Symbol("more", integer=True, nonnegative=True), sp.Symbol("r", positive=True)
CUSP_BELOW_TWO = {xi: 2 / (1 + sp.Symbol("m", positive=True))}
LAZY, FEATURE = {xi: 1, ell: 0}, {xi: 1, ell: sp.Rational(1, 2)}
STRIPE, CYLINDER = {d_parallel: 1}, {d_parallel: 2, d: 3}
SURFACES = {d_parallel: 2 + more}  # and d_perp = d - 2 - more


@cache
def solution() -> sp.Expr:
    """The exponent of the learning curve that solves the three balances, for Lambda ~ p^ell."""
    ((exponent, *_),) = sp.linsolve(list(BALANCES.values()), beta, weight, spacing)
    return exponent


def balanced(letter: sp.Symbol, values: dict[Any, Any], where: dict[Any, Any] | None = None) -> Callable[[Any], Any]:
    """Return a ``prove`` by which the letter is the exponent that solves the balances at these values."""

    def prove(statement: Any) -> tuple[Step | Check, ...]:
        exponent = sp.Subs(solution(), tuple(values), tuple(values.values()))
        steps = identity({letter: exponent}, "the balances, solved", where=where)(statement)
        return tuple(replace(step, claim=f"{letter} {step.claim}") for step in steps)

    return prove


def improves(scaling: Scales, values: dict[Any, Any]) -> Step:
    """The printed power of Lambda, for the error itself, is the derivative of its exponent in that of Lambda."""
    of_error, of_gain = (
        letter * sp.diff(sp.expand_log(sp.log(scaling.lhs / scaling.rhs)), letter) for letter in (epsilon, Lambda)
    )
    power = sp.expand(-of_gain / of_error)
    gain = sp.diff(solution(), ell).subs({xi: 1, **values})
    return Step(f"power of Lambda at {values}", -power, gain, "error ~ p^-beta, Lambda ~ p^ell")


@cache
def curvature(directions: int, scale: Any) -> sp.Expr:
    """Mean of r^(xi - 2), xi = 1, over a surface with so many informative directions, cut off at 1/Lambda."""
    return sp.integrate(short ** (directions - 3), (short, 1 / scale, 1))


def squared(mean: Callable[[Any], Any]) -> sp.Expr:
    """Limit of the mean for Lambda^2 over that for Lambda: 1 if it is bounded, 2 for a logarithm."""
    return sp.limit(mean(Lambda**2) / mean(Lambda), Lambda, sp.oo)


def improves_surfaces(statement: Scales | Given) -> tuple[Step | Check, ...]:
    """Several informative directions, those that the condition allows."""
    condition = statement.condition if isinstance(statement, Given) else sp.true
    allowed = [n for n in (2, 3, 4) if condition.subs(d_parallel, n) == sp.true]
    bounded = bool(allowed) and all(squared(partial(curvature, n)) == 1 for n in allowed)
    return (
        improves(unconditional(statement).subs(d_perp, d - 2 - more), SURFACES),
        Check("the curvature of the kernel is bounded", lambda: bounded, "mean over the surface, Lambda to infinity"),
    )


def added(values: dict[Any, Any]) -> sp.Expr:
    """What compression adds to the exponent."""
    return sp.simplify(solution().subs({**FEATURE, **values}) - solution().subs({**LAZY, **values}))


PROGRAMS: Programs = {
    "3.1 quoted exponent": balanced(beta, {d_parallel: 1, ell: 0}, CUSP_BELOW_TWO),
    "3.1 cusp": lambda cusp: (Check("lowest power", lambda: bool(solved(cusp, xi) == cusp_exponent()), "series"),),
    "3.1 beta lazy": balanced(beta_lazy, LAZY),
    "3.1 gain": lambda scaling: (improves(scaling, STRIPE),),
    "3.1 beta feature": balanced(beta_feature, {**FEATURE, **STRIPE}),
    "4 lazy exponent": stating(
        {"depends": lambda: "should" if solution().subs(ell, 0).has(d_parallel) else "should not"}, "balances"
    ),
    "4 gain": Program(
        improves_surfaces,
        lambda: float(squared(lambda scale: curvature(2, scale))),
        value=lambda scaling: float(sp.simplify(scaling.rhs.subs(Lambda, Lambda**2) / scaling.rhs**2)),
    ),
    "4 beta feature": lambda exponent: balanced(beta_feature, {**FEATURE, **SURFACES})(
        exponent.subs(d_perp, d - 2 - more)
    ),
    "4 cylinder": lambda exponents: (
        *balanced(beta_lazy, {**LAZY, **CYLINDER})(exponents[0]),
        *balanced(beta_feature, {**FEATURE, **CYLINDER})(exponents[1]),
    ),
    "6 increase": stating(
        {
            "change": lambda: "increases" if added(STRIPE).subs(d, d + 1).is_positive else "decreases",
            "on": lambda: "both" if added({}).has(d) and added({}).has(d_parallel) else "one of",
        },
        "balances, d_perp = d - d_parallel",
    ),
}

r"""Sections 3.1, 4 and 6: exponents of the learning curves, and what compressed data gain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import sympy as sp

from theory.compression.ntk import cusp_exponent
from theory.compression.scaling import BALANCES, beta, d, d_parallel, ell, spacing, weight, xi
from theory.core import Check, Claim, Scales, Step, identity
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given, solved
from theory.papers.paccolat2021.notation import letters

epsilon, Lambda, beta_lazy, beta_feature, short, d_perp = letters("epsilon Lambda beta_lazy beta_feature r d_perp")
more = sp.Symbol("more", integer=True, nonnegative=True)
CUSP_BELOW_TWO = {xi: 2 / (1 + sp.Symbol("m", positive=True))}
HALF = sp.Rational(1, 2)
LAPLACE: dict[Any, Any] = {xi: 1}
STRIPE = {xi: 1, d_parallel: 1}
CYLINDER = {xi: 1, d_parallel: 2, d: 3}


@cache
def solution() -> sp.Expr:
    """The exponent of the learning curve that solves the three balances, for Lambda ~ p^ell."""
    ((exponent, *_),) = sp.linsolve(list(BALANCES.values()), beta, weight, spacing)
    return exponent


def balanced(letter: sp.Symbol, values: dict[Any, Any], where: dict[Any, Any] | None = None) -> Callable[[Any], Any]:
    """Proves that the letter is the exponent that solves the balances at these values."""

    def prove(statement: Any) -> tuple[Step | Check, ...]:
        steps = identity({letter: solution().subs(values)}, "the balances, solved", where=where)(statement)
        return tuple(replace(step, claim=f"{letter} {step.claim}") for step in steps)

    return prove


def improves(scaling: Scales, values: dict[Any, Any]) -> Step:
    """The printed power of Lambda, for the error itself, is the derivative of its exponent in that of Lambda."""
    of_error, of_gain = (
        letter * sp.diff(sp.expand_log(sp.log(scaling.lhs / scaling.rhs)), letter) for letter in (epsilon, Lambda)
    )
    power = sp.expand(-of_gain / of_error)
    gain = sp.diff(solution(), ell).subs(values)
    return Step(f"power of Lambda at {values}", -power, gain, "error ~ p^-beta, Lambda ~ p^ell")


def improves_stripes(scaling: Scales) -> tuple[Step, ...]:
    """One informative direction."""
    return (improves(scaling, STRIPE),)


@cache
def curvature(directions: int, scale: Any) -> sp.Expr:
    """Mean of r^(xi - 2), xi = 1, over a surface with so many informative directions, cut off at 1/Lambda."""
    return sp.integrate(short ** (directions - 3), (short, 1 / scale, 1))


def squared(mean: Callable[[Any], Any]) -> sp.Expr:
    """Limit of the mean for Lambda^2 over that for Lambda: 1 if it is bounded, 2 for a logarithm."""
    return sp.limit(mean(Lambda**2) / mean(Lambda), Lambda, sp.oo)


def improves_surfaces(statement: Scales | Given) -> tuple[Step | Check, ...]:
    """Several informative directions, those that the condition allows."""
    scaling = statement.statement if isinstance(statement, Given) else statement
    condition = statement.condition if isinstance(statement, Given) else sp.true
    allowed = [n for n in (2, 3, 4) if condition.subs(d_parallel, n) == sp.true]
    return (
        improves(scaling.subs(d_perp, d - 2 - more), {**LAPLACE, d_parallel: 2 + more}),
        Check(
            "the curvature of the kernel is bounded",
            lambda: bool(allowed) and all(squared(partial(curvature, n)) == 1 for n in allowed),
            "mean over the surface, in the limit of strong compression",
        ),
    )


def grows_by_compression(claim: Claim) -> tuple[Check, ...]:
    """Sign of what Lambda ~ sqrt(p) adds to the exponent, and the letters in it."""
    added = sp.simplify(solution().subs({**STRIPE, ell: HALF}) - solution().subs({**STRIPE, ell: 0}))
    general = sp.simplify(solution().subs({xi: 1, ell: HALF}) - solution().subs({xi: 1, ell: 0}))
    sign = "increases" if added.subs(d, d + 1).is_positive else "decreases"
    on_both = general.has(d) and general.has(d_parallel)
    return (
        Check("sign", lambda: claim["change"] == sign, "balances"),
        Check("letters", lambda: on_both is (claim["on"] == "both"), "balances, d_perp = d - d_parallel"),
    )


def is_blind(claim: Claim) -> tuple[Check, ...]:
    """Whether the exponent without compression contains the number of informative directions."""
    depends = solution().subs(ell, 0).has(d_parallel)
    return (Check("letters of the solution", lambda: depends is (claim["depends"] == "should"), "balances"),)


PROGRAMS: Programs = {
    "3.1 quoted exponent": balanced(beta, {d_parallel: 1, ell: 0}, CUSP_BELOW_TWO),
    "3.1 cusp": lambda cusp: (Check("lowest power", lambda: bool(solved(cusp, xi) == cusp_exponent()), "series"),),
    "3.1 beta lazy": balanced(beta_lazy, {**LAPLACE, ell: 0}),
    "3.1 gain": improves_stripes,
    "3.1 beta feature": balanced(beta_feature, {**STRIPE, ell: HALF}),
    "4 lazy exponent": is_blind,
    "4 gain": Program(
        improves_surfaces,
        lambda: float(squared(lambda scale: curvature(2, scale))),
        value=lambda scaling: float(sp.simplify(scaling.rhs.subs(Lambda, Lambda**2) / scaling.rhs**2)),
    ),
    "4 beta feature": lambda exponent: balanced(beta_feature, {xi: 1, d_parallel: 2 + more, ell: HALF})(
        exponent.subs(d_perp, d - 2 - more)
    ),
    "4 cylinder": lambda exponents: (
        *balanced(beta_lazy, {**CYLINDER, ell: 0})(exponents[0]),
        *balanced(beta_feature, {**CYLINDER, ell: HALF})(exponents[1]),
    ),
    "6 increase": grows_by_compression,
}

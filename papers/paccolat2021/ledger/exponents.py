r"""Sections 3.1 and 4: exponents of the learning curves, and what compressed data gain, from three balances.

The balances of ``theory.compression.scaling`` are assumptions. Data whose density vanishes at the boundary between the
labels, here as its distance, obey others: there are fewer points in the layer, in the first balance and in the third.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

import sympy as sp

from papers.paccolat2021.ledger.notation import letters
from theory.compression.ntk import cusp_exponent
from theory.compression.scaling import beta, curvature, d, d_parallel, ell, exponents, xi
from theory.compression.scaling import spacing as rho
from theory.compression.scaling import weight as a
from theory.core import (
    Check,
    Conditional,
    Program,
    Programs,
    Scales,
    Step,
    relations,
    solved,
    unconditional,
)
from theory.core.ledger.equation import Prover
from theory.core.ledger.proving import declaring

epsilon, Lambda, d_perp, p, Delta, K_2 = letters("epsilon Lambda d_perp p Delta K_2")
spacing, dual, beta_lazy, beta_feature = letters("spacing dual beta_lazy beta_feature")
more, short = sp.Symbol("more", integer=True, nonnegative=True), sp.Symbol("r", positive=True)
CUSP_BELOW_TWO = {xi: 2 / (1 + sp.Symbol("m", positive=True))}
STRIPE, CYLINDER = {d_parallel: 1, xi: 1}, {d_parallel: 2, xi: 1, d: 3}
SURFACES = {d_parallel: 2 + more, xi: 1}
HALF = sp.Rational(1, 2)
DENSITIES = (0, 1)  # powers of the distance from the boundary

Values = Mapping[Any, Any]


@cache
def solution(thinned: int) -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """Exponents beta, a and rho that solve the balances, for a density that vanishes as this power of the distance."""
    neighbours, cusp, margin = exponents().balances.values()
    ((one, two, three),) = sp.linsolve(
        [neighbours - thinned * beta, cusp, margin - thinned * beta], beta, a, rho
    )
    return one, two, three


def satisfies(scaling: Any, thinned: int, values: Values, growth: Any) -> bool:
    """Whether both sides grow as one power of p, Lambda as this power; a bound on numbers is only read."""
    if not isinstance(scaling, Scales):
        if isinstance(scaling, sp.Eq):
            raise ValueError(f"condition: got {scaling}, needs a scaling or a bound on numbers")
        return scaling.subs(values) is not sp.false
    error, weights, distance = (
        exponent.subs(values).subs(ell, growth) for exponent in solution(thinned)
    )
    powers = {
        p: 1,
        epsilon: -error,
        Delta: -error,
        dual: weights,
        spacing: -distance,
        Lambda: growth,
    }
    powers[K_2] = curvature.subs(values) * growth
    ratio = (scaling.lhs / scaling.rhs).subs({d_perp: d - d_parallel}).subs(values)
    return (
        sp.simplify(
            sum(
                power * letter * sp.diff(ratio, letter) / ratio for letter, power in powers.items()
            )
        )
        == 0
    )


def balanced(
    letter: sp.Symbol | None,
    values: Values,
    growth: Any = ell,
    where: Values | None = None,
    decided: str = "=",
) -> Prover:
    """Return the program of an exponent that solves the balances; without a letter, of its slope in that of Lambda."""

    def shown(statement: Any) -> sp.Expr:
        printed = unconditional(statement)
        printed = printed.args[1] if isinstance(printed, sp.Implies) else printed
        number = solved(printed, letter) if letter is not None else power_of_lambda(printed)
        return number.subs({d_perp: d - d_parallel}).subs(values)

    def truth(thinned: int) -> sp.Expr:
        exponent = (
            solution(thinned)[0]
            if letter is not None
            else sp.Derivative(solution(thinned)[0], ell)
        )
        return sp.Subs(exponent, (*values, ell), (*values.values(), growth))

    def prove(statement: Any) -> list[Step]:
        premises = [*relations(statement.condition)] if isinstance(statement, Conditional) else []
        printed = unconditional(statement)
        if isinstance(printed, sp.Implies):
            premises.append(printed.args[0])

        def is_meant(n: int) -> bool:
            return all(satisfies(premise, n, values, growth) for premise in premises)

        meant = list(filter(is_meant, DENSITIES))
        if not meant:
            raise ValueError("condition: got one that no density satisfies")
        return [
            Step(
                f"density ~ distance^{n}",
                truth(n),
                shown(statement),
                "the balances, solved",
                where,
            )
            for n in meant
        ]

    return declaring(prove, "~" if letter is None else decided, under="~")


def power_of_lambda(scaling: Scales) -> sp.Expr:
    """Minus the power of Lambda in a scaling, for the error itself."""
    ratio = scaling.lhs / scaling.rhs
    of_error, of_gain = (
        sp.simplify(letter * sp.diff(ratio, letter) / ratio) for letter in (epsilon, Lambda)
    )
    return of_gain / of_error


@cache
def mean_curvature(directions: int, scale: Any) -> sp.Expr:
    """Mean of r^(xi - 2), xi = 1, over a surface with so many informative directions, cut off at 1/Lambda."""
    return sp.integrate(short ** (directions - 3), (short, 1 / scale, 1))


def squared(mean: Callable[[Any], Any]) -> sp.Expr:
    """Limit of the mean for Lambda^2 over that for Lambda: 1 if it is bounded, 2 for a logarithm."""
    return sp.limit(mean(Lambda**2) / mean(Lambda), Lambda, sp.oo)


def gain_on_surfaces(statement: Any) -> tuple[Step | Check, ...]:
    """Several informative directions, those that the condition allows."""
    bounds = relations(statement.condition) if isinstance(statement, Conditional) else ()

    def is_allowed(n: int) -> bool:
        return all(bound.subs(d_parallel, n) is not sp.false for bound in bounds)

    allowed = list(filter(is_allowed, (2, 3, 4)))
    bounded = bool(allowed) and all(squared(partial(mean_curvature, n)) == 1 for n in allowed)
    return (
        *balanced(None, SURFACES)(statement),
        Check(
            "the curvature of the kernel is bounded",
            lambda: bounded,
            "mean over the surface, Lambda to infinity",
        ),
    )


def cylinder(statement: Any) -> list[Step | Check]:
    """Both exponents of the cylinder."""
    steps: list[Step | Check] = []
    for letter, growth, part in zip(
        (beta_lazy, beta_feature), (0, HALF), unconditional(statement), strict=True
    ):
        conditioned = (
            Conditional(part, statement.condition) if isinstance(statement, Conditional) else part
        )
        steps += [
            replace(step, claim=f"{letter}, {step.claim}")
            for step in balanced(letter, CYLINDER, growth)(conditioned)
        ]
    return steps


PROGRAMS: Programs = {
    "3.1 quoted exponent": balanced(beta, {d_parallel: 1}, 0, CUSP_BELOW_TWO),
    "3.1 cusp": lambda cusp: (
        Check("lowest power", lambda: bool(solved(cusp, xi) == cusp_exponent()), "series"),
    ),
    "3.1 beta lazy": balanced(beta_lazy, STRIPE, 0),
    "3.1 gain": balanced(None, STRIPE),
    "3.1 beta feature": balanced(beta_feature, STRIPE, HALF, decided="~ ="),
    "4 gain": Program(
        declaring(gain_on_surfaces, "~", under="~ or >"),
        lambda d_parallel: float(squared(lambda scale: mean_curvature(d_parallel, scale))),
        value=lambda scaling: float(
            sp.simplify(scaling.rhs.subs(Lambda, Lambda**2) / scaling.rhs**2)
        ),
        at={"d_parallel": 2},
        quantity="growth of the mean curvature when Lambda is squared",
    ),
    "4 beta feature": balanced(beta_feature, SURFACES, HALF, decided="~ ="),
    "4 cylinder": declaring(cylinder, "=", under="~"),
}

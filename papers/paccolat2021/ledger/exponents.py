r"""Sections 3.1 and 4: exponents of the learning curves, and what compressed data gain, from three balances.

The balances of ``theory.compression.scaling`` are assumptions. Data whose density vanishes at the boundary between the
labels, here as its distance, obey others: there are fewer points in the layer, in the first balance and in the third.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

import sympy as sp
from scipy import optimize

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
    stating,
    unconditional,
)
from theory.core.ledger.equation import Prover
from theory.core.ledger.ledger import shown_statement
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


def allowed_directions(statement: Any) -> list[int]:
    """Numbers of informative directions, of two to four, that the condition allows."""
    bounds = relations(statement.condition) if isinstance(statement, Conditional) else ()

    def is_allowed(n: int) -> bool:
        return all(bound.subs(d_parallel, n) is not sp.false for bound in bounds)

    return list(filter(is_allowed, (2, 3, 4)))


def gain_on_surfaces(statement: Any) -> tuple[Step | Check, ...]:
    """Several informative directions, those that the condition allows."""
    allowed = allowed_directions(statement)
    bounded = bool(allowed) and all(squared(partial(mean_curvature, n)) == 1 for n in allowed)
    return (
        *balanced(None, SURFACES)(statement),
        Check(
            "the curvature of the kernel is bounded",
            lambda: bounded,
            "mean over the surface, Lambda to infinity",
        ),
    )


def is_resolved(directions: int) -> bool:
    """Whether the distances of support vectors, r_c, are at most of the order of the thickness 1/Lambda, in all d."""
    more_than_that = directions + 1 + more
    excess = solution(0)[2].subs({d_parallel: directions, xi: 1, ell: HALF}) - HALF
    return bool(sp.simplify(excess.subs(d, more_than_that)).is_nonnegative)


def exponent_on_surfaces(statement: Any) -> tuple[Step | Check, ...]:
    """Several informative directions, those that the condition allows, and whether neighbours lie within the layer."""
    allowed = allowed_directions(statement)
    resolved = bool(allowed) and all(map(is_resolved, allowed))
    return (
        *balanced(beta_feature, SURFACES, HALF, decided="~ =")(statement),
        Check("the layer is thicker than distances", lambda: resolved, "the solution"),
    )


def layer(points: float, d: int, d_parallel: int) -> float:
    """Logarithm of Delta for a logarithm of p at Lambda = sqrt(p), with the volume of neighbours as it is."""
    amplification = points / 2

    def excess(width: float) -> float:
        def neighbours(distance: float) -> float:
            thin = (d - d_parallel) * min(0.0, distance + amplification)
            return points + width + (d_parallel - 1) * distance + thin

        distance = optimize.brentq(neighbours, -10 * points, 10 * points)
        return points + 3 * width - distance

    return float(optimize.brentq(excess, -points, points))


def measured_exponent(d: int, d_parallel: int) -> float:
    """Of the error, between two numbers of training points."""
    few, many = 50.0, 100.0
    return (layer(few, d, d_parallel) - layer(many, d, d_parallel)) / (many - few)


def shown_exponent(statement: Any, **point: int) -> float:
    """The exponent that is printed, at a point."""
    exponent = solved(unconditional(statement).args[1], beta_feature)
    values = {d: point["d"], d_perp: point["d"] - point["d_parallel"]}
    return float(exponent.subs(values))


def cases_of_the_formula() -> str:
    """The exponent of Section 4 with one informative direction, against the balances; with more it solves them."""
    printed = solved(shown_statement(__package__, "4 beta feature").args[1], beta_feature)
    of_stripes = solution(0)[0].subs({**STRIPE, ell: HALF})
    same = sp.simplify(printed.subs(d_perp, d - 1) - of_stripes) == 0
    return r"d^\perp \leq d - 1" if same else r"d^\perp < d - 1"


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
    "1.1 generalization": stating(case=cases_of_the_formula),
    "4 beta feature": Program(
        declaring(exponent_on_surfaces, "~ =", under="~ or <"),
        measured_exponent,
        value=lambda statement, d, d_parallel: shown_exponent(
            statement, d=d, d_parallel=d_parallel
        ),
        tolerance=1e-6,
        at={"d": 4, "d_parallel": 3},
        quantity="exponent by which the width of the layer of support vectors falls with p",
    ),
    "4 cylinder": declaring(cylinder, "=", under="~"),
}

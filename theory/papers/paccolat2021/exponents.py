r"""Sections 3.1, 4 and 6: exponents of the learning curves, and what compressed data gain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import sympy as sp

from theory.compression.ntk import cusp_exponent
from theory.compression.scaling import BALANCES, beta, d, d_parallel, ell, spacing, weight, xi
from theory.core import Check, Claim, Finding, Scales, Step, Witness, Word, equal, identity
from theory.core.ledger.printed import Given, solved
from theory.papers.paccolat2021.paper import entry

epsilon, Lambda, beta_lazy, beta_feature, short = sp.symbols("epsilon Lambda beta_lazy beta_feature r", positive=True)
d_perp, more = sp.symbols("d_perp more", integer=True, nonnegative=True)
CUSP_BELOW_TWO = {xi: 2 / (1 + sp.Symbol("m", positive=True))}
EVIDENCE = "The three exponent balances of theory.compression.scaling, each of them an assumption, solved."
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
        Check("letters", lambda: on_both is (claim["on"] == "both d_perp and d"), "balances, d_perp = d - d_parallel"),
    )


def is_blind(claim: Claim) -> tuple[Check, ...]:
    """Whether the exponent without compression contains the number of informative directions."""
    depends = solution().subs(ell, 0).has(d_parallel)
    return (Check("letters of the solution", lambda: depends is (claim["depends"] == "indeed"), "balances"),)


EQUATIONS = (
    entry(
        "3.1 quoted exponent",
        "3.1",
        "Exponent of the learning curve of a support vector classifier whose kernel has the cusp xi in (0, 2).",
        Finding.CONFIRMED,
        EVIDENCE,
        printed=equal(beta, (d - 1 + xi) / (3 * d - 3 + xi)),
        prove=balanced(beta, {d_parallel: 1, ell: 0}, CUSP_BELOW_TWO),
        closed_form="compression.learning_curve_exponent.lazy",
    ),
    entry(
        "3.1 cusp",
        "3.1",
        "The cusp of the tangent kernel is that of a Laplace kernel.",
        Finding.CONFIRMED,
        "Lowest power of the angle in the series of its closed form.",
        printed=equal(xi, 1),
        prove=lambda cusp: (Check("lowest power", lambda: bool(solved(cusp, xi) == cusp_exponent()), "series"),),
        closed_form="compression.tangent_kernel",
    ),
    entry(
        "3.1 beta lazy",
        "3.1",
        "Exponent of the lazy regime.",
        Finding.CONFIRMED,
        EVIDENCE,
        printed=equal(beta_lazy, d / (3 * d - 2)),
        prove=balanced(beta_lazy, {**LAPLACE, ell: 0}),
        closed_form="compression.learning_curve_exponent.lazy",
    ),
    entry(
        "3.1 gain",
        "3.1",
        "Factor by which compressing the data by Lambda improves the test error, for stripes.",
        Finding.CONFIRMED,
        EVIDENCE,
        printed=Scales(epsilon, Lambda ** (-2 * (d - 1) / (3 * d - 2))),
        prove=improves_stripes,
        closed_form="compression.compression_gain",
    ),
    entry(
        "3.1 beta feature",
        "3.1",
        "Exponent of the feature regime for stripes.",
        Finding.CONFIRMED,
        EVIDENCE + " Lambda ~ sqrt(p).",
        printed=equal(beta_feature, (2 * d - 1) / (3 * d - 2)),
        prove=balanced(beta_feature, {**STRIPE, ell: HALF}),
        closed_form="compression.learning_curve_exponent.feature",
    ),
    entry(
        "3.1 main effect",
        "3.1",
        "The main effect of feature learning is the compression of the weights, which acts as one of the data.",
        Finding.ASSUMPTION,
        "Stated as an assumption; the dashed lines of Figure 2 test it.",
    ),
    entry(
        "4 lazy exponent",
        "4",
        "",
        Finding.CONFIRMED,
        "The balances without compression.",
        printed=Claim(
            "The performance of the lazy regime should {depends} depend on d_parallel.",
            {"depends": Word("not", ("indeed",))},
        ),
        prove=is_blind,
    ),
    entry(
        "4 gain",
        "4",
        "Factor by which compressing the data by Lambda improves the test error, d_parallel > 1.",
        Finding.CONDITIONAL,
        EVIDENCE + " The curvature of the kernel, averaged over the surface, is bounded only beyond two directions.",
        printed=Scales(epsilon, Lambda ** (-d_perp / (3 * d - 2))),
        condition=sp.Gt(d_parallel, 2),
        prove=improves_surfaces,
        witness=Witness(
            {d_parallel: 2, "growth of": "the mean curvature when Lambda is squared"},
            lambda: float(squared(lambda scale: curvature(2, scale))),
            value=lambda scaling: float(sp.simplify(scaling.rhs.subs(Lambda, Lambda**2) / scaling.rhs**2)),
        ),
        consequence="The cylinder, with two informative directions, is the marginal case: a factor of log Lambda, so "
        "that its exponents hold up to a logarithm.",
        heirs=("4 beta feature", "4 cylinder"),
        closed_form="compression.compression_gain",
    ),
    entry(
        "4 beta feature",
        "4",
        "Exponent of the feature regime for more than one informative direction.",
        Finding.CONFIRMED,
        EVIDENCE + " Lambda ~ sqrt(p). An exponent, so up to the logarithm of '4 gain'.",
        printed=equal(beta_feature, (d + d_perp / 2) / (3 * d - 2)),
        prove=lambda exponent: balanced(beta_feature, {xi: 1, d_parallel: 2 + more, ell: HALF})(
            exponent.subs(d_perp, d - 2 - more)
        ),
        closed_form="compression.learning_curve_exponent.feature",
    ),
    entry(
        "4 cylinder",
        "4",
        "The exponents of the cylinder in three dimensions.",
        Finding.CONFIRMED,
        EVIDENCE + " Exponents, so up to the logarithm of '4 gain'.",
        printed=sp.Tuple(equal(beta_lazy, sp.Rational(3, 7)), equal(beta_feature, HALF)),
        prove=lambda exponents: (
            *balanced(beta_lazy, {**CYLINDER, ell: 0})(exponents[0]),
            *balanced(beta_feature, {**CYLINDER, ell: HALF})(exponents[1]),
        ),
    ),
    entry(
        "6 increase",
        "6",
        "",
        Finding.CONFIRMED,
        EVIDENCE,
        printed=Claim(
            "Compression {change} the exponent beta with respect to the lazy training regime; this depends on {on}.",
            {"change": Word("increases", ("decreases",)), "on": Word("both d_perp and d", ("d only",))},
        ),
        prove=grows_by_compression,
    ),
)

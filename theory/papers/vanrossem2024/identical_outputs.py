r"""Appendix A.4: two points with the same target, Eqs. (37) to (40)."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from theory.core import Finding, Reading, Step
from theory.papers.vanrossem2024 import printed_system
from theory.papers.vanrossem2024.explicit_matrices import scalar_weights
from theory.papers.vanrossem2024.final_distance import orbit
from theory.papers.vanrossem2024.paper import entry
from theory.two_point.dynamics import dy, error, targets
from theory.two_point.fixed_points import A_high as A
from theory.two_point.identical_outputs import FAMILIES, distance, output_distance
from theory.two_point.symbols import A_high, dh2, dh2_0, dx2, dy2, dy2_0, t, target2, tau_h, tau_y, w

same = {target2: 0, w: dy2}
rate_h = -1 / tau_h * dx2 * dy2
rate_y = -dy2 * (1 / tau_y * dh2 + 1 / tau_h * dx2 * dy2 / dh2)
bernoulli = -1 / tau_y * dh2**2 + 1 / tau_y * A * dh2


def solution(exponent: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Eqs. (39) and (40) with a given exponent."""
    decay = sp.exp(exponent)
    denominator = 1 + (A / dh2_0 - 1) * decay
    return A / denominator, tau_h / tau_y * A**2 / dx2 * (1 - A / dh2_0) * decay / denominator**2


def explicit(expression: sp.Expr) -> sp.Expr:
    """The same with A_high written out in the initial values."""
    return expression.xreplace({A: A_high})


FORMS, INITIAL = (distance, output_distance), (dh2_0, dy2_0)
printed, corrected = solution(-A * t), solution(-A * t / tau_y)
WITNESS = {t: 1, dh2_0: 1, dy2_0: sp.Rational(1, 4), tau_h: 2, tau_y: 3, dx2: 1}


def _oracle(index: int) -> Callable[[], Reading]:
    """The gradient flow of two numbers at the witness; the time constants of Eq. (6) are half of those here."""

    def read() -> Reading:
        problem, weights = scalar_weights(1.0, 0.5, 1.0, 0.0)
        independent = problem.state(problem.flow(weights, (1.0, 1.0, 1.5), [1.0])[-1])[index]
        wrong, right = (float(explicit(form[index]).subs(WITNESS)) for form in (printed, corrected))
        return Reading(wrong, right, independent)

    return read


def _solves(name: str, letters: tuple[sp.Expr, sp.Expr], index: int) -> Step:
    pair = tuple(map(explicit, letters))
    rates = explicit(bernoulli).subs(dh2, pair[0]), rate_y.subs(dict(zip((dh2, dy2), pair, strict=True)))
    equation = ("Eq. (38)", "Eq. (37)")[index]
    return Step(f"{name} solves {equation}", sp.Derivative(pair[index], t), rates[index], because="differentiation")


def _corrected_steps(index: int) -> tuple[Step, ...]:
    """The corrected form solves its equation, starts where it should, and is the closed form that is derived here."""
    letters = explicit(corrected[index])
    return (
        _solves("corrected", corrected, index),
        Step(f"starts at {INITIAL[index]}", letters.subs(t, 0), INITIAL[index], because="evaluation"),
        *(
            Step(f"the closed form here, A_high {sign} 0", letters, FORMS[index], because="one fraction", where=family)
            for sign, family in FAMILIES.items()
        ),
    )


def _as_equation(symbol: sp.Symbol, expression: sp.Expr) -> sp.Tuple:
    return sp.Tuple(sp.Eq(symbol, expression, evaluate=False))


EQUATIONS = (
    entry(
        "A.4 alignment",
        "A.4",
        "With identical targets w = dy2 by definition.",
        Finding.CONFIRMED,
        "Definition of w.",
        steps=(
            Step(
                "w at y1 = y2",
                dy.dot(error).subs(dict(zip(targets[1], targets[0], strict=True))),
                dy.dot(dy),
                because="the target difference is zero",
            ),
        ),
    ),
    entry(
        "(37)",
        "A.4",
        "The system for identical targets.",
        Finding.CONFIRMED,
        "Eq. (21) with w = dy2; its third line agrees.",
        printed=sp.Tuple(
            sp.Eq(sp.Derivative(dh2, t), rate_h, evaluate=False), sp.Eq(sp.Derivative(dy2, t), rate_y, evaluate=False)
        ),
        steps=(
            Step("first line", printed_system.RATES[0].subs(same), rate_h, because="substitution"),
            Step("second line", printed_system.RATES[1].subs(same), rate_y, because="substitution"),
            Step("third line", printed_system.RATES[2].subs(same), rate_y, because="w stays dy2"),
        ),
    ),
    entry(
        "(38)",
        "A.4",
        "The velocity of dh2 alone, a Bernoulli equation.",
        Finding.CONFIRMED,
        "Eq. (24) inserted.",
        printed=sp.Eq(sp.Derivative(dh2, t), bernoulli, evaluate=False),
        steps=(Step("in dh2 alone", rate_h.subs(dy2, orbit), explicit(bernoulli), because="Eq. (24)"),),
    ),
    entry(
        "(39)",
        "A.4",
        "dh2 as a function of time.",
        Finding.MISPRINT,
        "The exponent lacks 1/tau_y; as printed it carries a unit. A gradient flow of two numbers sides with the "
        "corrected form.",
        printed=_as_equation(dh2, printed[0]),
        corrected=_as_equation(dh2, corrected[0]),
        closed_form="two_point.identical_outputs_dh2",
        steps=_corrected_steps(0),
        printed_steps=(_solves("printed", printed, 0),),
        witness=WITNESS,
        oracle=_oracle(0),
        consequence="Representations merge, or stop, at the rate A_high/tau_y. Only the time scale is affected, not "
        "the end.",
    ),
    entry(
        "(40)",
        "A.4",
        "dy2 as a function of time.",
        Finding.MISPRINT,
        "The same exponent, twice.",
        printed=_as_equation(dy2, printed[1]),
        corrected=_as_equation(dy2, corrected[1]),
        closed_form="two_point.identical_outputs_dy2",
        steps=_corrected_steps(1),
        printed_steps=(_solves("printed", printed, 1),),
        witness=WITNESS,
        oracle=_oracle(1),
        consequence="As for Eq. (39).",
    ),
)

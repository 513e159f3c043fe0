r"""Appendix A.6: the final distance from random weights, Eqs. (44) to (48)."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Equation, Finding, Witness, equal, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import is_close
from theory.core.ledger.transition import programs_of
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.conditions import without_condition
from theory.papers.vanrossem2024.gaussian_weights import STEP, below, cases, events, final, law
from theory.papers.vanrossem2024.letters import FINAL, A_high, A_low
from theory.papers.vanrossem2024.paper import entry
from theory.two_point.symbols import dx2, tau_h, tau_y

h, G = sp.symbols("h G", positive=True)
ratio_h, ratio_y, law_of_A, correlation, below_h, f = sp.symbols("ratio_h ratio_y law correlation below f", real=True)
P, normal, Phi, phi, slope = (sp.Function(name, real=True) for name in ("P", "normal", "Phi", "phi", "slope"))
z = (h - A_low**2 / h) / (sp.sqrt(2) * dx2 * G)
SAME_CONSTANTS = sp.And(sp.Eq(tau_y, tau_h), sp.Eq(correlation, 0))
QUADRATURE = 1e-6

EVENTS = (
    sp.Lt(FINAL, h),
    sp.Lt(sp.sqrt(A_high**2 + 4 * A_low**2), 2 * h - A_high),
    sp.And(sp.Lt(A_high**2 + 4 * A_low**2, (2 * h - A_high) ** 2), sp.Gt(2 * h - A_high, 0)),
    sp.And(sp.Lt(4 * A_low**2, 4 * h**2 - 4 * h * A_high), sp.Gt(2 * h - A_high, 0)),
    sp.And(sp.Lt(A_high * h, h**2 - A_low**2), sp.Lt(A_high, 2 * h)),
)

WEAKER = ("printed: -A_high twice", "printed: -1 -> 0", "printed: 2*h twice", "printed: 2 -> 3")
FOLLOWS = "The second condition follows from the first, also if it is weakened like this, as the text says later."


def same_event(label: str, event: Any, **fields: Any) -> Equation:
    """A line of Eq. (44) or (45)."""
    return entry(
        label,
        "A.6",
        "The event that the final distance is below h.",
        Finding.CONFIRMED,
        "The same random values, 20 000 of them, are counted.",
        printed=equal(below_h, P(event)),
        prove=numerically(lambda: (events(),), "counted"),
        **fields,
    )


def follows(claim: Claim) -> tuple[Check, ...]:
    """Whether the first condition of the last line of Eq. (44) implies the second, for random values."""
    first, second = (np.asarray(evaluate(condition, events())) for condition in EVENTS[-1].args)
    if first.sum() > second.sum():
        first, second = second, first
    implied = bool(second[first].all())
    return (Check("random values", lambda: implied is (claim["how"] == "automatically"), "20 000 of them"),)


def at_unequal_constants() -> Any:
    """A setting with tau_y = 0.4 tau_h."""
    return next(case for case in cases() if case["tau_y"] != case["tau_h"])


def with_condition(
    label: str, statement: str, printed: Any, closed_form: str | None = None, letter: str = "law"
) -> Equation:
    """A line that needs equal time constants and independent ratios."""
    return entry(
        label,
        "A.6",
        statement,
        Finding.CONDITIONAL,
        "Equal and unequal time constants, independent and correlated ratios; exact laws of a linear combination. In "
        "general the mean is (1 - rho) G dx2 and the variance (1 + rho^2) G^2 dx2^2, rho = tau_y/tau_h.",
        printed=printed,
        condition=sp.Eq(tau_y, tau_h) if letter == "A_high" else SAME_CONSTANTS,
        closed_form=closed_form,
        prove=numerically(cases, "exact laws", tolerance=QUADRATURE),
        witness=Witness(
            {"tau_y": 0.8, "tau_h": 2, "G": 0.5, "dx2": 1.3, "h": 0.9, "A_low": 0.7},
            lambda: at_unequal_constants()[letter],
            value=lambda relation: evaluate(relation.rhs, at_unequal_constants()),
        ),
        consequence="Fitted ratios tau_y/tau_h are near 0.02, where A_high is positive on average. theory.two_point "
        "has the distribution for any ratio.",
    )


def derivative_is_density(statement: Any) -> tuple[Check, ...]:
    """The printed function is a primitive of a density: from h = 0 on it gathers the probability below h."""
    relation, condition = without_condition(statement)
    kept = [case for case in cases(lows=(0.0, 0.7)) if condition is None or bool(evaluate(condition, case))]

    def agrees(case: Any) -> bool:
        primitive = relation.rhs.args[0]
        scale = float(evaluate(relation.rhs, {**case, "slope": lambda x: x}) / evaluate(primitive, case))
        gathered = scale * (evaluate(primitive, case) - evaluate(primitive, {**case, "h": 1e-9}))
        return is_close(gathered * float(evaluate(relation.lhs, {"f": 1.0})), case["below"], QUADRATURE)

    return (Check("probability below h", lambda: for_all(kept, agrees), "exact laws"),)


def slopes() -> Any:
    """Settings with equal constants; f is the slope of the probability."""
    return [case for case in cases() if case["tau_y"] == case["tau_h"] and case["correlation"] == 0]


def _density(label: str, printed: Any, **fields: Any) -> Equation:
    return entry(
        label,
        "A.6",
        "The density of the final distance, from the line before.",
        Finding.CONFIRMED,
        f"Slope of the probability below h, by central differences of {STEP:g}.",
        printed=printed,
        prove=numerically(slopes, "central differences", tolerance=QUADRATURE),
        **fields,
    )


def gathers(claim: Claim) -> tuple[Check, ...]:
    """Whether 99.9 % of the final distances are within 1 % of A_low once G is 10^-3; dx2 = 1, A_low = 0.7."""
    mean, variance = law(1.0, 0.0, 1e-3, 1.0)
    lower, upper = (below(0.7 * factor, 0.7, mean, variance) for factor in (0.99, 1.01))
    narrow = lower < 5e-4 and upper > 1 - 5e-4
    return (Check("G = 10^-3", lambda: narrow is (claim["what"] == "converges"), "exact laws"),)


def matters(claim: Claim) -> tuple[Check, ...]:
    """Whether the limit of small weights changes if the ratios scale with another power of the gain."""
    limits = [float(final((1.4 - 0.3) * 1e-6**power, 0.7)) for power in (0.5, 1.0, 2.0)]
    same = max(limits) - min(limits) < 1e-2 * 0.7
    return (Check("three powers", lambda: same is (claim["what"] == "not important"), "positive root of rest"),)


PROGRAMS: Programs = {
    "A.6 scaling unimportant": matters,
    **programs_of((same_event(f"(44) line {number}", event) for number, event in enumerate(EVENTS[:2], 1))),
    **programs_of(
        (
            same_event(f"(44) line {number}", event, harmless=dict.fromkeys(WEAKER, FOLLOWS))
            for number, event in enumerate(EVENTS[2:4], 3)
        )
    ),
    **programs_of((same_event("(44) line 5", EVENTS[4], harmless={"printed: 2 -> 3": FOLLOWS}),)),
    "A.6 second condition": follows,
    **programs_of((same_event("(45)", EVENTS[4].args[0] if EVENTS[4].args[0].has(A_low) else EVENTS[4].args[1]),)),
    **programs_of(
        (
            with_condition(
                "(46) line 1", "A_high in the two ratios.", equal(A_high, dx2 * (ratio_h - ratio_y)), letter="A_high"
            ),
        )
    ),
    **programs_of(
        (
            with_condition(
                "(46) line 2",
                "A_high is Gaussian: mean and variance of a difference.",
                equal(
                    law_of_A,
                    normal(
                        sp.Add(dx2 * G, -dx2 * G, evaluate=False), sp.Add(dx2**2 * G**2, dx2**2 * G**2, evaluate=False)
                    ),
                ),
            ),
        )
    ),
    **programs_of(
        (with_condition("(46) line 3", "Mean and variance of A_high.", equal(law_of_A, normal(0, 2 * dx2**2 * G**2))),)
    ),
    **programs_of(
        (
            with_condition(
                "(47)",
                "The distribution function of the final distance.",
                equal(below_h, Phi(z)),
                "two_point.final_distance_cdf",
                "below",
            ),
        )
    ),
    "(48) line 1": Program(
        derivative_is_density, lambda: 1.0, value=lambda relation: 0.5 if relation.has(slope) else 0.0
    ),
    **programs_of(
        (
            _density(
                "(48) line 2",
                equal(f, (1 + A_low**2 / h**2) / (sp.sqrt(2) * dx2 * G) * phi(z)),
                harmless={"printed: 1/2 -> -1/2 (2)": "The root of two over two changes its sign, and phi is even."},
            ),
        )
    ),
    **programs_of(
        (
            _density(
                "(48) line 3",
                equal(f, (1 + A_low**2 / h**2) / (2 * sp.sqrt(sp.pi) * dx2 * G) * sp.exp(-sp.Rational(1, 2) * z**2)),
                closed_form="two_point.final_distance_density",
            ),
        )
    ),
    "A.6 convergence": gathers,
}

r"""Appendix A.6: the final distance from random weights, Eqs. (44) to (48)."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import is_close, stating
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.conditions import without_condition
from theory.papers.vanrossem2024.gaussian_weights import below, cases, events, final, law
from theory.papers.vanrossem2024.letters import FINAL, A_high, A_low
from theory.papers.vanrossem2024.notation import letters

h, P, normal, Phi, phi, slope = letters("h P normal Phi phi slope")
QUADRATURE = 1e-6

EVENTS = (
    sp.Lt(FINAL, h),
    sp.Lt(sp.sqrt(A_high**2 + 4 * A_low**2), 2 * h - A_high),
    sp.And(sp.Lt(A_high**2 + 4 * A_low**2, (2 * h - A_high) ** 2), sp.Gt(2 * h - A_high, 0)),
    sp.And(sp.Lt(4 * A_low**2, 4 * h**2 - 4 * h * A_high), sp.Gt(2 * h - A_high, 0)),
    sp.And(sp.Lt(A_high * h, h**2 - A_low**2), sp.Lt(A_high, 2 * h)),
)


def follows() -> str:
    """Whether the first condition of the last line of Eq. (44) implies the second, for random values."""
    first, second = (np.asarray(evaluate(condition, events())) for condition in EVENTS[-1].args)
    if first.sum() > second.sum():
        first, second = second, first
    return "automatically" if second[first].all() else "not always"


def at_unequal_constants() -> Any:
    """A setting with tau_y = 0.4 tau_h."""
    return next(case for case in cases() if case["tau_y"] != case["tau_h"])


def with_equal_constants(letter: str) -> Program:
    """The program of a line that needs equal time constants, and mostly independent ratios."""
    return Program(
        numerically(cases, "exact laws", tolerance=QUADRATURE),
        lambda: at_unequal_constants()[letter],
        value=lambda relation: evaluate(relation.rhs, at_unequal_constants()),
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


def converges() -> bool:
    """Whether 99.9 % of the final distances are within 1 % of A_low once G is 10^-3; dx2 = 1, A_low = 0.7."""
    mean, variance = law(1.0, 0.0, 1e-3, 1.0)
    lower, upper = (below(0.7 * factor, 0.7, mean, variance) for factor in (0.99, 1.01))
    return bool(lower < 5e-4 and upper > 1 - 5e-4)


def matters() -> bool:
    """Whether the limit of small weights changes if the ratios scale with another power of the gain."""
    limits = [float(final((1.4 - 0.3) * 1e-6**power, 0.7)) for power in (0.5, 1.0, 2.0)]
    return max(limits) - min(limits) > 1e-2 * 0.7


EVENT = numerically(lambda: (events(),), "counted")
DENSITY = numerically(slopes, "central differences", tolerance=QUADRATURE)

PROGRAMS: Programs = {
    "A.6 scaling unimportant": stating(
        {"what": lambda: "important" if matters() else "not important"}, "three powers, positive root of rest"
    ),
    **dict.fromkeys([*(f"(44) line {number}" for number in range(1, 6)), "(45)"], EVENT),
    "A.6 second condition": stating({"how": follows}, "20 000 random values"),
    "(46) line 1": with_equal_constants("A_high"),
    **dict.fromkeys(("(46) line 2", "(46) line 3"), with_equal_constants("law")),
    "(47)": with_equal_constants("below"),
    "(48) line 1": Program(
        derivative_is_density, lambda: 1.0, value=lambda relation: 0.5 if relation.has(slope) else 0.0
    ),
    **dict.fromkeys(("(48) line 2", "(48) line 3"), DENSITY),
    "A.6 convergence": stating({"what": lambda: "converges" if converges() else "stays random"}, "exact laws"),
}

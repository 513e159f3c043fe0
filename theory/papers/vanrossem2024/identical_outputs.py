r"""Appendix A.4: two points with the same target, Eqs. (37) to (40)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import sympy as sp

from theory.core import Equation, Finding, Witness, equal
from theory.core.ledger.ledger import Programs
from theory.core.ledger.printed import Given
from theory.core.ledger.transition import programs_of
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024 import printed_system
from theory.papers.vanrossem2024.flows import DIFFERENCES, IN_EQ_21, moments
from theory.papers.vanrossem2024.letters import A_HIGH
from theory.papers.vanrossem2024.letters import A_high as A
from theory.papers.vanrossem2024.paper import entry
from theory.papers.vanrossem2024.time_constants import ON_A_FLOW, TWICE, in_eq_6_along, with_twice
from theory.two_point.symbols import dh2, dh2_0, dx2, dy2, t, tau_h, tau_y

dh2_dot, dy2_dot, _ = printed_system.VELOCITIES


def solution(exponent: sp.Expr) -> tuple[sp.Eq, sp.Eq]:
    """Eqs. (39) and (40) with a given exponent."""
    decay = sp.exp(exponent)
    denominator = 1 + (A / dh2_0 - 1) * decay
    output = tau_h / tau_y * A**2 / dx2 * ((1 - A / dh2_0) * decay / denominator**2)
    return equal(dh2, A / denominator), equal(dy2, output)


def same_targets(factor: float) -> Iterator[dict[str, Any]]:
    """Moments of flows with identical targets, with A_high; time constants in units of those of Eq. (6)."""
    for case in moments(factor, same_targets=True):
        yield {**case, "A_high": float(evaluate(A_HIGH, case))}


along = in_eq_6_along(same_targets)
SAME_TARGETS = "unrotated_weights(1), identical targets"
PRINTED, CORRECTED = solution(-A * t), solution(-A * t / tau_y)


def at_witness() -> dict[str, Any]:
    """A moment on the way, with the time constants of the corrected line."""
    return list(same_targets(IN_EQ_21))[2]


def _of_letter(name: str) -> float:
    return float(at_witness()[name])


def _value(name: str, relation: Any) -> float:
    unit = evaluate(relation.lhs, {name: 1.0})
    return float(evaluate(relation.rhs, at_witness()) / unit)


def _rate(label: str, statement: str, printed: Any) -> Equation:
    at = {**ON_A_FLOW, "weights": SAME_TARGETS}
    return with_twice(label, "A.4", statement, printed, cases=same_targets, at=at)


def _misprint(index: int, name: str, evidence: str, consequence: str) -> Equation:
    independent: Callable[[], float] = partial(_of_letter, name)
    return entry(
        f"({39 + index})",
        "A.4",
        f"{name} as a function of time.",
        Finding.MISPRINT,
        evidence,
        printed=PRINTED[index],
        corrected=Given(CORRECTED[index], TWICE),
        closed_form=f"two_point.identical_outputs_{name}",
        prove=along,
        witness=Witness(
            {**ON_A_FLOW, "weights": SAME_TARGETS, "time": 0.9},
            independent,
            value=partial(_value, name),
            tolerance=DIFFERENCES,
        ),
        consequence=consequence,
    )


PROGRAMS: Programs = {
    "A.4 alignment": along,
    **programs_of(
        (_rate("(37) dh2", "The system for identical targets, first line.", equal(dh2_dot, -1 / tau_h * dx2 * dy2)),)
    ),
    **programs_of(
        (
            _rate(
                "(37) dy2",
                "The system for identical targets, second line.",
                equal(dy2_dot, -dy2 * (1 / tau_y * dh2 + 1 / tau_h * dx2 * dy2 / dh2)),
            ),
        )
    ),
    **programs_of(
        (
            _rate(
                "(38)",
                "The velocity of dh2 alone, a Bernoulli equation.",
                equal(dh2_dot, -1 / tau_y * dh2**2 + 1 / tau_y * A * dh2),
            ),
        )
    ),
    **programs_of(
        (
            _misprint(
                0,
                "dh2",
                "The exponent lacks 1/tau_y; as printed it carries a unit. Flows of explicit matrices side with the corrected "
                "form.",
                "Representations merge, or stop, at the rate A_high/tau_y. Only the time scale is affected, not the end.",
            ),
        )
    ),
    **programs_of(
        (_misprint(1, "dy2", "The same exponent, twice.", "As for Eq. (39): only the time scale is affected."),)
    ),
}

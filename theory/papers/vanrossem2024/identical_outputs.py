r"""Appendix A.4: two points with the same target, Eqs. (37) to (40)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from theory.core.ledger.ledger import Program, Programs
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.flows import DIFFERENCES, IN_EQ_21, moments
from theory.papers.vanrossem2024.letters import A_HIGH
from theory.papers.vanrossem2024.time_constants import in_eq_6_along, twice


def same_targets(factor: float) -> Iterator[dict[str, Any]]:
    """Moments of flows with identical targets, with A_high; time constants in units of those of Eq. (6)."""
    for case in moments(factor, same_targets=True):
        yield {**case, "A_high": float(evaluate(A_HIGH, case))}


along = in_eq_6_along(same_targets)


def at_witness() -> dict[str, Any]:
    """A moment on the way, with the time constants of the corrected line."""
    return list(same_targets(IN_EQ_21))[2]


def _of_letter(name: str) -> float:
    return float(at_witness()[name])


def _value(name: str, relation: Any) -> float:
    unit = evaluate(relation.lhs, {name: 1.0})
    return float(evaluate(relation.rhs, at_witness()) / unit)


def _misprint(name: str) -> Program:
    return Program(along, partial(_of_letter, name), partial(_value, name), DIFFERENCES)


PROGRAMS: Programs = {
    "A.4 alignment": along,
    **dict.fromkeys(("(37) dh2", "(37) dy2", "(38)"), twice(same_targets)),
    "(39)": _misprint("dh2"),
    "(40)": _misprint("dy2"),
}

"""Appendix A.3: which fixed points are stable, and where the representations end, Eq. (36)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from theory.core import Check, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import chosen
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.conditions import allowed, in_every_case, without_condition
from theory.papers.vanrossem2024.explicit_matrices import random_weights
from theory.papers.vanrossem2024.notation import letters
from theory.papers.vanrossem2024.rest import SETTLED, ZERO, ends, jacobian, merging, rays, roots, settings

dh2_inf = letters("dh2_inf")
SIGNS = {"positive": 1.0, "negative": -1.0}
AT_REST = {"fixed point": True, "point that is not at rest": False}


def is_stable(sentence: Any) -> tuple[Check, ...]:
    """Trace, determinant and eigenvalues at the largest root, in the settings that the condition allows."""
    claim, condition = without_condition(sentence)
    cases = list(settings(same_targets=True))
    if condition is not None:
        differ = chosen(condition, "targets", {"differ": True, "are the same": False})
        positive = chosen(condition, "sign", SIGNS) > 0
        cases = [c for c in cases if (c["target2"] > 0) is differ or (c["A_high"] > 0) is positive]

    def agrees(case: dict[str, Any]) -> bool:
        point = float(roots(case)[-1])
        if point < ZERO:  # it coincides with dh2 = 0: one rate is zero
            return False
        slopes = jacobian(case, point, 0.0)
        rests = bool((np.linalg.eigvals(slopes).real < 0).all())
        signs = float(np.sign(np.trace(slopes))), float(np.sign(np.linalg.det(slopes)))
        said = chosen(claim, "stable", {"always stable": True, "not always stable": False})
        return signs == (chosen(claim, "trace", SIGNS), chosen(claim, "determinant", SIGNS)) and rests is said

    return (Check("eigenvalues", lambda: for_all(cases, agrees), "central differences"),)


def has_rising_direction(sentence: Any) -> tuple[Check, ...]:
    """Signs of the two rates near dh2 = 0, in the settings that the condition allows."""
    claim, condition = without_condition(sentence)
    cases = [case for case in settings(same_targets=True) if condition is None or bool(evaluate(condition, case))]

    def agrees(case: dict[str, Any]) -> bool:
        found = [float(np.sign(np.round(rate, 6))) for _, rate in rays(case)]
        rests = not any(rate > 0 for rate in found)
        said = chosen(claim, "stable", {"not stable": False, "stable": True})
        return sorted(found) == sorted((chosen(claim, "one", SIGNS), chosen(claim, "other", SIGNS))) and rests is said

    return (Check("rates along the rays", lambda: for_all(cases, agrees), "Eq. (25) near dh2 = 0"),)


@cache
def speed_at_zero(decoder: str) -> float:
    """Length of the velocity of dh at dh = 0, tau_h = 1: random matrices, the encoder made blind to x_2 - x_1."""
    problem, (mean, encoder, weights) = random_weights(4)
    u, v = problem.u, problem.v
    encoder = encoder - np.outer(encoder @ u, u) / (u @ u)
    if decoder == "orthogonal to":
        weights = weights - np.outer(v, v @ weights) / (v @ v)
    return float(np.linalg.norm(problem.gradient((mean, encoder, weights))[1] @ u))


def rests_at_zero(decoder: str) -> bool:
    """Whether dh = 0 stays."""
    return speed_at_zero(decoder) < 1e-12


def end_of_flow(statement: Any) -> tuple[Check, ...]:
    """Ends of long flows that the condition allows, or of all."""
    places = {"off": ends(), "on": (merging(),)}
    relation, names = allowed(statement, "place", places)
    cases = [case for name in names for case in places[name]]
    return numerically(lambda: cases, "flows of explicit matrices", tolerance=SETTLED)(relation)


PROGRAMS: Programs = {
    "A.3 always stable": Program(is_stable, lambda: 0.0, value=lambda claim: chosen(claim, "determinant", SIGNS)),
    "A.3 merged point": Program(
        in_every_case(
            "decoder",
            ("orthogonal to", "not orthogonal to"),
            rests_at_zero,
            ("point", AT_REST),
            "explicit matrices",
        ),
        lambda: speed_at_zero("not orthogonal to"),
        value=lambda claim: 0.0 if chosen(claim, "point", AT_REST) else speed_at_zero("not orthogonal to"),
    ),
    "A.3 unstable": Program(
        has_rising_direction,
        lambda: float(np.sign(np.round(rays(list(settings(same_targets=True))[-1])[0][1], 6))),
        value=lambda claim: max(chosen(claim, "one", SIGNS), chosen(claim, "other", SIGNS)),
    ),
    "(36)": Program(
        end_of_flow, lambda: merging()["dh2_inf"], value=lambda relation: float(evaluate(relation.rhs, merging()))
    ),
}

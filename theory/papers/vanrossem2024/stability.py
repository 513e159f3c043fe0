"""Appendix A.3: which fixed points are stable, and where the representations end, Eq. (36)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Witness, Word, equal, for_all, numerically
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.conditions import allowed, in_every_case, without_condition
from theory.papers.vanrossem2024.explicit_matrices import random_weights
from theory.papers.vanrossem2024.letters import FINAL, A_low
from theory.papers.vanrossem2024.paper import entry
from theory.papers.vanrossem2024.rest import SETTLED, ZERO, ends, jacobian, merging, rays, roots, settings

dh2_inf = sp.Symbol("dh2_inf", positive=True)


def is_stable(sentence: Any) -> tuple[Check, ...]:
    """Trace, determinant and eigenvalues at the largest root, in the settings that the condition allows."""
    claim, condition = without_condition(sentence)
    cases = list(settings(same_targets=True))
    if condition is not None:
        differ, positive = condition["targets"] == "differ", condition["sign"] == "positive"
        cases = [c for c in cases if (c["target2"] > 0) is differ or (c["A_high"] > 0) is positive]

    def agrees(case: dict[str, Any]) -> bool:
        point = float(roots(case)[-1])
        if point < ZERO:  # it coincides with dh2 = 0: one rate is zero
            return False
        slopes = jacobian(case, point, 0.0)
        rates = np.linalg.eigvals(slopes).real
        signs = bool(np.trace(slopes) < 0), bool(np.linalg.det(slopes) > 0)
        said = claim["trace"] == "negative", claim["determinant"] == "positive"
        return signs == said and bool((rates < 0).all()) is (claim["stable"] == "always stable")

    return (Check("eigenvalues", lambda: for_all(cases, agrees), "central differences"),)


def has_rising_direction(sentence: Any) -> tuple[Check, ...]:
    """Signs of the two rates near dh2 = 0, in the settings that the condition allows."""
    claim, condition = without_condition(sentence)
    cases = [case for case in settings(same_targets=True) if condition is None or bool(evaluate(condition, case))]
    signs = {"positive": 1.0, "negative": -1.0}

    def agrees(case: dict[str, Any]) -> bool:
        found = [float(np.sign(np.round(rate, 6))) for _, rate in rays(case)]
        return sorted(found) == sorted((signs[claim["one"]], signs[claim["other"]]))

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


EQUATIONS_LEARNED = (
    entry(
        "A.3 always stable",
        "A.3",
        "",
        Finding.CONDITIONAL,
        "Central differences at the largest root, with A_high of either sign, different and identical targets.",
        printed=Claim(
            "The trace is {trace} and the determinant is {determinant}. This fixed point is therefore {stable}.",
            {
                "trace": Word("negative", ("positive",)),
                "determinant": Word("positive", ("negative",)),
                "stable": Word("always stable", ("not always stable",)),
            },
        ),
        condition=Claim(
            "the targets {targets} or A_high is {sign}",
            {"targets": Word("differ", ("are the same",)), "sign": Word("positive", ("negative",))},
        ),
        prove=is_stable,
        witness=Witness(
            {"A_high": -1, "A_low": 0, "tau_y": 1, "the number": "sign of the determinant"},
            lambda: 0.0,
            value=lambda claim: {"positive": 1.0, "negative": -1.0}[claim["determinant"]],
        ),
        consequence="With identical targets and A_high <= 0 one eigenvalue is zero: learned and merged state coincide.",
    ),
)

EQUATIONS_MERGED = (
    entry(
        "A.3 merged point",
        "A.3",
        "",
        Finding.CONDITIONAL,
        "The velocity of dh where dh = 0 is D_y'(y2 - y1), up to a factor: random decoders, and decoders that are "
        "blind to the target difference.",
        printed=Claim("dh2 = 0 {verb} a fixed point.", {"verb": Word("is", ("is not",))}),
        condition=Claim(
            "the decoder is {decoder} y_2 - y_1 when dh2 = 0 is reached",
            {"decoder": Word("orthogonal to", ("not orthogonal to",))},
        ),
        prove=in_every_case(
            "decoder",
            ("orthogonal to", "not orthogonal to"),
            rests_at_zero,
            lambda claim: claim["verb"] == "is",
            "explicit matrices",
        ),
        witness=Witness(
            {"weights": "random_weights(4), the encoder made blind to x_2 - x_1", "the number": "speed of dh"},
            lambda: speed_at_zero("not orthogonal to"),
            value=lambda claim: 0.0 if claim["verb"] == "is" else speed_at_zero("not orthogonal to"),
        ),
        consequence="It takes A_high = 0, or A_high < 0 and at least two outputs. For a scalar output and A_high < 0, "
        "dh passes through zero in finite time; for A_high > 0 dh2 = 0 is never reached.",
    ),
    entry(
        "A.3 unstable",
        "A.3",
        "",
        Finding.CONDITIONAL,
        "Rates near dh2 = 0 with A_high of either sign, different and identical targets.",
        printed=Claim(
            "dh2 = 0 has one {one} and one {other} eigenvalue, so this fixed point is not stable.",
            {"one": Word("positive", ("negative",)), "other": Word("negative", ("positive",))},
        ),
        condition=sp.Gt(A_low, 0),
        prove=has_rising_direction,
        witness=Witness(
            {"y_2": "y_1", "A_high": "negative", "the number": "sign of the larger rate"},
            lambda: float(np.sign(np.round(rays(list(settings(same_targets=True))[-1])[0][1], 6))),
            value=lambda claim: 1.0 if "positive" in (claim["one"], claim["other"]) else -1.0,
        ),
        consequence="With identical targets and A_high <= 0 the point dh2 = 0 attracts: representations merge, as "
        "Section 4.4 says.",
    ),
    entry(
        "(36)",
        "A.3",
        "In the limit of infinite time dh2 goes to the only stable fixed point.",
        Finding.CONDITIONAL,
        "Ends of long gradient flows of explicit matrices; A_high of either sign.",
        printed=equal(dh2_inf, FINAL),
        closed_form="two_point.final_distance",
        condition=Claim(
            "the initial state is {place} the stable manifold of the merged state", {"place": Word("off", ("on",))}
        ),
        prove=end_of_flow,
        witness=Witness(
            {"encoder": 1, "decoder": -1, "A_high": 0, "A_low": 1},
            lambda: merging()["dh2_inf"],
            value=lambda relation: float(evaluate(relation.rhs, merging())),
        ),
        consequence="The exception has measure zero (scalar output: equal layers of opposite effect); near it there is "
        "a long plateau at dh2 = 0.",
    ),
)

"""Appendix A.3: points of rest, and which of them are stable."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from theory.core import Check, for_all
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import allowed as among
from theory.core.ledger.proving import chosen, is_close, stating
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.conditions import in_every_case, with_counterexample, without_condition
from theory.papers.vanrossem2024.explicit_matrices import random_weights
from theory.papers.vanrossem2024.final_distance import in_numbers
from theory.papers.vanrossem2024.flows import IN_EQ_21, Case, along, twice
from theory.papers.vanrossem2024.rest import (
    NEAR,
    ZERO,
    jacobian,
    rates_on_orbit,
    rays,
    roots,
    settings,
)
from theory.papers.vanrossem2024.symbols import in_squares, printed

SIGNS = {"positive": 1.0, "negative": -1.0}


def constants(case: Case, factor: float) -> dict[str, float]:
    """The time constants of a setting, which are those of Eq. (21), as ``factor`` times those of Eq. (6)."""
    return {name: case[name] * factor / IN_EQ_21 for name in ("tau_h", "tau_y")}


def at_rest(factor: float) -> Iterator[Case]:
    """The Jacobian at the largest root, by central differences, its trace and its determinant."""
    for case in settings():
        slopes = jacobian(case, float(roots(case)[-1]), 0.0)
        values = {"J": slopes, "trace": float(np.trace(slopes)), "determinant": float(np.linalg.det(slopes))}
        yield {**case, **constants(case, factor), **values}


def near_zero(factor: float) -> Iterator[Case]:
    """The Jacobian close to dh2 = 0 in several directions, by central differences."""
    for case in settings():
        for slope in (-0.8, 0.3, 1.1):
            values = {"dh2": NEAR, "w": slope * NEAR, "J": jacobian(case, NEAR, slope * NEAR)}
            yield {**case, **constants(case, factor), **values}


def kept_rays(factor: float) -> Iterator[Case]:
    """Directions that the flow keeps near dh2 = 0, with the rate along each."""
    for case in settings():
        for sign, (slope, rate) in zip((1, -1), rays(case), strict=True):
            values = {"a": 0.7, "b": 0.7 * slope, "lam": rate, "lam_pm": rate, "pm": sign}
            yield {**case, **constants(case, factor), **values, "v_pm": np.array([[1.0], [slope]])}


def also_rests() -> bool:
    """At rest in dh2 and w, whether dy2 rests as well, by the second line of Eq. (21)."""
    rates = [rates_on_orbit(case, float(roots(case)[-1]), 0.0) for case in settings()]
    return all(np.abs(rate[[0, 2]]).max() < 1e-9 for rate in rates) and all(abs(rate[1]) < 1e-9 for rate in rates)


def velocities_of_dh2() -> Iterator[Case]:
    """Velocity of dh2 by Eq. (25) at rest and on the way, in both directions; exact in binary."""
    line = in_squares(printed("(25) dh2").rhs)
    for w in (0.0, -0.5, 0.5, 1.0):
        velocity = float(evaluate(line, {"w": w, "tau_h": 2.0, "dx2": 4.0}))
        yield {"rate": lambda _, velocity=velocity: velocity, "dh2": 1.0, "w": w}


def all_roots() -> Iterator[Case]:
    """Each value of dh2 at which the velocity of w vanishes at w = 0."""
    return ({**case, "dh2": float(root)} for case in settings() for root in roots(case))


def is_a_root(values: Any) -> tuple[Check, ...]:
    """Each root is what one of the printed parts says: the middle one the first, the outer ones the second."""
    zero, outer = in_squares(values)

    def agrees(case: Case) -> bool:
        lower, middle, upper = roots(case)
        found = [
            [float(evaluate(side, {**case, "dh2": root, "pm": sign})) for side in (part.lhs, part.rhs)]
            for part, root, sign in ((outer, upper, 1), (outer, lower, -1), (zero, middle, 1))
        ]
        left, right = np.transpose(found)
        return is_close(left, right, ZERO, 1.0)

    return (Check("three roots", lambda: for_all(settings(), agrees), "roots of Eq. (21)"),)


def root_has_sign(sentence: Any) -> tuple[Check, ...]:
    """Whether the printed expression is the lowest root, and its sign, in the settings that the condition allows."""
    claim = without_condition(sentence)[0]

    def agrees(case: Case) -> bool:
        root = float(evaluate(claim["root"], case))
        negative = chosen(claim, "sign", SIGNS) < 0
        return is_close(root, roots(case)[0], ZERO, 1.0) and bool(root < -ZERO) is negative

    cases = among(sentence, settings(same_targets=True))
    return (Check("lowest root", lambda: for_all(cases, agrees), "roots of Eq. (25)"),)


def is_stable(sentence: Any) -> tuple[Check, ...]:
    """Trace, determinant and eigenvalues at the largest root, in the settings that the condition allows."""
    claim, condition = without_condition(sentence)
    cases = settings(same_targets=True)
    if condition is not None:
        differ = chosen(condition, "targets", {"differ": True, "are the same": False})
        positive = chosen(condition, "sign", SIGNS) > 0
        cases = [c for c in cases if (c["target2"] > 0) is differ or (c["A_high"] > 0) is positive]

    def agrees(case: Case) -> bool:
        point = float(roots(case)[-1])
        if point < ZERO:  # it coincides with dh2 = 0: one rate is zero
            return False
        slopes = jacobian(case, point, 0.0)
        rests = bool((np.linalg.eigvals(slopes).real < 0).all())
        signs = float(np.sign(np.trace(slopes))), float(np.sign(np.linalg.det(slopes)))
        said = chosen(claim, "stable", {"always stable": True, "not always stable": False})
        return signs == (chosen(claim, "trace", SIGNS), chosen(claim, "determinant", SIGNS)) and rests is said

    return (Check("eigenvalues", lambda: for_all(cases, agrees), "central differences"),)


def signs_near_zero(case: Case) -> list[float]:
    """Signs of the two rates near dh2 = 0, the larger one first."""
    return [float(np.sign(np.round(rate, 6))) for _, rate in rays(case)]


def has_rising_direction(sentence: Any) -> tuple[Check, ...]:
    """Signs of the two rates near dh2 = 0, in the settings that the condition allows."""
    claim = without_condition(sentence)[0]

    def agrees(case: Case) -> bool:
        found = signs_near_zero(case)
        said = chosen(claim, "stable", {"not stable": False, "stable": True})
        rests = max(found) <= 0
        return sorted(found) == sorted((chosen(claim, "one", SIGNS), chosen(claim, "other", SIGNS))) and rests is said

    cases = among(sentence, settings(same_targets=True))
    return (Check("rates along the rays", lambda: for_all(cases, agrees), "Eq. (25) near dh2 = 0"),)


@cache
def speed_at_zero(is_blind: bool) -> float:
    """Length of the velocity of dh at dh = 0: random matrices, the encoder made blind to x_2 - x_1.

    Args:
        is_blind: whether the decoder is orthogonal to the difference of the targets.
    """
    problem, (mean, encoder, weights) = random_weights(4)
    u, v = problem.u, problem.v
    encoder = encoder - np.outer(encoder @ u, u) / (u @ u)
    if is_blind:
        weights = weights - np.outer(v, v @ weights) / (v @ v)
    return float(np.linalg.norm(problem.gradient((mean, encoder, weights))[1] @ u))


REST = ("point", "fixed point", "point that is not at rest")
PROGRAMS: Programs = {
    "A.3 fixed points shared": stating({"verb": lambda: "must" if also_rests() else "need not"}, "roots of Eq. (25)"),
    "(26)": in_numbers(velocities_of_dh2, "Eq. (25)"),
    "(27) cubic": in_numbers(all_roots, "roots of Eq. (21)", scale=1.0),
    "(27) values": is_a_root,
    "A.3 negative root": Program(root_has_sign, lambda: 0.0, lambda claim: chosen(claim, "sign", SIGNS)),
    **dict.fromkeys(("(29)", "(30)", "(31)"), twice(at_rest, meaning=in_squares)),
    "A.3 always stable": Program(is_stable, lambda: 0.0, lambda claim: chosen(claim, "determinant", SIGNS)),
    "A.3 merged point": with_counterexample(
        in_every_case(
            "decoder",
            {"orthogonal to": True, "not orthogonal to": False},
            lambda is_blind: speed_at_zero(is_blind) < 1e-12,
            REST,
            "explicit matrices",
        ),
        REST,
        lambda: speed_at_zero(False),
        lambda: 0.0,
    ),
    "(32)": twice(near_zero, 1e-5, meaning=in_squares),
    "(33)": twice(kept_rays, 1e-5, lambda relation: (relation.rhs, relation.lhs), in_squares),
    "(34)": along(kept_rays, 1e-5, in_squares),
    "(35)": twice(kept_rays, 1e-5, meaning=in_squares),
    "A.3 unstable": Program(
        has_rising_direction,
        lambda: max(signs_near_zero(settings(same_targets=True)[-1])),
        lambda claim: max(chosen(claim, "one", SIGNS), chosen(claim, "other", SIGNS)),
    ),
}

"""Appendix A.3: points of rest, and which of them are stable."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np

from theory.core import Check, Given, for_all
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import chosen, deciding, is_close, stating, unconditional
from theory.core.numbers.evaluation import evaluate
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


def are_the_roots(values: Any, case: Case) -> bool:
    """Whether each root is what one of the printed parts says: the middle one the first, the outer ones the second."""
    zero, outer = in_squares(values)
    lower, middle, upper = roots(case)
    sides = [
        [float(evaluate(side, {**case, "dh2": root, "pm": sign})) for side in (part.lhs, part.rhs)]
        for part, root, sign in ((outer, upper, 1), (outer, lower, -1), (zero, middle, 1))
    ]
    return is_close([left for left, _ in sides], [right for _, right in sides], ZERO, 1.0)


def root_has_sign(claim: Any, case: Case) -> bool:
    """Whether the printed expression is the lowest root, and has the sign that is said."""
    root = float(evaluate(claim["root"], case))
    return is_close(root, roots(case)[0], ZERO, 1.0) and (root < -ZERO) is (chosen(claim, "sign", SIGNS) < 0)


def is_stable(sentence: Any) -> tuple[Check, ...]:
    """Trace, determinant and eigenvalues at the largest root, in the settings that the condition allows."""
    claim, cases = unconditional(sentence), settings(same_targets=True)
    if isinstance(sentence, Given):
        differ = chosen(sentence.condition, "targets", {"differ": True, "are the same": False})
        positive = chosen(sentence.condition, "sign", SIGNS) > 0
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


def has_rising_direction(claim: Any, case: Case) -> bool:
    """Whether the two rates near dh2 = 0 have the signs, and the point the stability, that are said."""
    found = signs_near_zero(case)
    said = [chosen(claim, name, SIGNS) for name in ("one", "other")]
    rests = chosen(claim, "stable", {"not stable": False, "stable": True})
    return sorted(found) == sorted(said) and (max(found) <= 0) is rests


@cache
def speed_at_zero(decoder: str = "not orthogonal to") -> float:
    """Length of the velocity of dh at dh = 0: random matrices, the encoder made blind to x_2 - x_1."""
    problem, (mean, encoder, weights) = random_weights(4)
    u, v = problem.u, problem.v
    encoder = encoder - np.outer(encoder @ u, u) / (u @ u)
    if decoder == "orthogonal to":
        weights = weights - np.outer(v, v @ weights) / (v @ v)
    return float(np.linalg.norm(problem.gradient((mean, encoder, weights))[1] @ u))


def merged_point(decoder: str = "not orthogonal to") -> str:
    """Whether dh = 0 is at rest with such a decoder."""
    return "fixed point" if speed_at_zero(decoder) < 1e-12 else "point that is not at rest"


ALL = partial(settings, same_targets=True)
PROGRAMS: Programs = {
    "A.3 fixed points shared": stating({"verb": lambda: "must" if also_rests() else "need not"}, "roots of Eq. (25)"),
    "(26)": in_numbers(velocities_of_dh2, "Eq. (25)"),
    "(27) cubic": in_numbers(all_roots, "roots of Eq. (21)", scale=1.0),
    "(27) values": deciding(are_the_roots, "roots of Eq. (21)", settings),
    "A.3 negative root": Program(
        deciding(root_has_sign, "roots of Eq. (25)", ALL), lambda: 0.0, lambda claim: chosen(claim, "sign", SIGNS)
    ),
    **dict.fromkeys(("(29)", "(30)", "(31)"), twice(at_rest, meaning=in_squares)),
    "A.3 always stable": Program(is_stable, lambda: 0.0, lambda claim: chosen(claim, "determinant", SIGNS)),
    "A.3 merged point": Program(stating({"point": merged_point}, "explicit matrices"), speed_at_zero, lambda _: 0.0),
    "(32)": twice(near_zero, 1e-5, meaning=in_squares),
    "(33)": twice(kept_rays, 1e-5, lambda relation: (relation.rhs, relation.lhs), in_squares),
    "(34)": along(kept_rays, 1e-5, in_squares),
    "(35)": twice(kept_rays, 1e-5, meaning=in_squares),
    "A.3 unstable": Program(
        deciding(has_rising_direction, "Eq. (25) near dh2 = 0", ALL),
        lambda: max(signs_near_zero(settings(same_targets=True)[-1])),
        lambda claim: max(chosen(claim, "one", SIGNS), chosen(claim, "other", SIGNS)),
    ),
}

"""Appendix A.3: points of rest, and which of them are stable."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np

from papers.vanrossem2024.ledger import rest
from papers.vanrossem2024.ledger.explicit_matrices import random_weights
from papers.vanrossem2024.ledger.final_distance import in_numbers
from papers.vanrossem2024.ledger.flows import IN_EQ_21, Case, along, in_squares, printed, twice
from theory.core import Program, Programs, deciding, evaluate, is_close, stating

SIGNS = {"positive": 1.0, "negative": -1.0}


def linearised(states: Callable[[Case], Iterable[Case]], factor: float) -> Iterator[Case]:
    """Slopes by central differences, and directions that the flow of Eq. (21) keeps near |dh|^2 = 0."""
    for case in rest.settings():
        taus = {name: case[name] * factor / IN_EQ_21 for name in ("tau_h", "tau_y")}
        yield from ({**case, **taus, **state} for state in states(case))


def at_rest(case: Case) -> Iterator[Case]:
    """The Jacobian at the largest root, by central differences, its trace and its determinant."""
    slopes = rest.jacobian(case, float(rest.roots(case)[-1]), 0.0)
    yield {
        "J": slopes,
        "trace": float(np.trace(slopes)),
        "determinant": float(np.linalg.det(slopes)),
    }


def near_zero(case: Case) -> Iterator[Case]:
    """The Jacobian close to dh2 = 0 in several directions, by central differences."""
    for slope in (-0.8, 0.3, 1.1):
        yield {
            "dh2": rest.NEAR,
            "w": slope * rest.NEAR,
            "J": rest.jacobian(case, rest.NEAR, slope * rest.NEAR),
        }


def kept_rays(case: Case) -> Iterator[Case]:
    """Directions that the flow keeps near dh2 = 0, with the rate along each."""
    for sign, (slope, rate) in zip((1, -1), rest.rays(case), strict=True):
        yield {
            "a": 0.7,
            "b": 0.7 * slope,
            "lam": rate,
            "lam_pm": rate,
            "pm": sign,
            "v_pm": np.array([[1.0], [slope]]),
        }


def also_rests() -> bool:
    """At rest in dh2 and w, whether dy2 rests as well, by the second line of Eq. (21)."""
    rates = [
        rest.rates_on_orbit(case, float(rest.roots(case)[-1]), 0.0) for case in rest.settings()
    ]
    return all(np.abs(rate[[0, 2]]).max() < 1e-9 for rate in rates) and all(
        abs(rate[1]) < 1e-9 for rate in rates
    )


def velocities_of_dh2() -> Iterator[Case]:
    """Velocities by the first line of Eq. (25), at rest and on the way; exact in binary."""
    line = in_squares(printed("(25) dh2").rhs)
    for w in (0.0, -0.5, 0.5, 1.0):
        velocity = float(evaluate(line, {"w": w, "tau_h": 2.0, "dx2": 4.0}))
        yield {"rate": lambda _, velocity=velocity: velocity, "dh2": 1.0, "w": w}


def all_roots() -> Iterator[Case]:
    """All values of |dh|^2 at which the velocity of w vanishes, found numerically."""
    for case in rest.settings():
        yield from ({**case, "dh2": float(root)} for root in rest.roots(case))


def are_the_roots(values: Any, case: Case) -> bool:
    """All values of |dh|^2 at which the velocity of w vanishes, found numerically."""
    zero, outer = in_squares(values)
    lower, middle, upper = rest.roots(case)
    printed_values, velocities = [], []
    for part, root, sign in ((outer, upper, 1), (outer, lower, -1), (zero, middle, 1)):
        at = {**case, "dh2": root, "pm": sign}
        printed_values.append(float(evaluate(part.lhs, at)))
        velocities.append(float(evaluate(part.rhs, at)))
    return is_close(printed_values, velocities, rest.ZERO, 1.0)


def sign(number: Any) -> str:
    """The word for the sign of a number."""
    return "zero" if abs(number) < rest.ZERO else "positive" if number > 0 else "negative"


def says_of_lowest_root(claim: Any, case: Case) -> bool:
    """The lowest root, in settings with A_high of either sign, different and identical targets."""
    root = float(evaluate(claim["root"], case))
    return is_close(root, rest.roots(case)[0], rest.ZERO, 1.0) and claim["sign"] == sign(root)


def says_of_largest_root(claim: Any, case: Case) -> bool:
    """Central differences at the largest root, with A_high of either sign, different and identical targets."""
    point = float(rest.roots(case)[-1])
    if point < rest.ZERO:
        return False
    slopes = rest.jacobian(case, point, 0.0)
    stable = "always stable" if np.linalg.eigvals(slopes).real.max() < 0 else "not always stable"
    signs = (sign(np.trace(slopes)), sign(np.linalg.det(slopes)), stable)
    return signs == tuple(claim[slot] for slot in ("trace", "determinant", "stable"))


def sign_of_determinant(dh2_0: float, dy2_0: float, target2: float) -> float:
    """Of the slopes at the largest root, by central differences; what rounding leaves is zero."""
    start = {**rest.SETTINGS[1], "dh2_0": dh2_0, "dy2_0": dy2_0, "target2": target2}
    case = rest.with_letters(start)
    slopes = rest.jacobian(case, max(float(rest.roots(case)[-1]), rest.NEAR), 0.0)
    determinant = float(np.linalg.det(slopes))
    return 0.0 if abs(determinant) < rest.ZERO else float(np.sign(determinant))


def says_of_zero(claim: Any, case: Case) -> bool:
    """Rates near |dh|^2 = 0 with A_high of either sign, different and identical targets."""
    signs = [sign(rate) for _, rate in rest.rays(case)]
    stable = "not stable" if "positive" in signs else "stable"
    return (*signs, stable) == tuple(claim[slot] for slot in ("one", "other", "stable"))


@cache
def speed_at_zero(decoder: str = "not orthogonal to", seed: int = 4) -> float:
    """Length of the velocity of dh at dh = 0: random matrices, the encoder made blind to x_2 - x_1."""
    problem, (mean, encoder, weights) = random_weights(seed)
    u, v = problem.u, problem.v
    encoder = encoder - np.outer(encoder @ u, u) / (u @ u)
    if {"orthogonal to": True, "not orthogonal to": False}[decoder]:
        weights = weights - np.outer(v, v @ weights) / (v @ v)
    return float(np.linalg.norm(problem.gradient((mean, encoder, weights))[1] @ u))


def merged_point(decoder: str = "not orthogonal to") -> str:
    """Whether dh = 0 is at rest with such a decoder."""
    return "fixed point" if speed_at_zero(decoder) < 1e-12 else "point that is not at rest"


ALL = partial(rest.settings, same_targets=True)
AT_REST, NEAR_ZERO, RAYS = (
    partial(linearised, states) for states in (at_rest, near_zero, kept_rays)
)

PROGRAMS: Programs = {
    "A.3 fixed points shared": stating(verb=lambda: "must" if also_rests() else "need not"),
    "(26)": in_numbers(velocities_of_dh2),
    "(27) cubic": in_numbers(all_roots, scale=1.0),
    "(27) values": deciding(are_the_roots, cases=rest.settings),
    "A.3 negative root": Program(
        deciding(says_of_lowest_root, cases=ALL),
        lambda A_high, A_low: float(np.sign(A_high / 2 - np.hypot(A_high / 2, A_low))),
        lambda claim: SIGNS[claim["sign"]],
        at={"A_high": 1.0, "A_low": 0.0},
        quantity="sign of the lowest root of h^2 - A_high h - A_low^2",
    ),
    "(29) | (30) | (31)": twice(AT_REST, meaning=in_squares),
    "A.3 always stable": Program(
        deciding(says_of_largest_root, cases=ALL),
        sign_of_determinant,
        lambda claim: SIGNS[claim["determinant"]],
        at={"dh2_0": 0.5, "dy2_0": 1.1, "target2": 0.0},
        quantity="sign of the determinant at the largest root, |x_2 - x_1|^2 = 1.6, tau_h = 0.8, tau_y = 1.4",
    ),
    "A.3 merged point": Program(
        stating(point=merged_point),
        lambda seed: speed_at_zero(seed=seed),
        lambda _: 0.0,
        at={"seed": 4},
        quantity="speed of dh, where random weights of this seed have an encoder made blind to x_2 - x_1",
    ),
    "(32)": twice(NEAR_ZERO, 1e-5, meaning=in_squares),
    "(33)": twice(RAYS, 1e-5, lambda relation: (relation.rhs, relation.lhs), in_squares),
    "(34)": along(RAYS, 1e-5, in_squares),
    "(35)": twice(RAYS, 1e-5, meaning=in_squares),
    "A.3 unstable": Program(
        deciding(says_of_zero, cases=ALL),
        lambda case: np.round(rest.rays(case)[0][1], 6),
        lambda claim: SIGNS[claim["one"]],
        at=lambda: rest.settings(same_targets=True)[4],
        quantity="the larger rate, or its sign",
    ),
}

r"""Appendix A.1, second half: from the gradient flow to the three-variable system, Eqs. (19) to (21)."""

from __future__ import annotations

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

from theory.core import Check, Finding, Step
from theory.papers.vanrossem2024 import printed_system
from theory.papers.vanrossem2024.explicit_matrices import TwoPoints, Weights, scalar_weights, unrotated_weights
from theory.papers.vanrossem2024.gradient_flow import printed_h, printed_y
from theory.papers.vanrossem2024.paper import entry
from theory.two_point.dynamics import D_y, dh, dy, error, u, v, velocity, without_rotation
from theory.two_point.no_rotation import STEPS as NO_ROTATION
from theory.two_point.symbols import dh2, dx2, dy2, target2, tau_h, tau_y, w

STRAIGHT = 1e-8  # of dh: what an integrator with relative tolerance 1e-10 leaves across it
UNIT = {"tau_h": 1.0, "tau_y": 1.0, "dx2": 1.0, "target2": 1.0}


def _turn(problem: TwoPoints, weights: Weights, time: float) -> float:
    """Sine of the angle by which dh turns in ``time``."""
    before, after = weights[1] @ problem.u, problem.flow(weights, (1.0, 0.8, 1.3), [time])[-1][1] @ problem.u
    return abs(before[0] * after[1] - before[1] * after[0]) / float(np.linalg.norm(before) * np.linalg.norm(after))


def _stays_straight() -> bool:
    return all(_turn(*unrotated_weights(seed), 2.0) < STRAIGHT for seed in range(3))


def _straight_for_a_moment() -> bool:
    """At first dh moves along itself; then it turns all the same, for D_y'D_y dh is not parallel to it."""
    problem = TwoPoints(np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([[0.0, 0.0, 0.0], [3.0, 1.0, 0.0]]))
    weights = (np.zeros(3), np.eye(2), np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]))
    slope = problem.gradient(weights)[1] @ problem.u
    return bool(abs(slope[1]) < STRAIGHT and abs(slope[0]) > 0.1 and _turn(problem, weights, 1.0) > 0.01)


def _error_of_integration(encoder: float, decoder: float, times: np.ndarray) -> float:
    """Largest error of dh2 when Eq. (21) itself is integrated, relative tolerance 1e-9, against explicit matrices."""
    problem, weights = scalar_weights(encoder, decoder, 1.0, 1.0)
    # Explicit matrices take the time constants of Eq. (6), half of those of Eq. (21).
    true = [problem.state(at)[0] for at in problem.flow(weights, (1.0, 0.5, 0.5), times)]
    run = solve_ivp(
        lambda _, x: printed_system.rates_at(tuple(x), **UNIT),
        (times[0], times[-1]),
        problem.state(weights),
        t_eval=times,
        rtol=1e-9,
        atol=1e-12,
    )
    return float(np.abs(run.y[0] - true).max())


def _integrates_away_from_zero() -> bool:
    return _error_of_integration(1.5, -0.5, np.linspace(0, 12, 25)) < 1e-6


def _fails_through_zero() -> bool:
    """From a = 1/2, b = -3/2 the representations cross; the integrator reports success and is far off."""
    return _error_of_integration(0.5, -1.5, np.linspace(0, 12, 25)) > 0.1


pull_h, pull_y = printed_h * u, printed_y * dh
w_vector = dy.dot(dy) - dy.dot(v)
moving_dy = -error * dh.dot(dh) / (2 * tau_y) - u.dot(u) * w_vector / (2 * tau_h * dh.dot(dh)) * dy


def _line(claim: str, left: sp.Expr, right: sp.Expr) -> Step:
    return Step(claim, left, right, because="Eq. (17) as printed and Eq. (19)", where=without_rotation)


LINES = (
    _line("dh2: 2 dh' D_h' (x2 - x1)", velocity(dh.dot(dh)), 2 * dh.dot(pull_h)),
    _line("dh2: in w", 2 * dh.dot(pull_h), -u.dot(u) * w_vector / tau_h),
    _line("dy2: product rule", velocity(dy.dot(dy)), 2 * dy.dot(pull_y + D_y * pull_h)),
    _line("dy2: with Eq. (19)", 2 * dy.dot(D_y * pull_h), 2 * dy.dot(dh.dot(pull_h) / dh.dot(dh) * D_y * dh)),
    _line("dy2: in dy", 2 * dy.dot(pull_y + D_y * pull_h), 2 * dy.dot(moving_dy)),
    _line(
        "dy2: in w",
        2 * dy.dot(moving_dy),
        -w_vector * (dh.dot(dh) / tau_y + u.dot(u) / tau_h * dy.dot(dy) / dh.dot(dh)),
    ),
    _line("w: (2 dy - v)' of the velocity of dy", velocity(w_vector), (2 * dy - v).dot(moving_dy)),
    _line(
        "w: in the three variables",
        (2 * dy - v).dot(moving_dy),
        printed_system.RATES[2].xreplace(
            {dh2: dh.dot(dh), dy2: dy.dot(dy), w: w_vector, dx2: u.dot(u), target2: v.dot(v)}
        ),
    ),
)

EQUATIONS = (
    entry(
        "A.1 definitions",
        "A.1",
        "dh, dy and w.",
        Finding.DEFINITION,
        "The same as Eq. (8).",
        printed=r"dh := D_h (x_2 - x_1), \quad dy := D_y D_h (x_2 - x_1), \quad w := \|dy\|^2 - dy^\top (y_2 - y_1)",
    ),
    entry(
        "(19)",
        "A.1",
        "Restrict to solutions along which dh moves along itself.",
        Finding.CONDITIONAL,
        "Its violation obeys an equation of its own; solved with explicit matrices as well.",
        printed=r"\frac{d}{dt} dh \propto dh",
        condition="D_y'D_y dh and D_y'(y2 - y1) are both parallel to dh, or the outputs are learned",
        steps=(*NO_ROTATION, Check("dh keeps its direction under the condition", _stays_straight, "explicit matrices")),
        counterexample=_straight_for_a_moment,
        consequence="A state can satisfy Eq. (19) at one moment and not later; Eq. (7) then stops to apply. For a "
        "scalar output the condition is that the decoder is parallel to dh; theory.two_point.rotation has the solution "
        "without it.",
    ),
    entry(
        "(20)",
        "A.1",
        "The velocities of dh2, dy2 and w, line by line.",
        Finding.CONFIRMED,
        "Each line follows from Eq. (19) and the last lines of Eq. (17) as printed, so with their time constants.",
        printed=r"\text{last lines as in Eq. (21)}",
        steps=LINES,
    ),
    entry(
        "(21)",
        "A.1",
        "The three-variable system, once more.",
        Finding.CONFIRMED,
        "Last lines of Eq. (20), with their time constants: twice those of Eq. (6), see Eq. (7).",
        printed=printed_system.EQUATIONS_OF_MOTION,
        steps=tuple(
            Step(f"line {i}", rate, form, because="as derived")
            for i, (rate, form) in enumerate(
                zip(
                    printed_system.RATES,
                    (
                        -dx2 * w / tau_h,
                        -w * (dh2 / tau_y + dx2 * dy2 / (tau_h * dh2)),
                        -(3 * w - dy2 + target2) * dh2 / (2 * tau_y) - dx2 * (dy2 + w) * w / (2 * tau_h * dh2),
                    ),
                    strict=True,
                ),
                1,
            )
        ),
    ),
    entry(
        "A.1 numerical solution",
        "A.1",
        "The system can easily be solved numerically.",
        Finding.CONDITIONAL,
        "Integrated as printed and compared with explicit matrices.",
        condition="dh stays away from zero",
        steps=(Check("away from zero the integrator is right", _integrates_away_from_zero, "explicit matrices"),),
        counterexample=_fails_through_zero,
        consequence="Where dh passes through zero (A_high < 0, scalar output, opposite signs at first) a library "
        "integrator returns a wrong curve and reports success. theory.two_point.trajectory uses the closed-form "
        "solution.",
    ),
)

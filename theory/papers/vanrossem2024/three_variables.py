r"""Section 2.3: the three-variable system, and what its variables are said to mean."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.vanrossem2024 import printed_system
from theory.papers.vanrossem2024.explicit_matrices import unrotated_weights, velocity_of_state
from theory.papers.vanrossem2024.paper import entry
from theory.two_point.dynamics import dh2_rate, dy, dy2_rate, error, v, w_rate
from theory.two_point.symbols import dh2, dx2, dy2, target2, tau_h, tau_y, w

TAU_H, TAU_Y = 1.7, 0.6
FORMS = (dh2_rate(), dy2_rate(), w_rate())


def _ratios_to_explicit_matrices(factor: float) -> np.ndarray:
    """Velocities of explicit matrices with time constants tau in Eq. (6), over Eq. (7) with ``factor`` times them."""
    found = []
    for seed in range(5):
        problem, weights = unrotated_weights(seed)
        state = problem.state(weights)
        constants = {"tau_h": factor * TAU_H, "tau_y": factor * TAU_Y, "dx2": problem.dx2, "target2": problem.target2}
        printed = printed_system.rates_at(tuple(state), **constants)
        found.append(velocity_of_state(problem, weights, (1.0, TAU_H, TAU_Y)) / printed)
    return np.array(found)


def _equal_with_twice_the_time_constants() -> bool:
    return bool(np.allclose(_ratios_to_explicit_matrices(2.0), 1, atol=1e-6))


def _half_with_the_same_time_constants() -> bool:
    return bool(np.allclose(_ratios_to_explicit_matrices(1.0), 0.5, atol=1e-6))


def _closed_in_three_variables() -> bool:
    known = {*printed_system.VARIABLES, tau_h, tau_y, dx2, target2}
    return all(rate.free_symbols <= known for rate in printed_system.RATES)


angle = dy.dot(v) / sp.sqrt(dy.dot(dy) * v.dot(v))

EQUATIONS = (
    entry(
        "2.3 no rotation",
        "2.3",
        "There are solutions along which the representations move together or apart but do not rotate; they form a "
        "self-contained system of three scalar variables.",
        Finding.CONFIRMED,
        "The rates of Eq. (7) hold only the three variables, two time constants and the data. For which solutions: Eq. "
        "(19).",
        steps=(
            Check("no other variable in Eq. (7)", _closed_in_three_variables, "free symbols"),
            *(form.steps[-1] for form in FORMS),
        ),
    ),
    entry(
        "(7)",
        "2.3",
        "The three-variable system.",
        Finding.CONDITIONAL,
        "Derived by differentiating the loss of explicit matrices; with the time constants of Eq. (6) every right-hand "
        "side is twice too large.",
        printed=printed_system.EQUATIONS_OF_MOTION,
        condition="tau_h and tau_y here are twice those of Eq. (6)",
        closed_form="two_point.dh2_rate",
        steps=(
            *(
                Step(f"right-hand side {i}", printed, form.expression, because="as derived")
                for i, (printed, form) in enumerate(zip(printed_system.RATES, FORMS, strict=True), 1)
            ),
            *(form.steps[-1] for form in FORMS),
            Check(
                "explicit matrices with half the time constants",
                _equal_with_twice_the_time_constants,
                "central differences",
            ),
        ),
        counterexample=_half_with_the_same_time_constants,
        consequence="Comes from the factor 1/2 in the last lines of Eq. (17). Fitted time constants are those of Eq. "
        "(7); the final distance holds only their ratio, which is the same. See the page on conventions.",
    ),
    entry(
        "(8)",
        "2.3",
        "The three variables.",
        Finding.DEFINITION,
        "The same as in Appendix A.1.",
        printed=r"\|dh\|^2 := \|D_h (x_2 - x_1)\|^2, \quad \|dy\|^2 := \|D_y D_h (x_2 - x_1)\|^2, \quad w := \|dy\|^2 "
        r"- (D_y D_h (x_2 - x_1))^\top (y_2 - y_1)",
    ),
    entry(
        "2.3 velocity",
        "2.3",
        "w controls the representational velocity.",
        Finding.CONFIRMED,
        "The velocity of dh2 is w times a negative constant.",
        steps=(Step("velocity of dh2 per w", printed_system.RATES[0] / w, -dx2 / tau_h, because="Eq. (7)"),),
    ),
    entry(
        "2.3 alignment",
        "2.3",
        "w only adds the angle between the predicted and the target difference.",
        Finding.CONFIRMED,
        "w is a function of dy2, the target and that angle.",
        steps=(
            Step(
                "w from the angle",
                dy.dot(error),
                dy.dot(dy) - sp.sqrt(dy.dot(dy) * v.dot(v)) * angle,
                because="definition of the angle",
            ),
        ),
    ),
    entry(
        "3 implementation details",
        "3",
        "Eq. (7) refers to the implementation through two effective learning rates only.",
        Finding.CONFIRMED,
        "Apart from state and data it holds tau_h and tau_y.",
        steps=(
            Check(
                "the constants of Eq. (7)",
                lambda: (
                    set().union(*(rate.free_symbols for rate in printed_system.RATES)) - {dh2, dy2, w, dx2, target2}
                    == {tau_h, tau_y}
                ),
                "free symbols",
            ),
        ),
    ),
)

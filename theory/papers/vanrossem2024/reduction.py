r"""Appendix A.1, second half: from the gradient flow to the three-variable system, Eqs. (19) to (21)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

from theory.core import Equation, Finding, equal
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.transition import programs_of
from theory.papers.vanrossem2024 import printed_system
from theory.papers.vanrossem2024.conditions import in_every_case
from theory.papers.vanrossem2024.explicit_matrices import scalar_weights
from theory.papers.vanrossem2024.flows import inner
from theory.papers.vanrossem2024.paper import entry
from theory.papers.vanrossem2024.three_variables import system
from theory.papers.vanrossem2024.time_constants import in_eq_6, with_twice
from theory.two_point.symbols import dh2, dx2, dy2, tau_h, tau_y, w

HALF = sp.Rational(1, 2)
dh2_dot, dy2_dot, w_dot = printed_system.VELOCITIES
dh, dh_dot = sp.MatrixSymbol("dh", 2, 1), sp.MatrixSymbol("dh_dot", 2, 1)
dy, dy_dot = sp.MatrixSymbol("dy", 3, 1), sp.MatrixSymbol("dy_dot", 3, 1)
u, v = sp.MatrixSymbol("u", 2, 1), sp.MatrixSymbol("v", 3, 1)
D_h, D_h_dot = sp.MatrixSymbol("D_h", 2, 2), sp.MatrixSymbol("D_h_dot", 2, 2)
D_y, D_y_dot = sp.MatrixSymbol("D_y", 3, 2), sp.MatrixSymbol("D_y_dot", 3, 2)
UNIT = {"tau_h": 1.0, "tau_y": 1.0, "dx2": 1.0, "target2": 1.0}
STARTS = {"stays away from": (1.5, -0.5), "passes through": (0.5, -1.5)}
TIMES = np.linspace(0, 12, 25)

by_decoder = D_y_dot * D_h * u
last_of_dy = -1 / tau_h * HALF * dx2 * w / dh2 * dy


@cache
def integrated(start: str) -> tuple[Any, Any]:
    """dh2 over time from Eq. (21) itself, relative tolerance 1e-9, and from explicit matrices."""
    problem, weights = scalar_weights(*STARTS[start], 1.0, 1.0)
    # Explicit matrices take the time constants of Eq. (6), half of those of Eq. (21).
    true = np.array([problem.state(at)[0] for at in problem.flow(weights, (1.0, 0.5, 0.5), TIMES)])
    run = solve_ivp(
        lambda _, x: printed_system.rates_at(tuple(x), **UNIT),
        (TIMES[0], TIMES[-1]),
        problem.state(weights),
        t_eval=TIMES,
        rtol=1e-9,
        atol=1e-12,
    )
    return run.y[0], true


def can_be_integrated(start: str) -> bool:
    """Whether a library integrator gives the right curve."""
    return float(np.abs(np.subtract(*integrated(start))).max()) < 1e-6


def _line(label: str, statement: str, relation: Any) -> Equation:
    return entry(
        f"(20) {label}",
        "A.1",
        statement,
        Finding.CONFIRMED,
        "Flows of explicit matrices along which dh keeps its direction, Eq. (19).",
        printed=relation,
        prove=in_eq_6,
    )


PROGRAMS: Programs = {
    **programs_of((_line("dh2, line 1", "Velocity of dh2 from that of dh.", equal(dh2_dot, 2 * inner(dh, dh_dot))),)),
    **programs_of(
        (_line("dh2, line 2", "Velocity of dh2 from that of D_h.", equal(dh2_dot, 2 * inner(dh, D_h_dot * u))),)
    ),
    **programs_of(
        (
            with_twice(
                "(20) dh2, line 3",
                "A.1",
                "Velocity of dh2 with the last line of Eq. (17).",
                equal(dh2_dot, -1 / tau_h * (dy2 - inner(dy, v)) * dx2),
            ),
        )
    ),
    **programs_of((with_twice("(20) dh2, line 4", "A.1", "Velocity of dh2 in w.", printed_system.LINES[0]),)),
    **programs_of((_line("dy2, line 1", "Velocity of dy2 from that of dy.", equal(dy2_dot, 2 * inner(dy, dy_dot))),)),
    **programs_of(
        (_line("dy2, line 2", "The product rule for dy.", equal(dy2_dot, 2 * inner(dy, by_decoder + D_y * dh_dot))),)
    ),
    **programs_of(
        (
            _line(
                "dy2, line 3",
                "The velocity of dh is along dh.",
                equal(dy2_dot, 2 * inner(dy, by_decoder + inner(dh, dh_dot) / dh2 * D_y * dh)),
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "dy2, line 4",
                "The same by the velocity of dh2.",
                equal(dy2_dot, 2 * inner(dy, by_decoder + HALF * dh2_dot / dh2 * D_y * dh)),
            ),
        )
    ),
    **programs_of(
        (
            with_twice(
                "(20) dy2, line 5",
                "A.1",
                "Velocity of dy2 with the last lines of Eq. (17).",
                equal(dy2_dot, 2 * inner(dy, -1 / tau_y * HALF * (dy - v) * (dh.T * dh) + last_of_dy)),
            ),
        )
    ),
    **programs_of(
        (with_twice("(20) dy2, line 6", "A.1", "Velocity of dy2 in the three variables.", printed_system.LINES[1]),)
    ),
    **programs_of((_line("w, line 1", "Velocity of w from that of dy.", equal(w_dot, inner(2 * dy - v, dy_dot))),)),
    **programs_of(
        (
            with_twice(
                "(20) w, line 2",
                "A.1",
                "Velocity of w with the last lines of Eq. (17).",
                equal(w_dot, inner(2 * dy - v, -1 / tau_y * HALF * (dy - v) * dh2 + last_of_dy)),
            ),
        )
    ),
    **programs_of(
        (with_twice("(20) w, line 3", "A.1", "Velocity of w in the three variables.", printed_system.LINES[2]),)
    ),
    **programs_of(system("21", "A.1")),
    "A.1 numerical solution": Program(
        in_every_case(
            "path", STARTS, can_be_integrated, lambda claim: claim["verb"] == "can easily", "explicit matrices"
        ),
        lambda: float(integrated("passes through")[1][-1]),
        value=lambda _: float(integrated("passes through")[0][-1]),
        tolerance=1e-6,
    ),
}

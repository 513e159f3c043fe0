r"""Appendix A.1, second half: from the gradient flow to the three-variable system, Eqs. (19) to (21)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from theory.core.ledger.ledger import Program, Programs
from theory.papers.vanrossem2024 import printed_system
from theory.papers.vanrossem2024.conditions import in_every_case
from theory.papers.vanrossem2024.explicit_matrices import scalar_weights
from theory.papers.vanrossem2024.time_constants import in_eq_6, twice

UNIT = {"tau_h": 1.0, "tau_y": 1.0, "dx2": 1.0, "target2": 1.0}
STARTS = {"stays away from": (1.5, -0.5), "passes through": (0.5, -1.5)}
TIMES = np.linspace(0, 12, 25)


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


OF_EQ_6 = ("dh2, line 1", "dh2, line 2", "dy2, line 1", "dy2, line 2", "dy2, line 3", "dy2, line 4", "w, line 1")
OF_EQ_17 = ("dh2, line 3", "dh2, line 4", "dy2, line 5", "dy2, line 6", "w, line 2", "w, line 3")

PROGRAMS: Programs = {
    **dict.fromkeys([f"(20) {line}" for line in OF_EQ_6], in_eq_6),
    **dict.fromkeys([f"(20) {line}" for line in OF_EQ_17], twice()),
    "A.1 numerical solution": Program(
        in_every_case(
            "path", STARTS, can_be_integrated, ("verb", {"can easily": True, "cannot": False}), "explicit matrices"
        ),
        lambda: float(integrated("passes through")[1][-1]),
        value=lambda _: float(integrated("passes through")[0][-1]),
        tolerance=1e-6,
    ),
}

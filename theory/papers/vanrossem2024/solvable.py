"""Appendix A.3: whether the system has an analytic solution."""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import chosen, stating
from theory.papers.vanrossem2024.flows import IN_EQ_21, moments
from theory.two_point.trajectory import trajectory


@cache
def error_of_closed_form() -> float:
    """Largest error of the closed-form solution along flows of explicit matrices, in the three variables."""
    flows = [list(moments(IN_EQ_21))[first : first + 4] for first in (0, 4, 8)]
    errors = []
    for flow in flows:
        start, times = flow[0], [case["t"] for case in flow]
        exact = trajectory(times, start["dh2"], start["dy2"], start["w"], start["tau_h"], start["tau_y"],
                           start["dx2"], start["target2"])  # fmt: skip
        measured = np.array([[case[name] for case in flow] for name in ("dh2", "dy2", "w")])
        errors.append(float(np.abs(exact - measured).max()))
    return max(errors)


def solution_at_witness(closed_form: bool) -> float:
    """dh2 at the end of a flow, in closed form or from explicit matrices."""
    start, *_, end = list(moments(IN_EQ_21))[:4]
    if not closed_form:
        return float(end["dh2"])
    state = (start["dh2"], start["dy2"], start["w"], start["tau_h"], start["tau_y"], start["dx2"], start["target2"])
    return float(trajectory([end["t"]], *state)[0][-1])


PROGRAMS: Programs = {
    "A.3 unsolvable": Program(
        stating({"verb": lambda: "can" if error_of_closed_form() < 1e-7 else "cannot"}, "explicit matrices"),
        partial(solution_at_witness, closed_form=False),
        value=lambda claim: (
            solution_at_witness(closed_form=True)
            if chosen(claim, "verb", {"can": True, "cannot": False})
            else float("inf")
        ),
    ),
}

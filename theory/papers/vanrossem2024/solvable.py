"""Appendix A.3: whether the system has an analytic solution."""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from theory.core import Check, Claim, Finding, Witness, Word
from theory.papers.vanrossem2024.flows import IN_EQ_21, moments
from theory.papers.vanrossem2024.paper import entry
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


def is_solved(claim: Claim) -> tuple[Check, ...]:
    """Whether the closed form is the solution."""
    return (Check("flows", lambda: (error_of_closed_form() < 1e-7) is (claim["verb"] == "can"), "explicit matrices"),)


def solution_at_witness(closed_form: bool) -> float:
    """dh2 at the end of a flow, in closed form or from explicit matrices."""
    start, *_, end = list(moments(IN_EQ_21))[:4]
    if not closed_form:
        return float(end["dh2"])
    state = (start["dh2"], start["dy2"], start["w"], start["tau_h"], start["tau_y"], start["dx2"], start["target2"])
    return float(trajectory([end["t"]], *state)[0][-1])


EQUATIONS = (
    entry(
        "A.3 unsolvable",
        "A.3",
        "",
        Finding.MISPRINT,
        "A closed form that satisfies Eq. (21) identically, for any initial state (theory.two_point.solution), "
        "compared with flows of explicit matrices.",
        closed_form="two_point.dh2",
        printed=Claim(
            "The system of Eq. (21) {verb} be solved analytically in the general case.",
            {"verb": Word("cannot", ("can",))},
        ),
        corrected=Claim(
            "The system of Eq. (21) {verb} be solved analytically in the general case.",
            {"verb": Word("can", ("cannot",))},
        ),
        prove=is_solved,
        witness=Witness(
            {"weights": "unrotated_weights(1)", "time": 1.6, "the number": "dh2, in closed form where there is one"},
            partial(solution_at_witness, closed_form=False),
            value=lambda claim: solution_at_witness(closed_form=True) if claim["verb"] == "can" else float("inf"),
        ),
        consequence="In the signed length of dh and the decoder along it the system is a Bernoulli equation with "
        "constant coefficients, and its solution is elementary. With dh2 as the variable only identical outputs give a "
        "Bernoulli equation, as in A.4.",
    ),
)

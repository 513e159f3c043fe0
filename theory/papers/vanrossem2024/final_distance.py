r"""Appendix A.3, first half: conservation, two variables, candidates for fixed points, Eqs. (23) to (28)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from theory.core import Check, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import chosen, is_close, stating
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024 import printed_system
from theory.papers.vanrossem2024.conditions import without_condition
from theory.papers.vanrossem2024.letters import ORBIT
from theory.papers.vanrossem2024.rest import SETTINGS, ZERO, reduced_rates, roots, settings
from theory.papers.vanrossem2024.time_constants import in_eq_6, twice


def also_rests() -> bool:
    """At rest in dh2 and w, whether dy2 rests as well, by the second line of Eq. (21)."""

    def rests(case: dict[str, Any]) -> bool:
        point = float(roots(case)[-1])
        if np.abs(reduced_rates(case, point, 0.0)).max() > 1e-9:
            return False
        constants = {name: case[name] for name in ("tau_h", "tau_y", "dx2", "target2")}
        output = float(evaluate(ORBIT, {**case, "dh2": point}))
        return abs(printed_system.rates_at((point, output, 0.0), **constants)[1]) < 1e-9

    return for_all(SETTINGS, rests)


def velocities_of_dh2() -> Iterator[dict[str, Any]]:
    """Velocity of dh2 by Eq. (21) at rest and on the way, in both directions; exact in binary."""
    for alignment in (0.0, -0.5, 0.5, 1.0):
        rate = printed_system.rates_at((1.0, 1.0, alignment), tau_h=2.0, tau_y=1.0, dx2=4.0, target2=1.0)[0]
        yield {"dh2_dot": rate, "w": alignment}


def all_roots() -> Iterator[dict[str, Any]]:
    """Each value of dh2 at which the velocity of w vanishes at w = 0."""
    for case in settings():
        yield from ({**case, "dh2": float(value)} for value in roots(case))


def named_roots() -> Iterator[dict[str, Any]]:
    """The same with their names: the middle one, and the two with the sign of their root."""
    for case in settings():
        lower, middle, upper = roots(case)
        yield from ({**case, "pm": sign, "dh2": middle, "dh2_rest": value} for sign, value in ((1, upper), (-1, lower)))


NEGATIVE = {"negative": True, "positive": False}


def root_has_sign(sentence: Any) -> tuple[Check, ...]:
    """Whether the printed expression is the lowest root, and its sign, in the settings that the condition allows."""
    claim, condition = without_condition(sentence)
    cases = [case for case in settings(same_targets=True) if condition is None or bool(evaluate(condition, case))]

    def agrees(case: dict[str, Any]) -> bool:
        value = float(evaluate(claim["root"], case))
        return is_close(value, roots(case)[0], ZERO, 1.0) and bool(value < -ZERO) is chosen(claim, "sign", NEGATIVE)

    return (Check("lowest root", lambda: for_all(cases, agrees), "roots of Eq. (25)"),)


PROGRAMS: Programs = {
    "(23)": twice(sides=lambda chain: (chain[0].lhs, chain[2].lhs)),
    "(24)": in_eq_6,
    "(25) dh2": twice(),
    "(25) w": twice(),
    "A.3 fixed points shared": stating(
        {"verb": lambda: "must" if also_rests() else "need not"}, "roots of Eq. (25), velocity of dy2"
    ),
    "(26)": numerically(velocities_of_dh2, "Eq. (25)"),
    "(27) cubic": numerically(all_roots, "roots of Eq. (21)", scale=1.0),
    "(27) values": numerically(named_roots, "roots of Eq. (21)", scale=1.0),
    "A.3 negative root": Program(
        root_has_sign, lambda: 0.0, value=lambda claim: float(chosen(claim, "sign", NEGATIVE))
    ),
}

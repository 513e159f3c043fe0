r"""Appendices C.2 to C.5: further losses, very low weights, the linear approximation and Adam."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from theory.core import Check, for_all
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import chosen, stating
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024 import loss, printed_system
from theory.papers.vanrossem2024.conditions import allowed, in_every_case
from theory.papers.vanrossem2024.explicit_matrices import scalar_weights
from theory.papers.vanrossem2024.letters import A_HIGH, A_LOW
from theory.papers.vanrossem2024.toy_tasks import GRID
from theory.papers.vanrossem2024.weights import TAUS_OF_EQ_6, final_number
from theory.two_point.symbols import dy2, t, target2, w

STRENGTHS = {"stronger than": 0.5, "no stronger than": 1.5}
"""Decoder in units of the encoder, dimensionless."""
AT_ZERO = {"at zero": True, "apart": False}


def number_of_unknowns() -> int:
    """How many symbols Eq. (9) holds besides the fitted curves, the data and the initial mean output."""
    known = {t, dy2, w, target2, loss.y_0, loss.middle}
    return len(set().union(*(term.free_symbols for term in loss.TERMS.values())) - known)


def ends_at_zero(strength: str) -> bool:
    """Whether Eq. (10) at identical targets is zero."""
    return final_number(0.1, 0.1 * STRENGTHS[strength], target2=0.0) < 1e-12


def has_partners() -> bool:
    """The points of Section 4.5: whether each has a point with its output in the other context."""
    outputs = [{point[context] for point in GRID} for context in (0, 1)]
    return outputs[0] == outputs[1]


@cache
def time_to_merge(distance: float) -> float:
    """Time until dh2 is 1 % of its start: flow of two numbers with identical targets, the decoder twice the encoder."""
    problem, weights = scalar_weights(0.5, 1.0, distance, 0.0)
    times = np.linspace(0, 12, 601)
    values = np.array([problem.state(at)[0] for at in problem.flow(weights, TAUS_OF_EQ_6, times)])
    return float(np.interp(-0.01 * values[0], -values, times))


def takes_longer(limit: str, strength: str) -> bool | None:
    """Whether points with larger inputs are further from zero: at the same weights, or in time; None where neither."""
    if limit == "training time":
        return time_to_merge(1.5) > time_to_merge(1.0) if strength == "no stronger than" else None
    small, large = (final_number(1e-2, 1e-2 * STRENGTHS[strength], dx2=dx2, target2=0.0) for dx2 in (1.0, 4.0))
    return large > small if small != large else None


def larger_inputs(sentence: Any) -> tuple[Check, ...]:
    """What larger inputs do in all readings that the condition allows."""
    claim, limits = allowed(sentence, "limit", ("weights", "training time"))
    _, strengths = allowed(sentence, "strength", STRENGTHS)
    readings = [takes_longer(limit, strength) for limit in limits for strength in strengths]

    def agrees(reading: bool | None) -> bool:
        return reading is not None and reading is chosen(claim, "how", {"longer": True, "shorter": False})

    return (Check("readings", lambda: for_all(readings, agrees), "Eq. (10) and explicit matrices"),)


def keeps_structure() -> bool:
    """Both rates times three: all velocities get the factor, which is a change of clock, A_high and A_low do not."""
    at = {"dh2_0": 1.3, "dy2_0": 0.4, "tau_h": 1.7, "tau_y": 0.6, "dx2": 0.7, "target2": 1.9}
    faster = {**at, "tau_h": at["tau_h"] / 3, "tau_y": at["tau_y"] / 3}
    constants = [{name: case[name] for name in ("tau_h", "tau_y", "dx2", "target2")} for case in (at, faster)]
    rates = [np.array(printed_system.rates_at((0.8, 0.5, -0.1), **values)) for values in constants]
    same = all(np.isclose(evaluate(letter, at), evaluate(letter, faster)) for letter in (A_HIGH, A_LOW))
    return bool(same and np.allclose(rates[1], 3 * rates[0]))


PROGRAMS: Programs = {
    "C.2 one more unknown": stating({"number": number_of_unknowns}, "symbols of Eq. (9)"),
    "C.3 respective points": stating({"share": lambda: "every" if has_partners() else "not every"}, "both contexts"),
    "C.3 zero distance": Program(
        in_every_case("strength", STRENGTHS, ends_at_zero, ("where", AT_ZERO), "root of rest"),
        lambda: final_number(0.1, 0.05, target2=0.0),
        value=lambda claim: 0.0 if chosen(claim, "where", AT_ZERO) else float("inf"),
    ),
    "C.3 larger inputs": Program(
        larger_inputs, lambda: time_to_merge(1.5) / time_to_merge(1.0), value=lambda claim: 1.0
    ),
    "C.5 learning-rate changes": stating(
        {"verb": lambda: "do not explicitly depend" if keeps_structure() else "explicitly depend"},
        "Eqs. (7) and (11) with another clock",
    ),
}

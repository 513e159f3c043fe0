"""Sections 4.2 and 4.3: what the representation keeps from the data and from the initial weights."""

from __future__ import annotations

import numpy as np

from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import chosen, stating
from theory.papers.vanrossem2024.conditions import in_every_case
from theory.papers.vanrossem2024.letters import A_LOW
from theory.papers.vanrossem2024.weights import final_number, path
from theory.two_point.symbols import dx2, target2, tau_h, tau_y


def number_of_rates() -> int:
    """How many effective learning rates A_low of Eq. (11) holds; it holds nothing else apart from the data."""
    left = A_LOW.free_symbols - {dx2, target2}
    return len(left) if left <= {tau_h, tau_y} else 0


DETERMINED = {"at initialization": True, "in the data": False}
DECODERS = {"much weaker than": 1e-4, "as strong as": 0.99}


def stays(decoder: str) -> bool:
    """Whether the distance from weights of 100 stays what it was."""
    return abs(final_number(100, 100 * DECODERS[decoder]) / 100 - 1) < 0.01


def direction(target: float, *start: float) -> str:
    """In which direction the representations of two points move at every step of a flow of two numbers."""
    steps = np.diff(path(*start, target, 3.0)[1])
    return "closer" if (steps < 0).all() else "apart" if (steps > 0).all() else "neither"


PROGRAMS: Programs = {
    "4.2 unknowns": stating({"number": number_of_rates}, "symbols of Eq. (11)"),
    "4.3 large weights": Program(
        in_every_case("decoder", DECODERS, stays, ("where", DETERMINED), "root of rest"),
        lambda: final_number(100, 99) / 100,
        value=lambda claim: float(chosen(claim, "where", DETERMINED)),
    ),
    "4.3 same outputs": stating({"where": lambda: direction(0.0, 0.9, 0.7)}, "explicit matrices"),
    "4.3 different outputs": stating({"where": lambda: direction(1.0, 1e-2, 1e-2)}, "explicit matrices"),
}

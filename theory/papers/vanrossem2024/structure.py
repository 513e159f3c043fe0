"""Sections 4.2 and 4.3: what the representation keeps from the data and from the initial weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from theory.core import Check, Claim
from theory.core.ledger.ledger import Program, Programs
from theory.papers.vanrossem2024.conditions import in_every_case
from theory.papers.vanrossem2024.letters import A_LOW
from theory.papers.vanrossem2024.weights import final_number, path
from theory.two_point.symbols import dx2, target2, tau_h, tau_y


def has_unknowns(claim: Claim) -> tuple[Check, ...]:
    """What A_low of Eq. (11) holds apart from the data."""
    left = A_LOW.free_symbols - {dx2, target2}
    return (Check("number", lambda: len(left) == claim["number"] and left == {tau_h, tau_y}, "symbols of Eq. (11)"),)


DECODERS = {"much weaker than": 1e-4, "as strong as": 0.99}


def stays(decoder: str) -> bool:
    """Whether the distance from weights of 100 stays what it was."""
    return abs(final_number(100, 100 * DECODERS[decoder]) / 100 - 1) < 0.01


def moves(target: float, start: tuple[float, float], word: str) -> Any:
    """Proves in which direction the representations of two points move, along a flow of two numbers."""

    def prove(claim: Claim) -> tuple[Check, ...]:
        def agrees() -> bool:
            steps = np.diff(path(*start, target, 3.0)[1])
            return bool((steps < 0).all()) is (claim[word] == "closer") and bool((steps > 0).all()) is (
                claim[word] == "apart"
            )

        return (Check("every step of a flow", agrees, "explicit matrices"),)

    return prove


PROGRAMS: Programs = {
    "4.2 unknowns": has_unknowns,
    "4.3 large weights": Program(
        in_every_case("decoder", DECODERS, stays, lambda claim: claim["what"] == "initialisation", "root of rest"),
        lambda: final_number(100, 99) / 100,
        value=lambda claim: 1.0 if claim["what"] == "initialisation" else 0.0,
    ),
    "4.3 same outputs": moves(0.0, (0.9, 0.7), "where"),
    "4.3 different outputs": moves(1.0, (1e-2, 1e-2), "where"),
}

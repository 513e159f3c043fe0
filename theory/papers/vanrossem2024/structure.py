"""Sections 4.2 and 4.3: what the representation keeps from the data and from the initial weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Witness, Word
from theory.papers.vanrossem2024.conditions import in_every_case
from theory.papers.vanrossem2024.letters import A_LOW
from theory.papers.vanrossem2024.paper import entry
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


EQUATIONS = (
    entry(
        "4.2 unknowns",
        "4.2",
        "",
        Finding.CONFIRMED,
        "Apart from the data A_low holds tau_h and tau_y; only their ratio, so that one number extrapolates to all "
        "data.",
        printed=Claim(
            "At small weights the only unknown quantities are the {number} effective learning rates.",
            {"number": sp.Integer(2)},
        ),
        prove=has_unknowns,
    ),
    entry(
        "4.2 and Figure 5",
        "4.2",
        "Final distances at other data, predicted from rates fitted at one choice of data.",
        Finding.OPEN,
        "A matter of measurement: the study two-point-final-distances. In the paper the rates are fitted on the data "
        "of 'B.1 data', on which training as printed does not converge.",
    ),
    entry(
        "4.3 large weights",
        "4.3",
        "",
        Finding.CONDITIONAL,
        "Final over initial distance at weights of 100.",
        printed=Claim(
            "At large weights the dominating structure in the final representation is determined by the {what}.",
            {"what": Word("initialisation", ("data",))},
        ),
        condition=Claim(
            "the decoder is {decoder} the encoder", {"decoder": Word("much weaker than", ("as strong as",))}
        ),
        prove=in_every_case(
            "decoder", DECODERS, stays, lambda claim: claim["what"] == "initialisation", "root of rest"
        ),
        witness=Witness(
            {"dh2(0)/dx2": 100, "dy2(0)/dh2(0)": 99, "the number": "final over initial squared distance"},
            lambda: final_number(100, 99) / 100,
            value=lambda claim: 1.0 if claim["what"] == "initialisation" else 0.0,
        ),
        consequence="At large weights the representation follows the encoder's share of the initial weights: a strong "
        "decoder pulls it together, whatever the data.",
    ),
    entry(
        "4.3 same outputs",
        "4.3",
        "",
        Finding.CONFIRMED,
        "Every step of a flow of explicit matrices with identical targets.",
        printed=Claim("Representations move {where} when their outputs agree.", {"where": Word("closer", ("apart",))}),
        prove=moves(0.0, (0.9, 0.7), "where"),
    ),
    entry(
        "4.3 different outputs",
        "4.3",
        "",
        Finding.CONFIRMED,
        "Every step of a flow of explicit matrices that starts with representations close together.",
        printed=Claim(
            "Representations of points with the same representation but different target outputs must move {where} to "
            "fit the data.",
            {"where": Word("apart", ("closer",))},
        ),
        prove=moves(1.0, (1e-2, 1e-2), "where"),
    ),
    entry(
        "4.3 fastest way",
        "4.3",
        "At small weights the fastest way to learn may not be overfitting but structured learning.",
        Finding.NOTE,
        "An intuition, stated as such.",
    ),
)

r"""Appendix A.5: large initial weights, Eqs. (41) to (43)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Scales
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Approximates
from theory.core.ledger.proving import stating
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024 import printed_system
from theory.papers.vanrossem2024.conditions import in_every_case
from theory.papers.vanrossem2024.flows import DIFFERENCES, IN_EQ_21, moments
from theory.papers.vanrossem2024.initial_weights import SAID_EXPONENTIAL, equal_layers
from theory.papers.vanrossem2024.time_constants import in_eq_6_along, twice
from theory.papers.vanrossem2024.weights import path
from theory.two_point.symbols import dh2, dy2, target2, w

NAMES = ("dh2", "dy2", "w")
POWERS = (1, 2, 2)  # of G, in Eq. (42)
GAIN = 2.3
LARGE = (1e4, 1e6)
CLOSE = 2e-2


def rescaled(case: Any, gain: float = GAIN) -> dict[str, Any]:
    """A moment of a flow in the variables of Eq. (42): dt' = dt/G, so that velocities take one more factor G."""
    values = {f"{n}_primed": gain**p * case[n] for n, p in zip(NAMES, POWERS, strict=True)}
    rates = {f"{n}_primed_dot": gain ** (p + 1) * case[f"{n}_dot"] for n, p in zip(NAMES, POWERS, strict=True)}
    return {**case, **values, **rates, "G": gain}


def rescaled_moments(factor: float) -> Iterator[Any]:
    """All moments in these variables, with time constants in units of those of Eq. (6)."""
    yield from (rescaled(case) for case in moments(factor))


def at_witness() -> dict[str, Any]:
    """A moment on the way, with the time constants of the corrected line."""
    return rescaled(list(moments(IN_EQ_21))[1])


def with_weights(gain: float) -> dict[str, float]:
    """The three variables of explicit matrices whose two matrices are multiplied by the root of ``gain``."""
    draw = np.random.default_rng(12)
    encoder, decoder, u, v = (draw.normal(size=shape) for shape in ((2, 2), (3, 2), 2, 3))
    dh = np.sqrt(gain) * encoder @ u
    dy = np.sqrt(gain) * decoder @ dh
    return {"dh2": float(dh @ dh), "dy2": float(dy @ dy), "w": float(dy @ dy - dy @ v)}


def scale_with(relation: Scales) -> tuple[Check, ...]:
    """Both sides in proportion, from one size of large weights to another."""

    def agrees() -> bool:
        sides = [
            [float(evaluate(side, {**with_weights(gain), "G": gain})) for side in (relation.lhs, relation.rhs)]
            for gain in LARGE
        ]
        return bool(abs(sides[1][0] * sides[0][1] / (sides[0][0] * sides[1][1]) - 1) < CLOSE)

    return (Check("two sizes of the weights", agrees, "explicit matrices"),)


def is_about(relation: Approximates) -> tuple[Check, ...]:
    """Both sides agree at large weights, the better the larger these are."""

    def agrees() -> bool:
        errors = [abs(float(evaluate(relation.lhs / relation.rhs, with_weights(gain))) - 1) for gain in LARGE]
        return errors[1] < errors[0] / 5 and errors[1] < 1e-2

    return (Check("two sizes of the weights", agrees, "explicit matrices"),)


PRIMED = dict(zip((dh2, dy2, w), sp.symbols("dh2_primed dy2_primed w_primed"), strict=True))
PRINTED = printed_system.RATES[2].xreplace(PRIMED).subs(target2, target2 / sp.Symbol("G") ** 2)
"""The third line of Eq. (43)."""


def limit() -> str:
    """For which outputs the dynamics are the limit: identical ones if the third line loses its target as G grows."""
    case = rescaled(list(moments())[1], 1.0)
    large, without = ({**case, "G": 1e4, "target2": target} for target in (case["target2"], 0.0))
    vanishes = abs(float(evaluate(PRINTED, large) - evaluate(PRINTED, without))) < 1e-6
    return "identical" if vanishes else "different"


WAITS = {"unequal": (10.0, -2.0), "equal": (10.0, -10.001)}


def is_waiting(layers: str) -> bool:
    """Whether the loss stays within 10 % of 1/8 for a third of the time; it starts above 100."""
    _, _, values = path(*WAITS[layers], 1.0, 12.0)
    return bool(np.mean((values > 0.9 / 8) & (values < 1.1 / 8)) > 1 / 3)


PLATEAU = ("plateau", {"with": True, "without": False})
WAITS_AS_SAID = in_every_case("layers", WAITS, is_waiting, PLATEAU, "explicit matrices")


def without_plateau(sentence: Any) -> tuple[Check, ...]:
    """How the loss decays, and whether it waits."""
    (decay,), (wait,) = SAID_EXPONENTIAL(sentence), WAITS_AS_SAID(sentence)
    return replace(decay, claim="how it decays"), replace(wait, claim="whether it waits")


PROGRAMS: Programs = {
    "A.5 alignment": is_about,
    **dict.fromkeys([f"(41) {name}" for name in NAMES], scale_with),
    **dict.fromkeys(("(43) dh2", "(43) dy2"), twice(rescaled_moments)),
    "(43) w": Program(
        in_eq_6_along(rescaled_moments),
        lambda: at_witness()["w_primed_dot"],
        value=lambda relation: float(
            evaluate(relation.rhs, at_witness()) / evaluate(relation.lhs, {"w_primed_dot": 1.0})
        ),
        tolerance=DIFFERENCES,
    ),
    "A.5 limit": stating({"which": limit}, "third line of Eq. (43) at G = 10^4"),
    "A.5 no plateau": equal_layers(without_plateau),
}

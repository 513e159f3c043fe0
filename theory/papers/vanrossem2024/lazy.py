r"""Appendix A.5: large initial weights, Eqs. (41) to (43)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Equation, Finding, Scales, Word, equal
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Approximates
from theory.core.ledger.transition import programs_of
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024 import printed_system
from theory.papers.vanrossem2024.conditions import in_every_case
from theory.papers.vanrossem2024.flows import DIFFERENCES, IN_EQ_21, moments
from theory.papers.vanrossem2024.initial_weights import CONDITION, EQUAL_LAYERS, SAID_EXPONENTIAL
from theory.papers.vanrossem2024.paper import entry
from theory.papers.vanrossem2024.time_constants import ON_A_FLOW, in_eq_6_along, with_twice
from theory.papers.vanrossem2024.weights import path
from theory.two_point.symbols import dh2, dy2, target2, w

G = sp.Symbol("G", positive=True)
PRIMED = (*sp.symbols("dh2_primed dy2_primed", positive=True), sp.Symbol("w_primed", real=True))
PRIMED_RATES = sp.symbols("dh2_primed_dot dy2_primed_dot w_primed_dot", real=True)
NAMES = ("dh2", "dy2", "w")
POWERS = (1, 2, 2)  # of G, in Eq. (42)
GAIN = 2.3
LARGE = (1e4, 1e6)
CLOSE = 2e-2


def line(index: int, power: int = 0) -> sp.Eq:
    """A line of Eq. (43), with a power of G at the target."""
    names = dict(zip((dh2, dy2, w), PRIMED, strict=True))
    return equal(PRIMED_RATES[index], printed_system.RATES[index].xreplace(names).subs(target2, G**power * target2))


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


PRINTED = line(2, -2)


def reduces(claim: Claim) -> tuple[Check, ...]:
    """Whether the printed third line goes to that without a target as G grows."""
    case = rescaled(list(moments())[1], 1.0)
    large, without = ({**case, "G": 1e4, "target2": target} for target in (case["target2"], 0.0))
    vanishes = abs(float(evaluate(PRINTED.rhs, large) - evaluate(PRINTED.rhs, without))) < 1e-6
    return (Check("G = 10^4", lambda: vanishes is (claim["which"] == "identical"), "third line of Eq. (43)"),)


WAITS = {"unequal": (10.0, -2.0), "equal": (10.0, -10.001)}


def is_waiting(layers: str) -> bool:
    """Whether the loss stays within 10 % of 1/8 for a third of the time; it starts above 100."""
    _, _, values = path(*WAITS[layers], 1.0, 12.0)
    return bool(np.mean((values > 0.9 / 8) & (values < 1.1 / 8)) > 1 / 3)


WAITS_AS_SAID = in_every_case(
    "layers", WAITS, is_waiting, lambda claim: claim["plateau"] == "with", "explicit matrices"
)


def without_plateau(sentence: Any) -> tuple[Check, ...]:
    """How the loss decays, and whether it waits."""
    (decay,), (wait,) = SAID_EXPONENTIAL(sentence), WAITS_AS_SAID(sentence)
    return replace(decay, claim="how it decays"), replace(wait, claim="whether it waits")


def _line(label: str, statement: str, evidence: str, printed: Any, prove: Any) -> Equation:
    return entry(label, "A.5", statement, Finding.CONFIRMED, evidence, printed=printed, prove=prove)


PROGRAMS: Programs = {
    **programs_of(
        (
            _line(
                "A.5 alignment",
                "At large weights w is about dy2.",
                "Explicit matrices multiplied by 10^2 and 10^3: w = dy2 - dy.(y2 - y1), the second term grows more slowly.",
                Approximates(w, dy2),
                is_about,
            ),
        )
    ),
    **programs_of(
        (
            _line(
                f"(41) {name}",
                f"Both weights times sqrt(G), at large weights: how {name} grows.",
                "Explicit matrices multiplied by 10^2 and 10^3; for w to leading order, as A.5 takes it.",
                Scales(variable, G**power),
                scale_with,
            )
            for name, variable, power in zip(NAMES, (dh2, dy2, w), POWERS, strict=True)
        )
    ),
    **programs_of(
        (
            with_twice(
                f"(43) {NAMES[index]}",
                "A.5",
                "The dynamics in the primed variables.",
                line(index),
                cases=rescaled_moments,
                at={**ON_A_FLOW, "G": GAIN},
            )
            for index in (0, 1)
        )
    ),
    "(43) w": Program(
        in_eq_6_along(rescaled_moments),
        lambda: at_witness()["w_primed_dot"],
        value=lambda relation: float(
            evaluate(relation.rhs, at_witness()) / evaluate(relation.lhs, {"w_primed_dot": 1.0})
        ),
        tolerance=DIFFERENCES,
    ),
    "A.5 limit": reduces,
    **programs_of(
        (
            entry(
                "A.5 no plateau",
                "A.5",
                "",
                Finding.CONDITIONAL,
                "Flows of two numbers of order ten.",
                printed=Claim(
                    "At large initial weights the loss will show {how} decay to zero {plateau} a plateau.",
                    {"how": Word("exponential", ("algebraic",)), "plateau": Word("without", ("with",))},
                ),
                condition=CONDITION,
                prove=without_plateau,
                witness=EQUAL_LAYERS,
                consequence="Large layers of nearly equal strength and opposite effect pass close to the merged state: a long "
                "plateau in spite of large weights. Equal strength and equal effect: algebraic decay. The condition is that "
                "|A_high| is much larger than A_low.",
            ),
        )
    ),
}

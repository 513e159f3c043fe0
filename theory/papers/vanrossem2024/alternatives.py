r"""Appendix C.1: four altered dynamics, Eq. (51), and their fit losses."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.vanrossem2024 import printed_system
from theory.papers.vanrossem2024.paper import entry
from theory.two_point.symbols import dh2, dx2, dy2, t, target2, tau_h, tau_y, w

HALF = sp.Rational(1, 2)
# All four alterations of Eq. (51) at once, as printed; each has a switch here.
power, factor, sign, term = sp.symbols("power factor sign term", real=True)
altered = (
    -1 / tau_h * dx2 * w**power,
    -factor * w * (1 / tau_y * dh2 + term / tau_h * dx2 * dy2 / dh2),
    -1 / tau_y * HALF * (3 * w - dy2 + target2) * dh2 + sign / tau_h * HALF * dx2 * (dy2 + w) * w / dh2,
)
UNALTERED = {power: 1, factor: 1, sign: -1, term: 1}
# In the order of the text: "added a factor two, a square, removed a minus sign, and remove a term".
ALTERATIONS = {"factor_two": {factor: 2}, "square": {power: 2}, "plus_sign": {sign: 1}, "missing_term": {term: 0}}
REPORTED = {"as derived": 0.92, "factor_two": 15.35, "square": 16.61, "plus_sign": 2.99, "missing_term": 5.64}
# Recorded: fit losses (Eq. 49) on the five trainings of ``released_settings``, best of several starts.
RECORDED = {
    "as derived": (0.445, 0.788, 1.312, 0.785, 1.384),
    "factor_two": (3.48, 3.27, 3.33, 4.57, 3.56),
    "square": (36.4, 37.0, 38.1, 37.3, 37.2),
    "plus_sign": (3.54, 3.19, 2.99, 3.64, 2.96),
    "missing_term": (4.24, 5.24, 6.69, 5.42, 7.03),
}


def system(name: str) -> tuple[sp.Expr, ...]:
    """Right-hand sides of one of the four altered dynamics."""
    return tuple(rate.subs({**UNALTERED, **ALTERATIONS[name]}) for rate in altered)


def _one_line_each() -> bool:
    """Factor and term change the second line, the square the first, the sign the third; nothing else changes."""
    lines = [
        [
            i
            for i, (one, other) in enumerate(zip(system(name), printed_system.RATES, strict=True))
            if sp.expand(one - other) != 0
        ]
        for name in ALTERATIONS
    ]
    return lines == [[1], [0], [2], [1]]


def _altered_always_lose() -> bool:
    best = np.array(RECORDED["as derived"])
    return all(bool((np.array(RECORDED[name]) > best).all()) for name in ALTERATIONS)


def _agrees(name: str) -> bool:
    """Reported value within the range of the recorded seeds."""
    return min(RECORDED[name]) <= REPORTED[name] <= max(RECORDED[name])


EQUATIONS = (
    entry(
        "(51)",
        "C.1",
        "Four altered dynamics, all alterations marked in one display.",
        Finding.DEFINITION,
        "With no alteration it is Eq. (7).",
        printed=sp.Tuple(
            *(
                sp.Eq(sp.Derivative(x, t), rate, evaluate=False)
                for x, rate in zip(
                    printed_system.VARIABLES,
                    (rate.subs({power: 2, factor: 2, sign: 1, term: 1}) for rate in altered),
                    strict=True,
                )
            )
        ),
        steps=tuple(
            Step(f"line {i} without alteration", rate.subs(UNALTERED), printed, because="Eq. (7)")
            for i, (rate, printed) in enumerate(zip(altered, printed_system.RATES, strict=True), 1)
        ),
    ),
    entry(
        "C.1 four alterations",
        "C.1",
        "A factor two and a square added, a minus sign and a term removed.",
        Finding.CONFIRMED,
        "Factor: second line; square: first; sign: third; term: second.",
        steps=(Check("each changes one line", _one_line_each, "comparison with Eq. (7)"),),
    ),
    entry(
        "C.1 as derived",
        "C.1",
        "The fit loss of Eq. (7) is 0.92, and every alteration increases it.",
        Finding.CONFIRMED,
        "Five recorded trainings on the released data: 0.44 to 1.38, mean 0.94; each alteration loses on each seed.",
        steps=(
            Check("range of the seeds", lambda: _agrees("as derived"), "recorded fits"),
            Check("altered dynamics lose", _altered_always_lose, "recorded fits"),
        ),
    ),
    entry(
        "C.1 altered fit losses",
        "C.1",
        "They increase it to 15.35, 16.61, 2.99 and 5.64 respectively.",
        Finding.OPEN,
        "Recorded: plus sign 3.0 to 3.6 and missing term 4.2 to 7.0 agree; factor two 3.3 to 4.6 and square 36 to 38 "
        "do not. How the paper started its fits is not said, so this is left open.",
        steps=(
            Check("plus sign", lambda: _agrees("plus_sign"), "recorded fits"),
            Check("missing term", lambda: _agrees("missing_term"), "recorded fits"),
            Check(
                "factor two and square differ",
                lambda: not _agrees("factor_two") and not _agrees("square"),
                "recorded fits",
            ),
        ),
    ),
)

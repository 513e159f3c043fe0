r"""Appendix A.2, proof of Proposition 8: the path of the new neuron, and how far the new path is from the old one."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Tends, Witness, Word, equal, for_all, numerically
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import construction_numbers as numbers
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.symbols import A, L, N, S, W, w

p, q = sp.symbols("p q", positive=True)
a_p, a_dot, t, K, window, eps = sp.symbols("a_p a_dot t_p K_row window epsilon", real=True)
a_at, t_at, K_at = (sp.Function(name, real=True) for name in ("a_at", "t_at", "K_at"))
x, first_row, difference = (
    sp.MatrixSymbol("sample", w, 1), sp.MatrixSymbol("first_row", w, N), sp.MatrixSymbol("difference", w, N),
)  # fmt: skip
second_row, grown, K_row = (sp.MatrixSymbol(name, 1, N) for name in ("second_row", "grown", "K_row"))
INTEGRATED = 1e-4  # Runge-Kutta steps across the corners of t
DEPTH, CENTRE, REACH = 4.0, 0.2, 0.5


def bump(place: float, centre: float = CENTRE, reach: float = REACH) -> float:
    """The triangular function t."""
    return max(0.0, 1 - abs(place - centre) / reach)


def kernel(place: float) -> float:
    """A positive entry of K that changes along the path."""
    return 1.0 + place**2


@cache
def activation(place: float, depth: float = DEPTH, centre: float = CENTRE, reach: float = REACH) -> float:
    """The new neuron over epsilon, from its velocity depth (t K - a), zero at p = 0."""

    def rate(at: float, state: nets.Array) -> nets.Array:
        return depth * (bump(at, centre, reach) * kernel(at) - state)

    steps = max(400, int(4 * depth))
    return float(nets.flow(np.zeros(1), rate, 0.0, place, steps)[0]) if place > 0 else 0.0


def places() -> list[dict[str, Any]]:
    """Letters at places within the window and after it; t reaches below zero, so that limits of integration count."""
    found = []
    for place in (0.15, 0.4, 0.9):
        slope = (activation(place + 1e-3) - activation(place - 1e-3)) / 2e-3
        found.append({
            "p": place, "L": DEPTH, "a_at": activation, "t_at": bump, "K_at": kernel, "a_p": activation(place),
            "a_dot": slope, "t_p": bump(place), "K_row": kernel(place),
        })  # fmt: skip
    return found


def approaches(limit: Tends) -> tuple[Check, ...]:
    """Both sides at a depth of 400."""

    def agrees(place: float) -> bool:
        values = {"a_p": activation(place, 400.0), "t_p": bump(place), "K_row": kernel(place)}
        return bool(abs(evaluate(limit.lhs - limit.rhs, values)) < 0.02)

    return (Check("three places", lambda: for_all((0.1, 0.45, 0.9), agrees), "integration"),)


def at_the_ends(claim: Claim) -> tuple[Check, ...]:
    """The new neuron at both ends at a depth of 200; the window is from 0.2 to 0.8."""

    def at(place: float) -> float:
        return activation(place, 200.0, 0.5, 0.3)

    return (
        Check("start", lambda: bool(abs(at(0.0) - claim["start"]) < 1e-9), "integration"),
        Check("end", lambda: bool(abs(at(1.0) - claim["end"]) < 1e-9), "integration"),
    )


def stays_close(claim: Claim) -> tuple[Check, ...]:
    """Differences of both paths at sizes of the new neuron that are halved twice: a quarter each time."""

    def agrees() -> bool:
        gaps = [numbers.deviation(size) for size in (0.04, 0.02, 0.01)]
        quartered = all(abs(before / after - 4) < 0.2 for before, after in pairwise(gaps))
        return quartered is (claim["near"] == "close to")

    return (Check("three sizes", agrees, "integration"),)


def values_along() -> list[dict[str, float]]:
    """The new neuron before, in and after its window from 0.2 to 0.8."""
    return [
        {"a_p": activation(place, 20.0, 0.5, 0.3), "p": place, "window": 0.2}
        for place in (0.05, 0.19, 0.21, 0.3, 0.5, 0.79, 0.95)
    ]


def _integral(place: Any, start: Any) -> sp.Eq:
    inside = t_at(q) * K_at(place) * sp.exp(L * (q - p))
    return equal(a_at(p), L * sp.Integral(inside, (q, start, p)))


def _difference(inside: Any) -> sp.Eq:
    return equal(difference, L * eps**2 * t * x * inside)


def number(formula: sp.Eq) -> float:
    """The new neuron at p = 0.15 by the printed integral."""
    return float(evaluate(solved(formula, a_at(p)), places()[0]))


def left_factor(formula: sp.Eq) -> float:
    """The number with which the difference stands on the left."""
    return 1.0 if formula.lhs == difference else float(formula.lhs.as_coeff_mmul()[0])


EQUATIONS = (
    PAPER.entry(
        "Proposition 8, new neuron",
        "A.2",
        "What the new neuron does.",
        Finding.MISPRINT,
        "The neuron integrated from zero at p = 0 with the velocity that is given for it. The entry of K under the "
        "integral belongs to q, and the path begins at p = 0.",
        printed=_integral(p, -p),
        corrected=_integral(q, 0),
        prove=numerically(places, "integration", tolerance=INTEGRATED),
        witness=Witness({"p": 0.15, "depth": 4, "K": "1 + p^2"}, lambda: activation(0.15), number, INTEGRATED),
        consequence="None: the velocity that follows is that of the corrected integral.",
    ),
    PAPER.entry(
        "Proposition 8, intended velocity",
        "A.2",
        "Its velocity.",
        Finding.CONFIRMED,
        "Differences of the corrected integral of the entry before, in the window and after it.",
        printed=equal(a_dot, L * (t * K - a_p)),
        prove=numerically(places, "differences", tolerance=1e-3),
    ),
    PAPER.entry(
        "Proposition 8, limit",
        "A.2",
        "As the depth grows the new neuron approaches t(p) K.",
        Finding.CONFIRMED,
        "At a distance of order 1/depth, by integration.",
        printed=Tends(a_p, t * K),
        prove=approaches,
    ),
    PAPER.entry(
        "Proposition 8, ends",
        "A.2",
        "",
        Finding.MISPRINT,
        "It goes to 0 at both ends, since t vanishes there. The new path is to have the same ends.",
        printed=Claim("At the ends a_0 -> {start} and a_1 -> {end}.", {"start": sp.S.Zero, "end": sp.S.One}),
        corrected=Claim("At the ends a_0 -> {start} and a_1 -> {end}.", {"start": sp.S.Zero, "end": sp.S.Zero}),
        prove=at_the_ends,
        witness=Witness(
            {"depth": 200, "p_0": 0.5, "r": 0.3, "number": "1 + a_1"},
            lambda: 1.0 + activation(1.0, 200.0, 0.5, 0.3),
            value=lambda claim: 1.0 + float(claim["end"]),
        ),
        consequence="With 1 the ends would not be the same, and the comparison of both paths would not hold.",
    ),
    PAPER.entry(
        "Proposition 8, positive",
        "A.2",
        "The new neuron is positive for all p.",
        Finding.CONDITIONAL,
        "It is zero before its window and never negative, which is what the proof needs: its activation is itself.",
        printed=sp.Gt(a_p, 0),
        condition=sp.Gt(p, window),
        prove=numerically(values_along, "integration"),
        witness=Witness(
            {"p": 0.05, "window": (0.2, 0.8), "number": "1 if positive"},
            lambda: float(activation(0.05, 20.0, 0.5, 0.3) > 0),
            value=lambda relation: 1.0,
        ),
        consequence="None: zero is as good. Without bias entries of K may vanish, too.",
    ),
    PAPER.entry(
        "Proposition 8, actual velocity",
        "A.2",
        "The velocity that the new weights give, old neurons and new one.",
        Finding.CONFIRMED,
        "Products of the blocks, with the square of t.",
        printed=sp.Tuple(
            equal(first_row, W * S - L * A - L * eps**2 * t**2 * x * K_row + L * eps**2 * t * x * grown),
            equal(second_row, eps * L * t * K_row - eps * L * grown),
        ),
        prove=numerically(lambda: list(numbers.velocities()), "matrix products"),
    ),
    PAPER.entry(
        "Proposition 8, difference",
        "A.2",
        "By how much the velocity of the old neurons is off.",
        Finding.MISPRINT,
        "The sign of the right-hand side: the two terms on its left are depth epsilon^2 t A_i (a - t K).",
        printed=_difference(t * K_row - grown),
        corrected=_difference(grown - t * K_row),
        prove=numerically(lambda: list(numbers.velocities()), "matrix products"),
        witness=Witness(
            {"t": 0.5, "epsilon": 0.3, "depth": 3, "a": (0.3, 0.1, 0.7), "number": "first entry"},
            lambda: next(numbers.velocities())["difference"][0, 0],
            value=lambda formula: float(
                (evaluate(formula.rhs, next(numbers.velocities())) / left_factor(formula))[0, 0]
            ),
        ),
        consequence="None: only its size matters, depth epsilon^2 times something of order 1/depth.",
    ),
    PAPER.entry(
        "Proposition 8, Gronwall",
        "A.2",
        "",
        Finding.CONFIRMED,
        "Both paths integrated at three sizes of the new neuron: they differ by epsilon^2 times a constant. The gain "
        "in the weights is of that order, too.",
        printed=Claim(
            "The representation path resulting from the new weights must be very {near} the path (A, epsilon a).",
            {"near": Word("close to", ("far from",))},
        ),
        prove=stays_close,
    ),
    PAPER.entry(
        "Proposition 8",
        "A.2",
        "Proposition 5 again, with the proof of the entries before.",
        Finding.OPEN,
        "See Proposition 5. The new path misses the end of the old one by something of the order of epsilon^2, as the "
        "weights gain; that correcting the end costs less than that is not shown.",
    ),
)

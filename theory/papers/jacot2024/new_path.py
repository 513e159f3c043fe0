r"""Appendix A.2, proof of Proposition 8: the path of the new neuron, and how far the new path is from the old one."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Tends, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import construction_numbers as numbers
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.symbols import N, w

p = sp.Symbol("p", positive=True)
a_at, t_at, K_at = (sp.Function(name, real=True) for name in ("a_at", "t_at", "K_at"))
x, difference = sp.MatrixSymbol("sample", w, 1), sp.MatrixSymbol("difference", w, N)
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


def number(formula: sp.Eq) -> float:
    """The new neuron at p = 0.15 by the printed integral."""
    return float(evaluate(solved(formula, a_at(p)), places()[0]))


def left_factor(formula: sp.Eq) -> float:
    """The number with which the difference stands on the left."""
    return 1.0 if formula.lhs == difference else float(formula.lhs.as_coeff_mmul()[0])


PROGRAMS: Programs = {
    "Proposition 8, new neuron": Program(
        numerically(places, "integration", tolerance=INTEGRATED), lambda: activation(0.15), number, INTEGRATED
    ),
    "Proposition 8, intended velocity": numerically(places, "differences", tolerance=1e-3),
    "Proposition 8, limit": approaches,
    "Proposition 8, ends": Program(
        at_the_ends, lambda: 1.0 + activation(1.0, 200.0, 0.5, 0.3), value=lambda claim: 1.0 + float(claim["end"])
    ),
    "Proposition 8, positive": Program(
        numerically(values_along, "integration"),
        lambda: float(activation(0.05, 20.0, 0.5, 0.3) > 0),
        value=lambda relation: 1.0,
    ),
    "Proposition 8, actual velocity": numerically(lambda: list(numbers.velocities()), "matrix products"),
    "Proposition 8, difference": Program(
        numerically(lambda: list(numbers.velocities()), "matrix products"),
        lambda: next(numbers.velocities())["difference"][0, 0],
        value=lambda formula: float((evaluate(formula.rhs, next(numbers.velocities())) / left_factor(formula))[0, 0]),
    ),
    "Proposition 8, Gronwall": stays_close,
}

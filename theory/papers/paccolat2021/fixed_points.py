r"""Section 3.2.1: fixed points of a neuron and their stability."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.compression import Stripes, attractors, neuron_flow
from theory.compression.fixed_points import Attractor
from theory.core import Check, Claim, for_all
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import allowed, chosen, unconditional
from theory.core.numbers.evaluation import evaluate
from theory.papers.paccolat2021.neuron_paths import STRIPE, path_from
from theory.papers.paccolat2021.notation import letters

zeta, velocity = letters("zeta velocity")
MANY = (Stripes((-1.2, -0.3, 0.5, 1.4)), Stripes((-0.6, -0.1, 0.1, 0.7)), Stripes((-0.8, 0.2)), STRIPE)
"""Between them they have fixed points of every kind of stability."""
SMALL = 1e-6  # perpendicular weights and displacements beside a fixed point


@cache
def fixed_points() -> list[tuple[Stripes, int, Attractor]]:
    """Fixed points within three standard deviations, with their labels, in two and five dimensions."""
    found = [(labels, d, point) for labels in MANY for d in (2, 5) for point in attractors(labels, d)]
    return [(labels, d, point) for labels, d, point in found if abs(point.position) < 3]


def state_at(d: int, point: Attractor, ahead: float = 0.0, across: float = 0.0) -> np.ndarray:
    """A growing neuron at a fixed point or beside it, ``[omega_1 ... omega_d b beta]``."""
    state = np.zeros(d + 2)
    state[0], state[1] = point.side, across
    state[-2] = -point.side * (point.position + ahead) / math.sqrt(d)
    state[-1] = math.copysign(math.sqrt(1 + point.position**2 / d), point.side * point.c_parallel)
    return state


def intercept_rate(labels: Stripes, d: int, point: Attractor, ahead: float) -> float:
    """Velocity of the intercept beside a fixed point, from the averaged flow."""
    state = state_at(d, point, ahead)
    rates = neuron_flow(labels, d).rates(state)
    return float(-math.sqrt(d) * (rates[-2] / state[0] - state[-2] * rates[0] / state[0] ** 2))


def along(labels: Stripes, d: int, point: Attractor) -> dict[str, Any]:
    """Intercept at a fixed point, its second time derivative, and its velocity nearby."""
    rest = intercept_rate(labels, d, point, 0.0)
    slope = (intercept_rate(labels, d, point, SMALL) - intercept_rate(labels, d, point, -SMALL)) / (2 * SMALL)
    acceleration = slope * rest if abs(slope * rest) > 1e-10 else 0.0  # what rounding leaves is zero
    place = point.position
    return {"zeta": place, "zeta_ddot": acceleration, "velocity": lambda at: rest + slope * (at - place)}


def returns(labels: Stripes, d: int, point: Attractor) -> bool:
    """Whether a neuron whose intercept is displaced comes closer again; integrated."""
    path = neuron_flow(labels, d).integrate(state_at(d, point, ahead=1e-4), [0.0, 1.0])
    gaps = [abs(-math.sqrt(d) * state[-2] / state[0] - point.position) for state in path]
    return bool(gaps[1] < gaps[0])


def decides_stability(condition: Any) -> tuple[Check, ...]:
    """The printed condition holds at exactly those fixed points to which a displaced neuron returns."""

    def agrees(case: tuple[Stripes, int, Attractor]) -> bool:
        return bool(evaluate(condition, along(*case))) is returns(*case)

    return (Check("fixed points of four sets of stripes", lambda: for_all(fixed_points(), agrees), "integrated flow"),)


def at_the_first() -> dict[str, Any]:
    """The same at the first attractor of the paper's stripe, d = 5, in closed form."""
    point = attractors(STRIPE, 5)[0]
    slope, place = -math.sqrt(1 + point.position**2 / 5) * point.slope, point.position
    return {"zeta": place, "zeta_ddot": 0.0, "velocity": lambda at: slope * (at - place)}


def relaxation() -> float:
    """Rate at which the intercept returns to an attractor of the paper's stripe, per tau; integrated."""
    point = attractors(STRIPE, 5)[0]
    path = path_from(point, 0.0, 0.2, ahead=1e-5)
    gap = -math.sqrt(5) * path[:, -2] / path[:, 0] - point.position
    return math.log(gap[1] / gap[0]) / 0.2


def diverges(labels: Stripes, d: int, point: Attractor) -> bool:
    """Whether the amplification factor grows at a fixed point, from the averaged flow."""
    state = state_at(d, point, across=SMALL)
    rates = neuron_flow(labels, d).rates(state)
    return bool(rates[0] / state[0] > rates[1] / state[1])


def decides_divergence(condition: Any) -> tuple[Check, ...]:
    """The printed condition holds at exactly those fixed points at which the amplification factor grows."""

    def agrees(case: tuple[Stripes, int, Attractor]) -> bool:
        labels, _, point = case
        values = {"lam": point.side, "C_1": point.c_parallel, "label": labels, "z_star": point.position}
        return bool(evaluate(condition, values)) is diverges(*case)

    return (Check("fixed points of four sets of stripes", lambda: for_all(fixed_points(), agrees), "averaged flow"),)


def always_diverge(claim: Claim) -> tuple[Check, ...]:
    """Every fixed point that is stable along the axis; and the proof, for all labels of this kind and all d.

    With q = side sign(C_1) y rho(z), stable along the axis says |C_1| > q (d + z^2), across it |C_1| > q.
    """
    stable = [case for case in fixed_points() if case[2].stable]
    hold = for_all(stable, lambda case: diverges(*case))
    size, q, extra = sp.Symbol("c", positive=True), sp.Symbol("q", real=True), sp.Symbol("n", nonnegative=True)
    # d + z^2 = 1 + n. For q <= 0 the second inequality needs nothing; for q > 0 the first is the stronger one.
    margin = sp.simplify((size - q) - (size - q * (1 + extra)))
    return (
        Check("stable fixed points", lambda: hold is (claim["hold"] == "indeed hold"), "averaged flow"),
        Check(
            "in general", lambda: bool(margin == q * extra) is (claim["hold"] == "indeed hold"), "d + z^2 is at least 1"
        ),
    )


def places(d: int) -> list[float]:
    """Attractors of the paper's stripe."""
    return [point.position for point in attractors(STRIPE, d) if point.stable]


def counts(claim: Claim) -> tuple[Check, ...]:
    """The number of attractors of the paper's stripe in two dimensions."""
    return (
        Check(
            "number",
            lambda: len(places(2)) == chosen(claim, "count", {"two": 2, "three": 3, "four": 4}),
            "all zeros of Eq. (6)",
        ),
    )


def is_equivalent(statement: Claim | Given) -> tuple[Check, ...]:
    """Whether neurons, those that the condition allows, have a vector on the axis where they have no weight across."""
    neurons = ((1.0, 0.0, 0.4), (1.0, 0.3, 0.4), (-0.5, 0.8, -1.0), (1.0, 0.3, 0.0))  # omega_1, omega_perp, b
    cases = allowed(statement, ({"across": omega, "b": bias, "z_perp": -bias * omega} for _, omega, bias in neurons))
    same = all((case["z_perp"] == 0) is (case["across"] == 0) for case in cases)
    relation = chosen(unconditional(statement), "relation", {"equivalent to": True, "weaker than": False})
    return (Check("neurons", lambda: relation is same, "the neuron vector of Section 2.4"),)


PROGRAMS: Programs = {
    "3.2.1 equivalence": Program(
        is_equivalent,
        lambda: 0.3,
        value=lambda claim: chosen(claim, "relation", {"equivalent to": 0.0, "weaker than": 0.3}),
    ),
    "3.2.1 stable along": Program(
        decides_stability,
        relaxation,
        value=lambda condition: evaluate(condition.lhs, at_the_first()),
        tolerance=1e-3,
    ),
    "3.2.1 stable across": decides_divergence,
    "3.2.1 checked numerically": always_diverge,
    "Figure 3": counts,
}

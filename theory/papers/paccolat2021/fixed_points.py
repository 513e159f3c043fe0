r"""Section 3.2.1 and Appendix C.2: fixed points of a neuron, their stability, growth on them; Eqs. (14) and (15)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from theory.compression import Stripes, attractors, neuron_flow
from theory.compression.fixed_points import Attractor
from theory.core import Check, Scales, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.ledger.proving import stating
from theory.core.numbers.evaluation import evaluate
from theory.papers.paccolat2021.notation import concludes, letters
from theory.papers.paccolat2021.regimes import STRIPE, path_from

omega_1, omega_perp_dot, t, tau_perp_star = letters("omega_1 omega_perp_dot t tau_perp_star")
MANY = (Stripes((-1.2, -0.3, 0.5, 1.4)), Stripes((-0.6, -0.1, 0.1, 0.7)), Stripes((-0.8, 0.2)), STRIPE)
"""Between them they have fixed points of every kind of stability."""
SMALL = 1e-6  # perpendicular weights and displacements next to a fixed point
FEW = 1e-6  # relative error of a growth rate there
TAU = 1.7


class Place(NamedTuple):
    """A fixed point of a set of stripes in ``d`` dimensions."""

    labels: Stripes
    d: int
    point: Attractor

    def state(self, ahead: float = 0.0, across: float = 0.0) -> np.ndarray:
        """A growing neuron there or next to it, ``[omega_1 ... omega_d b beta]``."""
        return state_at(self.d, self.point, ahead, across)

    def rates(self, state: np.ndarray) -> np.ndarray:
        """Its velocities in the averaged flow, per tau."""
        return np.asarray(neuron_flow(self.labels, self.d).rates(state))

    def velocity(self, ahead: float) -> float:
        """Velocity of the intercept next to the fixed point."""
        state = self.state(ahead)
        rates = self.rates(state)
        return float(-math.sqrt(self.d) * (rates[-2] / state[0] - state[-2] * rates[0] / state[0] ** 2))

    def nearby(self) -> dict[str, Any]:
        """The intercept, its second time derivative, and its velocity, which is linear nearby."""
        rest, place = self.velocity(0.0), self.point.position
        slope = (self.velocity(SMALL) - self.velocity(-SMALL)) / (2 * SMALL)
        acceleration = slope * rest if abs(slope * rest) > 1e-10 else 0.0  # what rounding leaves is zero
        return {"zeta": place, "zeta_ddot": acceleration, "velocity": lambda at: rest + slope * (at - place)}

    def returns(self) -> bool:
        """Whether a neuron whose intercept is displaced comes closer again; integrated."""
        path = neuron_flow(self.labels, self.d).integrate(self.state(ahead=1e-4), [0.0, 1.0])
        gaps = [abs(-math.sqrt(self.d) * state[-2] / state[0] - self.point.position) for state in path]
        return bool(gaps[1] < gaps[0])

    def letters(self) -> dict[str, Any]:
        """Letters of a neuron with small perpendicular weights there, and how fast it grows."""
        state = 0.8 * self.state(across=SMALL)
        rates = self.rates(state) / TAU
        growth, growth_across = rates[:2] / state[:2]
        return {
            "d": self.d,
            "tau": TAU,
            "lam": self.point.side,
            "C_1": self.point.c_parallel,
            "label": self.labels,
            "omega_1": state[0],
            "omega_perp": state[1],
            "z_star": self.point.position,
            "omega_perp_dot": rates[1],
            "tau_star": 1 / growth,
            "tau_perp_star": 1 / growth_across,
            "diverges": bool(growth > growth_across),
        }


def state_at(d: int, point: Attractor, ahead: float = 0.0, across: float = 0.0) -> np.ndarray:
    """A growing neuron at a fixed point or next to it, ``[omega_1 ... omega_d b beta]``."""
    state = np.zeros(d + 2)
    state[0], state[1] = point.side, across
    state[-2] = -point.side * (point.position + ahead) / math.sqrt(d)
    state[-1] = math.copysign(math.sqrt(1 + point.position**2 / d), point.side * point.c_parallel)
    return state


@cache
def places() -> list[Place]:
    """Fixed points within three standard deviations in two and five dimensions; the last three are those of STRIPE."""
    found = [Place(labels, d, point) for labels in MANY for d in (2, 5) for point in attractors(labels, d)]
    return [place for place in found if abs(place.point.position) < 3]


@cache
def neurons() -> list[dict[str, Any]]:
    """The neurons next to all of them."""
    return [place.letters() for place in places()]


def on_the_stripe() -> list[dict[str, Any]]:
    """Those at the attractors of the paper's stripe in five dimensions."""
    return neurons()[-3:]


def outwards() -> list[dict[str, Any]]:
    """Those whose perpendicular weights grow."""
    return [case for case in neurons() if case["omega_perp_dot"] > 0]


def decides(
    fact: Callable[[Any], bool], cases: Callable[[], list[Any]], values: Callable[[Any], dict[str, Any]]
) -> Callable[[Any], tuple[Check, ...]]:
    """Return a ``prove`` by which a condition holds in exactly those cases in which something is a fact."""

    def prove(condition: Any) -> tuple[Check, ...]:
        def agrees(case: Any) -> bool:
            return bool(evaluate(condition, values(case))) is fact(case)

        return (Check("fixed points of four sets of stripes", lambda: for_all(cases(), agrees), "averaged flow"),)

    return prove


diverges = partial(decides, lambda case: case["diverges"], values=dict)


def grown() -> Iterator[dict[str, Any]]:
    """Neurons on the attractors of the stripe after they have outgrown their constant of motion."""
    for point in attractors(STRIPE, 5):
        start = state_at(5, point) * np.array([1, 1, 1, 1, 1, 1, 1.5])
        state = neuron_flow(STRIPE, 5).integrate(start, [0.0, 20 * point.growth_time])[-1]
        weights = {"omega_1": state[0], "beta": state[-1], "b": state[-2]}
        yield {**weights, "d": 5, "C_1": point.c_parallel, "z_star": point.position}


def grows_exponentially(scaling: Scales) -> tuple[Check, ...]:
    """The relative growth rate of omega_1 at each fixed point, from what is printed and from the flow."""
    ratio = sp.expand_log(sp.log(scaling.lhs**2 / scaling.rhs**2), force=True)
    rate = -sp.diff(ratio, t) / sp.diff(ratio, omega_1) / omega_1

    def agrees(case: dict[str, Any]) -> bool:
        return bool(abs(evaluate(rate, case) * case["tau_star"] - 1) < FEW)

    return (Check("rates", lambda: for_all(neurons(), agrees), "averaged flow"),)


def fate(sign: sp.Integer) -> str:
    """What becomes of the perpendicular weights at the fixed points with this sign."""
    signs = [np.sign(case["C_1"] * case["omega_1"] * case["label"](case["z_star"])) for case in neurons()]
    falls = {bool(c["omega_perp_dot"] < 0) for c, at in zip(neurons(), signs, strict=True) if at == float(sign)}
    return "vanish" if falls == {True} else "diverge" if falls == {False} else "either"


def relaxation() -> float:
    """Rate at which the intercept returns to an attractor of the paper's stripe, per tau; integrated."""
    point = attractors(STRIPE, 5)[0]
    path = path_from(point, 0.0, 0.2, ahead=1e-5)
    gap = -math.sqrt(5) * path[:, -2] / path[:, 0] - point.position
    return math.log(gap[1] / gap[0]) / 0.2


def slope_at_the_first(condition: Any) -> float:
    """The left-hand side at that attractor, whose velocity has a slope in closed form."""
    point = attractors(STRIPE, 5)[0]
    slope, place = -math.sqrt(1 + point.position**2 / 5) * point.slope, point.position
    nearby = {"zeta": place, "zeta_ddot": 0.0, "velocity": lambda at: slope * (at - place)}
    return float(evaluate(condition.lhs, nearby))


def conditions_hold() -> str:
    """Whether every fixed point that is stable along the axis is so across; and the proof, for all labels and all d.

    With q = side sign(C_1) y rho(z), stable along the axis says |C_1| > q (d + z^2), across it |C_1| > q.
    """
    shown = all(case["diverges"] for case, place in zip(neurons(), places(), strict=True) if place.point.stable)
    size, q, extra = sp.Symbol("c", positive=True), sp.Symbol("q", real=True), sp.Symbol("n", nonnegative=True)
    # d + z^2 = 1 + n. For q <= 0 the second inequality needs nothing; for q > 0 the first is the stronger one.
    margin = sp.simplify((size - q) - (size - q * (1 + extra)))
    return "indeed hold" if shown and margin == q * extra else "fail"


def relation_on_the_axis() -> str:
    """Of a neuron vector on the axis, -sqrt(d) b omega/omega^2, and no weight across, for neurons with a bias."""
    cases = [(-bias * across, across) for across, bias in ((0.0, 0.4), (0.3, 0.4), (0.8, -1.0))]
    return "equivalent to" if all((z == 0) is (across == 0) for z, across in cases) else "weaker than"


def number_of_attractors() -> str:
    """Of the paper's stripe in two dimensions."""
    return {2: "two", 3: "three", 4: "four"}[sum(point.stable for point in attractors(STRIPE, 2))]


def at_the_points(cases: Callable[[], list[dict[str, Any]]], letter: sp.Symbol) -> Program:
    """The program of a printed rate at fixed points: its values there, and those of the averaged flow."""
    return Program(
        numerically(neurons if letter == omega_perp_dot else outwards, "averaged flow", tolerance=1e-5),
        lambda: [case[str(letter)] for case in cases()],
        value=lambda law: [evaluate(solved(law, letter), case) for case in cases()],
        tolerance=1e-5,
    )


PROGRAMS: Programs = {
    "3.2.1 equivalence": stating({"relation": relation_on_the_axis}, "the neuron vector of Section 2.4"),
    "3.2.1 stable along": Program(
        decides(Place.returns, places, Place.nearby), relaxation, value=slope_at_the_first, tolerance=1e-3
    ),
    "3.2.1 stable across": diverges(cases=neurons),
    "3.2.1 checked numerically": stating({"hold": conditions_hold}, "averaged flow; d + z^2 is at least 1"),
    "Figure 3": stating({"count": number_of_attractors}, "all zeros of Eq. (6)"),
    "C.2 bias": numerically(grown, "integrated flow", tolerance=FEW),
    "C.2 beta": numerically(grown, "integrated flow", tolerance=FEW),
    "(14) growth": grows_exponentially,
    "(14)": numerically(neurons, "averaged flow", tolerance=FEW),
    "(15)": at_the_points(on_the_stripe, omega_perp_dot),
    **dict.fromkeys(("C.2 sign -1", "C.2 sign +1"), concludes("fate", fate, "averaged flow")),
    "C.2 tau_perp": at_the_points(lambda: outwards()[:2], tau_perp_star),
    "C.2 divergence": diverges(cases=outwards),
}

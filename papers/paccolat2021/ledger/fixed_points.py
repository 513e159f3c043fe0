r"""Section 3.2.1 and Appendix C.2: fixed points of a neuron, their stability, growth on them; Eqs. (14) and (15)."""

import math
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from papers.paccolat2021.ledger.notation import STRIPE, Array, letters, path_from, state_at
from theory.compression import Stripes, attractors, neuron_flow
from theory.compression.attractor import Attractor
from theory.core import (
    Program,
    Programs,
    Scales,
    deciding,
    evaluate,
    in_words,
    numerically,
    solved,
    stating,
)
from theory.core.ledger.equation import Prover
from theory.core.ledger.proving import declaring

omega_1, omega_perp_dot, t = letters("omega_1 omega_perp_dot t")
MANY = (
    STRIPE,
    Stripes((-1.2, -0.3, 0.5, 1.4)),
    Stripes((-0.6, -0.1, 0.1, 0.7)),
    Stripes((-0.8, 0.2)),
)
"""Between them they have fixed points of every kind of stability."""
SMALL = 1e-6  # perpendicular weights and displacements next to a fixed point
FEW = 1e-6  # relative error of a growth rate there
TAU = 1.7


class Place(NamedTuple):
    """A fixed point of a set of stripes in ``d`` dimensions."""

    labels: Stripes
    d: int
    point: Attractor

    def state(self, ahead: float = 0.0, across: float = 0.0) -> Array:
        """A growing neuron there or next to it, ``[omega_1 ... omega_d b beta]``."""
        return state_at(self.d, self.point, ahead, across)

    def rates(self, state: Array) -> Array:
        """Its velocities in the averaged flow, per tau."""
        return np.asarray(neuron_flow(self.labels, self.d).rates(state))

    def velocity(self, ahead: float) -> float:
        """Velocity of the intercept next to the fixed point."""
        state = self.state(ahead)
        rates = self.rates(state)
        return float(
            -math.sqrt(self.d) * (rates[-2] / state[0] - state[-2] * rates[0] / state[0] ** 2)
        )

    def nearby(self) -> dict[str, Any]:
        """The intercept, its second time derivative, and its velocity, which is linear nearby."""
        rest, position = self.velocity(0.0), self.point.position
        slope = (self.velocity(SMALL) - self.velocity(-SMALL)) / (2 * SMALL)
        # what rounding leaves is zero
        acceleration = slope * rest if abs(slope * rest) > 1e-10 else 0.0
        return {
            "zeta": position,
            "zeta_ddot": acceleration,
            "velocity": lambda at: rest + slope * (at - position),
        }

    def returns(self) -> bool:
        """Whether a neuron whose intercept is displaced comes closer again; integrated."""
        path = neuron_flow(self.labels, self.d).integrate(self.state(ahead=1e-4), [0.0, 1.0])
        gaps = [
            abs(-math.sqrt(self.d) * state[-2] / state[0] - self.point.position) for state in path
        ]
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


@cache
def places() -> list[Place]:
    """Fixed points within three standard deviations in two and five dimensions; first those of STRIPE."""
    within = []
    for labels, d in product(MANY, (2, 5)):
        within += [
            Place(labels, d, point) for point in attractors(labels, d) if abs(point.position) < 3
        ]
    return within


@cache
def neurons() -> list[dict[str, Any]]:
    """Growth rates in the averaged flow, at the fixed points of four sets of stripes in two and five dimensions."""
    return [neuron.letters() for neuron in places()]


def outwards() -> list[dict[str, Any]]:
    """Growth rates in the averaged flow, at the fixed points where perpendicular weights grow."""
    return [case for case in neurons() if case["omega_perp_dot"] > 0]


@cache
def displaced() -> list[dict[str, Any]]:
    """Neurons with an intercept next to that of each fixed point, and whether it returns."""
    return [{**neuron.nearby(), "returns": neuron.returns()} for neuron in places()]


def exactly_where(fact: str, cases: Callable[[], list[dict[str, Any]]]) -> Prover:
    """Return a ``prove`` by which a condition holds in exactly those cases in which something is a fact."""
    holds = deciding(
        lambda one, case: bool(evaluate(one, case)) is case[fact], in_words("", cases), cases
    )
    return declaring(holds, "< or >")


def grown() -> Iterator[dict[str, Any]]:
    """Neurons on the attractors of the stripe, integrated until they have outgrown their constant of motion."""
    for point in attractors(STRIPE, 5):
        start = state_at(5, point) * np.array([1, 1, 1, 1, 1, 1, 1.5])
        state = neuron_flow(STRIPE, 5).integrate(start, [0.0, 20 * point.growth_time])[-1]
        weights = {"omega_1": state[0], "beta": state[-1], "b": state[-2]}
        yield {**weights, "d": 5, "C_1": point.c_parallel, "z_star": point.position}


def grows_exponentially(scaling: Scales, case: dict[str, Any]) -> bool:
    """The relative growth rate of omega_1 that is printed."""
    ratio = sp.expand_log(sp.log(scaling.lhs**2 / scaling.rhs**2), force=True)
    rate = -sp.diff(ratio, t) / sp.diff(ratio, omega_1) / omega_1
    return bool(abs(evaluate(rate, case) * case["tau_star"] - 1) < FEW)


def fate(sign: sp.Integer) -> str:
    """Growth rates across the axis in the averaged flow, at the fixed points of four sets of stripes with this sign."""
    signs = [
        np.sign(case["C_1"] * case["omega_1"] * case["label"](case["z_star"]))
        for case in neurons()
    ]
    falls = {
        bool(c["omega_perp_dot"] < 0)
        for c, at in zip(neurons(), signs, strict=True)
        if at == float(sign)
    }
    return "vanish" if falls == {True} else "diverge" if falls == {False} else "either"


def relaxation(attractor: int, time: float) -> float:
    """Rate at which the intercept returns to an attractor of the paper's stripe, per tau; integrated, d = 5."""
    point, path = attractors(STRIPE, 5)[attractor], path_from(attractor, 0.0, time, ahead=1e-5)
    gap = -math.sqrt(5) * path[:, -2] / path[:, 0] - point.position
    return math.log(gap[1] / gap[0]) / time


def slope_at_an_attractor(condition: Any, attractor: int) -> float:
    """The left-hand side at that attractor, whose velocity has a slope in closed form."""
    point = attractors(STRIPE, 5)[attractor]
    slope, position = -math.sqrt(1 + point.position**2 / 5) * point.slope, point.position
    return float(
        evaluate(
            condition.lhs,
            {"zeta": position, "zeta_ddot": 0.0, "velocity": lambda at: slope * (at - position)},
        )
    )


def conditions_hold() -> str:
    """Whether every fixed point that is stable along the axis is so across; and the proof, for all labels and all d.

    With q = side sign(C_1) y rho(z), stable along the axis says |C_1| > q (d + z^2), across it |C_1| > q.
    """
    shown = all(
        case["diverges"]
        for case, neuron in zip(neurons(), places(), strict=True)
        if neuron.point.stable
    )
    size, q, extra = (
        sp.Symbol("c", positive=True),
        sp.Symbol("q", real=True),
        sp.Symbol("n", nonnegative=True),
    )
    # d + z^2 = 1 + n. For q <= 0 the second inequality needs nothing; for q > 0 the first is the stronger one.
    margin = sp.simplify((size - q) - (size - q * (1 + extra)))
    return "indeed hold" if shown and margin == q * extra else "fail"


def relation_on_the_axis() -> str:
    """Neuron vectors on and off the axis, of neurons with a bias; without one the neuron vector is zero."""
    cases = [(-bias * across, across) for across, bias in ((0.0, 0.4), (0.3, 0.4), (0.8, -1.0))]
    return (
        "equivalent to" if all((z == 0) is (across == 0) for z, across in cases) else "weaker than"
    )


PROGRAMS: Programs = {
    "3.2.1 equivalence": stating(relation=relation_on_the_axis),
    "3.2.1 stable along": Program(
        exactly_where("returns", displaced),
        relaxation,
        value=slope_at_an_attractor,
        tolerance=1e-3,
        at={"attractor": 0, "time": 0.2},
        quantity="rate at which the intercept returns, per tau; the paper's stripe, d = 5",
    ),
    "3.2.1 stable across": exactly_where("diverges", neurons),
    "3.2.1 checked numerically": stating(hold=conditions_hold),
    "Figure 3": stating(
        "all zeros of the bracket of Eq. (6) for the stripe in two dimensions, on both sides",
        count=lambda: {2: "two", 3: "three", 4: "four"}[
            sum(point.stable for point in attractors(STRIPE, 2))
        ],
    ),
    "C.2 bias | C.2 beta": numerically(grown, tolerance=FEW),
    "(14) growth": declaring(deciding(grows_exponentially, cases=neurons), "~"),
    "(14)": numerically(neurons, tolerance=FEW),
    "(15)": Program(
        numerically(neurons, tolerance=1e-5),
        lambda case: case["omega_perp_dot"],
        value=lambda velocity, case: evaluate(solved(velocity, omega_perp_dot), case),
        tolerance=1e-5,
        # where C_1 and omega_1 are negative, so that each of their signs is read
        at=lambda: next(case for case in neurons() if case["C_1"] < 0 < case["omega_perp_dot"]),
    ),
    "C.2 sign -1 | C.2 sign +1": stating(fate=fate),
    "C.2 tau_perp": numerically(outwards, tolerance=1e-5),
    "C.2 divergence": exactly_where("diverges", outwards),
}

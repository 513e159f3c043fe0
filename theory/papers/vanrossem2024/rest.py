"""Where the two-point system rests, in numbers: long flows of explicit matrices, and roots and slopes of Eq. (21)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024 import printed_system
from theory.papers.vanrossem2024.explicit_matrices import TwoPoints, Weights, scalar_weights, unrotated_weights
from theory.papers.vanrossem2024.letters import A_HIGH, A_LOW, ORBIT

Case = Mapping[str, Any]
SETTLED = 1e-6  # relative; what a flow of finite time leaves
ZERO = 1e-6  # a root below this is zero: double roots are found to the root of rounding
NEAR = 1e-7  # distance from dh2 = 0 at which the linear order of the flow is read off

# dh2(0), dy2(0), time constants, squared distances of data; A_high of either sign, and one with identical targets.
SETTINGS: tuple[dict[str, float], ...] = (
    {"dh2_0": 1.3, "dy2_0": 0.4, "tau_h": 1.7, "tau_y": 0.6, "dx2": 0.7, "target2": 1.9},
    {"dh2_0": 0.5, "dy2_0": 1.1, "tau_h": 0.8, "tau_y": 1.4, "dx2": 1.6, "target2": 0.3},
    {"dh2_0": 0.4, "dy2_0": 0.3, "tau_h": 2.1, "tau_y": 0.9, "dx2": 1.2, "target2": 1.5},
)
SAME_TARGETS = (
    {"dh2_0": 1.3, "dy2_0": 0.4, "tau_h": 1.7, "tau_y": 0.6, "dx2": 0.7, "target2": 0.0},
    {"dh2_0": 0.5, "dy2_0": 1.1, "tau_h": 0.8, "tau_y": 1.4, "dx2": 1.6, "target2": 0.0},
)


def with_letters(case: Case) -> dict[str, Any]:
    """A case with A_high and A_low of Eqs. (11) and (28)."""
    return {**case, "A_high": evaluate(A_HIGH, case), "A_low": evaluate(A_LOW, case)}


def reduced_rates(case: Case, dh2: float, w: float) -> np.ndarray:
    """Velocities of dh2 and w by Eq. (21) on the orbit of Eq. (24)."""
    state = (dh2, float(evaluate(ORBIT, {**case, "dh2": dh2})), w)
    constants = {name: case[name] for name in ("tau_h", "tau_y", "dx2", "target2")}
    rates = printed_system.rates_at(state, **constants)
    return np.array([rates[0], rates[2]])


def roots(case: Case) -> np.ndarray:
    """Where the velocity of w vanishes at w = 0: three values of dh2, in order; a cubic through four points."""
    points = np.array([0.3, 0.7, 1.3, 2.1])
    cubic = np.polyfit(points, [reduced_rates(case, point, 0.0)[1] for point in points], 3)
    return np.sort(np.roots(cubic).real)


def jacobian(case: Case, dh2: float, w: float) -> np.ndarray:
    """Slopes of the velocities of (dh2, w) at a state, by central differences."""
    step = 1e-4 * dh2
    columns = [
        (reduced_rates(case, dh2 + step * a, w + step * b) - reduced_rates(case, dh2 - step * a, w - step * b))
        / (2 * step)
        for a, b in ((1, 0), (0, 1))
    ]
    return np.array(columns).T


def rays(case: Case) -> list[tuple[float, float]]:
    """Directions w/dh2 that the flow keeps near dh2 = 0, and the rate of dh2 along each; the larger rate first."""

    def turning(slope: float) -> float:
        rates = reduced_rates(case, NEAR, slope * NEAR) / NEAR
        return float(rates[1] - slope * rates[0])

    points = np.array([-1.0, 0.3, 1.7])
    slopes = np.roots(np.polyfit(points, [turning(point) for point in points], 2)).real
    found = [(float(s), float(reduced_rates(case, NEAR, s * NEAR)[0] / NEAR)) for s in slopes]
    return sorted(found, key=lambda pair: -pair[1])


def settings(same_targets: bool = False) -> Iterator[dict[str, Any]]:
    """The settings with their letters."""
    for case in (*SETTINGS, *(SAME_TARGETS if same_targets else ())):
        yield with_letters(case)


def flow_to_rest(problem: TwoPoints, weights: Weights, taus: tuple[float, float], time: float) -> dict[str, Any]:
    """Start and end of a long flow of explicit matrices, in the letters of the paper; ``taus`` of Eq. (21)."""
    start = problem.state(weights)
    end = problem.state(problem.flow(weights, (1.0, taus[0] / 2, taus[1] / 2), [time])[-1])
    case = {"dh2_0": float(start[0]), "dy2_0": float(start[1]), "tau_h": taus[0], "tau_y": taus[1],
            "dx2": problem.dx2, "target2": problem.target2}  # fmt: skip
    return {**with_letters(case), "dh2_inf": float(end[0]), "dh2": float(end[0])}


@cache
def ends() -> tuple[Case, ...]:
    """Ends of long flows of explicit matrices with three outputs; A_high of either sign."""
    return tuple(flow_to_rest(*unrotated_weights(seed), (1.4, 0.8), 40.0) for seed in (0, 1, 7))


@cache
def merging() -> Case:
    """The end of the flow of two numbers of opposite effect, 1 and -1: it runs into the saddle dh2 = 0."""
    return flow_to_rest(*scalar_weights(1.0, -1.0, 1.0, 1.0), (1.0, 1.0), 20.0)

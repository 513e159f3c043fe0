"""Where the two-point system rests, in numbers: flows of explicit matrices, and roots and slopes of Eq. (21)."""

import math
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from papers.vanrossem2024.ledger.explicit_matrices import (
    TwoPoints,
    Weights,
    scalar_weights,
    unrotated_weights,
)
from papers.vanrossem2024.ledger.flows import CONSTANTS, in_squares, printed, rates_at
from theory.core import evaluate

Case = Mapping[str, Any]
TAUS_OF_EQ_6 = (1.0, 0.5, 0.5)
"""Time constants that are one in Eq. (7)."""
SETTLED = 1e-6  # relative; what a flow of finite time leaves
ZERO = 1e-6  # a root below this is zero: double roots are found to the root of rounding
NEAR = 1e-7  # distance from dh2 = 0 at which the linear order of the flow is read off

# dh2(0), dy2(0), time constants, squared distances of data; A_high of either sign.
SETTINGS: tuple[dict[str, float], ...] = (
    {"dh2_0": 1.3, "dy2_0": 0.4, "tau_h": 1.7, "tau_y": 0.6, "dx2": 0.7, "target2": 1.9},
    {"dh2_0": 0.5, "dy2_0": 1.1, "tau_h": 0.8, "tau_y": 1.4, "dx2": 1.6, "target2": 0.3},
    {"dh2_0": 0.4, "dy2_0": 0.3, "tau_h": 2.1, "tau_y": 0.9, "dx2": 1.2, "target2": 1.5},
)


def with_letters(case: Case) -> dict[str, Any]:
    """A case with A_high and A_low of Eqs. (11) and (28)."""
    return {
        **case,
        **{str(line.lhs): evaluate(in_squares(line.rhs), case) for line in printed("(28)")},
    }


def settings(same_targets: bool = False) -> list[dict[str, Any]]:
    """The settings with their letters; with ``same_targets`` also identical targets, A_high of either sign and zero."""
    same = [
        {**case, "target2": 0.0}
        for case in (*SETTINGS[:2], dict.fromkeys(SETTINGS[0], 1.0))
        if same_targets
    ]
    return [with_letters(case) for case in (*SETTINGS, *same)]


def rates_on_orbit(case: Case, dh2: float, w: float) -> np.ndarray:
    """Velocities of dh2, dy2 and w by Eq. (7) on the orbit of Eq. (24)."""
    dy2 = float(evaluate(in_squares(printed("(24)").rhs), {**case, "dh2": dh2}))
    return np.array(rates_at((dh2, dy2, w), **{name: case[name] for name in CONSTANTS}))


def reduced_rates(case: Case, dh2: float, w: float) -> np.ndarray:
    """Velocities of dh2 and w on the orbit."""
    return rates_on_orbit(case, dh2, w)[[0, 2]]


def roots(case: Case) -> np.ndarray:
    """Where the velocity of w vanishes at w = 0: three values of dh2, in order; a cubic through four points."""
    points = np.array([0.3, 0.7, 1.3, 2.1])
    return np.sort(
        np.roots(
            np.polyfit(points, [reduced_rates(case, point, 0.0)[1] for point in points], 3)
        ).real
    )


def jacobian(case: Case, dh2: float, w: float) -> np.ndarray:
    """Slopes of the velocities of (dh2, w) at a state, by central differences."""
    step = 1e-4 * dh2
    columns = [
        reduced_rates(case, dh2 + step * a, w + step * b)
        - reduced_rates(case, dh2 - step * a, w - step * b)
        for a, b in ((1, 0), (0, 1))
    ]
    return np.array(columns).T / (2 * step)


def rays(case: Case) -> list[tuple[float, float]]:
    """Directions w/dh2 that the flow keeps near dh2 = 0, and the rate of dh2 along each; the larger rate first."""

    def turning(slope: float) -> float:
        rates = reduced_rates(case, NEAR, slope * NEAR) / NEAR
        return float(rates[1] - slope * rates[0])

    points = np.array([-1.0, 0.3, 1.7])
    slopes = np.roots(np.polyfit(points, [turning(point) for point in points], 2)).real
    growth = [(float(s), float(reduced_rates(case, NEAR, s * NEAR)[0] / NEAR)) for s in slopes]
    return sorted(growth, key=lambda pair: -pair[1])


def flow_to_rest(
    problem: TwoPoints, weights: Weights, taus: tuple[float, float], time: float
) -> dict[str, Any]:
    """Start and end of a long flow of explicit matrices, in the letters of the paper; ``taus`` of Eq. (21)."""
    start = problem.state(weights)
    end = float(
        problem.state(problem.flow(weights, (1.0, taus[0] / 2, taus[1] / 2), [time])[-1])[0]
    )
    case = dict(zip(CONSTANTS, (*taus, problem.dx2, problem.target2), strict=True))
    case |= {"dh2_0": float(start[0]), "dy2_0": float(start[1])}
    return {**with_letters(case), "dh2_inf": end, "dh2": end}


@cache
def ends() -> tuple[Case, ...]:
    """Ends of long flows of explicit matrices, A_high of either sign. Which states do not go there: Eq. (36)."""
    return tuple(flow_to_rest(*unrotated_weights(seed), (1.4, 0.8), 40.0) for seed in (0, 1, 7))


@cache
def merging(encoder: float = 1.0, decoder: float = -1.0) -> Case:
    """The end of the flow of two numbers of opposite effect, 1 and -1: it runs into the saddle dh2 = 0."""
    return flow_to_rest(*scalar_weights(encoder, decoder, 1.0, 1.0), (1.0, 1.0), 20.0)


@cache
def path(encoder: float, decoder: float, target: float, until: float) -> Any:
    """Time, dh2 and loss along the flow of two numbers, ``[3, 601]``; unit constants in Eq. (7)."""
    problem, weights = scalar_weights(encoder, decoder, 1.0, target)
    times = np.linspace(0, until, 601)
    flow = problem.flow(weights, TAUS_OF_EQ_6, times)
    return np.array(
        [times, [problem.state(at)[0] for at in flow], [problem.loss(at) for at in flow]]
    )


def final_number(
    encoder: float, decoder: float, *, ratio: float = 1.0, dx2: float = 1.0, target2: float = 1.0
) -> float:
    """Where the system rests from dh2(0)/dx2 and dy2(0)/dh2(0); ``ratio`` is tau_y/tau_h."""
    return float(
        positive_root((encoder - ratio * decoder) * dx2, math.sqrt(ratio * dx2 * target2))
    )


def positive_root(high: Any, low: Any) -> Any:
    """The positive root of h^2 - A_high h - A_low^2, without cancellation; numbers or arrays."""
    half, low = np.asarray(high) / 2, np.asarray(low)
    root = np.hypot(half, low)
    return np.where(
        half > 0,
        half + root,
        low**2 / np.where(half > 0, 1.0, np.where(low > 0, root - half, 1.0)),
    )


def scaled(size: float, decoders: tuple[float, ...]) -> Iterator[dict[str, Any]]:
    """Final distances at encoders of ``size``, decoders in units of it, different data; the letters of Eq. (12)."""
    for decoder in decoders:
        for ratio, dx2, target2 in ((1.0, 0.7, 1.3), (0.6, 1.9, 0.4)):
            second = decoder / ratio * size  # A_high has the sign of 1 - decoder
            yield {
                "A_high": (size - ratio * second) * dx2,
                "A_low": math.sqrt(ratio * dx2 * target2),
                "dh2_inf": final_number(size, second, ratio=ratio, dx2=dx2, target2=target2),
            }

r"""Sections 2.3 and 3: the three-variable system, and what its variables are said to mean."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from theory.core.ledger.ledger import Programs
from theory.core.ledger.proving import is_close, stating
from theory.papers.vanrossem2024 import printed_system
from theory.papers.vanrossem2024.explicit_matrices import TwoPoints, Weights, unrotated_weights, velocity_of_state
from theory.papers.vanrossem2024.flows import DIFFERENCES, moments
from theory.papers.vanrossem2024.time_constants import twice
from theory.two_point.symbols import dx2, target2, tau_h, tau_y

TAUS = (1.0, 1.7, 0.6)


def with_the_same_state(seed: int) -> Iterator[tuple[TwoPoints, Weights]]:
    """Weights without rotation, the same in other axes, and with other weights across dh.

    All have the same three variables and the same distances of data.
    """
    problem, (mean, encoder, decoder) = unrotated_weights(seed)
    yield problem, (mean, encoder, decoder)
    draw = np.random.default_rng(seed)
    turn_in, turn_h, turn_out = (np.linalg.qr(draw.normal(size=(n, n)))[0] for n in (2, 2, 3))
    turned = TwoPoints(problem.inputs @ turn_in.T, problem.targets @ turn_out.T)
    yield turned, (turn_out @ mean, turn_h @ encoder @ turn_in.T, turn_out @ decoder @ turn_h.T)
    dh = encoder @ problem.u
    across = np.outer(dh, [-problem.u[1], problem.u[0]])  # seen by neither point
    yield problem, (mean + 1, encoder + across, decoder)


@cache
def count_of_variables() -> int:
    """How many of the three variables the velocities need; other weights must leave them alone."""
    for seed in range(3):
        velocities = [velocity_of_state(*pair, TAUS) for pair in with_the_same_state(seed)]
        if not all(is_close(velocities[0], other, DIFFERENCES) for other in velocities[1:]):
            return len(printed_system.VARIABLES) + 1
    state, constants = np.array([0.7, 0.4, 0.1]), {"tau_h": 1.7, "tau_y": 0.6, "dx2": 1.3, "target2": 0.8}
    rates = [np.array(printed_system.rates_at(tuple(state + 0.05 * unit), **constants)) for unit in np.eye(3)]
    before = np.array(printed_system.rates_at(tuple(state), **constants))
    return sum(not np.allclose(after, before) for after in rates)


def number_of_rates() -> int:
    """How many effective learning rates Eq. (7) holds; it holds nothing else apart from its variables and the data."""
    constants = set().union(*(line.rhs.free_symbols for line in printed_system.LINES))
    left = constants - {*printed_system.VARIABLES, dx2, target2}
    return len(left) if left <= {tau_h, tau_y} else 0


def controlled() -> str:
    """Which velocities are proportional to w along flows."""
    names = {"representational velocity": "dh2_dot", "velocity of the outputs": "dy2_dot"}
    flows = [list(moments())[first : first + 4] for first in (0, 4, 8)]

    def is_proportional(velocity: str) -> bool:
        ratios = [np.array([case[velocity] / case["w"] for case in flow]) for flow in flows]
        return all(is_close(values[1:], values[:-1], 1e-5) for values in ratios)

    return " and ".join(name for name, velocity in names.items() if is_proportional(velocity))


def alignment(length: float, target: float, angle: float) -> float:
    """The alignment w of two vectors in the plane, by their components."""
    dy, v = length * np.array([np.cos(0.4), np.sin(0.4)]), target * np.array([np.cos(0.4 + angle), np.sin(0.4 + angle)])
    return float(dy @ dy - dy @ v)


def adds() -> str:
    """What w adds: the angle, if it follows from that alone with the lengths given."""
    by_angle = {alignment(1.3, 0.7, angle) for angle in (0.2, 0.9)}
    again = {alignment(1.3, 0.7, sign * 0.9) for sign in (1, -1)}
    return "angle between" if len(by_angle) == 2 and max(again) - min(again) < 1e-12 else "lengths of"


PROGRAMS: Programs = {
    "2.3 no rotation": stating({"number": count_of_variables}, "explicit matrices in other axes"),
    **dict.fromkeys([f"({number}) {name}" for number in (7, 21) for name in ("dh2", "dy2", "w")], twice()),
    "2.3 velocity": stating({"what": controlled}, "explicit matrices"),
    "2.3 alignment": stating({"what": adds}, "vectors in the plane"),
    "3 implementation details": stating({"number": number_of_rates}, "symbols of Eq. (7)"),
}

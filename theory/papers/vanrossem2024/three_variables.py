r"""Sections 2.3 and 3: the three-variable system, and what its variables are said to mean."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from theory.core import Check, Claim, for_all
from theory.core.ledger.ledger import Programs
from theory.core.ledger.proving import is_close
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


def has_number_of_variables(claim: Claim) -> tuple[Check, ...]:
    """The number of variables of the self-contained system."""
    return (Check("number", lambda: count_of_variables() == claim["number"], "explicit matrices in other axes"),)


def has_number_of_rates(claim: Claim) -> tuple[Check, ...]:
    """What Eq. (7) as printed holds apart from its variables and the data."""
    constants = set().union(*(line.rhs.free_symbols for line in printed_system.LINES))
    left = constants - {*printed_system.VARIABLES, dx2, target2}
    return (Check("number", lambda: len(left) == claim["number"] and left == {tau_h, tau_y}, "symbols of Eq. (7)"),)


def controls_velocity(claim: Claim) -> tuple[Check, ...]:
    """Per unit of the named variable the velocity of dh2 is the same at all moments of a flow."""

    def is_constant() -> bool:
        flows = [list(moments())[first : first + 4] for first in (0, 4, 8)]
        ratios = [np.array([case["dh2_dot"] / case[claim["variable"]] for case in flow]) for flow in flows]
        return for_all(ratios, lambda values: is_close(values[1:], values[:-1], 1e-5))

    return (Check("proportional along three flows", is_constant, "explicit matrices"),)


def alignment(length: float, target: float, angle: float) -> float:
    """The alignment w of two vectors in the plane, by their components."""
    dy, v = length * np.array([np.cos(0.4), np.sin(0.4)]), target * np.array([np.cos(0.4 + angle), np.sin(0.4 + angle)])
    return float(dy @ dy - dy @ v)


def adds(claim: Claim) -> tuple[Check, ...]:
    """With the lengths given, w follows from the named quantity alone."""
    by_angle = {alignment(1.3, 0.7, angle) for angle in (0.2, 0.9)}
    again = {alignment(1.3, 0.7, sign * 0.9) for sign in (1, -1)}
    determined = len(by_angle) == 2 and max(again) - min(again) < 1e-12
    return (Check("w from the angle", lambda: determined is (claim["what"] == "angle"), "vectors in the plane"),)


PROGRAMS: Programs = {
    "2.3 no rotation": has_number_of_variables,
    **dict.fromkeys([f"({number}) {name}" for number in (7, 21) for name in ("dh2", "dy2", "w")], twice()),
    "2.3 velocity": controls_velocity,
    "2.3 alignment": adds,
    "3 implementation details": has_number_of_rates,
}

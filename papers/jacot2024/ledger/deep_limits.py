"""Sections 2.1 and 4: time scales and the bottleneck rank as the depth grows."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp

from papers.jacot2024.ledger import nets
from papers.jacot2024.ledger.energies import alone, speed_of, stable_state
from papers.jacot2024.ledger.nets import Case
from theory.core import Check, Conditional, Program, Programs, letters_of, numerically
from theory.core.ledger.proving import (
    chosen,
    deciding,
    declaring,
    stating,
    unconditional,
    with_lemmas,
)

L, gamma = letters_of(__package__)("L gamma")
DEEP = 1e6  # where limits are read off
CLOSE = 2e-3  # 1/depth to the power 1/2 is 1e-3 there


def geodesic(ends: tuple[tuple[float, float], ...], depth: float) -> Case:
    """A linear net whose modes grow as exp(g p) from a size, given with g; A costs 0.7 above the number of modes."""
    sizes, rates = np.array(ends).T
    path = np.log(sizes)[:, None] + rates[:, None] * np.linspace(0, 1, 401)
    squared_speeds = (rates[:, None] ** 2 / (1 + np.exp(-2 * path) / depth)).sum(axis=0)
    return {
        **nets.MARKS, "A": np.zeros(len(ends)), "K": 0.7, "A_q": path, "K_q": 0.0,
        "norm_gamma": lambda logs, kernel, gamma: np.sqrt(kernel + (1 / (1 + gamma * np.exp(-2 * logs))).sum(axis=0)),
        "gamma": 1 / depth, "L": depth, "H": (rates**2 / (2 * depth) - depth / 2).sum(), "k": float(len(ends)),
        "ell": np.sqrt(squared_speeds).mean(), "lim": lambda x: np.round(x, 2),
        "kinetic": (rates**2).sum() / (2 * depth),
    }  # fmt: skip


@cache
def geodesics(depth: float = DEEP) -> tuple[Case, ...]:
    """Geodesics of linear nets: fixed ends with one and two modes, and ends at ratios of exp(depth/2), exp(depth^3/4).

    Kinetic and potential energy of a mode are squares of its rate and of one, since K is the square of its size.
    """
    fixed = ((1.0, np.log(2.0)),), ((1.0, np.log(2.0)), (3.0, -1.0))
    modes = (*fixed, ((1.0, depth / 2),), ((1.0, depth**0.75),))
    return tuple(geodesic(ends, depth) for ends in modes)


@cache
def layers_at_rest() -> tuple[Case, ...]:
    """Layers with A = B K, whose momenta are bounded, whose backward pass moves, and with a mode as small as gamma."""
    rest = (np.diag([1.0, 2.0]), False), (np.eye(3), False), (np.array([[2.0, 1.0]]), True)
    moving = (np.ones((1, 3)), True), (np.diag([1.0, 1e-3]), False)
    states = []
    for A, bias in (*rest, *moving):
        features = nets.activation(A, bias)
        state = stable_state(A, A @ np.linalg.pinv(features.T @ features), 1.0, 1e-6, bias)
        states.append(
            {**state, "k": float(np.linalg.matrix_rank(A)), "c": min(4.0, 0.6 * state["c"] + 2.0)}
        )
    return tuple(states)


def growth(function: Callable[[float], float]) -> float:
    """The power of the depth with which a function grows, between 1e4 and 1e6."""
    return float(np.log(function(1e6) / function(1e4)) / np.log(100.0))


def power_of_depth(expression: Any) -> float:
    """The power of the depth in an expression."""
    return float(sp.simplify(L * sp.diff(sp.log(expression), L)))


def speed(is_optimal: bool, depth: float, gamma: float) -> float:
    """Speed of a dead neuron whose stable cost is least and equals -2H/depth, or of a state far from that."""
    if is_optimal:
        return speed_of(alone(-gamma, -0.5, depth, gamma))
    return speed_of(
        stable_state(*nets.random_state(0, width=9, samples=3, size=0.4), depth, gamma, True)
    )


def slow_and_fast(statement: Any) -> tuple[Check, ...]:
    """Powers of the depth with which the speeds grow; gamma = 1/depth unless the condition has another power."""
    claim, power = unconditional(statement), -1.0
    if isinstance(statement, Conditional):
        relation = statement.condition
        own_power = gamma * sp.diff(sp.log(relation.lhs), gamma)
        power = power_of_depth(sp.Abs(relation.rhs)) / float(own_power)

    def agrees(slot: str) -> bool:
        measured = growth(lambda depth: speed(slot == "slow", depth, depth**power))
        return bool(claim[slot] > 0 and abs(measured - power_of_depth(claim[slot])) < 1e-2)

    return tuple(
        Check(slot, partial(agrees, slot), "ridge regression") for slot in ("slow", "fast")
    )


def share_of_finite_speeds() -> str:
    """Paths of length 2 that run through half of it in a jump, ever faster: the share of layers faster than 5."""
    places = (np.arange(1_000_000) + 0.5) / 1_000_000
    shares = []
    for speed in (10.0, 100.0, 10_000.0):
        speeds = np.where(places < 1 / speed, speed, 1.0)
        shares.append(float((speeds > 5).mean()) if abs(speeds.mean() - 2) < 0.2 else float("nan"))
    return "almost all" if 0 < shares[2] < 1e-3 < shares[1] < shares[0] else "all"


def length(depth: float, sign: int) -> float:
    """Length, with gamma = 1/depth, of a neuron that only leaks: exp(-depth p), or dead where the sign is negative."""
    sizes = np.geomspace(1e-8, 1.0, 4001)[::-1, None, None]
    kernels = np.maximum(sign * sizes, 0) ** 2 + 1 / depth
    speeds = nets.norm_in(depth * sign * sizes, kernels)
    return float(np.trapezoid(speeds, -np.log(sizes[:, 0, 0]) / depth))


def has_no_bound() -> bool:
    """Quadrature of the length: the square of the ratio at two depths, or twice the difference, against the depths."""
    depths = (1e6, 1e4)
    dead, decaying = ([length(depth, sign) for depth in depths] for sign in (-1, 1))
    is_root = abs((dead[0] / dead[1]) ** 2 - 100) < 1e-2
    return bool(is_root and abs(2 * (decaying[0] - decaying[1]) - np.log(100)) < 1e-2)


def printed_hamiltonian(claim: Any, case: Case) -> float:
    """The Hamiltonian of a geodesic, with the factor that the claim has."""
    words = {"Hamiltonian": 1.0, "Hamiltonian times -2 over the depth": -2 / case["L"]}
    return float(case["H"] * chosen(claim, "which", words))


def is_near_the_cost(claim: Any, case: Case) -> bool:
    """The Hamiltonian of a linear geodesic, and its smallest stable cost."""
    return bool(abs(printed_hamiltonian(claim, case) - smallest_cost(case)) < CLOSE)


def smallest_cost(case: Case) -> float:
    """The smallest stable cost along a linear geodesic."""
    return float((case["norm_gamma"](case["A_q"], 0.0, case["gamma"]) ** 2).min())


def state_of_a_mode(rate: float, depth: float) -> Case:
    """A neuron of size 2 that grows at a rate, from its momentum."""
    return alone(2.0, (1 + rate / depth) / 2, depth, 0.0)


def is_implied(claim: Any) -> bool:
    """Whether the derivative stays finite where the kinetic energy does: states that grow at the root of the depth."""
    depths = (1e2, 1e4, 1e6)
    modes = [state_of_a_mode(np.sqrt(depth), depth) for depth in depths]
    squares = [nets.cost(mode["A_dot"], mode["S"]) for mode in modes]
    energies = [square / (2 * depth) for square, depth in zip(squares, depths, strict=True)]
    follows = bool(np.ptp(energies) < 1e-6) and squares[-1] < 2 * squares[0]
    return follows is chosen(claim, "thus", {"thus": True, "not thus": False})


def derivative_ratio(depths: tuple[float, float]) -> float:
    """Of the derivatives of states that grow at the root of the depth, by the forward pass."""
    sizes = [state_of_a_mode(np.sqrt(depth), depth)["A_dot"][0, 0] for depth in depths]
    return float(sizes[0] / sizes[1])


def kinetic_energies(claim: Any, case: Case) -> bool:
    """Kinetic energies of linear geodesics, which vanish or grow with the depth, and of a layer of higher dimension."""
    is_finite = chosen(claim, "minimal", {"finite": True, "infinite": False})
    stays = bool(case["kinetic"] < 1) is is_finite
    power = growth(lambda depth: speed(False, depth, 0.0) ** 2 / depth)
    return bool(
        stays and claim["scale"] > 0 and abs(power - power_of_depth(claim["scale"])) < 1e-3
    )


on_geodesics = numerically(geodesics, "closed form of the geodesic", tolerance=CLOSE, scale=1.0)

PROGRAMS: Programs = {
    "2.1 limit | 2.1 extra cost": on_geodesics,
    "2.1 bottleneck rank": declaring(on_geodesics, "= ≈"),
    "2.1 time scales": Program(
        declaring(slow_and_fast, under="~"),
        lambda depths: (
            speed(True, depths[0], 1 / depths[0]) / speed(True, depths[1], 1 / depths[1])
        ),
        value=lambda claim, depths: (depths[0] / depths[1]) ** power_of_depth(claim["slow"]),
        at={"depths": (1e6, 1e4)},
        quantity="ratio of the speeds, gamma = 1/depth",
    ),
    "2.1 finite length": with_lemmas(
        stating("sums over layers", share=share_of_finite_speeds),
        Check("not bounded for gamma = 1/depth", has_no_bound, "quadrature"),
    ),
    "2.1 Hamiltonian": Program(
        deciding(is_near_the_cost, cases=geodesics),
        lambda depth: smallest_cost(geodesics(depth)[1]),
        value=lambda claim, depth: printed_hamiltonian(claim, geodesics(depth)[1]),
        tolerance=CLOSE,
        at={"depth": DEEP},
        quantity="smallest cost of a linear geodesic of two modes with fixed ends, gamma = 1/depth",
    ),
    "4 derivative": Program(
        deciding(is_implied),
        derivative_ratio,
        value=lambda claim, depths: chosen(
            claim, "thus", {"thus": 1.0, "not thus": np.sqrt(depths[0] / depths[1])}
        ),
        tolerance=1e-6,
        at={"depths": (DEEP, 1e4)},
        quantity="ratio of the derivatives of states with the same kinetic energy",
    ),
    "2.1 integer": numerically(layers_at_rest, "norms by K + gamma", tolerance=CLOSE),
    "4 kinetic energy": Program(
        deciding(kinetic_energies, cases=geodesics),
        lambda depths: geodesics(depths[0])[2]["kinetic"] / geodesics(depths[1])[2]["kinetic"],
        value=lambda claim: chosen(claim, "minimal", {"finite": 1.0, "infinite": np.inf}),
        at={"depths": (DEEP, 1e4)},
        quantity="ratio of the kinetic energies of geodesics with ends at a ratio of exp(depth/2)",
    ),
}

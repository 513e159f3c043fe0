"""Sections 2.1 and 4: energies, time scales and the bottleneck rank as the depth grows."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp

from theory import leaky_resnet
from theory.core import Check, Claim, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import allowed, chosen, is_close, stating, unconditional, with_lemmas
from theory.core.numbers.evaluation import evaluate
from theory.leaky_resnet import canonical
from theory.papers.jacot2024 import nets
from theory.papers.jacot2024.nets import Case, states, witnessed
from theory.papers.jacot2024.symbols import letters
from theory.papers.jacot2024.theorem_4 import alone, stable_state

L, gamma = letters("L gamma")
DEEP = 1e6  # where limits are read off
CLOSE = 2e-3  # 1/depth to the power 1/2 is 1e-3 there


def with_dead_neuron() -> tuple[Case, ...]:
    """States whose rows are in the image of K, and a dead neuron, whose row is not; energies by pseudo-inverses."""
    return *states(), nets.letters(np.array([[-1.0]]), np.array([[0.5]]), 2.0, False)


def kernels() -> list[Case]:
    """States with gamma from the largest eigenvalue of K."""
    return [{**case, "gamma_0": 0.3, "gamma_p": 0.3 * float(np.linalg.eigvalsh(case["K"])[-1])} for case in states()]


@cache
def critical_weights() -> tuple[Case, ...]:
    """Weights along integrated paths, with bias and without."""

    def along(bias: bool) -> Case:
        path = zip(*nets.joint_path(*nets.random_state(3, size=0.5), 2.0, bias, steps=500), strict=True)
        found = [2.0 * b @ nets.activation(a, bias).T for a, b in path]
        return {**nets.MARKS, "p": 0.8, "beta": float(bias), "W_at": lambda p: found[round(500 * p)]}

    return along(False), along(True)


def small_mode(depth: float) -> float:
    """Velocity in the middle of a mode that grows as exp(depth (p - 1)/2); its gap is 1/2."""
    return float(depth / 2 * np.exp(-depth / 4))


def random_state_moves(depth: float) -> float:
    """Velocity of a fixed state with a fixed gap."""
    return float(np.linalg.norm(nets.joint_rates(*nets.random_state(0, width=9, samples=3), depth, True)[0]))


def grows(statement: Any) -> tuple[Check, ...]:
    """Velocities at a fixed gap, at depths 20, 80 and 320; S is the limit of an activation."""
    blows_up = chosen(unconditional(statement), "what", {"blow up": True, "stay finite": False})
    families = [{**nets.MARKS, "S": least, "s_min": lambda size: size, "velocity": velocity}
                for least, velocity in ((0.5, random_state_moves), (0.0, small_mode))]  # fmt: skip

    def agrees(case: Case) -> bool:
        values = [case["velocity"](depth) for depth in (20.0, 80.0, 320.0)]
        return bool(values[2] > 3 * values[1] > 9 * values[0]) is blows_up

    return (Check("two families", lambda: for_all(allowed(statement, families), agrees), "velocities"),)


def geodesic(ends: tuple[tuple[float, float], ...], depth: float) -> Case:
    """Letters of a linear net whose modes grow as exp(g p) from a size; gamma = 1/depth.

    A_q stands for its own norm along the path, and A for that of a layer whose cost is 0.7 above the number of modes.

    Args:
        ends: size at p = 0 and rate g of each mode.
        depth: effective depth.
    """
    p = np.linspace(0, 1, 401)
    energy, length, costs = 0.0, np.zeros_like(p), np.zeros_like(p)
    for size, rate in ends:
        with np.errstate(over="ignore", divide="ignore"):
            shrunk = 1 / (1 + 1 / depth / (size * np.exp(rate * p)) ** 2)
        energy += rate**2 / (2 * depth) - depth / 2  # kinetic and potential energy of a mode: K is its square
        length += rate**2 * shrunk
        costs += shrunk
    return {
        **nets.MARKS, "A": np.sqrt(len(ends) + 0.7), "A_q": np.sqrt(costs), "norm_gamma": lambda A, kernel, gamma: A,
        "K": 0.0, "K_q": 0.0, "gamma": 1 / depth, "L": depth, "H": energy, "ell": float(np.sqrt(length).mean()),
        "k": float(len(ends)),
        "kinetic": sum(rate**2 for _, rate in ends) / (2 * depth),
    }  # fmt: skip


@cache
def geodesics(depth: float = DEEP) -> tuple[Case, ...]:
    """Fixed ends with one and with two modes, and ends at a ratio of exp(depth/2)."""
    modes = ((1.0, np.log(2.0)),), ((1.0, np.log(2.0)), (3.0, -1.0)), ((1.0, depth / 2),)
    return tuple(geodesic(ends, depth) for ends in modes)


@cache
def stable_costs() -> tuple[Case, ...]:
    """Limits of representations: large singular values, one of the size of the root of gamma, a constant with bias."""
    shapes = ((np.diag([1.0, 2.0]), False), (np.diag([1.0, 1e-3]), False), (np.ones((1, 3)), True), (np.eye(3), False))
    return tuple(
        {**stable_state(A, 0 * A, 1.0, 1e-6, bias), "k": float(np.linalg.matrix_rank(A)),
         "s_min": lambda M: nets.singular_values(M)[-1]}
        for A, bias in shapes
    )  # fmt: skip


def is_about(relation: Any, case: Case) -> bool:
    """Whether the sides of an equation, or of several, are equal at a large depth, to 2e-3."""
    if isinstance(relation, sp.And):
        return all(is_about(part, case) for part in relation.args)
    return relation is sp.true or is_close(evaluate(relation.lhs, case), evaluate(relation.rhs, case), CLOSE, 1.0)


def in_the_limit(cases: Callable[[], Any], because: str) -> Callable[[Any], tuple[Check, ...]]:
    """A relation holds at a large depth, in the cases in which its condition does."""

    def prove(statement: Any) -> tuple[Check, ...]:
        relation, condition = unconditional(statement), getattr(statement, "condition", sp.true)

        def agrees() -> bool:
            return for_all([case for case in cases() if is_about(condition, case)], partial(is_about, relation))

        return (Check("at a large depth", agrees, because),)

    return prove


def growth(function: Callable[[float], float]) -> float:
    """The power of the depth with which a function grows, between 1e4 and 1e6."""
    return float(np.log(function(1e6) / function(1e4)) / np.log(100.0))


def power_of_depth(expression: Any) -> float:
    """The power of the depth in an expression."""
    return float(sp.simplify(L * sp.diff(sp.log(expression), L)))


def speed_at_the_optimum(depth: float, gamma: float) -> float:
    """Speed of a dead neuron where its stable cost is least and equals -2H/depth; |B| = 1/2."""
    return _speed(alone(-gamma, -0.5, depth, gamma))


def speed_elsewhere(depth: float, gamma: float) -> float:
    """Speed of a state whose cost is far from the optimum."""
    draw = np.random.default_rng(0)
    return _speed(stable_state(draw.normal(size=(9, 3)), 0.4 * draw.normal(size=(9, 3)), depth, gamma, True))


def _speed(case: Case) -> float:
    return nets.ridge(case["A_dot"], case["S"], case["gamma"])


def slow_and_fast(statement: Any) -> tuple[Check, ...]:
    """Powers of the depth with which the speeds grow; gamma = 1/depth unless the condition has another power."""
    claim, power = unconditional(statement), -1.0
    if isinstance(statement, Given):
        relation = statement.condition
        own_power = gamma * sp.diff(sp.log(relation.lhs), gamma)
        power = power_of_depth(sp.Abs(relation.rhs)) / float(own_power)

    def agrees(slot: str, speed: Callable[[float, float], float]) -> bool:
        measured = growth(lambda depth: speed(depth, depth**power))
        return bool(claim[slot] > 0 and abs(measured - power_of_depth(claim[slot])) < 1e-2)

    return tuple(
        Check(slot, partial(agrees, slot, speed), "ridge regression")
        for slot, speed in (("slow", speed_at_the_optimum), ("fast", speed_elsewhere))
    )


def share_of_finite_speeds() -> str:
    """Paths of length 2 that run through half of it in a jump, ever faster: the share of layers faster than 5."""
    places = (np.arange(1_000_000) + 0.5) / 1_000_000
    shares = []
    for speed in (10.0, 100.0, 10_000.0):
        speeds = np.where(places < 1 / speed, speed, 1.0)
        shares.append(float((speeds > 5).mean()) if abs(speeds.mean() - 2) < 0.2 else float("nan"))
    return "almost all" if 0 < shares[2] < 1e-3 < shares[1] < shares[0] else "all"


@cache
def moving_states() -> tuple[Case, ...]:
    """Three states at one depth."""
    return tuple(nets.letters(*nets.random_state(n, width=9, samples=3, size=0.2 + n), 2.0, True) for n in range(3))


def is_proportional(relation: Any) -> tuple[Check, ...]:
    """The ratio of both sides at three states."""

    def agrees() -> bool:
        ratios = [evaluate(relation.lhs / relation.rhs, case) for case in moving_states()]
        return bool(np.ptp(ratios) < 1e-8 * abs(ratios[0]))

    return (Check("three states at one depth", agrees, "norms by K"),)


def kinetic_ratio() -> float:
    """The ratio of the kinetic energies of two states, by least squares."""
    one, other = (np.linalg.norm(nets.weights_of(case["A_dot"], case["S"])) ** 2 for case in moving_states()[:2])
    return float(other / one)


def printed_ratio(relation: Any) -> float:
    """The ratio of the kinetic energies by the printed proportion."""
    one, other = (evaluate(relation.rhs, case) for case in moving_states()[:2])
    left = [evaluate(relation.lhs, case) for case in moving_states()[:2]]
    return float(other / one / (left[1] / left[0]) * kinetic_ratio())


def fate_of_stable_hamiltonian() -> str:
    """The stable Hamiltonian along an integrated trajectory."""
    stable = []
    for a, b in leaky_resnet.flow(*nets.random_state(1, width=6, samples=4), 2.0, np.linspace(0, 1, 11)):
        case = stable_state(a, b, 2.0, 0.1, True)
        stable.append(_speed(case) ** 2 / 4 - nets.ridge(a, case["S"], 0.1) ** 2)
    return "not exactly constant" if np.ptp(stable) > 1e-3 else "exactly constant"


def potentials() -> list[float]:
    """What the kinetic energy leaves of the Hamiltonian, over the depth, in three states."""
    kinetic = [np.linalg.norm(nets.weights_of(case["A_dot"], case["S"])) ** 2 / (2 * case["L"]) for case in states()]
    return [float(case["H"] - energy) / case["L"] for case, energy in zip(states(), kinetic, strict=True)]


def printed_potentials(claim: Claim) -> list[float]:
    """The same, up to a factor, by the sentence."""
    power = chosen(claim, "how", {"inversely proportional": -1, "negatively proportional": 1})
    return [-(nets.cost(case["A"], case["S"]) ** power) for case in states()]


def are_proportional(claim: Claim) -> tuple[Check, ...]:
    """Both, in three states."""

    def agrees() -> bool:
        ratios = np.divide(potentials(), printed_potentials(claim))
        return bool(ratios.min() > 0 and np.ptp(ratios) < 1e-8)

    return (Check("three states", agrees, "least squares"),)


def kinetic_energies(statement: Any) -> tuple[Check, ...]:
    """Kinetic energies of linear geodesics, all of whose layers have the smallest dimension, and of another layer."""
    claim = unconditional(statement)
    is_finite = chosen(claim, "minimal", {"finite": True, "infinite": False})
    pairs = [{**deep, "shallow": shallow} for shallow, deep in zip(geodesics(1e4), geodesics(), strict=True)]

    def possible() -> list[Case]:
        if not isinstance(statement, Given):
            return pairs
        return [pair for pair in pairs if is_about(statement.condition, pair)]

    def elsewhere(depth: float) -> float:
        return speed_elsewhere(depth, 0.0) ** 2 / (2 * depth)

    def scales() -> bool:
        return bool(claim["scale"] > 0 and abs(growth(elsewhere) - power_of_depth(claim["scale"])) < 1e-3)

    def stays(pair: Case) -> bool:
        return bool(pair["kinetic"] < 10 * pair["shallow"]["kinetic"]) is is_finite

    return (
        Check("where the dimension is minimal", lambda: for_all(possible(), stays), "closed form of the geodesic"),
        Check("where it is higher", scales, "ridge regression"),
    )


in_the_image = numerically(with_dead_neuron, "norms by K", tolerance=1e-8)
on_geodesics = in_the_limit(geodesics, "closed form of the geodesic")

PROGRAMS: Programs = {
    "2.1 energies": with_lemmas(in_the_image, canonical.ENERGIES),
    "2.1 speed": in_the_image,
    "2.1 blow up": Program(grows, lambda: small_mode(160.0), value=lambda claim: 80.0),
    "2.1 gamma": witnessed(
        numerically(kernels, "eigenvalues"), lambda: kernels()[0], lambda: kernels()[0]["gamma_p"], part=1
    ),
    "2.1 weights": numerically(critical_weights, "integration", tolerance=1e-3),
    "2.1 limit": Program(
        on_geodesics, lambda: 0.75, value=lambda equation: geodesics()[2]["A_q"].min() ** 2, tolerance=1e-5
    ),
    "2.1 extra cost": Program(
        on_geodesics,
        lambda: 0.95**0.5,
        value=lambda equation: float(np.sqrt(1.7 - geodesics()[2]["A_q"].min() ** 2)),
        tolerance=1e-5,
    ),
    "2.1 time scales": Program(
        slow_and_fast,
        lambda: speed_at_the_optimum(1e6, 1e-6) / speed_at_the_optimum(1e4, 1e-4),
        value=lambda claim: 1.0,
    ),
    "2.1 finite length": stating({"share": share_of_finite_speeds}, "sums over layers"),
    "2.1 integer": Program(
        in_the_limit(stable_costs, "norms by K + gamma"),
        lambda: 1 / (1 + 1e-6) + 0.5,
        value=lambda relation: evaluate(relation.rhs, stable_costs()[1]),
    ),
    "2.1 bottleneck rank": Program(
        on_geodesics, lambda: -0.375, value=lambda relation: evaluate(relation.rhs / L, geodesics()[2])
    ),
    "2.1 not constant": with_lemmas(
        stating({"constant": fate_of_stable_hamiltonian}, "integration, ridge regression"), canonical.STABLE
    ),
    "2.1 kinetic energy": Program(is_proportional, kinetic_ratio, value=printed_ratio),
    "4 potential energy": Program(
        are_proportional,
        lambda: potentials()[0] / potentials()[1],
        value=lambda claim: printed_potentials(claim)[0] / printed_potentials(claim)[1],
        tolerance=1e-7,
    ),
    "4 kinetic energy": Program(
        kinetic_energies,
        lambda: geodesics()[2]["kinetic"] / geodesics(1e4)[2]["kinetic"],
        value=lambda claim: 1.0,
    ),
}

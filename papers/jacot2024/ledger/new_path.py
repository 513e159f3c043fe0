r"""Appendix A.2, proof of Proposition 8 (Proposition 5): the new weights, what they cost, and the new path."""

from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp

from papers.jacot2024.ledger import nets
from papers.jacot2024.ledger.nets import Array, Case
from theory.core import (
    Program,
    Programs,
    deciding,
    evaluate,
    is_close,
    letters_of,
    numerically,
    stating,
)
from theory.core.ledger.proving import declaring

c_0 = letters_of(__package__)("c_0")
INTEGRATED = 1e-4  # Runge-Kutta steps across the corners of t
DEPTH, CENTRE, REACH = 4.0, 0.2, 0.5
WINDOW = (20.0, 0.5, 0.3)  # depth, centre and reach of t, from 0.2 to 0.8
DEEP = (200.0, 0.5, 0.3)


@cache
def cases() -> tuple[Case, ...]:
    """Random states without bias."""
    collected = []
    for seed, (t, size, depth) in enumerate(((0.5, 0.3, 3.0), (0.8, 2.0, 0.7))):
        A, _ = nets.random_state(4 + seed, width=3, samples=3)
        W, features = (
            np.random.default_rng(5 + seed).normal(size=(3, 3)),
            nets.activation(A, False),
        )
        x, y = A[:, :1], features[:, :1]
        case = {
            **nets.MARKS, "W": W, "A": A, "S": features, "sample": x, "sample_active": y, "p": 0.4, "L": depth,
            "t_at": nets.only_at(0.4, t), "t": t, "epsilon": size, "K_row": y.T @ features,
            "sample_dot": W @ y - depth * x, "grown": np.array([[0.3, 0.1, 0.7]]),
        }  # fmt: skip
        collected.append(with_blocks(case, size))
    return tuple(collected)


def with_blocks(case: Case, size: float) -> Case:
    """The case with a new neuron of the given size."""
    reach, x, y = size * case["L"] * case["t"], case["sample"], case["sample_active"]
    old = case["W"] - case["L"] * (size * case["t"]) ** 2 * x @ y.T
    whole = np.block([[old, reach * x], [reach * y.T, np.zeros((1, 1))]])
    return {
        **case,
        "epsilon": size,
        "W_old": old,
        "W_column": reach * x,
        "W_row": reach * y.T,
        "W_whole": whole,
    }


def small() -> list[Case]:
    """The same with a small neuron, whose terms of fourth order are rounding."""
    return [with_blocks(case, 1e-4) for case in cases()]


def fitted() -> list[Case]:
    """The smallest change of the weights by which all neurons move as intended.

    The old ones keep their velocity if the new one is t K, and the new one moves towards it.
    """
    collected = []
    for case in cases():
        driven = case["t"] * case["K_row"]
        pushed = case["L"] * (case["epsilon"] * case["t"]) ** 2 * case["sample"] @ case["K_row"]
        collected.append({
            **case, "W_old": case["W"] - nets.weights_of(pushed, case["S"]),
            "W_row": nets.weights_of(case["epsilon"] * case["L"] * driven, case["S"]),
            "W_column": nets.weights_of(pushed, case["epsilon"] * driven),
        })  # fmt: skip
    return collected


def leaves_the_path(claim: Any, case: Case) -> bool:
    """Velocities of a net with a zero neuron; the last column of its weights may be anything."""
    larger = np.block([[case["W"], np.ones((3, 1))], [float(claim["below"]) * np.ones((1, 4))]])
    state = np.vstack([case["A"], np.zeros((1, 3))])
    moved = larger @ nets.activation(state, False) - case["L"] * state
    return is_close(
        moved, np.vstack([case["W"] @ case["S"] - case["L"] * case["A"], np.zeros((1, 3))])
    )


def is_a_gain(claim: Any) -> bool:
    """The integrand, -c_0 in the centre, at both bounds, with the factor 2 that is right; both bounds are strict."""
    gain, velocity = (float(claim[name] / c_0) for name in ("gain", "velocity"))
    return -1 < gain < 0 < velocity and gain + 2 * velocity <= 0


def bump(place: float, centre: float = CENTRE, reach: float = REACH) -> float:
    """The triangular function t."""
    return max(0.0, 1 - abs(place - centre) / reach)


def kernel(place: float) -> float:
    """A positive entry of K that changes along the path."""
    return 1.0 + place**2


@cache
def activation(
    place: float, depth: float = DEPTH, centre: float = CENTRE, reach: float = REACH
) -> float:
    """The new neuron over epsilon, from its velocity depth (t K - a), zero at p = 0."""

    def rate(at: float, state: Array) -> Array:
        return depth * (bump(at, centre, reach) * kernel(at) - state)

    return (
        float(nets.flow(np.zeros(1), rate, 0.0, place, max(400, int(4 * depth)))[0])
        if place > 0
        else 0.0
    )


def places(depth: float = DEPTH) -> list[Case]:
    """The new neuron in its window and after it."""
    shared = {"L": depth, "a_at": lambda p: activation(p, depth), "t_at": bump, "K_row_at": kernel}
    return [{**shared, "p": time} for time in (0.15, 0.4, 0.9)]


def sign_of_the_neuron() -> str:
    """The new neuron before, in and after its window."""
    values = [activation(time, *WINDOW) for time in (0.05, 0.19, 0.21, 0.3, 0.5, 0.79, 0.95)]
    return "positive" if min(values) >= 0 and max(values) > 0.1 else "negative"


@cache
def deviation(size: float) -> float:
    """How far the path of the new weights is from (A, epsilon a) at p = 1, without bias; integrated together."""
    start, constant, rising = np.random.default_rng(3).normal(size=(3, 3, 3))
    depth = 3.0

    def rate(p: float, state: Array) -> Array:
        A, new, a = state[:3], state[3:7], state[7:]
        active, t = np.maximum(A, 0), bump(p, 0.5, 0.3)
        case = {
            "W": constant + p * rising,
            "L": depth,
            "t": t,
            "sample": A[:, :1],
            "sample_active": active[:, :1],
        }
        larger = with_blocks(case, size)["W_whole"]
        driven = depth * (t * active[:, :1].T @ active - a)
        return np.vstack(
            [case["W"] @ active - depth * A, larger @ np.maximum(new, 0) - depth * new, driven]
        )

    end = nets.flow(np.vstack([start, start, np.zeros((2, 3))]), rate, 0.0, 1.0, 400)
    return float(np.abs(end[3:7] - np.vstack([end[:3], size * end[7:]])).max())


def distance_of_paths() -> str:
    """Both paths at three sizes: they differ by epsilon^2 times a constant, the order of the gain."""
    gaps = [deviation(size) for size in (0.04, 0.02, 0.01)]
    return (
        "close"
        if all(abs(before / after - 4) < 0.2 for before, after in pairwise(gaps))
        else "far"
    )


def at_the_end(p: float) -> float:
    """The new neuron at one end of the path at a depth of 200; 0 up to rounding."""
    return round(activation(p, *DEEP), 9)


def printed_row(relation: sp.Eq, case: Case) -> Array:
    """The block that the equation makes of the true one."""
    return np.asarray(evaluate(relation.rhs, case) - evaluate(relation.lhs, case) + case["W_row"])


with_fitted_blocks = numerically(fitted, "least squares", tolerance=1e-8)
with_products = numerically(cases, "products of the blocks")
along_the_window = numerically(places, "integration and differences", tolerance=1e-3)

PROGRAMS: Programs = {
    "Proposition 8, zero neuron": deciding(leaves_the_path, "matrix products", cases),
    "Proposition 8, weights | Proposition 8, outgoing weights": with_fitted_blocks,
    "Proposition 8, incoming weights": Program(
        with_fitted_blocks,
        lambda: fitted()[0]["W_row"],
        value=printed_row,
        at=lambda: cases()[0],
        quantity="the row",
    ),
    "Proposition 8, norm | Proposition 8, actual velocity": with_products,
    "Proposition 8, actual velocity of the neuron | Proposition 8, difference": with_products,
    "Proposition 8, simplified norm": declaring(
        numerically(small, "squares of the blocks", tolerance=1e-5), "->"
    ),
    "Proposition 8, gain": deciding(is_a_gain),
    "Proposition 8, new neuron": replace(along_the_window, tolerance=INTEGRATED),
    "Proposition 8, intended velocity": along_the_window,
    "Proposition 8, limit": declaring(
        numerically(partial(places, 400.0), "integration", tolerance=0.02, scale=1.0), "->"
    ),
    "Proposition 8, ends": Program(
        stating("integration", start=partial(at_the_end, 0.0), end=partial(at_the_end, 1.0)),
        lambda depth, centre, reach: 1.0 + activation(1.0, depth, centre, reach),
        value=lambda claim: 1.0 + float(claim["end"]),
        at=dict(zip(("depth", "centre", "reach"), DEEP, strict=True)),
        quantity="1 + a_1 at the end of the path",
    ),
    "Proposition 8, positive": stating("integration", positive=sign_of_the_neuron),
    "Proposition 8, Gronwall": stating("integration", near=distance_of_paths),
}

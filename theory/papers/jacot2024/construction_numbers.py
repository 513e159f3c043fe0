r"""Numbers for the construction of Proposition 8: states of a few neurons and samples, and the new neuron."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024 import new_neuron as small


@cache
def cases() -> tuple[dict[str, Any], ...]:
    """States without bias: a sample, its velocity, the blocks of the new weights and their squares."""
    found = []
    for seed, (t, size, depth) in enumerate(((0.5, 0.3, 3.0), (0.8, 2.0, 0.7))):
        A, _ = nets.random_state(4 + seed, width=3, samples=3)
        W, features = np.random.default_rng(5 + seed).normal(size=(3, 3)), nets.activation(A, False)
        x, y = A[:, :1], features[:, :1]
        case = {
            **nets.FUNCTIONS, "W": W, "A": A, "S": features, "sample": x, "sample_active": y, "t_p": t, "epsilon": size,
            "L": depth, "K_row": y.T @ features, "dot": lambda M: float(M[0, 0]),
            "sample_dot": W @ y - depth * x, "grown": np.array([[0.3, 0.1, 0.7]]),
        }  # fmt: skip
        case["new_norm"] = squares(case, size)
        case["order_2"] = (squares(case, 1e-3) - squares(case, 0.0) - _fourth(case, 1e-3)) / (1e-3 * depth * t) ** 2
        found.append(case)
    return tuple(found)


def _blocks(case: dict[str, Any], size: float) -> tuple[nets.Array, ...]:
    reach = size * case["L"] * case["t_p"]
    x, y = case["sample"], case["sample_active"]
    return case["W"] - case["L"] * size**2 * case["t_p"] ** 2 * x @ y.T, reach * x, reach * y.T


def squares(case: dict[str, Any], size: float) -> float:
    """The squared new weights, block by block."""
    return float(sum((block**2).sum() for block in _blocks(case, size)))


def _fourth(case: dict[str, Any], size: float) -> float:
    """The square of the correction alone."""
    return float(((_blocks(case, size)[0] - case["W"]) ** 2).sum())


def velocity_of_old_neurons(case: dict[str, Any], block: nets.Array) -> nets.Array:
    """What the weights give the old neurons if the new one is epsilon t K, which is not negative."""
    outgoing = case["epsilon"] * case["L"] * case["t_p"] * case["sample"]
    return np.asarray(block @ case["S"] + outgoing @ (case["epsilon"] * case["t_p"] * case["K_row"]))


def needed_block(case: dict[str, Any]) -> nets.Array:
    """The smallest change of the weights that gives the old neurons their velocity back, by least squares."""
    pushed = velocity_of_old_neurons(case, np.zeros((3, 3)))
    return case["W"] - nets.weights_of(pushed, case["S"])


def needed_row(case: dict[str, Any]) -> nets.Array:
    """The smallest weights that drive the new neuron, by least squares."""
    return nets.weights_of(case["epsilon"] * case["L"] * case["t_p"] * case["K_row"], case["S"])


def columns() -> Iterator[dict[str, Any]]:
    """Outgoing weights that undo the correction of the old ones, by least squares in the new neuron."""
    for case in cases():
        driven = case["epsilon"] * case["t_p"] * case["K_row"]
        correction = (case["W"] - _blocks(case, case["epsilon"])[0]) @ case["S"]
        yield {**case, "W_column": nets.weights_of(correction, driven)}


def zero_neurons() -> Iterator[dict[str, Any]]:
    """Velocity of a net with a zero neuron, and the velocity of the net without it, with a row of zeros."""
    for case in cases():
        larger = np.block([[case["W"], np.zeros((3, 1))], [np.zeros((1, 4))]])
        state = np.vstack([case["A"], np.zeros((1, 3))])
        moved = larger @ nets.activation(state, False) - case["L"] * state
        alone = case["W"] @ case["S"] - case["L"] * case["A"]
        yield {"larger": moved, "padded": np.vstack([alone, np.zeros((1, 3))])}


def samples() -> tuple[dict[str, Any], ...]:
    """Samples on both sides of the condition on their negative entries."""
    return small.samples()


def velocities() -> Iterator[dict[str, Any]]:
    """Velocities that the new weights give, and how they differ from the intended ones."""
    for case in cases():
        old, column, row = _blocks(case, case["epsilon"])
        grown = case["epsilon"] * case["grown"]  # not negative, so that it is its own activation
        first = old @ case["S"] + column @ grown - case["L"] * case["A"]
        second = row @ case["S"] - case["L"] * grown
        intended = case["W"] @ case["S"] - case["L"] * case["A"]
        yield {**case, "first_row": first, "second_row": second, "difference": first - intended}


@cache
def deviation(size: float) -> float:
    """How far the path of the new weights is from (A, epsilon a) at p = 1, without bias; integrated together."""
    draw = np.random.default_rng(3)
    start, constant, rising = draw.normal(size=(3, 3, 3))
    depth = 3.0

    def rate(p: float, state: nets.Array) -> nets.Array:
        A, new, a = state[:3], state[3:7], state[7:]
        W, t, active = constant + p * rising, max(0.0, 1 - abs(p - 0.5) / 0.3), np.maximum(A, 0)
        x, y = A[:, :1], active[:, :1]
        larger = np.block([[W - depth * size**2 * t**2 * x @ y.T, size * depth * t * x],
                           [size * depth * t * y.T, np.zeros((1, 1))]])  # fmt: skip
        return np.vstack([
            W @ active - depth * A, larger @ np.maximum(new, 0) - depth * new, depth * (t * y.T @ active - a)
        ])  # fmt: skip

    end = nets.flow(np.vstack([start, start, np.zeros((2, 3))]), rate, 0.0, 1.0, 400)
    return float(np.abs(end[3:7] - np.vstack([end[:3], size * end[7:]])).max())

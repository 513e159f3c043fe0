r"""Numbers for Appendix A.3: balanced nets, weights along critical paths, and a reparametrised net."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.polynomial import Chebyshev
from scipy.optimize import minimize_scalar

from theory.papers.jacot2024 import explicit_nets as nets

DEPTH = 1.2


def scaled_neurons() -> list[dict[str, Any]]:
    """A neuron whose incoming weights are multiplied by a factor and whose outgoing weights are divided by it."""

    def relu(z: float) -> float:
        return max(0.0, z)

    return [
        {"factor": factor, "z": z, "outgoing": 1.3, "relu_at": relu} for factor in (0.4, 3.0, -2.0) for z in (0.7, -1.1)
    ]


@cache
def balanced_neurons() -> tuple[dict[str, Any], ...]:
    """Norms of incoming weights, bias and outgoing weights at the factor that makes their squares least; a search."""
    cases = []
    for incoming, bias, outgoing in ((2.0, 0.5, 1.0), (0.3, 0.7, 4.0)):

        def cost(log_factor: float, x: float = incoming, b: float = bias, y: float = outgoing) -> float:
            factor = float(np.exp(log_factor))
            return factor**2 * (x**2 + b**2) + (y / factor) ** 2

        factor = float(np.exp(minimize_scalar(cost, tol=1e-10).x))
        cases.append({"incoming": factor * incoming, "bias": factor * bias, "outgoing": outgoing / factor})
    return tuple(cases)


@cache
def balanced_layers(has_bias: bool = True) -> dict[str, Any]:
    """Frobenius norms of four layers of a fully connected net whose neurons are balanced, by their number."""
    draw = np.random.default_rng(0)
    weights, biases = [draw.normal(size=(5, 5))], []
    for _ in range(3):
        biases.append(has_bias * draw.normal(size=5))
        outgoing = draw.normal(size=(5, 5))
        wanted = np.sqrt((weights[-1] ** 2).sum(axis=1) + biases[-1] ** 2)
        weights.append(outgoing * wanted / np.linalg.norm(outgoing, axis=0))
    return {
        "W_layer": lambda k: float(np.linalg.norm(weights[int(k) - 1])),
        "b_layer": lambda k: float(np.linalg.norm(biases[int(k) - 1])),
        "l": 3,
    }


@cache
def _critical() -> tuple[Chebyshev, Chebyshev]:
    """Squared weights without bias, and squared biases, along an integrated path on which no neuron switches."""
    A, B = nets.joint_path(*nets.random_state(52, samples=2, size=0.6), DEPTH, bias=True)
    weights = np.array([DEPTH * b @ nets.activation(a, True).T for a, b in zip(A, B, strict=True)]) ** 2
    places = np.linspace(0, 1, len(A))
    sums = weights[:, :, :-1].sum(axis=(1, 2)), weights[:, :, -1].sum(axis=1)
    return Chebyshev.fit(places, sums[0], 20, [0, 1]), Chebyshev.fit(places, sums[1], 20, [0, 1])


@cache
def critical_weights(whole: bool) -> tuple[dict[str, Any], ...]:
    """Norms of the weights and of the bias along a critical path, at two places.

    Args:
        whole: whether the weights have the bias as their last column.
    """
    weights, biases = _critical()
    whole_squares = weights + biases
    shown = whole_squares if whole else weights
    shared = {
        "L": DEPTH, "W_at": lambda p: np.sqrt(shown(p)), "bias_at": lambda p: np.sqrt(biases(p)),
        "b_at": lambda p: np.sqrt(biases(p)), "growth": lambda p: whole_squares.deriv()(p),
        "dr": lambda p: np.sin(np.pi * p), "dr_prime": lambda p: np.pi * np.cos(np.pi * p),
    }  # fmt: skip
    return tuple({**shared, "p": p} for p in (0.35, 0.8))


def first_variation() -> float:
    """Slope of the squared weights along the critical path reparametrised by q + size sin(pi q), by differences."""
    weights, biases = _critical()
    places = np.linspace(0, 1, 2001)
    direction, pushed = np.sin(np.pi * places), np.pi * np.cos(np.pi * places)

    def total(size: float) -> float:
        at = places + size * direction
        swelling = np.exp(2 * DEPTH * (at - places))
        return nets.mean((1 + size * pushed) ** 2 * (weights(at) + swelling * biases(at)))

    return (total(1e-4) - total(-1e-4)) / 2e-4


_DRAW = np.random.default_rng(22)
_V, _B, START = _DRAW.normal(size=(2, 2)), _DRAW.normal(size=(2, 1)), _DRAW.normal(size=(2, 2))
LEAK = 1.5


def weights(p: float) -> nets.Array:
    """Weights of a net of two neurons."""
    return np.asarray(_V * np.cos(p))


def bias(p: float) -> nets.Array:
    """Its bias."""
    return np.asarray(_B * p)


def other(q: float) -> float:
    """The new parameter r(q)."""
    return q * (1 + q) / 2


def pace(q: float) -> float:
    """Its derivative."""
    return q + 0.5


@lru_cache(maxsize=4096)
def path(p: float) -> nets.Array:
    """The path of the net."""
    return nets.flow(START, lambda s, A: -LEAK * A + weights(s) @ np.maximum(A, 0) + bias(s), 0.0, p, 100)


def new_weights(q: float) -> nets.Array:
    """Weights of the reparametrised net."""
    return pace(q) * weights(other(q))


def new_bias(q: float) -> nets.Array:
    """Its bias."""
    return np.asarray(pace(q) * np.exp(LEAK * (other(q) - q)) * bias(other(q)))


@lru_cache(maxsize=4096)
def new_path(q: float) -> nets.Array:
    """The path of the reparametrised net."""
    return nets.flow(START, lambda s, A: -LEAK * A + new_weights(s) @ np.maximum(A, 0) + new_bias(s), 0.0, q, 100)


def _velocity(place: Callable[[float], nets.Array], p: float) -> nets.Array:
    return np.asarray((place(p + 1e-4) - place(p - 1e-4)) / 2e-4)


def reparametrised() -> list[dict[str, Any]]:
    """Letters of both nets at three places."""
    return [
        {
            "q": q, "L": LEAK, "r": other, "r_prime": pace, "A_at": path, "A_new": new_path, "Z_new": new_path,
            "rate_new": lambda q: _velocity(new_path, q), "A_dot_at": lambda p: _velocity(path, p), "V_at": weights,
            "b_vector": bias, "V_new": new_weights, "b_new": new_bias, "sigma": lambda A: np.maximum(A, 0),
            "product": lambda X, Y: X @ Y,
        }
        for q in (0.2, 0.5, 0.9)
    ]  # fmt: skip


def norms() -> list[dict[str, Any]]:
    """Norms of weights and biases of both nets."""
    return [{
        "L": LEAK, "r": other, "r_prime": pace, "W_at": lambda p: float(np.linalg.norm(weights(p))),
        "b_at": lambda p: float(np.linalg.norm(bias(p))), "W_new": lambda q: float(np.linalg.norm(new_weights(q))),
        "b_new_norm": lambda q: float(np.linalg.norm(new_bias(q))),
    }]  # fmt: skip

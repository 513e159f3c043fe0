"""A small net on the range [0, 1], and the same net on other ranges and with more leakage; integrated paths."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import numpy as np

from theory.papers.jacot2024 import explicit_nets as nets

DEPTH, RANGE, AT = 0.5, 3.0, 1.2  # leakage, the new range and a place q on it
_DRAW = np.random.default_rng(0)
_CONSTANT, _RISING = _DRAW.normal(size=(2, 2, 3))
START = np.array([[1.0, 0.4], [0.3, 0.9]])
SHORT = 1e-4


def weights(p: float, bias: bool = True) -> nets.Array:
    """Weights at a place of [0, 1]; the last column is the bias."""
    W = _CONSTANT * np.cos(p) + _RISING * p
    return W if bias else W[:, :-1]


@lru_cache(maxsize=4096)
def path(p: float, leakage: float = DEPTH, bias: bool = True) -> nets.Array:
    """Representations on [0, 1]."""
    return nets.flow(START, nets.leaky(lambda s: weights(s, bias), leakage, bias), 0.0, p, 100)


@lru_cache(maxsize=4096)
def stretched(q: float, stretch: float, leakage: float, factor: float) -> nets.Array:
    """Representations on [0, stretch] with the weights W_{q/stretch} times a factor."""
    return nets.flow(START, nets.leaky(lambda s: factor * weights(s / stretch), leakage, True), 0.0, q, 100)


def velocity(path_at: Any, p: float) -> nets.Array:
    """By central differences."""
    return np.asarray((path_at(p + SHORT) - path_at(p - SHORT)) / (2 * SHORT))


def _stretched(q: float) -> nets.Array:
    return stretched(q, RANGE, DEPTH / RANGE, 1 / RANGE)


STRETCHED: dict[str, Any] = {
    "L": DEPTH,
    "c": RANGE,
    "q": AT,
    "p": AT / RANGE,  # the place of [0, 1] that is stretched to q
    "alpha_prime": _stretched,
    "alpha_at": path,
    "rate_prime": lambda q: velocity(_stretched, q),
    "rate_at": lambda p: velocity(path, p),
    "weighted": lambda p: weights(p) @ nets.activation(_stretched(AT), True),
    "W_at": lambda p: float(np.linalg.norm(weights(p))),
    "W_prime": lambda q: float(np.linalg.norm(weights(q / RANGE) / RANGE)),
}
"""Values of the letters for the net on the range [0, 3]."""

MORE = 0.8  # leakage that is added


def _leakier(p: float) -> nets.Array:
    return path(p, DEPTH + MORE, False)


def _unbiased(p: float) -> nets.Array:
    return path(p, DEPTH, False)


@cache
def leakier() -> dict[str, Any]:
    """Values of the letters for more leakage, without bias."""
    return {
        "L": DEPTH,
        "c": MORE,
        "p": 0.6,
        "alpha_prime": _leakier,
        "alpha_at": _unbiased,
        "rate_prime_p": velocity(_leakier, 0.6),
        "rate_at": lambda p: velocity(_unbiased, p),
        "weighted_p": lambda p: weights(p, False) @ nets.activation(_leakier(p), False),
        "scaled_rate": velocity(lambda p: np.exp(-MORE * p) * _unbiased(p), 0.6),
    }

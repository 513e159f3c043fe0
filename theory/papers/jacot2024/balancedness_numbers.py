r"""Numbers for balancedness: reparametrised nets, the growth of the weights, and a first variation."""

from __future__ import annotations

import numpy as np

from theory.core import Reading
from theory.papers.jacot2024 import explicit_nets as nets


def reparametrised() -> bool:
    """A net of two neurons, integrated with its own weights and with those of r = q^2/2 + q/2: ends agree."""
    draw, steps = np.random.default_rng(6), 4000
    V0, b0, X = draw.normal(size=(2, 2)), draw.normal(size=(2, 1)), draw.normal(size=(2, 3))
    ends = []
    for other in (False, True):
        A = X.copy()
        for i in range(steps):
            place = (i + 0.5) / steps
            where, rate = (place * (1 + place) / 2, place + 0.5) if other else (place, 1.0)
            W_ = rate * V0 * np.cos(where)
            offset = rate * np.exp(1.5 * (where - place)) * b0 * where if other else b0 * where

            def move(state: np.ndarray, W_: np.ndarray = W_, offset: np.ndarray = offset) -> np.ndarray:
                return -1.5 * state + W_ @ np.maximum(state, 0) + offset

            A = A + move(A + move(A) / (2 * steps)) / steps
        ends.append(A)
    return bool(np.abs(ends[0] - ends[1]).max() < 1e-5)


def growth() -> tuple[float, float]:
    """Growth of the squared weights from p = 0 to 1, and depth times the integrated squared bias, at depth 2."""
    A, B = nets.random_state(3, size=0.5)
    path = nets.joint_path(A, B, 2.0, bias=True)
    weights = np.array([2.0 * b_ @ nets.activation(a, True).T for a, b_ in zip(*path, strict=True)])
    squares = (weights**2).sum(axis=(1, 2))
    return float(squares[-1] - squares[0]), 2.0 * nets.mean((weights[:, :, -1] ** 2).sum(axis=1))


def proposition() -> Reading:
    """Growth of the squared weights: with factor 1, with factor 2, and as it is."""
    grown, printed = growth()
    return Reading(printed, 2 * printed, grown, tolerance=1e-3)


def first_variation() -> Reading:
    """Of the squared weights under r = q + eps sin(pi q), f = exp(q), g = 1 + q^2, depth 2, by central differences."""
    p = np.linspace(0, 1, 2001)
    direction, pushed = np.sin(np.pi * p), np.pi * np.cos(np.pi * p)

    def total(step: float) -> float:
        place = p + step * direction
        return nets.mean((1 + step * pushed) ** 2 * (np.exp(place) + np.exp(4 * (place - p)) * (1 + place**2)))

    independent = (total(1e-5) - total(-1e-5)) / 2e-5
    f_, g_ = np.exp(p), 1 + p**2
    printed = nets.mean(2 * pushed * (f_ + g_) + 4 * direction * g_)
    corrected = nets.mean(2 * pushed * (f_ + g_) + direction * (np.exp(p) + 2 * p) + 4 * direction * g_)
    return Reading(printed, corrected, independent, tolerance=1e-6)


def third_line() -> Reading:
    """One active neuron, A = 3/10, V = 2, b = 1/2, leakage 1, r' = 3/2 at r - q = 1/5."""
    A, V_, b_, rate, swell = 0.3, 2.0, 0.5, 1.5, float(np.exp(0.2))
    independent = (rate - 1) * swell * A + swell * rate * (-A + V_ * A + b_)
    ends = -swell * A + swell * rate * b_
    return Reading(ends + rate * A * swell * A, ends + rate * V_ * swell * A, independent)

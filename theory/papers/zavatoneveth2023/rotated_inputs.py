"""What geometry at infinite width depends on: inputs of one norm, kernels of dot products, inputs turned together."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from theory.core import Check, Claim
from theory.core.ledger.proving import is_close
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.christoffel import WORK, exact

Kernel = Callable[..., Any]


def _geometry(point: tuple[str, ...]) -> list[float]:
    found = christoffel.curvature(explicit_metrics.infinite_erf("1", "0.5", len(point)), point)
    return [float(np.linalg.det(explicit_metrics.as_floats(found.metric))), float(found.scalar)]


def depends_on_the_norm(claim: Claim) -> tuple[Check, ...]:
    """Whether points that agree in the variable of the claim have one geometry."""
    norm = claim["variable"] == "the norm of x"
    other = ("0.6", "-0.2", "0.3") if norm else ("0.3", "0.1", "0.5")  # 0.36 + 0.04 + 0.09 = 0.09 + 0.36 + 0.04
    return (Check("two points", lambda: is_close(_geometry(("0.3", "-0.6", "0.2")), _geometry(other)), "definitions"),)


def metric_of_kernel(kernel: Kernel, point: tuple[str, ...]) -> np.ndarray:
    """Second derivative of the kernel in one input and the other where both are the point, by differences."""
    size, step, at = len(point), WORK.mpf(10) ** -20, exact(point)
    axes = step * exact(np.eye(size))

    def mixed(one: np.ndarray, other: np.ndarray) -> float:
        signs = ((1, 1), (-1, -1), (1, -1), (-1, 1))
        total = sum(s * t * kernel(at + s * one, at + t * other) for s, t in signs)
        return float(total / (4 * step**2))

    return np.array([[mixed(one, other) for other in axes] for one in axes])


def has_a_projection(claim: Claim) -> tuple[Check, ...]:
    """Whether metrics of dot-product kernels are the identity plus a multiple of the projection on x."""
    point = ("0.3", "-0.7", "0.2")
    outer = np.outer(np.array(point, dtype=float), np.array(point, dtype=float))
    along = outer / np.trace(outer)

    def is_of_the_form(kernel: Kernel) -> bool:
        metric = metric_of_kernel(kernel, point)
        across = (np.trace(metric) - np.trace(metric @ along)) / 2
        rest = metric - across * np.eye(3)
        if claim["form"] == "a projection":
            return is_close(rest, np.trace(rest) * along) and bool(np.trace(rest) > 0.1)
        return is_close(rest, np.zeros((3, 3)), scale=1.0)

    kernels = (lambda x, y: (x @ y + WORK.mpf("0.5")) ** 3, lambda x, y: WORK.exp(x @ y))
    return (Check("two kernels", lambda: all(map(is_of_the_form, kernels)), "differences"),)


def _two_layers(x: np.ndarray, y: np.ndarray) -> float:
    """NNGP kernel of two layers of erf(z/sqrt 2), sigma = 1.1 and zeta = 0.4, weights scaled by their number."""
    own, between = [x @ x, y @ y], x @ y
    for _ in range(2):
        spread = [1.21 * value + 0.16 for value in own]
        covariance = 1.21 * between + 0.16
        between = 2 / math.pi * math.asin(covariance / math.sqrt((1 + spread[0]) * (1 + spread[1])))
        own = [2 / math.pi * math.asin(value / (1 + value)) for value in spread]
    return between


def deep_kernel_is_symmetric(claim: Claim) -> tuple[Check, ...]:
    """Whether the kernel, and so all geometry, does not change when both inputs are turned."""
    draw = np.random.default_rng(2)
    turn, _ = np.linalg.qr(draw.normal(size=(4, 4)))
    x, y = draw.normal(size=(2, 4))
    same = is_close(_two_layers(turn @ x, turn @ y), _two_layers(x, y))
    return (Check("turned inputs", lambda: same is (claim["share"] == "share"), "kernel of two layers"),)

r"""Posterior means of a wide Bayesian network to first order in 1/n: exact sums, fluctuations, a case solved exactly.

With the read-outs integrated out, the m outputs at the training points are Gaussian with covariance K + 1/beta.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
from scipy import special

from theory.core import Check
from theory.core.ledger.proving import is_close
from theory.core.numbers.evaluation import evaluate
from theory.papers.zavatoneveth2023.linear_posterior import posterior_moment, prior_moment
from theory.papers.zavatoneveth2023.unit_averages import ACTIVATION, Array

UNITS = np.array([[0.9, 0.4], [-0.3, 1.1], [0.6, -0.8]])
PROBABILITIES = np.array([0.5, 0.3, 0.2])
INPUT = np.array([0.5, 0.8])
TRAINING = np.array([[0.7, -0.4], [0.2, 1.1]])
TARGETS = np.array([[0.8, -0.5, 1.4], [0.3, 0.9, -0.6]])
WIDTHS = (50, 100, 200, 400)
BACKGROUND = 1.7  # volume element at infinite width, in the unit in which volumes are given here
CIRCLE = 1e-3  # radius, of 1/n
EXTRAPOLATED = 1e-5  # what extrapolation in 1/n from these widths leaves
SLOPES, FEATURES = ACTIVATION["phi1"](UNITS @ INPUT), ACTIVATION["phi0"](UNITS @ TRAINING.T)
METRICS = SLOPES[:, None, None] ** 2 * UNITS[:, :, None] * UNITS[:, None, :]
"""What each of the three units adds to n times the metric, [3, 2, 2]."""
KERNELS = FEATURES[:, :, None] * FEATURES[:, None, :]


class Sums(NamedTuple):
    """Posterior means over all networks of one width whose units are drawn from ``UNITS``; also of the prior."""

    metric: Array
    volume: float
    untrained: float
    covariance: Array
    """Of kernel and metric over the prior, [point, point, 2, 2]."""
    trained_covariance: Array
    """The same over the posterior."""


@cache
def sums(width: int, points: int = 2, outputs: int = 3, noise: float = 0.4) -> Sums:
    """Exact sums over how often each unit occurs, for the first training points and outputs."""
    counts = np.array([(i, k, width - i - k) for i in range(width + 1) for k in range(width - i + 1)])
    chance = special.gammaln(width + 1) - special.gammaln(counts + 1).sum(1) + counts @ np.log(PROBABILITIES)
    metrics = np.tensordot(counts / width, METRICS, 1)
    kernels = np.tensordot(counts / width, KERNELS[:, :points, :points], 1)
    gamma = kernels + noise * np.eye(points)
    targets = TARGETS[:points, :outputs]
    fit = np.einsum("ai,cab,bi->c", targets, np.linalg.inv(gamma), targets)
    likelihood = -(outputs * np.linalg.slogdet(gamma)[1] + fit) / 2
    prior = np.exp(chance)
    posterior = np.exp(chance + likelihood - np.max(chance + likelihood))
    posterior /= posterior.sum()
    volumes = np.sqrt(np.maximum(np.linalg.det(metrics), 0))

    def covariance(mass: Array) -> Array:
        product = np.einsum("c,cab,cmn->abmn", mass, kernels, metrics)
        return product - np.multiply.outer(np.tensordot(mass, kernels, 1), np.tensordot(mass, metrics, 1))

    return Sums(
        np.tensordot(posterior, metrics, 1), posterior @ volumes, prior @ volumes, covariance(prior),
        covariance(posterior),
    )  # fmt: skip


def first_order(value: Callable[[int], Any], limit: Any) -> Any:
    """Coefficient of 1/n in a quantity with this limit, extrapolated through four widths."""
    total = 0.0
    for width in WIDTHS:
        weight = math.prod((1 / other) / (1 / other - 1 / width) for other in WIDTHS if other != width)
        total = total + weight * width * (value(width) - limit)
    return total


def fluctuations(metrics: Array, kernels: Array, weights: Array, squared_target: float) -> dict[str, float]:
    """Coefficients of 1/n of the volume element, relative to infinite width, from the fluctuations of one unit.

    Args:
        metrics: of one unit for each of its weights, [nodes, d, d].
        kernels: its squared output at the one training point, [nodes].
        weights: probabilities of the nodes, [nodes].
        squared_target: squared target, without noise.
    """
    mean, kernel = np.tensordot(weights, metrics, 1), weights @ kernels
    relative = np.linalg.inv(mean) @ metrics
    traces = np.trace(relative, axis1=1, axis2=2)
    off = relative - np.eye(len(mean))
    squares = np.einsum("cij,cji->c", off, off)
    untrained = weights @ ((traces - len(mean)) ** 2 / 8 - squares / 4)
    slope = (squared_target / kernel - 1) / (2 * kernel)
    moved = slope * (weights @ (kernels * traces) - kernel * len(mean)) / 2
    return {
        "untrained": float(untrained), "root_of_mean": float(moved), "volume": float(untrained + moved),
        "chi": float(weights @ (kernels * traces) / kernel), "kernel": float(kernel),
    }  # fmt: skip


def expanded(orders: Mapping[str, float], **others: Any) -> dict[str, Any]:
    """Values on a circle of 1/n: each volume in units of that at infinite width, as 1 plus its coefficient over n."""
    inverse_width = CIRCLE * np.exp(2j * np.pi * np.arange(8) / 8)
    names = ("volume", "untrained", "root_of_mean")
    values = {name: BACKGROUND * (1 + orders[name] * inverse_width) for name in names if name in orders}
    return {"n": 1 / inverse_width, "background": BACKGROUND, **values, **others}


def agrees_to_first_order(relation: sp.Eq, case: Mapping[str, Any], tolerance: float = EXTRAPOLATED) -> bool:
    """Whether both sides have the same terms of order 1 and 1/n, and no larger one."""
    sides = [evaluate(side.removeO(), case) for side in (relation.lhs, relation.rhs)]
    scale = CIRCLE ** np.fft.fftfreq(8, 1 / 8)  # powers 0 to 3 of 1/n, then -4 to -1
    left, right = (np.fft.fft(np.broadcast_to(side, (8,))) / 8 for side in sides)
    return bool(
        is_close(left[:2] / scale[:2], right[:2] / scale[:2], tolerance, 1.0) and np.max(np.abs(right[5:])) < tolerance
    )


@cache
def remainder_order() -> int:
    """The order in 1/n of what the first two terms of the mean metric leave, for a linear network with one input."""
    left = [float(posterior_moment(1, width, 2.5) - 1) - 1.5 / width for width in (400, 800)]
    return round(math.log2(left[0] / left[1]))


def remainder(relation: sp.Eq) -> Check:
    """Whether the printed order of the remainder is that of the case solved exactly."""
    base, power = relation.rhs.getO().expr.as_base_exp()
    return Check("order of the remainder", lambda: str(base) == "n" and -power == remainder_order(), "Bessel functions")


@cache
def solved_case(width: Any = None) -> dict[str, Any]:
    """A linear network with one input and one training point: exact volumes at a width, or their expansion."""
    nodes, masses = np.polynomial.hermite_e.hermegauss(6)
    letters = {"y_a": math.sqrt(2.5) * 1.3, "norm_a": 1.3, "q": 1, "chi": 3.0, "chi_rho": 3.0, "d": 1,
               "z_a": 1.3 * nodes,
               "phi0": lambda z: z, "E": lambda values: values @ masses / masses.sum()}  # fmt: skip
    if width is None:
        return expanded({"volume": 0.5, "untrained": -0.25, "root_of_mean": 0.75}, **letters)
    exact = {
        "untrained": BACKGROUND * float(prior_moment(0.5, width)),
        "root_of_mean": BACKGROUND * float(posterior_moment(1, width, 2.5)) ** 0.5,
    }
    return {"n": width, "background": BACKGROUND, **exact, **letters}


@cache
def drawn_units() -> dict[str, float]:
    """Coefficients of 1/n for the three units and the first training point, by exact sums."""
    mean = np.tensordot(PROBABILITIES, METRICS, 1)
    root = math.sqrt(np.linalg.det(mean))
    one = {"points": 1, "outputs": 1, "noise": 0.0}
    return {
        "volume": float(first_order(lambda n: sums(n, **one).volume / root, 1)),
        "untrained": float(first_order(lambda n: sums(n, **one).untrained / root, 1)),
        "root_of_mean": float(first_order(lambda n: math.sqrt(np.linalg.det(sums(n, **one).metric)) / root, 1)),
    }


def fluctuations_are_those_of_exact_sums() -> bool:
    """Whether the expansion in the fluctuations of one unit has the coefficients of the exact sums."""
    expansion = fluctuations(METRICS, KERNELS[:, 0, 0], PROBABILITIES, TARGETS[0, 0] ** 2)
    return all(is_close(expansion[name], value, EXTRAPOLATED) for name, value in drawn_units().items())

r"""Eqs. (E.1) to (E.16): perturbed metrics, and posterior means of a wide Bayesian network to first order in 1/n.

With the read-outs integrated out, the m outputs at the training points are Gaussian with covariance K + 1/beta. Sums
run over all networks whose units are drawn from three.
"""

import itertools
import math
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from scipy import special

from papers.zavatoneveth2023.ledger import first_order
from papers.zavatoneveth2023.ledger.first_order import MOVED, UNTRAINED, VOLUME
from papers.zavatoneveth2023.ledger.gaussian import ARGUMENT, QUARTIC, read
from papers.zavatoneveth2023.ledger.index_notation import Case, as_printed, letters
from theory.core import Claim, Program, Programs, deciding, is_close, numerically, of_each_relation

PHI = {f"phi{order}": sp.lambdify(ARGUMENT, sp.diff(QUARTIC, ARGUMENT, order)) for order in (0, 1)}
UNITS, PROBABILITIES = np.array([[0.9, 0.4], [-0.3, 1.1], [0.6, -0.8]]), np.array([0.5, 0.3, 0.2])
INPUT = np.array([0.5, 0.8])
TRAINING = np.array([[0.7, -0.4], [0.2, 1.1]])
TARGETS = np.array([[0.8, -0.5, 1.4], [0.3, 0.9, -0.6]])
NOISE, OUTPUTS = 0.4, 3
WIDTHS = (50, 100, 200, 400)
SLOPES, FEATURES = PHI["phi1"](UNITS @ INPUT), PHI["phi0"](UNITS @ TRAINING.T)
METRICS = SLOPES[:, None, None] ** 2 * UNITS[:, :, None] * UNITS[:, None, :]
"""What each of the three units adds to n times the metric, [3, 2, 2]."""
KERNELS = FEATURES[:, :, None] * FEATURES[:, None, :]
METRIC, KERNEL = (np.tensordot(PROBABILITIES, values, 1) for values in (METRICS, KERNELS))
NAMES = (VOLUME, UNTRAINED, MOVED)
INDICES = ((1, 1), (1, 2), (2, 2))
ONE_UNIT: Case = {
    **PHI, "E": lambda values: PROBABILITIES @ values, "w1": lambda index: UNITS[:, index - 1], "z": UNITS @ INPUT,
    "K": lambda one, other: (one, other), "g": lambda mu, nu: (mu - 1, nu - 1), "x_n": lambda index: index - 1,
    "X_a": 0, "k_bar": lambda one, other: KERNEL[one, other], "g_bar": lambda mu, nu: METRIC[mu - 1, nu - 1],
    "z_a": UNITS @ TRAINING[0],
}  # fmt: skip


@cache
def sums(
    width: int, points: int = 2, outputs: int = OUTPUTS, noise: float = NOISE
) -> dict[str, Any]:
    """Exact means over all networks of a width whose units are drawn, and covariances of kernel and metric."""
    of_two = np.argwhere(np.add.outer(np.arange(width + 1), np.arange(width + 1)) <= width)
    counts = np.column_stack([of_two, width - of_two.sum(axis=1)])
    chance = (
        special.gammaln(width + 1)
        - special.gammaln(counts + 1).sum(1)
        + counts @ np.log(PROBABILITIES)
    )
    metrics = np.tensordot(counts / width, METRICS, 1)
    kernels = np.tensordot(counts / width, KERNELS[:, :points, :points], 1)
    gamma = kernels + noise * np.eye(points)
    targets = TARGETS[:points, :outputs]
    fit = np.einsum("ai,cab,bi->c", targets, np.linalg.inv(gamma), targets)
    likelihood = chance - (outputs * np.linalg.slogdet(gamma)[1] + fit) / 2
    prior, posterior = np.exp(chance), np.exp(likelihood - np.max(likelihood))
    posterior /= posterior.sum()
    volumes = np.sqrt(np.maximum(np.linalg.det(metrics), 0))

    def covariance(mass: Any) -> Any:
        product = np.einsum("c,cab,cmn->abmn", mass, kernels, metrics)
        return product - np.multiply.outer(
            np.tensordot(mass, kernels, 1), np.tensordot(mass, metrics, 1)
        )

    metric = np.tensordot(posterior, metrics, 1)
    means = {
        VOLUME: posterior @ volumes,
        UNTRAINED: prior @ volumes,
        MOVED: math.sqrt(np.linalg.det(metric)),
    }
    return {
        **means,
        "metric": metric,
        "prior": covariance(prior),
        "posterior": covariance(posterior),
    }


@cache
def two_points() -> list[Case]:
    """Two training points, three outputs, noise: networks of units drawn from three, summed, extrapolated in 1/n."""
    inverse = np.linalg.inv(KERNEL + NOISE * np.eye(2))
    psi = inverse @ (TARGETS @ TARGETS.T / OUTPUTS) @ inverse - inverse
    slope = first_order.first_order(lambda width: sums(width)["metric"], METRIC, WIDTHS)
    return _means(slope, {"m": OUTPUTS, "p": 2, "Psi": lambda i, k: psi[i - 1, k - 1]})


@cache
def one_point() -> list[Case]:
    """One training point and one output without noise."""
    slope = first_order.first_order(lambda width: sums(width, 1, 1, 0.0)["metric"], METRIC, WIDTHS)
    return _means(slope, {"y_a": TARGETS[0, 0]})


def _means(slope: Any, others: Mapping[str, Any]) -> list[Case]:
    case = {**ONE_UNIT, **first_order.expanded({}), **others}
    case["avg"] = lambda index: METRIC[index] + slope[index] / case["n"]
    # of networks of one unit
    case["cov"] = lambda kernel, index: sums(1)["prior"][kernel][index] / case["n"]
    return [{**case, "mu": mu, "nu": nu} for mu, nu in INDICES]


def of_some_widths() -> list[Case]:
    """All networks of one, two and five units drawn from three, summed exactly; two training points."""
    cases: list[Case] = []
    for width, (a, b), (mu, nu) in itertools.product((1, 2, 5), INDICES, INDICES):
        cases.append({
            **ONE_UNIT, "mu": mu, "nu": nu, "n": width, "a": a, "b": b, "z_b": UNITS @ TRAINING[b - 1],
            "z_a": UNITS @ TRAINING[a - 1],
            "cov": lambda kernel, index, width=width: sums(width)["prior"][kernel][index],
        })  # fmt: skip
    return cases


def of_pairs() -> list[Case]:
    """All networks of two units drawn from three, summed exactly."""
    chances = np.multiply.outer(PROBABILITIES, PROBABILITIES)
    metric = np.einsum("ik,ikmn->mn", chances, (METRICS[:, None] + METRICS[None]) / 2)
    return [
        {**ONE_UNIT, "g_bar": lambda i, k: metric[i - 1, k - 1], "mu": mu, "nu": nu}
        for mu, nu in INDICES
    ]


def facts() -> list[Case]:
    """The metric and the kernel of three units, two inputs."""
    squares = {
        "E(phi0(z_a)**2)": PROBABILITIES @ FEATURES[:, 0] ** 2,
        "k_bar(X_a, X_a)": KERNEL[0, 0],
    }
    return [{"n": 3, "d": 2, "g_bar": METRIC, "g_bar_up": np.linalg.inv(METRIC), **squares}]


def covariance_of(claim: Claim, units: int = 5) -> float:
    """The width times the covariance of the first entries over networks of so many units."""
    return float(units * sums(units)[claim["which"]][0, 0, 0, 0])


def average_over_one_unit() -> float:
    """The right-hand side of (E.13) for the first entries."""
    return float(
        PROBABILITIES @ (KERNELS[:, 0, 0] * METRICS[:, 0, 0]) - KERNEL[0, 0] * METRIC[0, 0]
    )


@cache
def drawn_units() -> list[Case]:
    """Networks of units drawn from three, summed exactly; a linear network solved at any width."""
    root = math.sqrt(np.linalg.det(METRIC))
    volumes = {}
    for width in WIDTHS:
        of_width = sums(width, points=1, outputs=1, noise=0.0)
        volumes[width] = np.array([of_width[name] for name in NAMES]) / root
    coefficients = dict(
        zip(NAMES, first_order.first_order(volumes.__getitem__, 1, WIDTHS), strict=True)
    )
    tilted = np.tensordot(PROBABILITIES * KERNELS[:, 0, 0], METRICS, 1) / KERNEL[0, 0]
    chi = float(np.trace(np.linalg.inv(METRIC) @ tilted))  # (E.17)
    return [{**ONE_UNIT, **first_order.expanded(coefficients, y_a=TARGETS[0, 0], chi=chi, d=2)}]


def is_first_order(relation: Any) -> bool:
    """Metrics of two and three inputs; the sides differ from the printed order on, and not before."""
    (remainder,) = relation.rhs.atoms(sp.Order)
    size, (base, power) = sp.Symbol("size"), remainder.expr.as_base_exp()
    product = letters("g_bar_up")(*letters("mu nu")) * letters("h")(*letters("mu nu"))

    def order(inputs: int) -> Any:
        background = sp.Matrix(
            inputs, inputs, lambda i, k: sp.Rational(i + k + 3, 7) + 3 * int(i == k)
        )
        change = sp.Matrix(
            inputs, inputs, lambda i, k: sp.Rational((i + 2) * (k + 2), 5) - int(i == k)
        )
        meanings = {
            "det": lambda matrix: matrix.det(),
            "g": background + size * change,
            "G_bar": background,
        }
        known = {remainder: sp.S.Zero, product: size * (background.inv() * change).trace()}
        left, right = (read(side.subs(known), meanings) for side in relation.args)
        return sp.Poly(sp.series(left - right, size, 0, 4).removeO(), size).monoms()[-1][0]

    return bool(base == letters("h_size")) and all(order(inputs) == power for inputs in (2, 3))


PROGRAMS: Programs = {
    "(E.1) | (E.2)": of_each_relation(is_first_order),
    "(E.6)": numerically(of_pairs),
    "(E.12)": first_order.to_first_order(two_points),
    "E.1 covariance": Program(
        deciding(lambda claim: is_close(covariance_of(claim), average_over_one_unit())),
        average_over_one_unit,
        covariance_of,
        at={"units": 5},
        quantity="first entries of kernel and metric",
    ),
    "(E.13)": numerically(of_some_widths),
    "(E.14)": first_order.to_first_order(one_point),
    "(E.15) | (E.16)": first_order.volume(drawn_units),
    "E.1 facts": as_printed(facts),
}

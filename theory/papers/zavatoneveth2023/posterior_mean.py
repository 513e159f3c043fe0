r"""Appendix E.1: the posterior mean of the metric to first order in 1/n, Eqs. (E.12) to (E.14)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import is_close
from theory.papers.zavatoneveth2023.finite_posterior import (
    INPUT,
    KERNELS,
    METRICS,
    PROBABILITIES,
    TARGETS,
    TRAINING,
    UNITS,
    agrees_to_first_order,
    expanded,
    first_order,
    remainder,
    sums,
)
from theory.papers.zavatoneveth2023.unit_averages import ACTIVATION

g_bar, g_mean, cov_aa, k_ab, k_aa, g_inverse_g = sp.symbols("g_bar g_mean cov_aa k_ab k_aa g_inverse_g", real=True)
Psi, cov = sp.Function("Psi"), sp.Function("cov")
NOISE, OUTPUTS = 0.4, 3
ENTRIES = ((0, 0), (0, 1), (1, 1))
over_units: dict[str, Any] = {
    **ACTIVATION,
    "E": lambda values: PROBABILITIES @ values,
    "w": lambda index: UNITS[:, index - 1],
    "z": UNITS @ INPUT,
}


@cache
def two_points() -> list[dict[str, Any]]:
    """Expansions of the mean metric for two training points, three outputs and noise, by exact sums."""
    gamma = np.tensordot(PROBABILITIES, KERNELS, 1) + NOISE * np.eye(2)
    inverse, mean = np.linalg.inv(gamma), np.tensordot(PROBABILITIES, METRICS, 1)
    psi = inverse @ (TARGETS @ TARGETS.T / OUTPUTS) @ inverse - inverse
    slope = first_order(lambda width: sums(width).metric, mean)
    covariance = sums(1).covariance  # of networks of one unit; n times that of n units
    return [_expansion(mean, slope, psi, covariance, index) for index in ENTRIES]


def _expansion(mean: Any, slope: Any, psi: Any, covariance: Any, index: tuple[int, int]) -> dict[str, Any]:
    case = expanded({}, m=OUTPUTS, p=2, g_bar=mean[index], Psi=lambda i, k: psi[i - 1, k - 1])
    case["cov"] = lambda i, k: covariance[i - 1, k - 1][index] / case["n"]
    return {**case, "g_mean": mean[index] + slope[index] / case["n"]}


@cache
def one_point() -> list[dict[str, Any]]:
    """Expansions of the mean metric for one training point and one output without noise, by exact sums."""
    mean = np.tensordot(PROBABILITIES, METRICS, 1)
    slope = first_order(lambda width: sums(width, points=1, outputs=1, noise=0.0).metric, mean)
    cases = []
    for index in ENTRIES:
        case = expanded({}, y_a=TARGETS[0, 0], k_aa=PROBABILITIES @ KERNELS[:, 0, 0], g_bar=mean[index])
        case["cov_aa"] = sums(1).covariance[0, 0][index] / case["n"]
        cases.append({**case, "g_mean": mean[index] + slope[index] / case["n"]})
    return cases


def to_first_order(cases: Callable[[], list[dict[str, Any]]]) -> Callable[[sp.Eq], tuple[Check, ...]]:
    """Proves a printed expansion in 1/n against exact sums."""

    def prove(relation: sp.Eq) -> tuple[Check, ...]:
        def agrees() -> bool:
            return all(agrees_to_first_order(relation, case) for case in cases())

        return (Check("first order", agrees, "exact sums, extrapolated in 1/n"), remainder(relation))

    return prove


def networks_of_some_units() -> list[dict[str, Any]]:
    """The covariance over all networks of one, two and five units."""
    means = np.tensordot(PROBABILITIES, KERNELS, 1), np.tensordot(PROBABILITIES, METRICS, 1)

    def covariance(width: int, index: tuple[int, int]) -> Callable[[int, int], float]:
        return lambda i, k: sums(width).covariance[i - 1, k - 1][index]

    return [
        over_units
        | {"mu": index[0] + 1, "nu": index[1] + 1, "n": width, "a": one + 1, "b": other + 1}
        | {"z_a": UNITS @ TRAINING[one], "z_b": UNITS @ TRAINING[other], "g_bar": means[1][index]}
        | {"k_ab": means[0][one, other], "cov": covariance(width, index)}
        for width in (1, 2, 5)
        for one, other in ENTRIES
        for index in ENTRIES
    ]


def covariance_of(claim: Claim) -> float:
    """Five times the covariance of the first entries over networks of five units."""
    found = sums(5).covariance if claim["which"] == "prior" else sums(5).trained_covariance
    return float(5 * found[0, 0, 0, 0])


def average_over_one_unit() -> float:
    """The right-hand side of (E.13) for the first entries."""
    kernel, metric = KERNELS[:, 0, 0], METRICS[:, 0, 0]
    return float(PROBABILITIES @ (kernel * metric) - (PROBABILITIES @ kernel) * (PROBABILITIES @ metric))


def is_the_average(claim: Claim) -> tuple[Check, ...]:
    """Whether the covariance that is named is that of (E.13)."""
    return (Check("networks of five units", lambda: is_close(covariance_of(claim), average_over_one_unit()), "sums"),)


def facts() -> list[dict[str, Any]]:
    """The contraction of a metric with its inverse, and the kernel at equal inputs."""
    mean = np.tensordot(PROBABILITIES, METRICS, 1)
    return [
        over_units
        | {"d": 2, "g_inverse_g": np.sum(np.linalg.inv(mean) * mean)}
        | {"z_a": UNITS @ point, "k_aa": np.tensordot(PROBABILITIES, KERNELS, 1)[index, index]}
        for index, point in enumerate(TRAINING)
    ]


PROGRAMS: Programs = {
    "(E.12)": to_first_order(two_points),
    "E.1 covariance": Program(is_the_average, average_over_one_unit, value=covariance_of),
    "(E.13)": numerically(networks_of_some_units, "exact sums"),
    "(E.14)": to_first_order(one_point),
    "E.1 facts": numerically(facts, "sums"),
}

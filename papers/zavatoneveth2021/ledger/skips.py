"""Appendix E: linear networks with skip connections, whose second layer has an exact mean and variance."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from papers.zavatoneveth2021.ledger.matrices import (
    MARKS,
    ROWS,
    STEP,
    Array,
    Case,
    positive,
    symmetric,
)
from theory.core import Program, Programs, evaluate, numerically

SIGMA = {
    (1, 0): 0.9, (2, 0): 0.5, (2, 1): 1.2, (3, 0): 0.7, (3, 1): 0.6, (3, 2): 1.1, (4, 0): 0.4, (4, 1): 0.8, (4, 2): 1.3,
}  # fmt: skip
"""By receiving and sending layer."""
WIDE: Case = {"n_1": 2e6, "n_2": 3e6}
SCALE = 1.1  # root of the product of the variances
NARROW: Case = {"beta": 0.7, "n_d": 3, "n_1": 40.0, "n_last": 70.0}


def sums(n_1: float, n_2: float) -> tuple[dict[int, float], dict[tuple[int, int], float]]:
    """Means and covariances of what layers 2 to 4 receive from the input and the first two, for an input of length one.

    Each kernel is a mean square of normal weights times the sum that its layer receives.
    """
    square = {pair: value**2 for pair, value in SIGMA.items()}
    mean_1 = square[1, 0]
    variance_1 = 2 / n_1 * mean_1**2
    mean_2 = square[2, 0] + square[2, 1] * mean_1
    variance_2 = 2 / n_2 * mean_2**2 + (1 + 2 / n_2) * square[2, 1] ** 2 * variance_1
    means = {
        layer: square[layer, 0] + square[layer, 1] * mean_1 + square[layer, 2] * mean_2
        for layer in (3, 4)
    }
    covariances = {}
    for one, other in product((3, 4), repeat=2):
        mixed = square[one, 1] * square[other, 2] + square[one, 2] * square[other, 1]
        covariances[one, other] = (
            square[one, 1] * square[other, 1] * variance_1
            + square[one, 2] * square[other, 2] * variance_2
            + mixed * square[2, 1] * variance_1
        )
    return means, covariances


def second_coupling(n_1: float, n_2: float) -> float:
    """The coupling of layers 3 and 4 from the exact covariance of what they receive from the input and two layers."""
    return n_2 * sums(n_1, n_2)[1][3, 4] / 2


def networks(n_1: float, n_2: float) -> list[Case]:
    """Letters of a network of these widths, for two pairs of later layers."""
    means, covariances = sums(n_1, n_2)
    square = {pair: value**2 for pair, value in SIGMA.items()}
    m = {(1, 0): SIGMA[1, 0]}
    g = {}
    for one in (2, 3, 4):
        m[one, 1] = (square[one, 0] + square[one, 1] * square[1, 0]) ** 0.5
        for other in (2, 3, 4):
            g[one, other, 1] = square[one, 1] * square[other, 1] * square[1, 0] ** 2
    for one, other in covariances:
        m[one, 2] = means[one] ** 0.5
        g[one, other, 2] = n_2 * covariances[one, other] / 2

    def of(table: dict[Any, float]) -> Callable[..., float]:
        return lambda *indices: table[tuple(map(int, indices))]

    return [
        {
            "g_three": of(g), "m_of": of(m), "sigma_of": of(SIGMA), "n_1": n_1, "n_2": n_2,
            "n_of": of({(1,): n_1, (2,): n_2}), "ell": ell, "ell_": other, "tau": 2,
        }
        for ell, other in ((3, 4), (4, 4))
    ]  # fmt: skip


def couplings() -> list[Case]:
    """Two hidden layers with skip connections and one input: exact covariances of what later layers receive."""
    return networks(**WIDE)


def log_of_readout(beta: float, n_d: int, n_last: float) -> float:
    """The readout's integral over three inputs: its logarithm, differentiated along the change of the kernel."""
    G_xx, G_yy, J = three_inputs()
    kernel = SCALE**2 * G_xx - 1j * STEP * G_xx @ J @ G_xx / n_last
    inside = np.eye(ROWS) + beta * kernel
    inverse = np.linalg.inv(inside)
    log_z = -n_d / 2 * (np.log(np.linalg.det(inside)) + beta * np.trace(inverse @ G_yy))
    return float(np.imag(log_z) / STEP)


def three_inputs() -> tuple[Array, Array, Array]:
    """Gram matrices of inputs and targets, and a source."""
    draw = np.random.default_rng(41)
    return positive(draw), positive(draw), symmetric(draw)


def readout(beta: float, n_d: int, n_1: float, n_last: float) -> Case:
    """Letters of the readout's integral over three inputs."""
    G_xx, G_yy, J = three_inputs()
    return {
        **MARKS, "Gamma": np.eye(ROWS) + beta * SCALE**2 * G_xx, "G_xx": G_xx, "G_yy": G_yy, "J_eff": J, "beta": beta,
        "n_d": n_d, "n_1": n_1, "n_last": n_last, "Z": float(np.exp(log_of_readout(beta, n_d, n_last))),
    }  # fmt: skip


def source_terms() -> list[Case]:
    """The readout's integral over three inputs: its logarithm, differentiated along the change of the kernel."""
    return [readout(**NARROW)]


def excess(statement: Any, case: Case) -> float:
    """By how much the right-hand side of a statement exceeds the left one."""
    return float(evaluate(statement.rhs, case) - evaluate(statement.lhs, case))


PROGRAMS: Programs = {
    "E.1 second coupling": Program(
        numerically(couplings, tolerance=1e-5),
        second_coupling,
        lambda statement, n_1, n_2: (
            second_coupling(n_1, n_2) + excess(statement, networks(n_1, n_2)[0])
        ),
        1e-5,
        at=WIDE,
        quantity="coupling of layers 3 and 4",
    ),
    "E.1 couplings": numerically(couplings, tolerance=1e-5),
    "E.1 variances": numerically(couplings),
    "E.1 log Z": Program(
        numerically(source_terms),
        log_of_readout,
        lambda statement, beta, n_d, n_1, n_last: (
            log_of_readout(beta, n_d, n_last) + excess(statement, readout(beta, n_d, n_1, n_last))
        ),
        at=NARROW,
        quantity="terms of log Z in the source",
    ),
}

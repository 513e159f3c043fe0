"""Sections 4.1, D.2 and D.4: deep linear networks, whose readout is integrated out exactly.

The kernel of one input is multiplied by a mean square of normal weights in each layer, so that posterior means are
integrals over two numbers. Of three inputs and one hidden layer, the first order is the covariance of the kernel with
the logarithm of the likelihood, which tells the order of matrices.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from papers.zavatoneveth2021.ledger.matrices import (
    ROWS,
    STEP,
    Array,
    Case,
    normal_values,
    positive,
)
from theory.core import Program, Programs, evaluate, is_close, numerically, stating

G_XX, G_YY, OUTPUTS = 1.3, 2.1, 3
SIGMAS = (0.9, 1.2, 0.8)
WIDTHS = (10_000, 16_000)
WARM, COLD = 1.4, 1e8  # inverse temperatures
FIRST_ORDER = 2e-6  # what is left of order 1/n^2
MARKS: Case = {
    "tr": lambda matrix: float(np.squeeze(matrix)),
    "det": lambda matrix: float(np.squeeze(matrix)),
}


@cache
def mean_squares(n: int) -> tuple[Array, Array]:
    """Values and masses of the mean square of n normal variables."""
    nodes, masses = np.polynomial.legendre.leggauss(120)
    deviation = (2 / n) ** 0.5
    low, high = max(1 - 12 * deviation, 0.0), 1 + 12 * deviation
    values = low + (high - low) * (nodes + 1) / 2
    density = (n / 2 - 1) * np.log(values) - n * (values - 1) / 2
    weights = masses * np.exp(density - density.max())
    return values, weights / weights.sum()


@cache
def kernel_means(beta: float) -> tuple[float, ...]:
    """Posterior means of the kernels of both hidden layers."""
    (first, mass_1), (second, mass_2) = map(mean_squares, WIDTHS)
    one = SIGMAS[0] ** 2 * G_XX * first[:, None] * np.ones_like(second)
    two = SIGMAS[1] ** 2 * one * second
    precision = 1 + beta * SIGMAS[2] ** 2 * two
    exponent = -OUTPUTS / 2 * (beta * G_YY / precision + np.log(precision))
    weights = np.outer(mass_1, mass_2) * np.exp(exponent - exponent.max())
    return tuple(float((weights * kernel).sum() / weights.sum()) for kernel in (one, two))


def matrix(number: float) -> Array:
    """A matrix of one row."""
    return np.array([[number]])


def of_a_temperature(beta: float) -> Iterator[Case]:
    """Both hidden layers."""
    m_d = float(np.prod(SIGMAS))
    coupling = (1.0, 1 + WIDTHS[1] / WIDTHS[0])
    for ell, mean in enumerate(kernel_means(beta), 1):
        yield {
            "K_mean": matrix(mean), "m_ell": float(np.prod(SIGMAS[:ell])), "m_d": m_d, "G_xx": matrix(G_XX),
            "G_yy": matrix(G_YY), "Gamma": matrix(G_XX + 1 / (beta * m_d**2)), "n_d": OUTPUTS, "ell": ell,
            "n_of": lambda layer: float(WIDTHS[int(layer) - 1]), "g_of": lambda layer: coupling[int(layer) - 1],
            "rest": matrix(0.0), "rest_low": matrix(0.0), "p": 1,
        }  # fmt: skip


def warm() -> list[Case]:
    """Two hidden layers and one input: means over two mean squares of weights, readout integrated out."""
    return list(of_a_temperature(WARM))


def cold() -> list[Case]:
    """The same at a low temperature."""
    return list(of_a_temperature(COLD))


def three_inputs() -> list[Case]:
    """One hidden layer and three inputs: the covariance of the kernel of a unit with the likelihood's slope."""
    draw = np.random.default_rng(31)
    G_xx, G_yy, (sigma, readout), width = positive(draw), positive(draw), SIGMAS[:2], WIDTHS[0]
    kernel = sigma**2 * G_xx

    def log_likelihood(K: Array) -> Any:
        C = readout**2 * K + np.eye(ROWS) / WARM
        return -OUTPUTS / 2 * (np.trace(G_yy @ np.linalg.inv(C)) + np.log(np.linalg.det(C)))

    slope = np.zeros((ROWS, ROWS))
    for place in np.ndindex(ROWS, ROWS):
        moved = kernel.astype(complex)
        moved[place] += STEP * 1j
        slope[place] = np.imag(log_likelihood(moved)) / STEP
    values, weights = normal_values(np.linalg.cholesky(kernel))
    products = np.einsum("ik,jk->ijk", values, values) - kernel[:, :, None]
    change = np.einsum("ijk,k->ij", products, weights * np.einsum("ijk,ij->k", products, slope))
    m_d = sigma * readout
    return [
        {
            "K_mean": kernel + change / width, "m_ell": sigma, "m_d": m_d, "G_xx": G_xx, "G_yy": G_yy,
            "Gamma": G_xx + np.eye(ROWS) / (WARM * m_d**2), "n_d": OUTPUTS, "ell": 1,
            "n_of": lambda layer: float(width), "g_of": lambda layer: 1.0,
            "rest": np.zeros((ROWS, ROWS)), "p": ROWS,
        }
    ]  # fmt: skip


def both() -> list[Case]:
    """Both hidden layers of a network of one input, and the one of a network of three."""
    return [*warm(), *three_inputs()]


LAYER: Case = {"G": 1.3, "A": 0.8, "B": 0.6, "J": 0.5, "n_1": 20_000, "n_2": 32_000}


def log_integral(G: float, A: float, B: float, J: float, n_1: int, n_2: int) -> float:
    """The logarithm of the integral over a layer with one input: an average over the kernel of the layer before."""
    values, masses = mean_squares(n_1)
    kernel = G * values - B / n_1
    precision = 1 + kernel * A / n_2
    return float(np.log(masses @ np.exp(kernel * J / precision / 2 - n_2 / 2 * np.log(precision))))


def integrals(layer: Case) -> list[Case]:
    """Letters of the integral over a layer."""
    matrices = {name: matrix(layer[name]) for name in "GABJ"}
    others = {"g": 1.0, "rest_both": 0.0, "p": 1, "I_of": float(np.exp(log_integral(**layer)))}
    return [{**MARKS, **layer, **matrices, **others}]


def integrated_layer() -> list[Case]:
    """The integral over a layer with one input: a Gaussian one for each kernel of the layer before, averaged."""
    return integrals(LAYER)


def printed_integral(
    statement: Any, G: float, A: float, B: float, J: float, n_1: int, n_2: int
) -> float:
    """What a statement has for it: its sides differ by nothing where it is right."""
    (case,) = integrals({"G": G, "A": A, "B": B, "J": J, "n_1": n_1, "n_2": n_2})
    excess = evaluate(statement.rhs, case) - evaluate(statement.lhs, case)
    return log_integral(G, A, B, J, n_1, n_2) + float(excess)


def couplings() -> list[Case]:
    """Variances of products of mean squares of weights, with widths of some millions."""
    widths = (2e6, 3e6, 5e6)
    spreads = [float(np.expm1(np.log1p(2 / np.array(widths[:ell])).sum())) for ell in (1, 2, 3)]
    g = [n * spread / 2 for n, spread in zip(widths, spreads, strict=True)]
    return [
        {
            "g_of": lambda layer: g[int(layer) - 1], "n_of": lambda layer: widths[int(layer) - 1], "ell": ell,
        }
        for ell in (2, 3)
    ]  # fmt: skip


def _same() -> str:
    """The ratio of the corrections of both layers is that of the sums of inverse widths."""
    changes = []
    for case in warm():
        inverse_widths = sum(1 / n for n in WIDTHS[: case["ell"]])
        change = float(case["K_mean"][0, 0]) / case["m_ell"] ** 2 - G_XX
        changes.append(change / inverse_widths)
    return "identical" if is_close(changes[0], changes[1], 1e-3) else "different"


PROGRAMS: Programs = {
    "4.1 identical": stating(same=_same),
    "(8)": numerically(both, tolerance=FIRST_ORDER),
    "(9)": numerically(cold, tolerance=FIRST_ORDER),
    "D.2 log I": Program(
        numerically(integrated_layer, tolerance=1e-7),
        log_integral,
        printed_integral,
        1e-7,
        at=LAYER,
        quantity="logarithm of the integral for one input",
    ),
    "D.4 kernels": numerically(both, tolerance=FIRST_ORDER),
    "D.4 recursion": numerically(couplings, tolerance=1e-5),
    "D.4 sum": numerically(couplings, tolerance=1e-5),
}

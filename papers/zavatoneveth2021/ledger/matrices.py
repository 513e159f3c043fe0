"""Sections 3.2 and 4.1, Appendices A, B and D.2: identities and expansions of matrices, at matrices of three rows.

Small parameters are so small that what a remainder stands for is below the tolerance, and each kept term above it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from theory.core import Programs, numerically, stating

Array = NDArray[Any]
Case = Mapping[str, Any]
ROWS = 3
STEP = 1e-20  # imaginary, of a derivative without cancellation
ZERO = np.zeros((ROWS, ROWS))
MARKS: Case = {
    "tr": np.trace, "det": np.linalg.det, "one": np.eye(ROWS),
    **dict.fromkeys(("rest", "rest_hot", "rest_cold", "rest_inverse", "rest_before"), ZERO),
    **dict.fromkeys(("rest_lam", "rest_one", "rest_two", "rest_both"), 0.0),
    "d_dt": lambda t, value: np.imag(value) / STEP, "p": ROWS,
}  # fmt: skip


def positive(draw: np.random.Generator) -> Array:
    """A symmetric matrix with eigenvalues of order one."""
    root = draw.normal(size=(ROWS, ROWS + 2))
    return root @ root.T / (ROWS + 2) + 0.3 * np.eye(ROWS)


def symmetric(draw: np.random.Generator) -> Array:
    """A symmetric matrix."""
    root = draw.normal(size=(ROWS, ROWS))
    return (root + root.T) / 2


def temperatures(scale: float) -> list[Case]:
    """Kernel and Gram matrix of three inputs, at an inverse temperature times a variance of this size."""
    draw = np.random.default_rng(21)
    K, G_yy, sigma = positive(draw), positive(draw), 1.3
    beta = scale / sigma**2
    Gamma = K + np.eye(ROWS) / (beta * sigma**2)
    return [{**MARKS, "K_inf": K, "G_yy": G_yy, "Gamma": Gamma, "beta": beta, "sigma_d": sigma}]


def hot() -> list[Case]:
    """Three inputs at a high temperature."""
    return temperatures(1e-5)


def cold() -> list[Case]:
    """Three inputs at a low temperature."""
    return temperatures(1e10)


def eigenbasis() -> list[Case]:
    """The correction (8) of three inputs, whose eigenvectors are computed, without its remainder."""
    draw = np.random.default_rng(4)
    G_xx, G_yy, m_d, m_ell, beta = positive(draw), positive(draw), 0.8, 1.2, 1.7
    n_d, widths = 3, (40.0, 70.0)
    inverse = np.linalg.inv(G_xx + np.eye(ROWS) / (beta * m_d**2))
    change = G_xx @ (inverse @ G_yy @ inverse / m_d**2 - inverse) @ G_xx
    values, vectors = np.linalg.eigh(G_xx)
    damped = beta * m_d**2 * values / (1 + beta * m_d**2 * values)
    return [
        {
            **MARKS, "K_mean": m_ell**2 * (G_xx + n_d * sum(1 / n for n in widths) * change), "U": vectors,
            "U_dagger": vectors.T, "Lam": np.diag(values), "Lam_tilde": np.diag(damped), "G_yy": G_yy,
            "m_d": m_d, "m_ell": m_ell, "n_d": n_d, "n_of": lambda layer: widths[int(layer) - 1], "ell": 2,
            "beta": beta, "G_xx": G_xx, "Gamma_tilde": np.eye(ROWS) + beta * m_d**2 * G_xx,
        }
    ]  # fmt: skip


def dampings() -> list[Case]:
    """Damped eigenvalues at any temperature, at none and for an eigenvalue that vanishes."""
    products = np.array([0.0, 0.3, 40.0, 1e30])  # of inverse temperature, variances and eigenvalue
    values = products / (1 + products)
    return [
        {"mu": number, "Lam_tilde_at": lambda i: values[int(i) - 1]} for number in (1, 2, 3, 4)
    ]


def equal_widths() -> list[Case]:
    """Layers of one width, at several depths."""
    return [{"n_d": 3, "n": 50, "ell": ell, "n_of": lambda layer: 50.0} for ell in (1, 2, 7)]


def normal_values(mixing: Array) -> tuple[Array, Array]:
    """Values ``[variable, node]`` of mixed normal variables and masses, exact for polynomials of degree nine."""
    nodes, masses = np.polynomial.hermite_e.hermegauss(5)
    variables = len(mixing)
    grids = np.array(np.meshgrid(*[nodes] * variables, indexing="ij")).reshape(variables, -1)
    shares = np.meshgrid(*[masses / masses.sum()] * variables, indexing="ij")
    return mixing @ grids, np.prod(shares, axis=0).ravel()


def gaussians() -> list[Case]:
    """Four correlated normal variables, averaged by a quadrature that is exact for polynomials of degree nine."""
    values, weights = normal_values(np.random.default_rng(3).normal(size=(4, 4)))

    def mean(numbers: Array) -> float:
        return float(numbers @ weights)

    names = {f"x_{k + 1}": values[k] for k in range(4)}
    return [{**names, "E": mean, "cov": lambda a, b: mean(a * b)}]


def moved() -> list[Case]:
    """A matrix of three rows and a time with an imaginary step, which differentiates."""
    A = np.random.default_rng(8).normal(size=(ROWS, ROWS))
    return [{**MARKS, "A": A / 3, "t": 0.4 + STEP * 1j}]


def features() -> list[Case]:
    """Five features of three inputs, two targets."""
    draw = np.random.default_rng(9)
    Psi, Y, n, beta, sigma = draw.normal(size=(ROWS, 5)), draw.normal(size=(ROWS, 2)), 5, 0.7, 1.3
    return [
        {
            **MARKS, "Psi": Psi, "Y": Y, "n_last": n, "n_d": 2, "beta": beta, "sigma_d": sigma, "one_n": np.eye(5),
            "K": Psi @ Psi.T / n, "G_yy": Y @ Y.T / 2,
        }
    ]  # fmt: skip


def readouts() -> list[Case]:
    """Two features of three inputs, five targets: the readout is averaged by quadrature."""
    draw = np.random.default_rng(10)
    Psi, Y, n, beta, sigma = draw.normal(size=(ROWS, 2)), draw.normal(size=(ROWS, 5)), 2, 0.2, 0.9
    nodes, masses = np.polynomial.hermite_e.hermegauss(40)
    points = sigma * np.array(np.meshgrid(nodes, nodes, indexing="ij")).reshape(2, -1)
    weights = np.outer(masses, masses).ravel() / masses.sum() ** 2

    def mean(values: Array) -> float:
        return float(np.prod(values @ weights))

    # one row for each output, whose costs add up: the mean of the exponential is a product
    costs = np.array(
        [((Psi @ points / n**0.5 - Y[:, [j]]) ** 2).sum(axis=0) / 2 for j in range(5)]
    )
    return [
        {
            **MARKS, "E_readout": mean, "cost": costs, "beta": beta, "sigma_d": sigma, "n_last": n, "n_d": 5,
            "Psi": Psi, "Y": Y, "one_n": np.eye(2),
        }
    ]  # fmt: skip


def deviations(size: float = 1e-5) -> Iterator[Case]:
    """A kernel that differs a little from its limit."""
    draw = np.random.default_rng(12)
    K, change, G_yy, beta, sigma, n_d = (
        positive(draw),
        symmetric(draw),
        positive(draw),
        1.4,
        0.8,
        3,
    )
    Gamma = K + np.eye(ROWS) / (beta * sigma**2)
    moved = np.linalg.inv(Gamma + size * change)
    Omega = n_d / 2 * (
        np.trace(np.linalg.inv(Gamma) @ change @ moved @ G_yy) / sigma**2
        - np.log1p(np.linalg.det(np.eye(ROWS) + size * np.linalg.inv(Gamma) @ change) - 1) / size
    )  # fmt: skip
    yield {
        **MARKS, "Gamma": Gamma, "delta": 0.7, "K_": change / 0.7, "lam": size, "G_yy": G_yy, "sigma_d": sigma,
        "n_d": n_d, "Omega": Omega,
    }  # fmt: skip


def far_deviations() -> Iterator[Case]:
    """The same without an expansion, far from the limit."""
    yield from deviations(0.3)


def layer(n_1: float, n_2: float) -> Case:
    """The matrices of one layer's integral."""
    draw = np.random.default_rng(14)
    G, A, B, J = positive(draw), symmetric(draw), symmetric(draw), symmetric(draw)
    C = G - B / n_1
    return {
        **MARKS, "G": G, "A": A, "B": B, "J": J, "n_1": n_1, "n_2": n_2, "C": C, "F": np.eye(ROWS) + G @ A / n_2,
        "D": np.linalg.inv(C) + A / n_2,
    }  # fmt: skip


def wide_before() -> list[Case]:
    """A wide layer before one of seven units."""
    return [layer(1e5, 7.0)]


def wide() -> list[Case]:
    """A wide layer behind another one."""
    return [layer(2e5, 1.3e5)]


def wide_to_second_order() -> list[Case]:
    """A layer of a hundred thousand units, whose inverse cubed is left out."""
    return [layer(1e12, 1e5)]


def _low() -> str:
    """How targets and kernel enter what stands between the two inverse kernels at a low temperature."""
    (case,) = cold()
    return _combination(case, case["K_inf"] @ _correction(case) @ case["K_inf"])


def _high() -> str:
    """How they enter the term of second order at a high temperature."""
    (case,) = hot()
    small = case["beta"] * case["sigma_d"] ** 2
    return _combination(case, (_correction(case) + small * np.eye(ROWS)) / small**2)


def _correction(case: Case) -> Array:
    """What multiplies the covariances with the kernel of the last layer."""
    inverse = np.linalg.inv(case["Gamma"])
    product = inverse @ case["G_yy"] @ inverse / case["sigma_d"] ** 2 - inverse
    return np.asarray(product)


def _combination(case: Case, matrix: Array) -> str:
    """Whether a matrix is a sum or a difference of positive multiples of targets and kernel."""
    parts = np.stack([case["G_yy"].ravel(), case["K_inf"].ravel()], axis=1)
    of_targets, of_kernel = np.linalg.lstsq(parts, matrix.ravel(), rcond=None)[0]
    return "sum" if of_targets * of_kernel > 0 else "difference"


SMALL = 3e-9  # of products of two inverse widths, relative to the number
PROGRAMS: Programs = {
    "(6)": numerically(hot),
    "(7)": numerically(cold),
    "(10)": numerically(eigenbasis),
    "4.1 bounds": numerically(dampings),
    "4.1 equal widths": numerically(equal_widths),
    "A.1 four": numerically(gaussians),
    "A.3 Jacobi": numerically(moved),
    "A.3 inverse": numerically(moved),
    "B.1 readout": numerically(readouts),
    "B.1 determinants": numerically(features),
    "B.1 push-through": numerically(features),
    "B.1 exponent": numerically(features),
    "B.1 noticed": numerically(features),
    "B.2 Woodbury": numerically(far_deviations),
    "B.2 inverse": numerically(deviations),
    "B.2 determinant": numerically(deviations),
    "B.2 Omega": numerically(deviations),
    "D.2 inverse of C": numerically(wide_before),
    "D.2 inverse of D": numerically(wide_before),
    "D.2 leading term": numerically(wide_before),
    "D.2 determinant of F": numerically(wide_to_second_order, scale=1e-3),
    "D.2 leading term in both": numerically(wide, tolerance=SMALL),
    "D.3 noticed": numerically(eigenbasis),
    "3.2 sum and difference": stating(low=_low, high=_high),
}

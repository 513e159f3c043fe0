r"""Appendix B.4: networks of error functions as sums of Gaussian bumps, Eqs. (B.44) to (B.64)."""

from __future__ import annotations

import itertools
import math

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.explicit_metrics import BIASES, POINT, WEIGHTS
from theory.papers.zavatoneveth2023.network import close, erf_network, levi_civita
from theory.papers.zavatoneveth2023.paper import entry

w = np.array([[float(value) for value in row] for row in WEIGHTS])
b = np.array([float(value) for value in BIASES])
x = np.array([float(value) for value in POINT])
TUPLES = tuple(itertools.combinations(range(4), 3))


def _preactivations(inputs: int) -> np.ndarray:
    return w[:, :inputs] @ x[:inputs] + b


def _as_bumps(inputs: int) -> bool:
    """Eq. (B.45) for the network of four units."""
    net = erf_network(w[:, :inputs], b, x[:inputs])
    z = _preactivations(inputs)
    total = sum(
        net.minors[rows] ** 2 * math.exp(-sum(z[row] ** 2 for row in rows))
        for rows in itertools.product(range(4), repeat=inputs)
    )
    return close(total * (2 / (math.pi * 4)) ** inputs / math.factorial(inputs), net.determinant)


def _center(rows: tuple[int, ...]) -> np.ndarray:
    """Where all preactivations of the tuple vanish."""
    size = len(rows)
    return np.linalg.solve(w[list(rows), :size], -b[list(rows)])


def _center_from_precision(rows: tuple[int, ...]) -> np.ndarray:
    """Eq. (B.56)."""
    size = len(rows)
    weights = w[list(rows), :size]
    return -np.linalg.solve(weights.T @ weights, weights.T @ b[list(rows)])


def _center_from_minors(rows: tuple[int, ...]) -> np.ndarray:
    """Eqs. (B.60) and (B.61)."""
    size = len(rows)
    weights, biases = w[list(rows), :size], b[list(rows)]
    bordered = np.zeros((size,) * (size - 1))
    for axes in itertools.product(range(size), repeat=size - 1):
        bordered[axes] = np.linalg.det(np.column_stack([biases, *(weights[:, axis] for axis in axes)]))
    total = np.array([np.sum(levi_civita(size)[axis] * bordered) for axis in range(size)])
    return -total / (math.factorial(size - 1) * np.linalg.det(weights))


def _bumps(inputs: int) -> bool:
    """Eq. (B.55): precision and center of each tuple."""
    total = 0.0
    for rows in itertools.product(range(4), repeat=inputs):
        weights = w[list(rows), :inputs]
        precision = weights.T @ weights
        if len(set(rows)) == inputs:
            away = x[:inputs] - _center(rows)
            total += np.linalg.det(precision) * math.exp(-away @ precision @ away)
    net = erf_network(w[:, :inputs], b, x[:inputs])
    return close(total * (2 / (math.pi * 4)) ** inputs / math.factorial(inputs), net.determinant)


def _two_input_bumps() -> bool:
    """Eq. (B.62): each pair once."""
    total = 0.0
    for rows in itertools.combinations(range(4), 2):
        weights = w[list(rows), :2]
        precision, away = weights.T @ weights, x[:2] - _center(rows)
        total += np.linalg.det(precision) * math.exp(-away @ precision @ away)
    return close(total * (2 / (math.pi * 4)) ** 2, erf_network(w[:, :2], b, x[:2]).determinant)


j1, j2, k1, k2, bj, bk, x1, x2 = sp.symbols("w_j1 w_j2 w_k1 w_k2 b_j b_k x_1 x_2", real=True)
minor = j1 * k2 - j2 * k1
center = sp.Matrix([-(bj * k2 - bk * j2), bj * k1 - bk * j1]) / minor
precision = sp.Matrix([[j1**2 + k1**2, j1 * j2 + k1 * k2], [j1 * j2 + k1 * k2, j2**2 + k2**2]])
at = sp.Matrix([x1, x2])
squares = (j1 * x1 + j2 * x2 + bj) ** 2 + (k1 * x1 + k2 * x2 + bk) ** 2
cube = sp.Matrix(3, 3, lambda j, m: sp.Symbol(f"w_{j + 1}{m + 1}", real=True))
z = sp.Symbol("z", real=True)
slope_of_erf = sp.sqrt(2 / sp.pi) * sp.exp(-(z**2) / 2)

EQUATIONS = (
    entry(
        "B.4 derivatives",
        "B.4",
        "Slope and bend of erf(z/sqrt 2).",
        Finding.CONFIRMED,
        "Differentiation.",
        printed=r"\phi'(z) = \sqrt{2/\pi} e^{-z^2/2}, \quad \phi''(z) = -\sqrt{2/\pi} z e^{-z^2/2}",
        steps=(
            Step("slope", sp.Derivative(sp.erf(z / sp.sqrt(2)), z), slope_of_erf, because="differentiation"),
            Step("bend", sp.Derivative(slope_of_erf, z), -z * slope_of_erf, because="differentiation"),
        ),
    ),
    entry(
        "(B.44) and (B.45)",
        "B.4",
        "The determinant as a sum of exponentials of sums of squared preactivations.",
        Finding.CONFIRMED,
        "Four units, two and three inputs.",
        printed=r"\det g = \frac{1}{d!} \left(\frac{2}{n\pi}\right)^d M_{j_1\cdots j_d}^2 \exp[-(z_{j_1}^2 + \cdots + "
        r"z_{j_d}^2)]",
        steps=(Check("sum of exponentials", lambda: _as_bumps(2) and _as_bumps(3), "the determinant of the metric"),),
    ),
    entry(
        "(B.46) to (B.49)",
        "B.4",
        "Each is a Gaussian bump whose precision matrix is the sum of outer products of the weights.",
        Finding.CONFIRMED,
        "Completing the square leaves no constant, for d preactivations of d inputs vanish together.",
        printed=r"z_{j_1}^2 + \cdots + z_{j_d}^2 = (\mathbf{x} - \mathbf{c})^\top \mathbf{Q} (\mathbf{x} - "
        r"\mathbf{c}), \quad Q_{\mu\nu} = w_{j_1\mu} w_{j_1\nu} + \cdots + w_{j_d\mu} w_{j_d\nu}",
        steps=(
            Step(
                "two inputs",
                squares,
                ((at - center).T * precision * (at - center))[0],
                because="completing the square",
            ),
            Check(
                "center of three units on three inputs",
                lambda: all(close(_center_from_precision(rows), _center(rows)) for rows in TUPLES),
                "linear equations",
            ),
        ),
    ),
    entry(
        "(B.50) to (B.54)",
        "B.4",
        "The determinant of the precision matrix is the square of the minor.",
        Finding.CONFIRMED,
        "Three inputs with symbolic weights.",
        printed=r"\det \mathbf{Q}_{j_1\cdots j_d} = M_{j_1\cdots j_d}^2",
        steps=(Step("three inputs", (cube.T * cube).det(), cube.det() ** 2, because="Gram determinant"),),
    ),
    entry(
        "(B.55)",
        "B.4",
        "The determinant as a sum of Gaussian bumps.",
        Finding.CONFIRMED,
        "Four units, two and three inputs.",
        printed=r"\det g = \frac{1}{d!} \left(\frac{2}{n\pi}\right)^d \det(\mathbf{Q}_{j_1\cdots j_d}) "
        r"\exp[-(\mathbf{x} - \mathbf{c}_{j_1\cdots j_d})^\top \mathbf{Q}_{j_1\cdots j_d} (\mathbf{x} - "
        r"\mathbf{c}_{j_1\cdots j_d})]",
        steps=(Check("sum of bumps", lambda: _bumps(2) and _bumps(3), "the determinant of the metric"),),
    ),
    entry(
        "B.4 no biases",
        "B.4",
        "Without biases the bumps are centered at the origin.",
        Finding.CONFIRMED,
        "The center is linear in the biases.",
        steps=(Step("two inputs", center.subs({bj: 0, bk: 0}), sp.zeros(2, 1), because="substitution"),),
    ),
    entry(
        "(B.56) to (B.61)",
        "B.4",
        "The center of a bump from determinants with a column of biases.",
        Finding.CONFIRMED,
        "Two and three inputs. The sign that stands in front in (B.56) is not legible in the lines after it.",
        printed=r"(\mathbf{c}_{j_1\cdots j_d})_{\nu_1} = -\frac{1}{(d-1)! M_{j_1\cdots j_d}} "
        r"\epsilon^{\nu_1\nu_2\cdots\nu_d} B_{j_1\cdots j_d, \nu_2\cdots\nu_d}, \quad B = \det \begin{pmatrix} b_{j_1} "
        r"& w_{j_1\nu_2} & \cdots & w_{j_1\nu_d} \\ \vdots & & & \vdots \\ b_{j_d} & w_{j_d\nu_2} & \cdots & "
        r"w_{j_d\nu_d} \end{pmatrix}",
        steps=(
            Check(
                "three units on three inputs",
                lambda: all(close(_center_from_minors(rows), _center(rows)) for rows in TUPLES),
                "linear equations",
            ),
            Check(
                "two units on two inputs",
                lambda: all(
                    close(_center_from_minors(rows), _center(rows)) for rows in itertools.combinations(range(4), 2)
                ),
                "linear equations",
            ),
        ),
    ),
    entry(
        "(B.62)",
        "B.4",
        "The determinant for two inputs, each pair once.",
        Finding.CONFIRMED,
        "Four units.",
        printed=r"\det g = \left(\frac{2}{n\pi}\right)^2 \sum_{j<k} \det(\mathbf{Q}_{jk}) \exp[-(\mathbf{x} - "
        r"\mathbf{c}_{jk})^\top \mathbf{Q}_{jk} (\mathbf{x} - \mathbf{c}_{jk})]",
        steps=(Check("sum over pairs", _two_input_bumps, "the determinant of the metric"),),
    ),
    entry(
        "(B.63)",
        "B.4",
        "The center for two inputs.",
        Finding.CONFIRMED,
        "Both preactivations vanish there.",
        printed=r"\mathbf{c}_{jk} = \frac{1}{M_{jk}} \begin{pmatrix} -(b_j w_{k2} - b_k w_{j2}) \\ b_j w_{k1} - b_k "
        r"w_{j1} \end{pmatrix}",
        steps=(
            Step(
                "preactivations at the center",
                sp.Matrix([[j1, j2], [k1, k2]]) * center,
                sp.Matrix([-bj, -bk]),
                because="substitution",
            ),
        ),
    ),
    entry(
        "(B.64)",
        "B.4",
        "The precision matrix for two inputs.",
        Finding.CONFIRMED,
        "Half the Hessian of the sum of squares.",
        printed=r"\mathbf{Q}_{jk} = \begin{pmatrix} w_{j1}^2 + w_{k1}^2 & w_{j1} w_{j2} + w_{k1} w_{k2} \\ w_{j1} "
        r"w_{j2} + w_{k1} w_{k2} & w_{j2}^2 + w_{k2}^2 \end{pmatrix}",
        steps=(Step("Hessian", sp.hessian(squares, (x1, x2)) / 2, precision, because="differentiation"),),
    ),
    entry(
        "B.4 curvature",
        "B.4",
        "The curvature is a sum of bumps modulated by products of preactivations.",
        Finding.CONFIRMED,
        "Each bend is the slope times minus the preactivation.",
        steps=(Step("bend per slope", sp.Derivative(slope_of_erf, z) / slope_of_erf, -z, because="differentiation"),),
    ),
)

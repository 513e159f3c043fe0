r"""Averages over two exponential features that the metric of the NTK is made of.

The identities of Appendix D are bilinear in the activation function, and are shown for the features :math:`e^{tz}`,
:math:`e^{t_2 z}` with any exponents.
"""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import sympy as sp

from theory.core import Step
from theory.papers.zavatoneveth2023.network import close
from theory.papers.zavatoneveth2023.stein import kernel, metric_of, on_diagonal, t2, x, y
from theory.papers.zavatoneveth2023.symbols import r, sigma, t

xi = sp.Symbol("xi", positive=True)
dot = sum(p * q for p, q in zip(x, y, strict=True))
norm2 = sum(p**2 for p in x)
both = t + t2
theta = kernel * (1 + xi**2 * t * t2 * (1 + dot))
"""Eq. (D.3)."""
theta_on_diagonal = on_diagonal * (1 + xi**2 * t * t2 * (1 + norm2))


def coefficient(first: int, second: int) -> sp.Expr:
    """E[phi^(first) phi^(second)] per E[phi phi], symmetrised."""
    return (t**first * t2**second + t**second * t2**first) / 2


@cache
def mean(first: int, second: int) -> sp.Expr:
    """E[phi^(first)(z) phi^(second)(z)]."""
    return coefficient(first, second) * on_diagonal


@cache
def weighted(first: int, second: int, i: int) -> sp.Expr:
    """The same with a weight."""
    return coefficient(first, second) * on_diagonal.diff(x[i]) / both


@cache
def twice(first: int, second: int, i: int, j: int) -> sp.Expr:
    """The same with two weights."""
    return coefficient(first, second) * on_diagonal.diff(x[i], x[j]) / both**2


def _delta(i: int, j: int) -> int:
    return int(i == j)


def matrix(form: object) -> sp.Matrix:
    """Two by two."""
    return sp.Matrix(2, 2, form)


def diagonal_6(i: int, j: int) -> sp.Expr:
    """Eq. (D.6)."""
    return (
        2 * twice(1, 1, i, j)
        + 2 * twice(0, 2, i, j)
        + 2 * xi**2 * (twice(2, 2, i, j) + twice(1, 3, i, j)) * (1 + norm2)
        + 4 * xi**2 * weighted(1, 2, i) * x[j]
        + 4 * xi**2 * weighted(1, 2, j) * x[i]
        + 2 * xi**2 * mean(1, 1) * _delta(i, j)
    )


def crossed_10(i: int, j: int) -> sp.Expr:
    """Eq. (D.10)."""
    return (
        twice(0, 2, i, j)
        + xi**2 * twice(1, 3, i, j) * (1 + norm2)
        + xi**2 * (weighted(1, 2, i) * x[j] + weighted(1, 2, j) * x[i])
    )


def metric_12(i: int, j: int) -> sp.Expr:
    """Eq. (D.12)."""
    return (
        twice(1, 1, i, j)
        + xi**2 * twice(2, 2, i, j) * (1 + norm2)
        + xi**2 * (weighted(1, 2, i) * x[j] + weighted(1, 2, j) * x[i])
        + xi**2 * mean(1, 1) * _delta(i, j)
    )


def metric_17(i: int, j: int) -> sp.Expr:
    """Eq. (D.17)."""
    tangential = (sigma**2 + xi**2) * mean(1, 1) + sigma**2 * xi**2 * mean(2, 2) * (1 + norm2)
    radial = (sigma**2 + xi**2) * (mean(2, 2) + mean(1, 3)) + sigma**2 * xi**2 * (mean(3, 3) + mean(2, 4)) * (1 + norm2)
    return tangential * _delta(i, j) + 2 * sigma**2 * radial * x[i] * x[j]


metric = metric_of(theta_on_diagonal, theta)
# On the norm alone, for (D.18) to (D.20).
RADIUS = {x[0]: sp.sqrt(r), x[1]: 0}
psi = (sigma**2 + xi**2) * mean(1, 1) + sigma**2 * xi**2 * mean(2, 2) * (1 + norm2)
psi_of_r = psi.subs(RADIUS)


def metric_19(i: int, j: int) -> sp.Expr:
    """Eq. (D.19)."""
    slope = psi_of_r.diff(r).subs(r, norm2)
    return psi * _delta(i, j) + 2 * (slope - sigma**2 * xi**2 * mean(2, 2)) * x[i] * x[j]


def stein_step(first: int, second: int, higher: tuple[tuple[int, int], ...]) -> Step:
    """Stein's lemma for an average with two weights."""
    return Step(
        f"derivatives {first} and {second}",
        matrix(lambda i, j: twice(first, second, i, j)),
        matrix(
            lambda i, j: (
                sigma**2 * mean(first, second) * _delta(i, j)
                + 2 * sigma**4 * sum(mean(*pair) for pair in higher) * x[i] * x[j]
            )
        ),
        because="Stein's lemma, twice",
    )


def empirical_kernel() -> bool:
    """Eq. (D.2): gradients of a network in all its parameters, by central differences, phi = sin."""
    draw = np.random.default_rng(4)
    width, inputs = 5, 3
    parameters = draw.normal(size=(width, inputs + 2))
    points = draw.normal(size=(2, inputs))

    def output(flat: np.ndarray, at: np.ndarray) -> float:
        w, b, v = flat[:, :inputs], flat[:, inputs], flat[:, inputs + 1]
        return float(v @ np.sin(w @ at + b)) / np.sqrt(width)

    def gradient(at: np.ndarray) -> np.ndarray:
        found = np.zeros_like(parameters)
        for index in np.ndindex(parameters.shape):
            step = np.zeros_like(parameters)
            step[index] = 1e-5
            found[index] = (output(parameters + step, at) - output(parameters - step, at)) / 2e-5
        return found

    w, b, v = parameters[:, :inputs], parameters[:, inputs], parameters[:, inputs + 1]
    one, other = (w @ at + b for at in points)
    printed = np.mean(np.sin(one) * np.sin(other) + v**2 * np.cos(one) * np.cos(other) * (1 + points[0] @ points[1]))
    return close(np.sum(gradient(points[0]) * gradient(points[1])), printed, 1e-8)


def turning_both_inputs_changes_nothing() -> bool:
    """Any kernel that is a function of x.x, y.y and x.y: here the arc sine applied three times over."""

    def deep(one: np.ndarray, other: np.ndarray) -> float:
        here, there, across = one @ one, other @ other, one @ other
        for _ in range(3):
            spread = 1 + here + 0.25, 1 + there + 0.25
            here, there, across = (
                2 / np.pi * np.arcsin((value + 0.25) / np.sqrt(scale))
                for value, scale in (
                    (here, spread[0] ** 2),
                    (there, spread[1] ** 2),
                    (across, spread[0] * spread[1]),
                )
            )
        return float(across)

    draw = np.random.default_rng(2)
    turn, _ = np.linalg.qr(draw.normal(size=(3, 3)))
    pairs = itertools.combinations(draw.normal(size=(5, 3)), 2)
    return all(close(deep(one, other), deep(turn @ one, turn @ other)) for one, other in pairs)

r"""Section IV.A and Appendix B.2: metric and volume element of n units, Eqs. (2), (3), (B.17) to (B.24)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from theory.core import Check, Finding
from theory.papers.zavatoneveth2023.network import Network, close, levi_civita, random_network
from theory.papers.zavatoneveth2023.paper import entry

NETWORKS = ((3, 2, 0), (4, 3, 1), (5, 4, 2))


def over_networks(claim: Callable[[Network], bool]) -> bool:
    """Whether a claim holds of random networks of two, three and four inputs."""
    return all(claim(random_network(seed, width, inputs)) for width, inputs, seed in NETWORKS)


def as_minors(net: Network) -> float:
    """Eqs. (3) and (B.22)."""
    squares = net.minors**2
    for _ in range(net.inputs):
        squares = np.tensordot(squares, net.slopes**2, axes=(0, 0))
    return float(squares) / (net.width**net.inputs * math.factorial(net.inputs))


def _leibniz(net: Network) -> float:
    """Eq. (B.17): one antisymmetric symbol, rows in order."""
    value = levi_civita(net.inputs)
    for row in net.metric:
        value = np.tensordot(value, row, axes=(0, 0))
    return float(value)


def _leibniz_twice(net: Network) -> float:
    """Eq. (B.19): two antisymmetric symbols."""
    value = levi_civita(net.inputs)
    for _ in range(net.inputs):
        value = np.tensordot(value, net.metric, axes=(0, 0))  # the axis moves to the end: d times, all in order
    return float(np.sum(levi_civita(net.inputs) * value)) / math.factorial(net.inputs)


def _orders(net: Network) -> bool:
    """Eq. (B.18): any other order of the rows gives the antisymmetric symbol times the determinant."""
    symbol = levi_civita(net.inputs)
    for rows in itertools.permutations(range(net.inputs)):
        value = symbol
        for row in rows:
            value = np.tensordot(value, net.metric[row], axes=(0, 0))
        if not close(float(value), symbol[rows] * net.determinant):
            return False
    return True


def _expanded(net: Network) -> float:
    """Eq. (B.21): each antisymmetric symbol with its weights."""
    minors = levi_civita(net.inputs)
    for _ in range(net.inputs):
        minors = np.tensordot(minors, net.weights, axes=(0, 1))
    squares = minors * minors
    for _ in range(net.inputs):
        squares = np.tensordot(squares, net.slopes**2, axes=(0, 0))
    return float(squares) / (net.width**net.inputs * math.factorial(net.inputs))


def _minors_by_symbol(net: Network) -> bool:
    minors = levi_civita(net.inputs)
    for _ in range(net.inputs):
        minors = np.tensordot(minors, net.weights, axes=(0, 1))
    return close(minors, net.minors)


def _metric_of_features(net: Network) -> bool:
    jacobian = net.slopes[:, None] * net.weights / math.sqrt(net.width)
    return close(jacobian.T @ jacobian, net.metric)


# Weights and biases of one unit, each pair equally probable; slopes of the unit at x = (1, -1) for phi = z^2/2.
UNITS = ((1, 0, 1), (0, 1, 2), (-1, 2, 0), (2, 1, -1))


def _metric(units: tuple[tuple[int, int, int], ...]) -> list[list[Fraction]]:
    """Of the units given, one row of the network each."""
    g = [[Fraction(0)] * 2 for _ in range(2)]
    for w1, w2, b in units:
        square = Fraction((w1 - w2 + b) ** 2, len(units))
        for i, j in itertools.product(range(2), repeat=2):
            g[i][j] += square * (w1, w2)[i] * (w1, w2)[j]
    return g


def _determinant(units: tuple[tuple[int, int, int], ...]) -> Fraction:
    g = _metric(units)
    return g[0][0] * g[1][1] - g[0][1] * g[1][0]


def _mean_metric_is_the_limit() -> bool:
    """Every unit once is the distribution of units itself."""
    return all(
        [
            [sum((_metric(units)[i][j] for units in networks), Fraction(0)) / len(networks) for j in (0, 1)]
            for i in (0, 1)
        ]
        == _metric(UNITS)
        for networks in (list(itertools.product(UNITS, repeat=width)) for width in (1, 2, 3))
        for i, j in ((0, 0), (0, 1), (1, 1))
    )


def _mean_determinant(width: int) -> Fraction:
    """Over all networks of ``width`` units drawn from UNITS."""
    values = [_determinant(units) for units in itertools.product(UNITS, repeat=width)]
    return sum(values, Fraction(0)) / len(values)


def _mean_falls_short() -> bool:
    """Mean determinant at width n per that of the mean metric: n!/((n-d)! n^d), exactly."""
    limit = _determinant(UNITS)  # every unit once: the metric is the mean metric
    return limit > 0 and all(_mean_determinant(n) == Fraction(n * (n - 1), n * n) * limit for n in (1, 2, 3, 4))


def _distinct_tuples_only(net: Network) -> bool:
    return all(net.minors[rows] == 0 for rows in np.ndindex(net.minors.shape) if len(set(rows)) < net.inputs)


EQUATIONS_IV_A = (
    entry(
        "(2)",
        "IV.A",
        "The metric of a shallow network.",
        Finding.CONFIRMED,
        "Jacobian of the features times its transpose.",
        printed=r"g_{\mu\nu} = \tfrac1n \phi'(z_j)^2 w_{j\mu} w_{j\nu}",
        steps=(Check("Eq. (1) for these features", lambda: over_networks(_metric_of_features), "random networks"),),
    ),
    entry(
        "(3)",
        "IV.A",
        "The determinant as a sum over d-tuples of units.",
        Finding.CONFIRMED,
        "Two, three and four inputs, random weights and slopes.",
        printed=r"\det g = \frac{1}{n^d d!} M_{j_1 \cdots j_d}^2 \phi'(z_{j_1})^2 \cdots \phi'(z_{j_d})^2",
        steps=(
            Check(
                "sum over minors",
                lambda: over_networks(lambda net: close(as_minors(net), net.determinant)),
                "random networks",
            ),
            Check("tuples of distinct units", lambda: over_networks(_distinct_tuples_only), "random networks"),
        ),
    ),
    entry(
        "IV.A averages",
        "IV.A",
        "The metric is an average over hidden units, whose mean at any width is the metric at infinite width.",
        Finding.CONFIRMED,
        "All networks of one to four units drawn from four, summed exactly. The determinant is no such average: its "
        "mean at width n is n!/((n-d)! n^d) of that at infinite width: a fraction d(d-1)/(2n) below it, to first order "
        "in 1/n.",
        steps=(
            Check("the metric is", _mean_metric_is_the_limit, "Eq. (2), exact sums"),
            Check("the determinant falls short", _mean_falls_short, "Eq. (3), exact sums"),
        ),
    ),
)

EQUATIONS_B = (
    entry(
        "(B.17)",
        "B.2",
        "The Leibniz formula.",
        Finding.CONFIRMED,
        "Against the determinant from elimination.",
        printed=r"\det g = \epsilon^{\mu_1 \cdots \mu_d} g_{1\mu_1} \cdots g_{d\mu_d}",
        steps=(
            Check("rows in order", lambda: over_networks(lambda net: close(_leibniz(net), net.determinant)), "sum"),
        ),
    ),
    entry(
        "(B.18)",
        "B.2",
        "Rows in another order give the antisymmetric symbol times the determinant.",
        Finding.CONFIRMED,
        "All orders.",
        printed=r"\epsilon^{\mu_1 \cdots \mu_d} \det g = \epsilon^{\nu_1 \cdots \nu_d} g_{\mu_1\nu_1} \cdots "
        r"g_{\mu_d\nu_d}",
        steps=(Check("all orders of the rows", lambda: over_networks(_orders), "sum"),),
    ),
    entry(
        "(B.19)",
        "B.2",
        "With two antisymmetric symbols, divided by d!.",
        Finding.CONFIRMED,
        "Summed as printed.",
        printed=r"\det g = \frac{1}{d!} \epsilon^{\mu_1 \cdots \mu_d} \epsilon^{\nu_1 \cdots \nu_d} g_{\mu_1\nu_1} "
        r"\cdots g_{\mu_d\nu_d}",
        steps=(
            Check(
                "both symbols", lambda: over_networks(lambda net: close(_leibniz_twice(net), net.determinant)), "sum"
            ),
        ),
    ),
    entry(
        "(B.20) to (B.22)",
        "B.2",
        "The metric inserted, and the minors collected.",
        Finding.CONFIRMED,
        "Each symbol contracted with its weights, squared and summed over units.",
        printed=r"\det g = \frac{1}{n^d d!} M_{j_1 \cdots j_d}^2 \phi'(z_{j_1})^2 \cdots \phi'(z_{j_d})^2",
        steps=(
            Check("collected", lambda: over_networks(lambda net: close(_expanded(net), net.determinant)), "sum"),
            Check("with minors", lambda: over_networks(lambda net: close(as_minors(net), net.determinant)), "sum"),
        ),
    ),
    entry(
        "(B.23) and (B.24)",
        "B.2",
        "The minor by the antisymmetric symbol and as a determinant.",
        Finding.CONFIRMED,
        "The two forms agree for all tuples of rows.",
        printed=r"M_{j_1 \cdots j_d} = \epsilon^{\mu_1 \cdots \mu_d} w_{j_1\mu_1} \cdots w_{j_d\mu_d} = \det "
        r"(w_{j_i\mu})_{i,\mu}",
        steps=(Check("all tuples", lambda: over_networks(_minors_by_symbol), "determinants of rows"),),
    ),
)

r"""Sums over units of a network on two inputs, as Appendix B.1 prints them.

All its formulas are sums over triples of units at most, so a network of three units with symbolic weights, slopes and
bends shows them in general.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import sympy as sp

from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.christoffel import Curvature
from theory.papers.zavatoneveth2023.jets import jet
from theory.papers.zavatoneveth2023.network import Network, scalar_of

UNITS = range(3)
w = sp.Matrix(3, 2, lambda j, m: sp.Symbol(f"w{j + 1}{m + 1}", real=True))
p = sp.symbols("p1:4", positive=True)
"""Slopes of the three units."""
c = sp.symbols("c1:4", real=True)
"""Their bends."""

TWO = ((3, 2, 0), (4, 2, 1), (5, 2, 3))


def minor(j: int, k: int) -> sp.Expr:
    """M_jk, Eq. (B.7)."""
    return w[j, 0] * w[k, 1] - w[j, 1] * w[k, 0]


def metric(m: int, k: int) -> sp.Expr:
    """Eq. (B.1), indices from 1."""
    return sp.Add(*(p[j] ** 2 * w[j, m - 1] * w[j, k - 1] for j in UNITS)) / 3


def slope_of_metric(a: int, m: int, k: int) -> sp.Expr:
    """Its derivative, indices from 1."""
    return sp.Rational(2, 3) * sp.Add(*(p[j] * c[j] * w[j, a - 1] * w[j, m - 1] * w[j, k - 1] for j in UNITS))


AS_NETWORK = {jet(m, k): metric(m, k) for m in (1, 2) for k in (m, 2)} | {
    jet(*index): slope_of_metric(*index) for index in itertools.combinations_with_replacement((1, 2), 3)
}
determinant = metric(1, 1) * metric(2, 2) - metric(1, 2) ** 2
bracket = (
    jet(1, 1) * (jet(1, 2, 2) * jet(2, 1, 2) - jet(2, 2, 2) * jet(1, 1, 2))
    + jet(1, 2) * (jet(1, 1, 1) * jet(2, 2, 2) - jet(2, 1, 1) * jet(1, 2, 2))
    + jet(2, 2) * (jet(1, 1, 2) * jet(2, 1, 1) - jet(2, 1, 2) * jet(1, 1, 1))
)
det_of_jets = jet(1, 1) * jet(2, 2) - jet(1, 2) ** 2


def round_bracket(i: int, j: int, k: int) -> sp.Expr:
    """The round bracket of Eq. (B.12)."""
    return (
        w[i, 0] ** 2 * w[j, 1] ** 2 * w[k, 0] * w[k, 1]
        + w[i, 0] * w[i, 1] * w[j, 0] ** 2 * w[k, 1] ** 2
        + w[i, 1] ** 2 * w[j, 0] * w[j, 1] * w[k, 0] ** 2
    )


def over_triples(term: Callable[[int, int, int], sp.Expr]) -> sp.Expr:
    """Sum over i, j, k of a term times the slopes and bends that all of (B.12) to (B.15) share."""
    return sp.Add(
        *(term(i, j, k) * p[i] ** 2 * p[j] * p[k] * c[j] * c[k] for i, j, k in itertools.product(UNITS, repeat=3))
    )


sum_12 = over_triples(lambda i, j, k: minor(j, k) * round_bracket(i, j, k))
sum_13 = over_triples(lambda i, j, k: minor(j, k) * (round_bracket(i, j, k) - round_bracket(i, k, j)))
sum_15 = over_triples(lambda i, j, k: minor(j, k) ** 2 * minor(i, j) * minor(i, k))
curved = bracket.xreplace(AS_NETWORK) / 2
"""(det g)^2 R of the three units, from (B.10) as corrected."""


def _jets_of(net: Network) -> tuple[np.ndarray, np.ndarray]:
    return net.metric, net.slope_of_metric


def scalar_10(net: Network, factor: float) -> float:
    """Eq. (B.10)."""
    g, slope = _jets_of(net)
    return float(
        factor
        / (2 * net.determinant**2)
        * (
            g[0, 0] * (slope[0, 1, 1] * slope[1, 0, 1] - slope[1, 1, 1] * slope[0, 0, 1])
            + g[0, 1] * (slope[0, 0, 0] * slope[1, 1, 1] - slope[1, 0, 0] * slope[0, 1, 1])
            + g[1, 1] * (slope[0, 0, 1] * slope[1, 0, 0] - slope[1, 0, 1] * slope[0, 0, 0])
        )
    )


def _weighted(net: Network, form: np.ndarray) -> float:
    ends = net.slopes * net.bends
    return float(np.einsum("ijk,i,j,k->", form, net.slopes**2, ends, ends)) / (net.width**3 * net.determinant**2)


def _round(net: Network) -> np.ndarray:
    one, two = net.weights.T
    parts = (
        (one**2, two**2, one * two),
        (one * two, one**2, two**2),
        (two**2, one * two, one**2),
    )
    return sum(np.einsum("i,j,k->ijk", *part) for part in parts)


def scalar_12(net: Network, factor: float) -> float:
    """Eq. (B.12)."""
    return 2 * factor * _weighted(net, net.minors * _round(net))


def scalar_13(net: Network, factor: float) -> float:
    """Eq. (B.13)."""
    return factor * _weighted(net, net.minors * (_round(net) - _round(net).swapaxes(1, 2)))


def scalar_15(net: Network, factor: float) -> float:
    """Eqs. (4) and (B.15)."""
    m = net.minors
    return -factor * _weighted(net, np.einsum("jk,ij,ik->ijk", m**2, m, m))


def scalar_16(net: Network, factor: float) -> float:
    """Eq. (B.16), three units."""
    m, f, h = net.minors, net.slopes, net.bends
    square = m[1, 2] * f[0] * h[1] * h[2] - m[0, 2] * f[1] * h[0] * h[2] + m[0, 1] * f[2] * h[0] * h[1]
    return float(2 * factor / (27 * net.determinant**2) * m[0, 1] * m[1, 2] * m[2, 0] * np.prod(f) * square)


def scalar(net: Network) -> float:
    """From Appendix A, as corrected."""
    return scalar_of(net.metric, net.riemann())


def scalar_at_witness(found: Curvature) -> object:
    """By definition."""
    return found.scalar


def three_unit_curvature() -> object:
    """Scalar curvature of the first three units of the witness, by definition."""
    weights = [row[:2] for row in explicit_metrics.WEIGHTS[:3]]
    network = explicit_metrics.erf_network(weights, explicit_metrics.BIASES[:3])
    return christoffel.curvature(network, explicit_metrics.POINT[:2]).scalar


TRIPLE = r"\sum_{i,j,k=1}^n M_{jk} \phi'(z_i)^2 \phi'(z_j) \phi'(z_k) \phi''(z_j) \phi''(z_k)"
ROUND = r"w_{i1}^2 w_{j2}^2 w_{k1} w_{k2} + w_{i1} w_{i2} w_{j1}^2 w_{k2}^2 + w_{i2}^2 w_{j1} w_{j2} w_{k1}^2"

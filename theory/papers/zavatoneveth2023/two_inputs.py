r"""Appendix B.1: networks on two inputs, Eqs. (B.1) to (B.16).

All formulas are sums over triples of units at most, so a network of three units with symbolic weights, slopes and bends shows
them in general.
"""

from __future__ import annotations

import itertools

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.christoffel import Curvature
from theory.papers.zavatoneveth2023.entry import entry
from theory.papers.zavatoneveth2023.network import Network, random_network, scalar_of
from theory.papers.zavatoneveth2023.riemann_tensor import jet, plane, scalar_by_definition
from theory.papers.zavatoneveth2023.threefold import threefold

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


def over_triples(term: object) -> sp.Expr:
    """Sum over i, j, k of a term times the slopes and bends that all of (B.12) to (B.15) share."""
    return sp.Add(
        *(term(i, j, k) * p[i] ** 2 * p[j] * p[k] * c[j] * c[k] for i, j, k in itertools.product(UNITS, repeat=3))
    )


sum_12 = over_triples(lambda i, j, k: minor(j, k) * round_bracket(i, j, k))
sum_13 = over_triples(lambda i, j, k: minor(j, k) * (round_bracket(i, j, k) - round_bracket(i, k, j)))
sum_15 = over_triples(lambda i, j, k: minor(j, k) ** 2 * minor(i, j) * minor(i, k))
curved = bracket.subs(AS_NETWORK, simultaneous=True) / 2
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


def _three_unit_curvature() -> object:
    """Scalar curvature of the first three units of the witness, by definition."""
    weights = [row[:2] for row in explicit_metrics.WEIGHTS[:3]]
    network = explicit_metrics.erf_network(weights, explicit_metrics.BIASES[:3])
    return christoffel.curvature(network, explicit_metrics.POINT[:2]).scalar


TRIPLE = r"\sum_{i,j,k=1}^n M_{jk} \phi'(z_i)^2 \phi'(z_j) \phi'(z_k) \phi''(z_j) \phi''(z_k)"
ROUND = r"w_{i1}^2 w_{j2}^2 w_{k1} w_{k2} + w_{i1} w_{i2} w_{j1}^2 w_{k2}^2 + w_{i2}^2 w_{j1} w_{j2} w_{k1}^2"

EQUATIONS = (
    entry(
        "(B.1)",
        "B",
        "The metric of a network of n units.",
        Finding.DEFINITION,
        "The same as Eq. (2).",
        printed=r"g_{\mu\nu} = \tfrac1n \phi'(z_j)^2 w_{j\mu} w_{j\nu}",
    ),
    entry(
        "(B.2) to (B.6)",
        "B.1",
        "The determinant as a sum over pairs of units.",
        Finding.CONFIRMED,
        "Each line, three units with symbolic weights and slopes.",
        printed=r"\det g = \frac{1}{2n^2} \sum_{j,k} M_{jk}^2 \phi'(z_j)^2 \phi'(z_k)^2",
        steps=(
            Step(
                "all pairs, antisymmetrised half",
                determinant,
                sp.Add(
                    *(
                        p[j] ** 2 * p[k] ** 2 * (w[j, 0] ** 2 * w[k, 1] ** 2 - w[j, 0] * w[j, 1] * w[k, 0] * w[k, 1])
                        for j in UNITS
                        for k in UNITS
                        if j != k
                    )
                )
                / 9,
                because="a unit with itself contributes nothing",
            ),
            Step(
                "pairs j < k",
                determinant,
                sp.Add(*(minor(j, k) ** 2 * p[j] ** 2 * p[k] ** 2 for j in UNITS for k in range(j + 1, 3))) / 9,
                because="collection",
            ),
            Step(
                "all pairs, halved",
                determinant,
                sp.Add(*(minor(j, k) ** 2 * p[j] ** 2 * p[k] ** 2 for j in UNITS for k in UNITS)) / 18,
                because="symmetry",
            ),
        ),
    ),
    entry(
        "(B.7)",
        "B.1",
        "The minors of the weight matrix.",
        Finding.DEFINITION,
        "A determinant of two rows.",
        printed=r"M_{jk} = w_{j1} w_{k2} - w_{j2} w_{k1}",
        steps=(Step("as a determinant", w[:2, :].det(), minor(0, 1), because="two by two"),),
    ),
    entry(
        "B.1 invertible",
        "B.1",
        "The metric is invertible if and only if two weight vectors are linearly independent.",
        Finding.CONDITIONAL,
        "A sum of squares of minors, weighted with squares of slopes.",
        condition="the slopes of two such units do not vanish",
        steps=(
            Check(
                "parallel weights, singular metric",
                lambda: (
                    abs(Network(np.outer([1.0, -2.0, 0.5], [0.3, 0.7]), np.ones(3), np.ones(3)).determinant) < 1e-15
                ),
                "determinant",
            ),
            Check(
                "independent weights, slopes not zero",
                lambda: random_network(1, 2, 2).determinant > 1e-3,
                "determinant",
            ),
        ),
        counterexample=lambda: Network(np.eye(2), np.array([1.0, 0.0]), np.ones(2)).determinant == 0,
        consequence="Units whose slope vanishes, such as the even monomials where z = 0, make the metric degenerate there.",
    ),
    entry(
        "(B.8)",
        "B.1",
        "The inverse of the metric.",
        Finding.CONFIRMED,
        "Times the metric it is the identity.",
        printed=r"g^{\mu\nu} = \frac{1}{\det g} \begin{pmatrix} g_{22} & -g_{12} \\ -g_{12} & g_{11} \end{pmatrix}",
        steps=(
            Step(
                "product",
                sp.Matrix([[jet(2, 2), -jet(1, 2)], [-jet(1, 2), jet(1, 1)]]) * plane.metric / det_of_jets,
                sp.eye(2),
                because="two by two",
            ),
        ),
    ),
    entry(
        "(B.9)",
        "B.1",
        "With two inputs the Riemann tensor is the scalar curvature times a tensor of the metric.",
        Finding.CONFIRMED,
        "The one independent component, with the tensor and the scalar from the definition.",
        printed=r"R_{\mu\nu\alpha\beta} = \tfrac{R}{2} (g_{\mu\alpha} g_{\nu\beta} - g_{\mu\beta} g_{\nu\alpha})",
        steps=(
            Step(
                "component 1212",
                plane.derivatives(1, 2, 1, 2) + plane.products(1, 2, 1, 2),
                scalar_by_definition / 2 * det_of_jets,
                because="definition of both",
            ),
        ),
    ),
    threefold(
        "(B.10)",
        "B.1",
        "The Ricci scalar from the metric and its derivatives.",
        r"R = \frac{@}{2 (\det g)^2} [g_{11} (\partial_1 g_{22} \partial_2 g_{12} - \partial_2 g_{22} \partial_1 g_{12}) + "
        r"g_{12} (\partial_1 g_{11} \partial_2 g_{22} - \partial_2 g_{11} \partial_1 g_{22}) + g_{22} (\partial_1 g_{12} "
        r"\partial_2 g_{11} - \partial_2 g_{12} \partial_1 g_{11})]",
        scalar_10,
        scalar,
        scalar_at_witness,
        inputs=2,
        networks=TWO,
        steps=(
            Step("from the definition", scalar_by_definition, bracket / (2 * det_of_jets**2), because="contraction"),
        ),
    ),
    entry(
        "(B.11)",
        "B.1",
        "Antisymmetrised products of derivatives of the metric as a double sum over units.",
        Finding.CONFIRMED,
        "Three units with symbolic weights; all indices that (B.10) needs.",
        printed=r"\partial_\alpha g_{\nu\rho} \partial_\beta g_{\lambda\mu} - \partial_\beta g_{\nu\rho} \partial_\alpha "
        r"g_{\lambda\mu} = \frac{4}{n^2} \sum_{k \neq j} \phi'(z_j) \phi''(z_j) \phi'(z_k) \phi''(z_k) (w_{j\alpha} "
        r"w_{k\beta} - w_{j\beta} w_{k\alpha}) w_{j\nu} w_{j\rho} w_{k\lambda} w_{k\mu}",
        steps=tuple(
            Step(
                f"indices {one}, {other}",
                slope_of_metric(1, *one) * slope_of_metric(2, *other)
                - slope_of_metric(2, *one) * slope_of_metric(1, *other),
                sp.Rational(4, 9)
                * sp.Add(
                    *(
                        p[j]
                        * c[j]
                        * p[k]
                        * c[k]
                        * minor(j, k)
                        * w[j, one[0] - 1]
                        * w[j, one[1] - 1]
                        * w[k, other[0] - 1]
                        * w[k, other[1] - 1]
                        for j in UNITS
                        for k in UNITS
                        if j != k
                    )
                ),
                because="terms with j = k cancel",
            )
            for one, other in (((2, 2), (1, 2)), ((1, 1), (2, 2)), ((1, 2), (1, 1)))
        ),
    ),
    threefold(
        "(B.12)",
        "B.1",
        "The Ricci scalar as a sum over triples of units.",
        rf"(\det g)^2 R = \frac{{2 \cdot @}}{{n^3}} {TRIPLE} ({ROUND})",
        scalar_12,
        scalar,
        scalar_at_witness,
        inputs=2,
        networks=TWO,
        steps=(Step("three units", curved, 2 * sum_12 / 27, because="(B.10) and (B.11)"),),
    ),
    threefold(
        "(B.13)",
        "B.1",
        "The round bracket antisymmetrised in j and k.",
        rf"(\det g)^2 R = \frac{{@}}{{n^3}} {TRIPLE} [({ROUND}) - (j \leftrightarrow k)]",
        scalar_13,
        scalar,
        scalar_at_witness,
        inputs=2,
        networks=TWO,
        steps=(Step("three units", curved, sum_13 / 27, because="the prefactor is antisymmetric"),),
    ),
    entry(
        "(B.14)",
        "B.1",
        "The antisymmetrised bracket is a product of three minors.",
        Finding.CONFIRMED,
        "Symbolic weights.",
        printed=rf"({ROUND}) - (j \leftrightarrow k) = -M_{{jk}} M_{{ij}} M_{{ik}}",
        steps=(
            Step(
                "three vectors",
                round_bracket(0, 1, 2) - round_bracket(0, 2, 1),
                -minor(1, 2) * minor(0, 1) * minor(0, 2),
                because="expansion",
            ),
        ),
    ),
    threefold(
        "(B.15)",
        "B.1",
        "The Ricci scalar of a network on two inputs.",
        r"R = -\frac{@}{(\det g)^2 n^3} \sum_{i,j,k=1}^n M_{jk}^2 M_{ij} M_{ik} \phi'(z_i)^2 \phi'(z_j) \phi'(z_k) "
        r"\phi''(z_j) \phi''(z_k)",
        scalar_15,
        scalar,
        scalar_at_witness,
        inputs=2,
        networks=TWO,
        steps=(Step("three units", curved, -sum_15 / 27, because="(B.13) and (B.14)"),),
        consequence="The curvatures of Figures 1, G.2 and G.6, which are computed with it, are three times too large.",
    ),
    entry(
        "B.1 distinct units",
        "B.1",
        "Only triples of distinct units contribute, and with two units the curvature vanishes.",
        Finding.CONFIRMED,
        "A minor of a unit with itself is zero; two units are a change of coordinates.",
        steps=(
            Step("a unit with itself", sp.Matrix([w[0, :], w[0, :]]).det(), sp.S.Zero, because="equal rows"),
            Step(
                "two units", curved.subs({p[2]: 0, c[2]: 0}), sp.S.Zero, because="a third unit without slope and bend"
            ),
        ),
    ),
    threefold(
        "(B.16)",
        "B.1",
        "The Ricci scalar of three units.",
        r"(\det g)^2 R = \frac{2 \cdot @}{27} M_{12} M_{23} M_{31} \phi'(z_1) \phi'(z_2) \phi'(z_3) [M_{23} \phi'(z_1) "
        r"\phi''(z_2) \phi''(z_3) - M_{13} \phi'(z_2) \phi''(z_1) \phi''(z_3) + M_{12} \phi'(z_3) \phi''(z_1) \phi''(z_2)]",
        lambda net, factor: scalar_16(Network(net.weights[:3], net.slopes[:3], net.bends[:3]), factor),
        lambda net: scalar(Network(net.weights[:3], net.slopes[:3], net.bends[:3])),
        lambda _: _three_unit_curvature(),
        evidence="The six orders of three units in (B.15), with its prefactor; the full Christoffel route sides with 1.",
        inputs=2,
        networks=TWO,
        steps=(
            Step(
                "six orders",
                curved,
                sp.Rational(2, 27)
                * minor(0, 1)
                * minor(1, 2)
                * minor(2, 0)
                * p[0]
                * p[1]
                * p[2]
                * (
                    minor(1, 2) * p[0] * c[1] * c[2]
                    - minor(0, 2) * p[1] * c[0] * c[2]
                    + minor(0, 1) * p[2] * c[0] * c[1]
                ),
                because="(B.15)",
            ),
        ),
    ),
)

r"""Appendix B.1: the curvature of networks on two inputs, Eqs. (B.10) to (B.16)."""

from __future__ import annotations

import sympy as sp

from theory.core import Finding, Step
from theory.papers.zavatoneveth2023.jets import scalar_by_definition
from theory.papers.zavatoneveth2023.network import Network
from theory.papers.zavatoneveth2023.pair_sums import (
    ROUND,
    TRIPLE,
    TWO,
    UNITS,
    bracket,
    c,
    curved,
    det_of_jets,
    minor,
    p,
    round_bracket,
    scalar,
    scalar_10,
    scalar_12,
    scalar_13,
    scalar_15,
    scalar_16,
    scalar_at_witness,
    slope_of_metric,
    sum_12,
    sum_13,
    sum_15,
    three_unit_curvature,
    w,
)
from theory.papers.zavatoneveth2023.paper import entry
from theory.papers.zavatoneveth2023.threefold import threefold

EQUATIONS = (
    threefold(
        "(B.10)",
        "B.1",
        "The Ricci scalar from the metric and its derivatives.",
        r"R = \frac{@}{2 (\det g)^2} [g_{11} (\partial_1 g_{22} \partial_2 g_{12} - \partial_2 g_{22} \partial_1 "
        r"g_{12}) + g_{12} (\partial_1 g_{11} \partial_2 g_{22} - \partial_2 g_{11} \partial_1 g_{22}) + g_{22} "
        r"(\partial_1 g_{12} \partial_2 g_{11} - \partial_2 g_{12} \partial_1 g_{11})]",
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
        printed=r"\partial_\alpha g_{\nu\rho} \partial_\beta g_{\lambda\mu} - \partial_\beta g_{\nu\rho} "
        r"\partial_\alpha g_{\lambda\mu} = \frac{4}{n^2} \sum_{k \neq j} \phi'(z_j) \phi''(z_j) \phi'(z_k) \phi''(z_k) "
        r"(w_{j\alpha} w_{k\beta} - w_{j\beta} w_{k\alpha}) w_{j\nu} w_{j\rho} w_{k\lambda} w_{k\mu}",
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
        rf"(\det g)^2 R = \frac{{@@}}{{n^3}} {TRIPLE} ({ROUND})",
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
        r"(\det g)^2 R = \frac{@@}{27} M_{12} M_{23} M_{31} \phi'(z_1) \phi'(z_2) \phi'(z_3) [M_{23} \phi'(z_1) "
        r"\phi''(z_2) \phi''(z_3) - M_{13} \phi'(z_2) \phi''(z_1) \phi''(z_3) + M_{12} \phi'(z_3) \phi''(z_1) "
        r"\phi''(z_2)]",
        lambda net, factor: scalar_16(Network(net.weights[:3], net.slopes[:3], net.bends[:3]), factor),
        lambda net: scalar(Network(net.weights[:3], net.slopes[:3], net.bends[:3])),
        lambda _: three_unit_curvature(),
        evidence="The six orders of three units in (B.15), with its prefactor; the curvature computed by definition, "
        "from all Christoffel symbols, sides with the corrected form.",
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

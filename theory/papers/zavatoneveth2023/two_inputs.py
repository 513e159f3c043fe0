r"""Appendix B.1: networks on two inputs, Eqs. (B.1) to (B.16).

All formulas are sums over triples of units at most, so a network of three units with symbolic weights, slopes and
bends shows them in general.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.jets import jet, plane, scalar_by_definition
from theory.papers.zavatoneveth2023.network import Network, random_network
from theory.papers.zavatoneveth2023.pair_sums import (
    UNITS,
    det_of_jets,
    determinant,
    minor,
    p,
    w,
)
from theory.papers.zavatoneveth2023.paper import entry

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
        consequence="Where slopes vanish, as those of monomials with q > 1 do at z = 0, the metric can be degenerate "
        "although the weights are independent.",
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
)

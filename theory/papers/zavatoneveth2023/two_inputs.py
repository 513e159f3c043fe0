r"""Appendix B.1: networks on two inputs, Eqs. (B.1) to (B.9)."""

from __future__ import annotations

import sympy as sp

from theory.core import Claim, Finding, Witness, Word, equal
from theory.papers.zavatoneveth2023.index_notation import (
    alpha,
    as_printed,
    below,
    beta,
    differ,
    j,
    k,
    mu,
    n,
    nu,
)
from theory.papers.zavatoneveth2023.letters import M, R, Riemann, detg, g, g_up, gap, phi1, w
from theory.papers.zavatoneveth2023.network_values import PLANE, of_networks
from theory.papers.zavatoneveth2023.paper import PAPER
from theory.papers.zavatoneveth2023.parallel_weights import determinant_of_pair, is_invertible
from theory.papers.zavatoneveth2023.pulled_back import of_features
from theory.papers.zavatoneveth2023.riemann_symmetries import has_components

slopes = sp.Symbol("slopes", real=True)
squares = phi1(j) ** 2 * phi1(k) ** 2
difference = w(j, 1) ** 2 * w(k, 2) ** 2 - w(j, 1) * w(j, 2) * w(k, 1) * w(k, 2)
over_units = ((j, 1, n), (k, 1, n))
by_elimination = as_printed(of_networks(PLANE), "the determinant by elimination")
LOST = (
    "The text that was read has lost a part of the prefactor, which is inferred from (B.22) with d = 2. Networks of "
    "three to five units, against the determinant by elimination."
)


def line_3(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.3)."""
    return equal(detg, prefactor * sp.Sum(squares * difference, *over_units))


def line_4(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.4)."""
    return equal(detg, prefactor * differ(j, k, squares * difference))


def line_5(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.5)."""
    return equal(detg, prefactor * below(k, j, M(j, k) ** 2 * squares))


def line_6(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.6)."""
    return equal(detg, prefactor * sp.Sum(M(j, k) ** 2 * squares, *over_units))


EQUATIONS = (
    PAPER.entry(
        "(B.1)",
        "B",
        "The metric of a network of n units.",
        Finding.CONFIRMED,
        "The same as Eq. (2): the features differentiated in 100 digits.",
        printed=equal(g(mu, nu), phi1(j) ** 2 * w(j, mu) * w(j, nu) / n),
        prove=as_printed(of_features, "Eq. (1) for these features", (mu, nu)),
    ),
    PAPER.entry(
        "(B.2)",
        "B.1",
        "The determinant of a symmetric matrix of two rows.",
        Finding.CONFIRMED,
        "Networks of three to five units, against the determinant by elimination.",
        printed=equal(detg, g(1, 1) * g(2, 2) - g(1, 2) ** 2),
        prove=by_elimination,
    ),
    PAPER.entry(
        "(B.3)",
        "B.1",
        "The metric inserted.",
        Finding.ILLEGIBLE,
        LOST,
        printed=line_3(gap),
        inferred=line_3(1 / n**2),
        prove=by_elimination,
    ),
    PAPER.entry(
        "(B.4)",
        "B.1",
        "A unit with itself contributes nothing.",
        Finding.ILLEGIBLE,
        LOST,
        printed=line_4(gap),
        inferred=line_4(1 / n**2),
        prove=by_elimination,
    ),
    PAPER.entry(
        "(B.5)",
        "B.1",
        "Each pair once.",
        Finding.ILLEGIBLE,
        LOST,
        printed=line_5(gap),
        inferred=line_5(1 / n**2),
        prove=by_elimination,
    ),
    PAPER.entry(
        "(B.6)",
        "B.1",
        "The determinant as a sum over pairs of units.",
        Finding.ILLEGIBLE,
        LOST,
        printed=line_6(gap),
        inferred=line_6(1 / (2 * n**2)),
        prove=by_elimination,
    ),
    PAPER.entry(
        "(B.7)",
        "B.1",
        "The minors of the weight matrix, which are determinants of two rows.",
        Finding.CONFIRMED,
        "All pairs of units, against determinants by elimination.",
        printed=equal(M(j, k), w(j, 1) * w(k, 2) - w(j, 2) * w(k, 1)),
        prove=as_printed(of_networks(PLANE), "determinants of rows", (j, k)),
    ),
    PAPER.entry(
        "B.1 invertible",
        "B.1",
        "",
        Finding.CONDITIONAL,
        "Networks with no, one and several pairs of independent weights, with slopes that vanish and slopes that do "
        "not.",
        printed=Claim(
            "The metric is invertible if and only if at least {count} pair of weight vectors is linearly {relation}.",
            {"count": 1, "relation": Word("independent", ("dependent",))},
        ),
        condition=sp.Ne(slopes, 0),
        prove=is_invertible,
        witness=Witness(
            {"w_j": (1, 0), "w_k": (0, 1), "slopes": (1, 0), "value": "1 if the metric is invertible, 0 if not"},
            lambda: float(determinant_of_pair(1.0, 0.0) > 0),
            value=lambda claim: float(claim["relation"] == "independent"),
        ),
        consequence="Where slopes vanish, as those of monomials with q > 1 do at z = 0, the metric can be degenerate "
        "although the weights are independent. Section II.C assumes that the Jacobian has full rank, which excludes "
        "such inputs.",
    ),
    PAPER.entry(
        "(B.8)",
        "B.1",
        "The inverse of the metric.",
        Finding.CONFIRMED,
        "Inversion by elimination.",
        printed=equal(g_up(mu, nu), sp.Matrix([[g(2, 2), -g(1, 2)], [-g(1, 2), g(1, 1)]]) / detg),
        prove=as_printed(of_networks(PLANE), "the inverse by elimination", (mu, nu)),
    ),
    PAPER.entry(
        "B.1 one component",
        "B.1",
        "",
        Finding.CONFIRMED,
        "Unknowns less the rank of the symmetries (A.13) to (A.16).",
        printed=Claim(
            "In {inputs} dimensions the Riemann tensor has only {count} independent component.",
            {"inputs": 2, "count": 1},
        ),
        prove=has_components(lambda claim: ((claim["inputs"], claim["count"]),)),
    ),
    PAPER.entry(
        "(B.9)",
        "B.1",
        "With two inputs the Riemann tensor is the scalar curvature times a tensor of the metric.",
        Finding.CONFIRMED,
        "All components; tensor and scalar from the definition.",
        printed=equal(Riemann(mu, nu, alpha, beta), R / 2 * (g(mu, alpha) * g(nu, beta) - g(mu, beta) * g(nu, alpha))),
        prove=as_printed(of_networks(PLANE), "definition of curvature", (mu, nu, alpha, beta)),
    ),
)

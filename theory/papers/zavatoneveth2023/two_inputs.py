r"""Appendix B.1: networks on two inputs, Eqs. (B.1) to (B.9)."""

from __future__ import annotations

import sympy as sp

from theory.core.ledger.ledger import Program, Programs
from theory.papers.zavatoneveth2023.index_notation import (
    alpha,
    as_printed,
    beta,
    j,
    k,
    mu,
    nu,
)
from theory.papers.zavatoneveth2023.network_values import PLANE, of_networks
from theory.papers.zavatoneveth2023.parallel_weights import determinant_of_pair, is_invertible
from theory.papers.zavatoneveth2023.pulled_back import of_features
from theory.papers.zavatoneveth2023.riemann_symmetries import has_components

slopes = sp.Symbol("slopes", real=True)
by_elimination = as_printed(of_networks(PLANE), "the determinant by elimination")


PROGRAMS: Programs = {
    "(B.1)": as_printed(of_features, "Eq. (1) for these features", (mu, nu)),
    "(B.2)": by_elimination,
    "(B.3)": by_elimination,
    "(B.4)": by_elimination,
    "(B.5)": by_elimination,
    "(B.6)": by_elimination,
    "(B.7)": as_printed(of_networks(PLANE), "determinants of rows", (j, k)),
    "B.1 invertible": Program(
        is_invertible,
        lambda: float(determinant_of_pair(1.0, 0.0) > 0),
        value=lambda claim: float(claim["relation"] == "independent"),
    ),
    "(B.8)": as_printed(of_networks(PLANE), "the inverse by elimination", (mu, nu)),
    "B.1 one component": has_components(lambda claim: ((claim["inputs"], claim["count"]),)),
    "(B.9)": as_printed(of_networks(PLANE), "definition of curvature", (mu, nu, alpha, beta)),
}

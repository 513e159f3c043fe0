r"""Section IV.A and Appendix B.2: metric and volume element of n units, Eqs. (2), (3), (B.17) to (B.24)."""

from __future__ import annotations

import sympy as sp

from theory.core.ledger.ledger import Programs
from theory.papers.zavatoneveth2023.index_notation import (
    a,
    as_printed,
    d,
    j_,
    mu,
    mu_,
    nu,
    nu_,
    span,
)
from theory.papers.zavatoneveth2023.letters import phi1
from theory.papers.zavatoneveth2023.network_values import of_networks
from theory.papers.zavatoneveth2023.pulled_back import of_features
from theory.papers.zavatoneveth2023.width_averages import is_the_average

SUMMED = "Two, three and four inputs; random weights, slopes and bends; summed as printed."
units, rows, columns = span(j_(1), j_(d)), span(mu_(1), mu_(d)), span(nu_(1), nu_(d))
squares = sp.Product(phi1(j_(a)) ** 2, (a, 1, d))
by_elimination = as_printed(of_networks(), "the determinant by elimination")


PROGRAMS: Programs = {
    "IV.A averages": is_the_average,
    "(2)": as_printed(of_features, "Eq. (1) for these features", (mu, nu)),
    "(3)": by_elimination,
    "(B.17)": by_elimination,
    "(B.18)": by_elimination,
    "(B.19)": by_elimination,
    "(B.20)": by_elimination,
    "(B.21)": by_elimination,
    "(B.22)": by_elimination,
    "(B.23)": as_printed(of_networks(), "determinants of rows", (units,)),
}

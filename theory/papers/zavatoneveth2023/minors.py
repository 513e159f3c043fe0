r"""Section IV.A and Appendix B.2: metric and volume element of n units, Eqs. (2), (3), (B.17) to (B.24)."""

from __future__ import annotations

import sympy as sp

from theory.core import Claim, Finding, equal
from theory.papers.zavatoneveth2023.index_notation import (
    a,
    as_printed,
    d,
    j,
    j_,
    mu,
    mu_,
    n,
    nu,
    nu_,
    span,
)
from theory.papers.zavatoneveth2023.letters import M_, detg, epsilon_, g, gap, phi1, w
from theory.papers.zavatoneveth2023.network_values import of_networks
from theory.papers.zavatoneveth2023.paper import PAPER
from theory.papers.zavatoneveth2023.pulled_back import of_features
from theory.papers.zavatoneveth2023.width_averages import is_the_average

SUMMED = "Two, three and four inputs; random weights, slopes and bends; summed as printed."
PREFACTOR = "The text that was read has lost the prefactor, which is inferred from (B.22). "
units, rows, columns = span(j_(1), j_(d)), span(mu_(1), mu_(d)), span(nu_(1), nu_(d))
squares = sp.Product(phi1(j_(a)) ** 2, (a, 1, d))
by_elimination = as_printed(of_networks(), "the determinant by elimination")


def minors_squared(prefactor: sp.Expr) -> sp.Eq:
    """Eqs. (3) and (B.22)."""
    return equal(detg, prefactor * M_(units) ** 2 * squares)


def symbols_twice(prefactor: sp.Expr) -> sp.Eq:
    """Eqs. (B.18) and (B.19)."""
    entries = sp.Product(g(mu_(a), nu_(a)), (a, 1, d))
    return equal(detg, prefactor * epsilon_(rows) * epsilon_(columns) * entries)


def metric_inserted(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.20)."""
    weights = sp.Product(w(j_(a), mu_(a)) * w(j_(a), nu_(a)), (a, 1, d))
    return equal(detg, prefactor * epsilon_(rows) * epsilon_(columns) * squares * weights)


def minors_collected(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.21)."""
    one, other = (
        epsilon_(index) * sp.Product(w(j_(a), family(a)), (a, 1, d)) for index, family in ((rows, mu_), (columns, nu_))
    )
    return equal(detg, prefactor * squares * one * other)


EQUATIONS_II_C = (
    PAPER.entry(
        "IV.A averages",
        "II.C",
        "",
        Finding.CONFIRMED,
        "All networks of one to three units drawn from four, summed exactly. The determinant is no such average: its "
        "mean at width n is n!/((n-d)! n^d) of that at infinite width, a fraction d(d-1)/(2n) below it to first order "
        "in 1/n.",
        printed=Claim(
            "Scaled by n^({power}), kernel and metric have the form of averages over hidden units.",
            {"power": sp.Rational(-1, 2)},
        ),
        prove=is_the_average,
    ),
    PAPER.entry(
        "II.C rank",
        "II.C",
        "Weights and activation function are such that the Jacobian has full rank.",
        Finding.ASSUMPTION,
        "Random weights and slopes that do not vanish have it; see the condition under B.1 invertible.",
    ),
)

EQUATIONS_IV_A = (
    PAPER.entry(
        "(2)",
        "IV.A",
        "The metric of a shallow network.",
        Finding.CONFIRMED,
        "The features differentiated in 100 digits, with slopes and bends of any activation function.",
        printed=equal(g(mu, nu), phi1(j) ** 2 * w(j, mu) * w(j, nu) / n),
        prove=as_printed(of_features, "Eq. (1) for these features", (mu, nu)),
    ),
    PAPER.entry(
        "(3)",
        "IV.A",
        "The determinant as a sum over d-tuples of units.",
        Finding.ILLEGIBLE,
        PREFACTOR + SUMMED,
        printed=minors_squared(gap),
        inferred=minors_squared(1 / (n**d * sp.factorial(d))),
        prove=by_elimination,
    ),
)

EQUATIONS_B = (
    PAPER.entry(
        "(B.17)",
        "B.2",
        "The Leibniz formula.",
        Finding.CONFIRMED,
        SUMMED,
        printed=equal(detg, epsilon_(rows) * sp.Product(g(a, mu_(a)), (a, 1, d))),
        prove=by_elimination,
    ),
    PAPER.entry(
        "(B.18)",
        "B.2",
        "The Leibniz formula with two antisymmetric symbols.",
        Finding.ILLEGIBLE,
        "The text that was read has lost the prefactor, which is inferred from (B.50) to (B.52). " + SUMMED,
        printed=symbols_twice(gap),
        inferred=symbols_twice(1 / sp.factorial(d)),
        prove=by_elimination,
    ),
    PAPER.entry(
        "(B.19)",
        "B.2",
        "It is applied to the metric.",
        Finding.ILLEGIBLE,
        "The text that was read has lost the prefactor, which is inferred from (B.22). " + SUMMED,
        printed=symbols_twice(gap),
        inferred=symbols_twice(1 / sp.factorial(d)),
        prove=by_elimination,
    ),
    PAPER.entry(
        "(B.20)",
        "B.2",
        "The metric inserted.",
        Finding.ILLEGIBLE,
        PREFACTOR + SUMMED,
        printed=metric_inserted(gap),
        inferred=metric_inserted(1 / (n**d * sp.factorial(d))),
        prove=by_elimination,
    ),
    PAPER.entry(
        "(B.21)",
        "B.2",
        "Weights collected with each antisymmetric symbol.",
        Finding.ILLEGIBLE,
        PREFACTOR + SUMMED,
        printed=minors_collected(gap),
        inferred=minors_collected(1 / (n**d * sp.factorial(d))),
        prove=by_elimination,
    ),
    PAPER.entry(
        "(B.22)",
        "B.2",
        "The determinant in minors.",
        Finding.CONFIRMED,
        SUMMED,
        printed=minors_squared(1 / (n**d * sp.factorial(d))),
        prove=by_elimination,
    ),
    PAPER.entry(
        "(B.23)",
        "B.2",
        "The minors by the antisymmetric symbol.",
        Finding.CONFIRMED,
        "All tuples of rows, against determinants by elimination, which are (B.24).",
        printed=equal(M_(units), epsilon_(rows) * sp.Product(w(j_(a), mu_(a)), (a, 1, d))),
        prove=as_printed(of_networks(), "determinants of rows", (units,)),
    ),
    PAPER.entry(
        "(B.24)",
        "B.2",
        "The minors of the weight matrix.",
        Finding.DEFINITION,
        "Determinants of d rows.",
        printed=r"M_{j_1 \cdots j_d} = \det \begin{pmatrix} w_{j_1 1} & \cdots & w_{j_1 d} \\ \vdots & & \vdots \\ "
        r"w_{j_d 1} & \cdots & w_{j_d d} \end{pmatrix}",
    ),
)

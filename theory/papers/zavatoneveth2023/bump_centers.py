r"""Appendix B.4: centers of the bumps, and networks on two inputs, Eqs. (B.56) to (B.64)."""

from __future__ import annotations

import sympy as sp

from theory.core import Claim, Finding, Word, equal
from theory.papers.zavatoneveth2023.bump_values import (
    B,
    M_tuple,
    Q_up,
    W,
    b_,
    c,
    centered_at,
    changes_with_the_preactivation,
    detQ,
    of_pairs,
    of_tuples,
    of_two_inputs,
)
from theory.papers.zavatoneveth2023.index_notation import (
    a,
    as_printed,
    below,
    d,
    i_,
    inner,
    j,
    k,
    mu,
    mu_,
    n,
    nu,
    nu_,
    span,
    tuple_sum,
)
from theory.papers.zavatoneveth2023.letters import detg, epsilon, epsilon_, gap, x
from theory.papers.zavatoneveth2023.paper import PAPER

rows, columns, members = span(mu_(2), mu_(d)), span(nu_(2), nu_(d)), span(i_(1), i_(d))
others = sp.Product(W(i_(a), nu_(a)), (a, 2, d))
factorial = sp.factorial(d - 1)
LOST = (
    "The text that was read has lost the sign in front. It is inferred from (B.56) before and (B.63) after it, where "
    "it can be read. Two, three and four units on as many inputs; the center is where all preactivations vanish."
)
M_jk, b_j, b_k = sp.symbols("M_jk bias_j bias_k", real=True)
w_j, w_k, c_jk, Q_jk = (sp.Function(name) for name in ("w_j", "w_k", "c_jk", "Q_jk"))
Q_pair, c_pair, detQ_pair = (sp.Function(name) for name in ("Q_pair", "c_pair", "detQ_pair"))
of_center = as_printed(of_tuples, "linear equations", (nu,))


def center_57(sign: sp.Expr) -> sp.Eq:
    """Eq. (B.57)."""
    pairs = sp.Product(W(i_(a), mu_(a)) * W(i_(a), nu_(a)), (a, 2, d))
    summand = epsilon(nu, columns) * epsilon(mu, rows) * pairs * b_(i_(1)) * W(i_(1), mu)
    return equal(c(nu), sign * tuple_sum(summand, 1, d) / (factorial * detQ))


def center_58(sign: sp.Expr) -> sp.Eq:
    """Eq. (B.58)."""
    summand = others * b_(i_(1)) * epsilon_(members)
    return equal(c(nu), sign * M_tuple * epsilon(nu, columns) * tuple_sum(summand, 1, d) / (factorial * detQ))


def center_59(sign: sp.Expr) -> sp.Eq:
    """Eq. (B.59)."""
    summand = epsilon(nu, columns) * epsilon_(members) * b_(i_(1)) * others
    return equal(c(nu), sign * tuple_sum(summand, 1, d) / (factorial * M_tuple))


def center_60(sign: sp.Expr) -> sp.Eq:
    """Eq. (B.60)."""
    return equal(c(nu), sign * epsilon(nu, columns) * B(columns) / (factorial * M_tuple))


def bumps_62(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.62)."""
    exponent = inner((x(mu) - c_pair(j, k, mu)) * Q_pair(j, k, mu, nu) * (x(nu) - c_pair(j, k, nu)), j, k)
    return equal(detg, prefactor * below(j, k, detQ_pair(j, k) * sp.exp(-exponent)))


EQUATIONS = (
    PAPER.entry(
        "B.4 no biases",
        "B.4",
        "",
        Finding.CONFIRMED,
        "Three units with random weights.",
        printed=Claim("If all the bias terms are zero, the bump must be centered at x = {center}.", {"center": 0}),
        prove=centered_at,
    ),
    PAPER.entry(
        "(B.56)",
        "B.4",
        "The center of a bump from the inverse of the precision matrix.",
        Finding.CONFIRMED,
        "Two, three and four units on as many inputs; the center is where all preactivations vanish.",
        printed=equal(c(nu), -Q_up(nu, mu) * sp.Sum(b_(a) * W(a, mu), (a, 1, d))),
        prove=of_center,
    ),
    PAPER.entry(
        "(B.57)",
        "B.4",
        "The inverse expanded in antisymmetric symbols.",
        Finding.ILLEGIBLE,
        LOST,
        printed=center_57(gap),
        inferred=center_57(-sp.S.One),
        prove=of_center,
    ),
    PAPER.entry(
        "(B.58)",
        "B.4",
        "One symbol collected to a minor.",
        Finding.ILLEGIBLE,
        LOST,
        printed=center_58(gap),
        inferred=center_58(-sp.S.One),
        prove=of_center,
    ),
    PAPER.entry(
        "(B.59)",
        "B.4",
        "The determinant of the precision matrix is the square of the minor.",
        Finding.ILLEGIBLE,
        LOST,
        printed=center_59(gap),
        inferred=center_59(-sp.S.One),
        prove=of_center,
    ),
    PAPER.entry(
        "(B.60)",
        "B.4",
        "The other symbol collected to a determinant with a column of biases.",
        Finding.ILLEGIBLE,
        LOST,
        printed=center_60(gap),
        inferred=center_60(-sp.S.One),
        prove=of_center,
    ),
    PAPER.entry(
        "(B.61)",
        "B.4",
        "Determinants with a column of biases.",
        Finding.DEFINITION,
        "It introduces B.",
        printed=r"B_{j_1\cdots j_d, \nu_2\cdots\nu_d} = \det \begin{pmatrix} b_{j_1} & w_{j_1\nu_2} & \cdots & "
        r"w_{j_1\nu_d} \\ \vdots & & & \vdots \\ b_{j_d} & w_{j_d\nu_2} & \cdots & w_{j_d\nu_d} \end{pmatrix}",
    ),
    PAPER.entry(
        "(B.62)",
        "B.4",
        "The determinant for two inputs, each pair once.",
        Finding.ILLEGIBLE,
        "The text that was read has damaged the prefactor, which is inferred from (B.55) with d = 2. A network of four "
        "units, against the determinant by elimination.",
        printed=bumps_62(gap),
        inferred=bumps_62((2 / (n * sp.pi)) ** 2),
        prove=as_printed(of_two_inputs, "the determinant by elimination"),
    ),
    PAPER.entry(
        "(B.63)",
        "B.4",
        "The center for two inputs.",
        Finding.CONFIRMED,
        "Two pairs of units; the center is where both preactivations vanish.",
        printed=equal(c_jk(mu), sp.Matrix([-(b_j * w_k(2) - b_k * w_j(2)), b_j * w_k(1) - b_k * w_j(1)]) / M_jk),
        prove=as_printed(of_pairs, "linear equations", (mu,)),
    ),
    PAPER.entry(
        "(B.64)",
        "B.4",
        "The precision matrix for two inputs.",
        Finding.CONFIRMED,
        "Two pairs of units; half the Hessian of the sum of squares.",
        printed=equal(
            Q_jk(mu, nu),
            sp.Matrix(
                [
                    [w_j(1) ** 2 + w_k(1) ** 2, w_j(1) * w_j(2) + w_k(1) * w_k(2)],
                    [w_j(1) * w_j(2) + w_k(1) * w_k(2), w_j(2) ** 2 + w_k(2) ** 2],
                ]
            ),
        ),
        prove=as_printed(of_pairs, "Hessian", (mu, nu)),
    ),
    PAPER.entry(
        "B.4 curvature",
        "B.4",
        "",
        Finding.CONFIRMED,
        "Each bend is minus the preactivation times the slope.",
        printed=Claim(
            "The Ricci curvature has a similar expansion, but the bumps are now modulated by products of {factors}.",
            {"factors": Word("preactivations", ("constants",))},
        ),
        prove=changes_with_the_preactivation,
    ),
)

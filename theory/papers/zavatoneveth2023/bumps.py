r"""Appendix B.4: networks of error functions as sums of Gaussian bumps, Eqs. (B.44) to (B.55)."""

from __future__ import annotations

import sympy as sp

from theory.core import Finding, equal, identity
from theory.papers.zavatoneveth2023.bump_values import (
    Q_,
    M_i,
    M_tuple,
    Q,
    Q_up,
    W,
    b_,
    c,
    c_,
    detQ,
    detQ_,
    of_bumps,
    of_tuples,
    z,
    z_,
)
from theory.papers.zavatoneveth2023.index_notation import (
    a,
    as_printed,
    d,
    i_,
    inner,
    j_,
    mu,
    mu_,
    n,
    nu,
    nu_,
    span,
    tuple_sum,
)
from theory.papers.zavatoneveth2023.letters import M_, detg, epsilon_, gap, phi1, x
from theory.papers.zavatoneveth2023.paper import PAPER

units, rows, columns = span(j_(1), j_(d)), span(mu_(1), mu_(d)), span(nu_(1), nu_(d))
members = span(i_(1), i_(d))
NETWORKS = "Networks of four error functions on two and three inputs, against the determinant by elimination."
TUPLES = "Two, three and four units on as many inputs. The precision matrix is half the Hessian of the sum of squares"
LOST = "The text that was read has lost the prefactor, which is inferred from (B.22) and the slope of the units. "
argument = sp.Symbol("argument", real=True)
slope, bend = sp.Function("slope_of_unit"), sp.Function("bend_of_unit")
sum_of_squares = sp.Sum(z_(a) ** 2, (a, 1, d))
determinant = as_printed(of_bumps, "the determinant by elimination")
of_tuple = as_printed(of_tuples, "linear equations and determinants")
peak = (2 / (n * sp.pi)) ** d / sp.factorial(d)


def slopes_44(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.44)."""
    return equal(detg, prefactor * M_(units) ** 2 * sp.Product(phi1(j_(a)) ** 2, (a, 1, d)))


def exponentials_45(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.45)."""
    return equal(detg, prefactor * M_(units) ** 2 * sp.exp(-sp.Sum(z(j_(a)) ** 2, (a, 1, d))))


def bumps_55(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.55)."""
    exponent = inner((x(mu) - c_(units, mu)) * Q_(units, mu, nu) * (x(nu) - c_(units, nu)), units)
    return equal(detg, prefactor * detQ_(units) * sp.exp(-exponent))


def symbols_50(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.50)."""
    return equal(detQ, prefactor * epsilon_(rows) * epsilon_(columns) * sp.Product(Q(mu_(a), nu_(a)), (a, 1, d)))


def minors_53(prefactor: sp.Expr) -> sp.Eq:
    """Eq. (B.53)."""
    return equal(detQ, prefactor * tuple_sum(M_i(members) ** 2, 1, d))


EQUATIONS = (
    PAPER.entry(
        "B.4 derivatives",
        "B.4",
        "Slope and bend of erf(z/sqrt 2).",
        Finding.CONFIRMED,
        "Differentiation.",
        printed=sp.Tuple(
            equal(slope(argument), sp.sqrt(2 / sp.pi) * sp.exp(-(argument**2) / 2)),
            equal(bend(argument), -sp.sqrt(2 / sp.pi) * argument * sp.exp(-(argument**2) / 2)),
        ),
        prove=identity(
            {
                slope: lambda at: sp.Derivative(sp.erf(at / sp.sqrt(2)), at),
                bend: lambda at: sp.Derivative(sp.erf(at / sp.sqrt(2)), (at, 2)),
            },
            "differentiation",
        ),
    ),
    PAPER.entry(
        "(B.44)",
        "B.4",
        "The determinant in minors.",
        Finding.ILLEGIBLE,
        LOST + NETWORKS,
        printed=slopes_44(gap),
        inferred=slopes_44(1 / (n**d * sp.factorial(d))),
        prove=determinant,
    ),
    PAPER.entry(
        "(B.45)",
        "B.4",
        "The slopes inserted.",
        Finding.ILLEGIBLE,
        LOST + NETWORKS,
        printed=exponentials_45(gap),
        inferred=exponentials_45(peak),
        prove=determinant,
    ),
    PAPER.entry(
        "(B.46)",
        "B.4",
        "Each term is a Gaussian bump.",
        Finding.CONFIRMED,
        TUPLES + ", the center where all preactivations vanish.",
        printed=equal(sp.exp(-sum_of_squares), sp.exp(-inner(Q(mu, nu) * (x(mu) - c(mu)) * (x(nu) - c(nu))))),
        prove=of_tuple,
    ),
    PAPER.entry(
        "(B.47)",
        "B.4",
        "The sum of squares with weights and biases.",
        Finding.CONFIRMED,
        TUPLES + ".",
        printed=equal(sum_of_squares, sp.Sum(inner(W(a, mu) * x(mu) + b_(a)) ** 2, (a, 1, d))),
        prove=of_tuple,
    ),
    PAPER.entry(
        "(B.48)",
        "B.4",
        "The sum of squares expanded.",
        Finding.CONFIRMED,
        TUPLES + ".",
        printed=equal(
            sum_of_squares,
            sp.Sum(W(a, mu) * W(a, nu), (a, 1, d)) * x(mu) * x(nu)
            + 2 * sp.Sum(b_(a) * W(a, mu), (a, 1, d)) * x(mu)
            + sp.Sum(b_(a) ** 2, (a, 1, d)),
        ),
        prove=of_tuple,
    ),
    PAPER.entry(
        "(B.49)",
        "B.4",
        "The precision matrix.",
        Finding.CONFIRMED,
        TUPLES + ".",
        printed=equal(Q(mu, nu), sp.Sum(W(a, mu) * W(a, nu), (a, 1, d))),
        prove=as_printed(of_tuples, "Hessian", (mu, nu)),
    ),
    PAPER.entry(
        "B.4 center",
        "B.4",
        "The center of the bump.",
        Finding.CONFIRMED,
        TUPLES + ", the center where all preactivations vanish.",
        printed=equal(c(mu), -Q_up(mu, nu) * sp.Sum(b_(a) * W(a, nu), (a, 1, d))),
        prove=as_printed(of_tuples, "linear equations", (mu,)),
    ),
    PAPER.entry(
        "(B.50)",
        "B.4",
        "The Leibniz formula for the precision matrix.",
        Finding.ILLEGIBLE,
        "The text that was read has lost the prefactor, which is inferred from (B.51). " + TUPLES + ".",
        printed=symbols_50(gap),
        inferred=symbols_50(1 / sp.factorial(d)),
        prove=of_tuple,
    ),
    PAPER.entry(
        "(B.51) and (B.52)",
        "B.4",
        "The precision matrix inserted; the second line collects the factors of each symbol.",
        Finding.CONFIRMED,
        TUPLES + ".",
        printed=equal(
            detQ,
            tuple_sum(
                epsilon_(rows)
                * epsilon_(columns)
                * sp.Product(W(i_(a), mu_(a)), (a, 1, d))
                * sp.Product(W(i_(a), nu_(a)), (a, 1, d)),
                1,
                d,
            )
            / sp.factorial(d),
        ),
        prove=of_tuple,
    ),
    PAPER.entry(
        "(B.53)",
        "B.4",
        "In minors of the units of the tuple.",
        Finding.ILLEGIBLE,
        "The text that was read has lost the prefactor, which is inferred from (B.51). " + TUPLES + ".",
        printed=minors_53(gap),
        inferred=minors_53(1 / sp.factorial(d)),
        prove=of_tuple,
    ),
    PAPER.entry(
        "(B.54)",
        "B.4",
        "The determinant of the precision matrix is the square of the minor.",
        Finding.CONFIRMED,
        TUPLES + ".",
        printed=equal(detQ, M_tuple**2),
        prove=of_tuple,
    ),
    PAPER.entry(
        "(B.55)",
        "B.4",
        "The determinant as a sum of Gaussian bumps.",
        Finding.ILLEGIBLE,
        LOST + NETWORKS,
        printed=bumps_55(gap),
        inferred=bumps_55(peak),
        prove=determinant,
    ),
)

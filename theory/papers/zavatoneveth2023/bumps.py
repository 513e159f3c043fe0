r"""Appendix B.4: networks of error functions as sums of Gaussian bumps, Eqs. (B.44) to (B.55)."""

from __future__ import annotations

import sympy as sp

from theory.core import identity
from theory.core.ledger.ledger import Programs
from theory.papers.zavatoneveth2023.bump_values import (
    of_bumps,
    of_tuples,
)
from theory.papers.zavatoneveth2023.index_notation import (
    as_printed,
    d,
    i_,
    j_,
    mu,
    mu_,
    n,
    nu,
    nu_,
    span,
)

units, rows, columns = span(j_(1), j_(d)), span(mu_(1), mu_(d)), span(nu_(1), nu_(d))
members = span(i_(1), i_(d))
NETWORKS = "Networks of four error functions on two and three inputs, against the determinant by elimination."
argument = sp.Symbol("argument", real=True)
slope, bend = sp.Function("slope_of_unit"), sp.Function("bend_of_unit")
determinant = as_printed(of_bumps, "the determinant by elimination")
of_tuple = as_printed(of_tuples, "linear equations and determinants")
peak = (2 / (n * sp.pi)) ** d / sp.factorial(d)


PROGRAMS: Programs = {
    "B.4 derivatives": identity(
        {
            slope: lambda at: sp.Derivative(sp.erf(at / sp.sqrt(2)), at),
            bend: lambda at: sp.Derivative(sp.erf(at / sp.sqrt(2)), (at, 2)),
        },
        "differentiation",
    ),
    "(B.44)": determinant,
    "(B.45)": determinant,
    "(B.46)": of_tuple,
    "(B.47)": of_tuple,
    "(B.48)": of_tuple,
    "(B.49)": as_printed(of_tuples, "Hessian", (mu, nu)),
    "B.4 center": as_printed(of_tuples, "linear equations", (mu,)),
    "(B.50)": of_tuple,
    "(B.51) and (B.52)": of_tuple,
    "(B.53)": of_tuple,
    "(B.54)": of_tuple,
    "(B.55)": determinant,
}

r"""Appendix B.4: centers of the bumps, and networks on two inputs, Eqs. (B.56) to (B.64)."""

from __future__ import annotations

import sympy as sp

from theory.core.ledger.ledger import Programs
from theory.papers.zavatoneveth2023.bump_values import (
    centered_at,
    changes_with_the_preactivation,
    of_pairs,
    of_tuples,
    of_two_inputs,
)
from theory.papers.zavatoneveth2023.index_notation import (
    as_printed,
    d,
    mu,
    nu,
)

factorial = sp.factorial(d - 1)
of_center = as_printed(of_tuples, "linear equations", (nu,))


PROGRAMS: Programs = {
    "B.4 no biases": centered_at,
    "(B.56)": of_center,
    "(B.57)": of_center,
    "(B.58)": of_center,
    "(B.59)": of_center,
    "(B.60)": of_center,
    "(B.62)": as_printed(of_two_inputs, "the determinant by elimination"),
    "(B.63)": as_printed(of_pairs, "linear equations", (mu,)),
    "(B.64)": as_printed(of_pairs, "Hessian", (mu, nu)),
    "B.4 curvature": changes_with_the_preactivation,
}

r"""Appendix C.2: where the curvature of monomials is smallest, Eqs. (C.49) to (C.51)."""

from __future__ import annotations

import sympy as sp

from theory.core.ledger.ledger import Programs
from theory.core.ledger.printed import Proportional
from theory.papers.zavatoneveth2023.cubic import (
    has_one_minimum,
    is_the_derivative,
    is_the_number,
    is_the_quadratic,
    is_the_threshold,
    slope,
    slope_changes_at,
    squared,
)
from theory.papers.zavatoneveth2023.index_notation import d
from theory.papers.zavatoneveth2023.symbols import q, zeta

ROOT = (sp.sqrt(17 * q**2 - 8 * q) - 3 * q + 2) / (2 * (2 * q**2 + q - 1)) * zeta**2


def cubic(first: sp.Expr, second: sp.Expr) -> sp.Basic:
    """(C.49), with the coefficients of the third and the second power."""
    rest = -(8 + q * (d - 14)) * zeta**4 * squared - (d + 2) * zeta**6
    return Proportional(slope, first * squared**3 + second * zeta**2 * squared**2 + rest)


PROGRAMS: Programs = {
    "(C.49)": is_the_derivative,
    "C.2 one minimum": has_one_minimum,
    "C.2 sides of the threshold": slope_changes_at,
    "(C.50)": is_the_quadratic,
    "(C.51)": is_the_threshold,
    "C.2 threshold at q = 2": is_the_number,
}

r"""Appendix C.1: four altered dynamics, Eq. (51), and their fit losses."""

from __future__ import annotations

import sympy as sp

from theory.core.ledger.ledger import Programs
from theory.core.ledger.proving import stating
from theory.papers.vanrossem2024 import printed_system
from theory.two_point.symbols import dh2, dx2, dy2, target2, tau_h, tau_y, w

HALF = sp.Rational(1, 2)
ALTERED = (
    -1 / tau_h * dx2 * w**2,
    -2 * w * (1 / tau_y * dh2 + 1 / tau_h * dx2 * dy2 / dh2),
    -1 / tau_y * HALF * (3 * w - dy2 + target2) * dh2 + 1 / tau_h * HALF * dx2 * (dy2 + w) * w / dh2,
)
"""Eq. (51): all alterations in one display, but for the term that is removed, which is marked there."""


def ratios() -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """Eq. (51) divided by Eq. (7): both first lines, both second lines, and the last terms of both third lines."""
    first, second = (sp.simplify(ALTERED[line] / printed_system.RATES[line]) for line in (0, 1))
    kept = -HALF / tau_y * (3 * w - dy2 + target2) * dh2
    return first, second, sp.simplify((ALTERED[2] - kept) / (printed_system.RATES[2] - kept))


TRUE = {
    "power": lambda: {w: "square", w**2: "cube"}[ratios()[0]],
    "factor": lambda: ratios()[1],
    "sign": lambda: {-1: "minus", 1: "none"}[ratios()[2]],
}

PROGRAMS: Programs = {"C.1 four alterations": stating(TRUE, "division, line by line")}

r"""Appendix C.1: four altered dynamics, Eq. (51), and their fit losses."""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Claim
from theory.core.ledger.ledger import Programs
from theory.papers.vanrossem2024 import printed_system
from theory.two_point.symbols import dh2, dx2, dy2, target2, tau_h, tau_y, w

HALF = sp.Rational(1, 2)
ALTERED = (
    -1 / tau_h * dx2 * w**2,
    -2 * w * (1 / tau_y * dh2 + 1 / tau_h * dx2 * dy2 / dh2),
    -1 / tau_y * HALF * (3 * w - dy2 + target2) * dh2 + 1 / tau_h * HALF * dx2 * (dy2 + w) * w / dh2,
)
"""Eq. (51): all alterations in one display, but for the term that is removed, which is marked there."""


def are_altered(claim: Claim) -> tuple[Check, ...]:
    """Eq. (51) against Eq. (7), line by line."""
    first, second, third = (sp.simplify(new / old) for new, old in zip(ALTERED, printed_system.RATES, strict=True))
    kept, changed = (sp.expand(-HALF / tau_y * (3 * w - dy2 + target2) * dh2), sp.expand(ALTERED[2]))
    last_term = sp.simplify((changed - kept) / sp.expand(printed_system.RATES[2] - kept))
    return (
        Check("first line", lambda: bool(first == w) is (claim["power"] == "square"), "division"),
        Check("second line", lambda: bool(second == claim["factor"]), "division"),
        Check("third line", lambda: bool(last_term == -1 and third != 1) is (claim["sign"] == "minus"), "division"),
    )


PROGRAMS: Programs = {
    "C.1 four alterations": are_altered,
}

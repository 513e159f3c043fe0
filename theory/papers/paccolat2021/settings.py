r"""Settings of the simulations, and sentences that only a measurement decides."""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Claim
from theory.core.ledger.ledger import Programs

width = sp.Symbol("w", positive=True)


def is_infinite(claim: Claim) -> tuple[Check, ...]:
    """Total variation of the slope of a ramp between two labels, the norm of a function of one variable, width to 0."""
    slope = 2 / width  # from -1 to +1; it starts and ends at zero slope
    norm = sp.limit(2 * slope, width, 0, "+")
    return (Check("limit of ramps", lambda: (norm == sp.oo) is (claim["norm"] == "infinite"), "limit"),)


PROGRAMS: Programs = {
    "1.2 norm": is_infinite,
}

"""What the studies of compression say of the ledger of Paccolat et al. (2021)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bridge.bearing import Bearing, bearing

if TYPE_CHECKING:
    from bridge.analysis import Analysis

PAPER = "paccolat2021"


def of_amplification(analysis: Analysis) -> Iterator[Bearing]:
    """Yield the exponent of the amplification factor at t*, of the labels that deviate most in standard errors."""
    exponents = [row for row in analysis.compared if row.quantity == "exponent of Λ*"]
    if len(exponents) > 1:  # the stripe and the cylinder
        worst = max(exponents, key=lambda row: abs(row.comparison.z))
        quantity = (
            f"exponent of the global amplification factor at t* in p, farthest of {len(exponents)}: {worst.label}"
        )
        yield bearing(PAPER, "3.2.2 scaling", quantity, worst.comparison)

"""What the studies of compression say of the ledger of Paccolat et al. (2021)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bridge.bearing import Bearing, of_all

if TYPE_CHECKING:
    from bridge.analysis import Analysis

PAPER = "paccolat2021"


def of_amplification(analysis: Analysis) -> Iterator[Bearing]:
    """Yield the decisive exponent of the amplification factor at t*, of the stripe and the cylinder."""
    exponents = [row for row in analysis.compared if row.quantity == "exponent of Λ*"]
    if len(exponents) > 1:
        yield of_all(PAPER, "3.2.2 scaling", exponents)

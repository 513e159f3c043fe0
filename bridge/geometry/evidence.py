"""What the studies of geometry say of the ledger of Zavatone-Veth et al. (2023)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bridge.bearing import Bearing, bearing

if TYPE_CHECKING:
    from bridge.analysis import Analysis

PAPER = "zavatoneveth2023"


def of_random_networks(analysis: Analysis) -> Iterator[Bearing]:
    """Yield the extrapolation to infinite width that deviates most from its closed form, in standard errors."""
    worst = max(analysis.compared, key=lambda row: abs(row.comparison.z))
    quantity = f"{worst.quantity}, extrapolated to infinite width, farthest of {len(analysis.compared)}: {worst.label}"
    yield bearing(PAPER, "IV.B and Figure 1", quantity, worst.comparison)

"""What the studies of collapse say of the ledger of Cheong (2025)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bridge.bearing import Bearing, bearing

if TYPE_CHECKING:
    from bridge.analysis import Analysis

PAPER = "cheong2025"


def of_layers(analysis: Analysis) -> Iterator[Bearing]:
    """Yield the step of log NC1 that deviates most from the first, in standard errors, on training images."""
    steps = [row for row in analysis.compared if row.quantity.startswith("log NC1") and row.quantity.endswith("train")]
    if steps:
        worst = max(steps, key=lambda row: abs(row.comparison.z))
        quantity = f"{worst.quantity}, farthest of {len(steps)}: {worst.label}"
        yield bearing(PAPER, "3.2 perfectly linear", quantity, worst.comparison)

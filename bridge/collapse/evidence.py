"""What the studies of collapse say of the ledger of Cheong (2025)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bridge.results.bearing import Bearing, of_all

if TYPE_CHECKING:
    from bridge.results.analysis import Analysis

PAPER = "cheong2025"


def of_layers(analysis: Analysis) -> Iterator[Bearing]:
    """Yield the decisive step of log NC1, compared with the first step, on training images."""
    steps = [row for row in analysis.compared if row.quantity.startswith("log NC1") and row.quantity.endswith("train")]
    if steps:
        yield of_all(PAPER, "3.2 perfectly linear", steps)

"""What the studies of geometry say of the ledger of Zavatone-Veth et al. (2023)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bridge.results.bearing import Bearing, of_all

if TYPE_CHECKING:
    from bridge.results.analysis import Analysis

PAPER = "zavatoneveth2023"


def of_random_networks(analysis: Analysis) -> Iterator[Bearing]:
    """Yield the decisive extrapolation to infinite width."""
    yield of_all(PAPER, "IV.B and Figure 1", analysis.compared)

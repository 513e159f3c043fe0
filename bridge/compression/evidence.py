"""What the studies of compression say of the ledger of Paccolat et al. (2021)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bridge.results.bearing import Bearing, of_all
from closedform.verdicts import DISAGREES

if TYPE_CHECKING:
    from bridge.results.analysis import Analysis, Compared

PAPER = "paccolat2021"


def _is_asymptotic(analysis: Analysis, exponent: Compared) -> bool:
    start = exponent.label.replace(", d = ", " d=") + " p="  # labels "stripe d=5 p=500" of the family "stripe, d = 5"
    ratios = [
        row.comparison
        for row in analysis.compared
        if row.quantity == "Λ* over its prediction" and row.label.startswith(start)
    ]
    return not ratios or ratios[0].verdict != DISAGREES


def of_amplification(analysis: Analysis) -> Iterator[Bearing]:
    """Yield the decisive exponent of the amplification factor at t*, of the stripe and the cylinder.

    The law holds for many points. A family counts if with its fewest points Λ* does not yet differ from the prediction
    of each data set's own fluctuation, or has none.
    """
    exponents = [row for row in analysis.compared if row.quantity == "exponent of Λ*" and _is_asymptotic(analysis, row)]
    if len(exponents) > 1:
        yield of_all(PAPER, "3.2.2 scaling", exponents)


def of_crossover(analysis: Analysis) -> Iterator[Bearing]:
    """Yield how far the test error at the smallest network scale lies below that of the frozen kernel."""
    for row in analysis.compared:
        if row.quantity == "logarithm of the test error at the smallest α over the frozen kernel's":
            yield Bearing(PAPER, "B feature limit", row.quantity, row.comparison, "<")
            return

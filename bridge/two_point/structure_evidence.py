"""What the studies of fit losses, of final distances and of larger data sets say of the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from bridge.results.bearing import Bearing, of_all
from bridge.statistics.compare import compare
from bridge.two_point.evidence import MISSES, PAPER, TWICE

if TYPE_CHECKING:
    from bridge.two_point.studies.fitted import TwoPointAnalysis
    from bridge.two_point.studies.grid import GridAnalysis
    from bridge.two_point.studies.mnist_pairs import PairsAnalysis
    from bridge.two_point.studies.mnist_structure import StructureAnalysis
    from bridge.two_point.studies.xor import XorAnalysis


def of_alternatives(analysis: TwoPointAnalysis) -> Iterator[Bearing]:
    """Yield the fit loss, its smallest increase, and the altered loss that is farthest from the printed one."""
    from bridge.two_point.studies import alternatives

    own = alternatives.against_printed(analysis.fitted[0])
    if own is None:
        return
    yield Bearing(PAPER, "C.1 as derived", "logarithm of the fit loss of Eq. (7) on the default architecture", own)
    increase = alternatives.smallest_increase(analysis.fitted)
    yield Bearing(
        PAPER,
        "C.1 increase",
        "logarithm of the smallest of the four increases of the fit loss by Eq. (51)",
        compare(0.0, increase, resolution=TWICE),
        ">",
    )
    theory = alternatives.TITLES["effective"]
    rows = [row for row in analysis.compared if row.quantity.startswith(alternatives.FIT_LOSS)]
    yield of_all(PAPER, "C.1 altered fit losses", [row for row in rows if not row.quantity.endswith(theory)])


def of_final_distances(analysis: GridAnalysis) -> Iterator[Bearing]:
    """Yield the share of the variance that Eq. (10) leaves over without a refit, and its bias, over architectures."""
    shares = np.log([1 - grid.r_squared for grid in analysis.grids])
    yield Bearing(
        PAPER,
        "4.2 and Figure 5",
        "logarithm of the share of the variance of the final distances on the grid that Eq. (10) leaves over without a "
        f"refit, mean over {len(shares)} architectures",
        compare(np.log(MISSES), shares, resolution=TWICE),
        "<",
    )
    bias = np.array([grid.log_ratio.mean() for grid in analysis.grids])
    yield Bearing(
        PAPER,
        "B.1 final distance",
        f"mean logarithm of measured over predicted squared final distance, mean over {len(bias)} architectures",
        compare(0.0, bias, resolution=np.log(1.1)),
    )


def of_xor(analysis: XorAnalysis) -> Iterator[Bearing]:
    """Yield the number of merged pairs at small weights, by gradient descent and by Adam."""
    from bridge.two_point.studies import xor

    labels = {"low weights, gradient descent": "4.4 and Figure 6", "low weights, Adam": "C.5 and Figures 16 to 18"}
    for row in analysis.compared:
        if row.label in labels and row.quantity == xor.MERGED_PAIRS:
            quantity = f"{row.quantity}, deep networks, {row.label}"
            yield Bearing(PAPER, labels[row.label], quantity, row.comparison)


def of_mnist_structure(analysis: StructureAnalysis) -> Iterator[Bearing]:
    """Yield the correlation over all entries with Eq. (50) in its released form."""
    for row in analysis.compared[:1]:
        yield Bearing(PAPER, "4.6 and Figure 9", row.quantity, row.comparison)


def of_mnist_pairs(analysis: PairsAnalysis) -> Iterator[Bearing]:
    """Yield the share of the curves of distinct digits that is left over."""
    row = analysis.compared[0]
    quantity = "logarithm of the share of the variance of the three curves that the fitted theory leaves over, digits "
    yield Bearing(PAPER, "3.4 and Figure 4", f"{quantity}{row.label}", row.comparison, "<")

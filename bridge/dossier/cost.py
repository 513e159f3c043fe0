"""What a measurement costs in counted work, and how many points fit into its share of the budget.

Work is counted in seconds of one processor core (:mod:`empirics.measure.models.memory`), so that a dossier with the
same budget has the same content on every machine, however busy.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

FEWEST = 8  # smallest number of points for eigenvectors and correlations
PYTHON_CALL = 2e-6  # seconds of a call from Python, where work is not that of torch


@dataclass
class Budget:
    """A measurement's share of the budget, in seconds of counted work; its ``planning`` has used a part of it."""

    total: float
    share: float
    planning: float = 0.0
    # points that were asked for, for each one that the whole dossier can afford
    thinned: float = 1.0

    @property
    def seconds(self) -> float:
        """Seconds of counted work for this measurement."""
        return max(0.0, self.total * self.share - self.planning)

    def paid(self, seconds: float) -> float:
        """Return the counted work of a step of the planning, which the measurement pays."""
        self.planning += seconds
        return seconds

    def part(self, share: float) -> Budget:
        """Return a share of this share."""
        return Budget(self.total, self.share * share, self.planning, self.thinned)

    def affordable(self, points: int, each: float, pair: float = 0.0, once: float = 0.0) -> int:
        """Return how many of the points fit, each with its work, each pair of two with ``pair``, all with ``once``."""
        remaining = max(0.0, self.seconds - once)
        if pair <= 0:
            return points if each * points <= remaining else int(remaining / each)
        most = (math.sqrt(each**2 + 4 * pair * remaining) - each) / (2 * pair)
        return min(points, int(most))

    def said(
        self, name: str, done: int, points: int, needed: float, least: float | None = None
    ) -> str:
        """Return the sentence on a measurement with fewer points than all, which take ``needed`` seconds of work.

        Without any points it says which budget allows the fewest ones, too: ``least`` seconds of work. Default: their
        share of ``needed``.
        """
        if done == points:
            return ""
        all_points = points * self.thinned
        enough = numeral((needed * self.thinned + self.planning) / self.share)
        if done >= FEWEST:
            share_done, fewest = f"{done} of {points} points", ""
        else:
            work = needed * min(1.0, FEWEST / points) if least is None else least
            first = numeral((work + self.planning) / self.share)
            share_done = "not"
            fewest = f"budget={first} allows {min(FEWEST, points)} points, "
        return f"{name}: {share_done} within the budget; {fewest}budget={enough} allows all {all_points:.0f} points"


def numeral(seconds: float) -> str:
    """Return a budget rounded up to two digits, as it can be typed."""
    step = 10.0 ** (math.floor(math.log10(seconds)) - 1)
    return f"{math.ceil(seconds / step) * step:.10g}"


def calls_of(measure: Callable[[], Any]) -> float:
    """Return the work of a function outside torch by its calls from Python, in seconds."""
    count = 0

    def called(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        measure()
    finally:
        sys.setprofile(before)
    return count * PYTHON_CALL

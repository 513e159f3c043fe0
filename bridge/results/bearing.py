"""Comparisons that bear on entries of the ledger."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bridge.results.analysis import Compared
    from bridge.statistics.arrays import Array
    from bridge.statistics.comparison import Comparison
    from theory.core.ledger.measurement import Measurement


@dataclass(frozen=True)
class Bearing:
    """A single comparison that bears on an entry of the ledger.

    Attributes:
        paper: key of the paper.
        label: label of the entry.
        quantity: what was measured, in words, with its unit.
        comparison: prediction and measurement of one number; the prediction is the bound if ``relation`` is ">" or "<".
        relation: "=", ">" or "<".
        among: number of comparisons among which this one was chosen for its deviation; the limit is raised for this
            number.
    """

    paper: str
    label: str
    quantity: str
    comparison: Comparison
    relation: str = "="
    among: int = 1

    @property
    def repetitions(self) -> int | None:
        """Number of repetitions from which the error was estimated; None where the error is known."""
        count = float(self.comparison.repetitions)
        return int(count) if math.isfinite(count) else None

    def measurement(self, study: str, scale: str) -> Measurement:
        """Return the record of the comparison, with six digits, so that the last bits of a machine change no file.

        Args:
            study: name of the study.
            scale: scale at which it was run.
        """
        from theory.core.ledger.measurement import Measurement

        def rounded(value: Array) -> float:
            return float(f"{float(value):.6g}")

        return Measurement(
            study=study,
            scale=scale,
            predicted=rounded(self.comparison.predicted),
            measured=rounded(self.comparison.measured),
            error=rounded(self.comparison.error),
            resolution=rounded(self.comparison.resolution),
            limit=rounded(self.comparison.joint_limit(self.among)),
            relation=self.relation,
            quantity=self.quantity,
        )


def of_all(paper: str, label: str, compared: Iterable[Compared], relation: str = "=") -> Bearing:
    """Return the comparison that decides a statement about all of several comparisons.

    If one of them contradicts the statement at the joint limit, this is the one farthest beyond it. Otherwise it is the
    one that leaves most room for a contradiction: the largest deviation that its own limit allows, in units of the
    resolution. This is the joint verdict of :mod:`closedform.verdicts`.

    Args:
        paper: key of the paper.
        label: label of the entry.
        compared: at least one comparison.
        relation: "=", ">" or "<".
    """
    rows = list(compared)
    number = len(rows)

    def significance(row: Compared, comparisons: int) -> float:
        z = row.comparison.z
        return float({"=": abs(z), "<": z, ">": -z}[relation] / row.comparison.joint_limit(comparisons))

    def room(row: Compared) -> float:
        single = row.comparison
        return float((significance(row, 1) + 1) * single.limit * single.error / single.resolution)

    row = max(rows, key=lambda each: significance(each, number))
    if significance(row, number) <= 1:
        row = max(rows, key=room)
    among = number if significance(row, 1) > 1 else 1
    quantity = f"{row.quantity}, {row.label}" + (f", the decisive one of {number}" if number > 1 else "")
    return Bearing(paper, label, quantity, row.comparison, relation, among)

"""A number of an analysis that bears on an entry of the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bridge.comparison import Comparison


@dataclass(frozen=True)
class Bearing:
    """A number that bears on an entry of the ledger.

    Attributes:
        paper: key of the paper.
        label: label of the entry.
        quantity: what was measured, in words, with its unit.
        predicted: the number that the statement implies, or the bound that it sets.
        measured: mean over repetitions.
        error: standard error of the difference.
        resolution: smallest relevant deviation.
        limit: number of standard errors beyond which a deviation counts.
        relation: "=", or ">" or "<" where ``predicted`` is a bound.
    """

    paper: str
    label: str
    quantity: str
    predicted: float
    measured: float
    error: float
    resolution: float
    limit: float = 2.0
    relation: str = "="


def bearing(paper: str, label: str, quantity: str, comparison: Comparison, relation: str = "=") -> Bearing:
    """Return what a single comparison says of an entry; its prediction is the bound where ``relation`` is ">" or "<".

    Args:
        paper: key of the paper.
        label: label of the entry.
        quantity: what was measured, in words.
        comparison: of one number.
        relation: "=", ">" or "<".
    """
    return Bearing(
        paper=paper,
        label=label,
        quantity=quantity,
        predicted=float(comparison.predicted),
        measured=float(comparison.measured),
        error=float(comparison.error),
        resolution=float(comparison.resolution),
        limit=float(comparison.limit),
        relation=relation,
    )

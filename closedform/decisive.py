"""The number that decides a statement about all of several measured numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from closedform.measured import Measured


def decisive(measured: Iterable[Measured]) -> Measured:
    """Return the number that decides a statement about all of several numbers, with ``among`` set to their count.

    If one of them contradicts the statement at the joint limit, this is the one farthest beyond it. Otherwise it is the
    one that leaves most room for a contradiction: the largest deviation that its own limit allows, in units of the
    resolution, which a bound does not have. Its verdict is the joint verdict of :mod:`closedform.verdicts`.

    Args:
        measured: at least one number with a prediction, an error and the same relation.

    Raises:
        ValueError: if there is none, one has no prediction or error, or the relations differ.
    """
    rows = list(measured)
    relations = {row.relation if row.is_compared else "no prediction or error" for row in rows}
    if len(relations) != 1 or "no prediction or error" in relations:
        got = f"{len(rows)} numbers with {', '.join(sorted(relations)) or 'nothing'}"
        raise ValueError(f"measured: got {got}, needs at least one, all with a prediction, an error and one relation")
    number = len(rows)

    def significance(row: Measured, among: int) -> float:
        return {"=": abs(row.z), "<": row.z, ">": -row.z}[row.relation] / replace(row, among=among).limit

    def room(row: Measured) -> float:
        resolution = row.smallest_relevant if row.relation == "=" else 1.0  # which a bound does not have
        return (significance(row, 1) + 1) * replace(row, among=1).allowed / resolution

    row = max(rows, key=lambda each: significance(each, number))
    if significance(row, number) <= 1:
        row = max(rows, key=room)
    return replace(row, among=number if significance(row, 1) > 1 else 1)

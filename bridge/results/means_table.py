"""A table of means over repetitions: a row for each place, such as a layer, and a column for each quantity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from bridge.results.analysis import Cell, Table, table_of
from closedform.measured import Measured

Row = tuple[str, int | str | None, Mapping[Any, ArrayLike]]  # whose keys are quantities


def means_table(
    name: str, title: str, caption: str, rows: Iterable[Row], heads: tuple[str, str], columns: Sequence[tuple[str, str]]
) -> Table:
    """Return the table; ``heads`` are the headings of configurations and places.

    Each row is a configuration, a place (a layer by its number, another one in words, or None for the whole network),
    and the repetitions of the quantities measured there; each further column has a heading and a quantity.
    """

    def mean(quantity: str, row: Row) -> Cell:
        label, place, numbers = row
        where = f"layer {place}" if isinstance(place, int) else place
        name = f"{label}, {where}" if where else label
        return Measured.mean(quantity, name, numbers[quantity]) if quantity in numbers else None

    return table_of(
        name, title, caption, rows,
        (
            (heads[0], lambda row: row[0]),
            (heads[1], lambda row: row[1]),
            *((head, lambda row, quantity=quantity: mean(quantity, row)) for head, quantity in columns),
        ),
    )  # fmt: skip

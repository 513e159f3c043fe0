"""Reading of tables from CSV and netCDF files."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.arguments import listed

if TYPE_CHECKING:
    import pandas as pd

NETCDF = (".nc", ".nc4", ".h5", ".hdf5")
LONGEST = 200  # letters of a path in a message
ROW = "row of the file"  # name of the index of a table from a text file
TEXT = (".csv", ".tsv", ".txt")


def load(data: Any) -> Any:
    """Return the table in a file if ``data`` is a path, and ``data`` itself otherwise.

    Raises:
        ValueError: if the file does not exist, or is not a table in a known format.
    """
    if not isinstance(data, (str, os.PathLike)):
        return data
    path = Path(data)
    try:
        is_file = path.is_file()
    except OSError:  # a name that no file can have
        is_file = False
    if not is_file:
        raise ValueError(
            f"data: got {str(path)[:LONGEST]!r}, where no file is, needs a CSV ({listed(TEXT)}) or netCDF file"
        )
    if path.suffix.lower() in NETCDF:
        from empirics.runs import trace_file

        try:
            return trace_file.read(path)
        except Exception as problem:  # damaged HDF5 files cause errors of many kinds
            raise ValueError(f"data: got {path.name!r}, needs a readable netCDF file ({problem})") from problem
    if path.suffix.lower() not in TEXT:
        raise ValueError(f"data: got {path.name!r}, needs a name that ends in one of {listed(TEXT + NETCDF)}")
    import pandas as pd

    try:
        # sep=None recognises commas, tabs and semicolons, but needs the slower parser, which is fast enough here.
        frame = pd.read_csv(
            path,
            sep=None,
            engine="python",
            comment="#",
            skipinitialspace=True,
            encoding="utf-8-sig",  # with or without a byte-order mark, which spreadsheets write
        )
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError, csv.Error) as problem:
        raise ValueError(f"data: got {path.name!r}, needs a readable table with a header line ({problem})") from problem
    rows = _rows(path)
    if isinstance(frame.index, pd.RangeIndex) and len(rows) == len(frame):
        frame.index = pd.Index(rows, name=ROW)
    return frame.rename(columns=lambda name: str(name).strip())


def _rows(path: Path) -> list[int]:
    """Return the numbers of the lines with data, from 1; these are the rows in a spreadsheet."""
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    return [number for number, line in enumerate(lines, start=1) if line.partition("#")[0].strip()][1:]


def need_numbers(table: pd.DataFrame, names: Iterable[str]) -> None:
    """Raise ValueError for the first cell of a text file without a finite number, with its place in a spreadsheet.

    Args:
        table: a table from :func:`load`; one of another origin is not checked, since its rows have no numbers.
        names: columns that need numbers.
    """
    import pandas as pd

    if table.index.name != ROW:
        return
    for name in names:
        numbers = np.asarray(pd.to_numeric(table[name], errors="coerce"), dtype=np.float64)
        for index in np.flatnonzero(~np.isfinite(numbers))[:1]:
            cell = table[name].iloc[index]
            got = "nothing" if pd.isna(cell) else repr(str(cell)[:40])
            place = f"{_letters(list(table.columns).index(name))}{table.index[index]}"
            raise ValueError(
                f"column {name!r}, row {table.index[index]}: got {got} in the cell {place}, needs a finite number; "
                "correct it, or drop the row"
            )


def _letters(index: int) -> str:
    """Return the name of a column in a spreadsheet: A to Z, AA, AB, ..."""
    before, last = divmod(index, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)

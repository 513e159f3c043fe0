"""Tables from CSV and netCDF files, and from mappings of arrays: [time], or [seed, time] with all repetitions."""

from __future__ import annotations

import io
import os
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.arguments import listed
from closedform.untrusted_files import content, reading

if TYPE_CHECKING:
    import pandas as pd

NETCDF = (".nc", ".nc4", ".h5", ".hdf5")
MOST_BYTES = 2**26  # of a table of text, which takes twenty times as much in memory
LONGEST_LINE = 2**18  # characters
MOST_COLUMNS = 10_000  # which take a quarter of a second
LONGEST = 200  # letters of a path in a message
ROW = "row of the file"  # name of the index of a table from a text file
TEXT = (".csv", ".tsv", ".txt")


def load(data: Any) -> Any:
    """Return the table in a file if ``data`` is a path, and ``data`` itself otherwise; a ValueError if that fails."""
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

        return trace_file.read(path)
    if path.suffix.lower() not in TEXT:
        raise ValueError(f"data: got {path.name!r}, needs a name that ends in one of {listed(TEXT + NETCDF)}")
    with reading(path, "a readable table with a header line"):
        return _of_text(content(path, MOST_BYTES).decode("utf-8-sig"))  # without the byte-order mark of spreadsheets


def _of_text(text: str) -> pd.DataFrame:
    """Return a table of text, whose index is the number of the line, from 1, which is the row in a spreadsheet."""
    import pandas as pd

    lines = text.splitlines()
    if lines and (longest := max(map(len, lines))) > LONGEST_LINE:
        raise ValueError(f"a line of {longest:,} characters")
    if (columns := max((line.count(mark) for line in lines for mark in ",;\t"), default=0)) >= MOST_COLUMNS:
        raise ValueError(f"{columns + 1:,} columns")
    # sep=None recognises commas, tabs and semicolons, but needs the slower parser, which is fast enough here.
    frame = pd.read_csv(io.StringIO(text), sep=None, engine="python", comment="#", skipinitialspace=True)
    rows = [number for number, line in enumerate(lines, start=1) if line.partition("#")[0].strip()][1:]
    if isinstance(frame.index, pd.RangeIndex) and len(rows) == len(frame):
        frame.index = pd.Index(rows, name=ROW)
    return frame.rename(columns=lambda name: str(name).strip())


def need_numbers(table: pd.DataFrame, names: Iterable[str]) -> None:
    """Raise ValueError for the first cell of a text file without a finite number, with its place in a spreadsheet."""
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


def frame_of(data: Mapping[Hashable, Any], seed: str) -> pd.DataFrame:
    """Return columns ``[time]`` or ``[seed, time]`` as a DataFrame with one repetition below another."""
    import pandas as pd

    sizes = {name: _shape(name, column) for name, column in data.items()}
    if any(len(size) == 2 for size in sizes.values()):
        return pd.DataFrame(_below_one_another(data, sizes, seed))
    lengths = {name: size[0] for name, size in sizes.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"data: got columns of different lengths {lengths}, needs one row per time")
    return pd.DataFrame(dict(data))


def _shape(name: Hashable, column: Any) -> tuple[int, ...]:
    """Return the shape of a column; raise ValueError if it has rows of different lengths, or not one or two axes."""
    try:
        shape: tuple[int, ...] = np.shape(column)
    except ValueError:
        raise ValueError(f"column {name!r}: got rows of different lengths, needs [time] or [seed, time]") from None
    if len(shape) not in (1, 2):
        raise ValueError(f"column {name!r}: got shape {shape}, needs [time] or [seed, time]")
    return shape


def _below_one_another(
    data: Mapping[Hashable, Any], sizes: Mapping[Hashable, tuple[int, ...]], seed: str
) -> dict[Hashable, Any]:
    """Return columns of one length from arrays ``[seed, time]``; only the time and the seed may have one dimension."""
    name, (seeds, times) = next((name, size) for name, size in sizes.items() if len(size) == 2)
    columns: dict[Hashable, Any] = {seed: np.repeat(np.arange(seeds), times)}
    alone = [other for other, size in sizes.items() if len(size) == 1 and other != seed]
    for other, column in data.items():
        size = sizes[other]
        if other == seed and size == (seeds,):
            columns[other] = np.repeat(np.asarray(column), times)
        elif size == (seeds, times) or (alone == [other] and size == (times,)):
            columns[other] = np.broadcast_to(np.asarray(column), (seeds, times)).ravel()
        else:
            raise ValueError(
                f"column {other!r}: got shape {size} next to {(seeds, times)} of {name!r}, "
                "needs [time] in all columns, or [seed, time] in all but the time"
            )
    return columns

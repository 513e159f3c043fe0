"""Tables from CSV and netCDF files, and from mappings of arrays: [time], or [seed, time] with all repetitions.

A table of any origin with one measurement a row becomes a dataset with a dimension for each identifying column.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.arguments import listed
from bridge.tables.text_table import ROW, frame_of_text
from closedform.checks.arrays import real_array
from closedform.untrusted_files import content, reading

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

ORIGIN = "table"  # attribute of the dataset of a table
SEED = "seed"

NETCDF = (".nc", ".nc4", ".h5", ".hdf5")
MOST_BYTES = 2**26  # of a table of text, which takes twenty times as much in memory
LONGEST = 200  # letters of a path in a message
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
            f"data: got {os.fspath(data)[:LONGEST]!r}, where no file is, needs a CSV ({listed(TEXT)}) or netCDF file"
        )
    if path.suffix.lower() in NETCDF:
        from empirics.runs import trace_file

        return trace_file.read(path)
    if path.suffix.lower() not in TEXT:
        raise ValueError(
            f"data: got {path.name!r}, needs a name that ends in one of {listed(TEXT + NETCDF)}"
        )
    with reading(path, "a readable table with a header line"):
        return frame_of_text(content(path, MOST_BYTES))


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
            cell_name = f"{_letters(list(table.columns).index(name))}{table.index[index]}"
            raise ValueError(
                f"column {name!r}, row {table.index[index]}: got {got} in the cell {cell_name}, needs a finite number; "
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
        raise ValueError(
            f"data: got columns of different lengths {lengths}, needs one row per time"
        )
    return pd.DataFrame(dict(data))


def _shape(name: Hashable, column: Any) -> tuple[int, ...]:
    """Return the shape of a column; raise ValueError if it has rows of different lengths, or not one or two axes."""
    try:
        shape: tuple[int, ...] = np.shape(column)
    except ValueError:
        raise ValueError(
            f"column {name!r}: got rows of different lengths, needs [time] or [seed, time]"
        ) from None
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


def gridded(
    data: Any,
    keys: Sequence[str],
    values: Sequence[str],
    *,
    defaults: Mapping[str, Any] | None = None,
    texts: Sequence[str] = (),
) -> xr.Dataset | None:
    """Return a table as a dataset with one dimension for each key; None if ``data`` is a trace or no table.

    The ``keys`` identify a row, ``values`` are measurements, ``texts`` hold names. Columns with ``defaults`` may be
    missing, and their measurements NaN. An error names a missing or non-finite column, a row that occurs twice, and a
    missing combination of keys.
    """
    columns, defaults = [*keys, *values], defaults or {}
    table = _frame(load(data), columns)
    if table is None:
        return None
    needed = [name for name in columns if name not in defaults]
    missing = [name for name in needed if name not in table]
    if missing:
        raise ValueError(
            f"data: got columns {listed(list(table))} without {listed(missing)}, needs {listed(needed)}"
        )
    if table.empty:
        raise ValueError(
            f"data: got a table without rows, needs one row for every combination of {listed(keys)}"
        )
    _check(
        table, [name for name in columns if name in table], {*texts, SEED}, {*values} & {*defaults}
    )
    table = table.assign(**{name: table.get(name, default) for name, default in defaults.items()})
    if table.duplicated(list(keys)).any():
        raise ValueError(
            f"data: got several rows with the same {listed(keys)}, needs one; number the realisations in {SEED!r}"
        )
    grid: xr.Dataset = table.set_index(list(keys))[list(values)].to_xarray()
    required = [name for name in values if name not in defaults]
    if any(bool(grid[name].isnull().any()) for name in required):
        raise ValueError(
            f"data: got a table with gaps, needs a row for every combination of {listed(keys)}"
        )
    return grid.assign_attrs(origin=ORIGIN)


def _frame(table: Any, columns: Sequence[str]) -> pd.DataFrame | None:
    """Return a table that was read as a DataFrame; None if it is a trace, a mapping of traces or no table."""
    import pandas as pd

    if hasattr(table, "data_vars"):
        if {"experiment", "config"} & set(table.attrs):  # a trace
            return None
        if not table.dims:
            raise ValueError(
                f"data: got a Dataset without dimensions, needs columns {listed(columns)}"
            )
        table = table.to_dataframe().reset_index()
    elif isinstance(table, Mapping):
        is_table = {*columns} & set(table) or all(_is_column(entry) for entry in table.values())
        # else a mapping of traces
        table = pd.DataFrame(dict(table)) if table and is_table else None
    return table if isinstance(table, pd.DataFrame) else None


def _check(
    table: pd.DataFrame, names: Sequence[str], labels: set[str], optional: set[str]
) -> None:
    """Check that columns are finite numbers, apart from labels, which are complete, and from NaN in optional ones."""
    need_numbers(table, [name for name in names if name not in labels | optional])
    for name in names:
        known = table[name].dropna()
        if name in labels and len(known) < len(table):
            got = f"NaN or nothing in {len(table) - len(known)} of {len(table)} entries"
            raise ValueError(f"column {name!r}: got {got}, needs a value in each")
        if name not in labels:
            real_array(f"column {name!r}", (known if name in optional else table[name]).to_numpy())


def _is_column(values: Any) -> bool:
    return (isinstance(values, Sequence) and not isinstance(values, str)) or getattr(
        values, "ndim", 0
    ) == 1


def single(grid: xr.Dataset, name: str, over: str) -> xr.DataArray:
    """Return a column of a grid without the key ``over``; raise ValueError if its value depends on that key."""
    value = grid[name].isel({over: 0}, drop=True)
    if not bool(((grid[name] == value) | (grid[name].isnull() & value.isnull())).all()):
        raise ValueError(
            f"column {name!r}: got different values for different {over!r}, needs the same for all"
        )
    return value

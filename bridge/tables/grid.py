"""A table of any origin with one measurement a row, as a dataset with a dimension for each identifying column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bridge.arguments import listed
from bridge.tables.reader import load, spread_out
from bridge.tables.runs import SEED
from bridge.tables.table_file import need_numbers
from closedform.checks.arrays import real_array

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

ORIGIN = "table"  # attribute of the dataset of a table


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
    """Return what :func:`load` gave as a DataFrame; None if it is a trace, a mapping of traces or no table."""
    import pandas as pd

    if hasattr(table, "data_vars"):
        if {"experiment", "config"} & set(table.attrs):  # a trace
            return None
        if not table.dims:
            raise ValueError(
                f"data: got a Dataset without dimensions, needs columns {listed(columns)}"
            )
        table = spread_out(table)
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


def single(grid: xr.Dataset, name: str, over: str) -> xr.DataArray:
    """Return a column of a grid without the key ``over``; raise ValueError if its value depends on that key."""
    value = grid[name].isel({over: 0}, drop=True)
    if not bool(((grid[name] == value) | (grid[name].isnull() & value.isnull())).all()):
        raise ValueError(
            f"column {name!r}: got different values for different {over!r}, needs the same for all"
        )
    return value

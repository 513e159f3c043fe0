"""Reading of tables from CSV and netCDF files."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import Any

from bridge.arguments import listed

NETCDF = (".nc", ".nc4", ".h5", ".hdf5")
TEXT = (".csv", ".tsv", ".txt")


def load(data: Any) -> Any:
    """Return the table in a file if ``data`` is a path, and ``data`` itself otherwise.

    Raises:
        ValueError: if the file does not exist, or is not a table in a known format.
    """
    if not isinstance(data, (str, os.PathLike)):
        return data
    path = Path(data)
    if not path.is_file():
        raise ValueError(f"data: no file {str(path)!r}; give the path of a CSV ({listed(TEXT)}) or netCDF file")
    if path.suffix.lower() in NETCDF:
        import xarray

        with xarray.open_dataset(path, engine="h5netcdf") as dataset:
            return dataset.load()
    if path.suffix.lower() not in TEXT:
        raise ValueError(f"data: {path.name!r} ends in {path.suffix!r}, needs one of {listed(TEXT + NETCDF)}")
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
        raise ValueError(f"data: {path.name!r} is not a readable table with a header line: {problem}") from problem
    return frame.rename(columns=lambda name: str(name).strip())

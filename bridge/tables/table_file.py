"""One file as a table: text, JSON, or netCDF; and the place of a cell that is no number."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.arguments import listed
from bridge.tables.keyed_lines import rows_of_lines
from bridge.tables.records import SCALARS, frame_of_json, frame_of_rows
from bridge.tables.runs import TIME_NAMES
from bridge.tables.text_table import ROW, frame_of_text, text_of
from closedform.untrusted_files import content, reading

if TYPE_CHECKING:
    import pandas as pd

NETCDF = (".nc", ".nc4", ".h5", ".hdf5")
MOST_BYTES = 2**26  # of a table of text, which takes twenty times as much in memory
TEXT = (".csv", ".tsv", ".txt", ".log")
JSON = (".json", ".jsonl", ".ndjson")
VALUE = "value"  # the name under which a file of one metric has it, whose name is that of the file
# the name under which TensorBoard saves one metric of a run
OF_TENSORBOARD = re.compile(r"run-(?P<run>.*)-tag-(?P<metric>.+)")


def read_file(path: Path) -> Any:
    """Return the table in a file, a DataFrame or a Dataset; a ValueError if its kind is unknown or it is damaged."""
    kind = path.suffix.lower()
    if kind in NETCDF:
        from empirics.runs import trace_file

        return trace_file.read(path)
    if kind not in TEXT + JSON:
        raise ValueError(
            f"data: got {path.name!r}, needs a name that ends in one of {listed(TEXT + JSON + NETCDF)}; read another "
            "kind in Python and give the table, such as pandas.read_csv('name.csv.gz') or dict(numpy.load('name.npz'))"
        )
    with reading(path, "a readable table with a header line" if kind in TEXT else "rows in JSON"):
        text = text_of(content(path, MOST_BYTES))
        if kind in JSON or text.lstrip().startswith("{"):
            frame = frame_of_json(path.name, text)
        else:
            rows = rows_of_lines(text)
            frame = frame_of_text(text) if rows is None else frame_of_rows(rows)
    return _with_name_of_metric(path, frame)


def _with_name_of_metric(path: Path, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table of a single metric, ``value``, with the name that the file has."""
    quantities = [
        name
        for name in frame.columns
        if str(name).lower() not in (*TIME_NAMES, SCALARS[0].lower())
    ]
    if [str(name).lower() for name in quantities] != [VALUE]:
        return frame
    of_tensorboard = OF_TENSORBOARD.fullmatch(path.stem)
    metric = of_tensorboard["metric"] if of_tensorboard else path.stem
    wall_time = [name for name in frame.columns if name == SCALARS[0]]
    return frame.drop(columns=wall_time).rename(columns={quantities[0]: metric})


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
                "correct it, or drop the row or the column"
            )


def _letters(index: int) -> str:
    """Return the name of a column in a spreadsheet: A to Z, AA, AB, ..."""
    before, last = divmod(index, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)

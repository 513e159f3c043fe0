"""The one reader of logs: whatever a tracker, a spreadsheet or a loop wrote, with the names that fits ask for."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge.arguments import listed
from bridge.tables.folders import of_files, of_folder
from bridge.tables.records import HISTORY, frame_of_value
from bridge.tables.runs import SEED, TIME_NAMES, by_run, joined, measured_rows, time_names
from bridge.tables.table_file import read_file
from bridge.tables.text_table import ROW
from closedform import checks

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

# of a table of a dataset, which has a row for all combinations of its dimensions and a column for each variable
MOST_CELLS = 10**8
LONGEST = 200  # letters of a path in a message
KINDS = (
    "a file (CSV, JSON, JSON lines, netCDF), a folder of TensorBoard, MLflow or tables, a list of paths, a DataFrame, "
    "a mapping of columns such as {'t': [0, 1]}, or a list of rows such as [{'t': 0}]"
)


def table(data: Any, columns: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Return a log of others as a table with the names that fits and measures ask for.

    Several runs become the values of a column ``seed``, the parts of one row that were logged one after another become
    that row, and a time that differs by its case, or is named as trackers do (``_step``), is named as here. Other
    columns keep their names unless ``columns`` says otherwise.

    Args:
        data: path of a file: text with a header or ``key: value`` lines, JSON (rows, columns, a trainer's state), or
            JSON lines; a folder with event files of TensorBoard (with the package ``tensorboard``), of an MLflow run or
            experiment, or with a file for each panel, metric or run; a list of paths; a DataFrame, a mapping of
            columns, or a list of rows, each a mapping; the history of a Keras or Hugging Face trainer.
        columns: our name -> name in the data, with or without the name of the run before it, as in
            ``{"dh2": "probe/dist_h", "t": "Step"}``. Default: none.

    Returns:
        The table, one row for each time and run.

    Raises:
        ValueError: if the data are no table, a column is missing, two have one name, or a folder is of no known kind.
        MissingPackageError: for event files without ``tensorboard``.

    >>> table({"Step": [0, 1], "run - dh2": [0.1, 0.2]}, {"dh2": "run - dh2"})["dh2"].tolist()
    [0.1, 0.2]
    >>> table([{"_step": 0, "dh2": 0.1}, {"_step": 0, "w": 0.2}]).to_dict("list")
    {'step': [0], 'dh2': [0.1], 'w': [0.2]}
    """
    import pandas as pd

    loaded = load(data, columns)
    if hasattr(loaded, "data_vars"):
        return spread_out(loaded)
    if not isinstance(loaded, pd.DataFrame):
        raise ValueError(f"data: got {_kind(loaded)}, needs a table: {KINDS}")
    return loaded


def spread_out(dataset: xr.Dataset) -> pd.DataFrame:
    """Return a dataset as a table with a row for each combination of coordinates; a ValueError if it is too long."""
    rows, columns = math.prod(dataset.sizes.values()), len(dataset.variables)
    if rows * columns > MOST_CELLS:
        raise ValueError(
            f"data: got dimensions {dict(dataset.sizes)}, which make a table of {rows:,} rows and {columns:,} columns, "
            f"needs at most {MOST_CELLS:,} cells; choose variables with fewer dimensions"
        )
    return dataset.to_dataframe().reset_index()


def load(data: Any, columns: Mapping[str, str] | None = None) -> Any:
    """Return a DataFrame as of :func:`table`, or a Dataset; what is no table of any kind is returned as it is."""
    columns = dict(checks.mapping("columns", columns))
    if len(set(columns.values())) < len(columns):
        raise ValueError(
            f"columns: got {listed(list(columns.values()))}, needs a column for each name"
        )
    raw = _raw(data)
    chosen = {theirs: ours for ours, theirs in columns.items()}
    if hasattr(raw, "data_vars"):
        _need(chosen, [str(name) for name in raw.variables])
        return raw.rename(chosen)
    if not _is_frame(raw):
        if columns:
            raise ValueError(f"data: got {_kind(raw)}, needs a table: {KINDS}")
        return raw
    return joined(_renamed(raw, columns, chosen))


def _raw(data: Any) -> Any:
    """Return what was given as a frame or a Dataset, before any name changes; as it is if it is neither."""
    if isinstance(data, (str, os.PathLike)):
        return _at(data)
    if hasattr(data, "data_vars"):
        return data
    if _is_frame(data):
        is_named = data.index.name not in (None, ROW) and data.index.name not in data.columns
        return data.reset_index() if is_named else data
    if hasattr(data, "to_pandas"):  # of polars, pyarrow and datasets
        return data.to_pandas()
    if isinstance(data, list | tuple) and data and all(map(_is_path, data)):
        return of_files([_file(path) for path in data])
    frame = frame_of_value(_of_trainer(data))
    return data if frame is None else frame


def _is_frame(data: Any) -> bool:
    return hasattr(data, "columns") and hasattr(data, "attrs")


def _is_path(data: Any) -> bool:
    return isinstance(data, (str, os.PathLike))


def _of_trainer(data: Any) -> Any:
    """Return the history in the state of a Hugging Face trainer or in that of Keras; anything else as it is."""
    if isinstance(getattr(data, HISTORY, None), list):
        return getattr(data, HISTORY)
    if isinstance(getattr(data, "history", None), dict) and hasattr(data, "epoch"):
        return {"epoch": data.epoch, **data.history}
    return data


def _at(data: str | os.PathLike[str]) -> Any:
    # The empty text would be the folder of the process.
    if str(data) and Path(data).is_dir():
        return of_folder(Path(data))
    return read_file(_file(data))


def _file(data: str | os.PathLike[str]) -> Path:
    path = Path(data)
    try:
        is_file = path.is_file()
    except OSError:  # a name that no file can have
        is_file = False
    if not is_file:
        raise ValueError(
            f"data: got {os.fspath(data)[:LONGEST]!r}, where no file is, needs {KINDS}"
        )
    return path


def _kind(data: Any) -> str:
    """Return what was given, in words."""
    is_empty = isinstance(data, list | tuple | Mapping) and not data
    return f"an empty {type(data).__name__}" if is_empty else type(data).__name__


def _renamed(
    raw: pd.DataFrame, columns: Mapping[str, str], chosen: Mapping[str, str]
) -> pd.DataFrame:
    """Return a table with our names: of the runs of a tracker, or of one run where ``columns`` names it."""
    frame = by_run(raw, chosen)
    names = [str(name) for name in frame.columns]
    if not {*chosen} <= {*names} and {*chosen} <= {*map(str, raw.columns)}:
        frame, names = raw, [str(name) for name in raw.columns]
    _need(chosen, names)
    times = {theirs: ours for theirs, ours in time_names(names).items() if ours not in columns}
    renamed = frame.rename(columns=times | dict(chosen))
    twice = list(map(str, renamed.columns[renamed.columns.duplicated()]))
    if twice:
        raise ValueError(
            f"columns: got {listed(twice)} for several columns, needs different names"
        )
    quantities = [ours for ours in columns if ours not in (*TIME_NAMES, SEED)]
    return measured_rows(renamed, quantities) if quantities else renamed


def _need(chosen: Mapping[str, str], names: list[str]) -> None:
    """Raise ValueError if a column that was named is not there."""
    missing = [theirs for theirs in chosen if theirs not in names]
    if missing:
        raise ValueError(f"columns: got {listed(missing)}, needs names among {listed(names)}")

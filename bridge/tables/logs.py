"""Tables of experiment trackers: exports of W&B, event files of TensorBoard, runs of MLflow, columns of any name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge.arguments import listed
from bridge.tables.table import SEED, TIME_NAMES
from bridge.tables.table_file import load
from closedform import checks
from closedform.missing import imported
from closedform.untrusted_files import content, reading

if TYPE_CHECKING:
    import pandas as pd

STEP = "step"
EVENTS = "events.out.tfevents*"
# a column of an export of W&B
_OF_RUN = re.compile(r"(?P<run>.+) - (?P<metric>.+?)(?P<end>__MIN|__MAX)?")
_MOST_BYTES = 2**26  # of the history of one metric
KINDS = "a CSV file or folder, a DataFrame, a mapping of columns such as {'t': [0, 1]}, or a list of rows"


def table(data: Any, columns: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Return a log of others as a table with the names that fits and measures ask for.

    Several runs become the values of a column ``seed``. Columns without an entry in ``columns`` keep their names; a
    name of the time that differs by its case alone, such as ``Step``, is written as here.

    Args:
        data: path of a CSV file (an export of W&B's charts, for example), a folder with event files of TensorBoard
            (with the package ``tensorboard``), the folder of an MLflow run or experiment, a DataFrame, a mapping of
            columns, or a list of rows, each a mapping.
        columns: our name -> name in the data, as in ``{"dh2": "run-1 - dh2", "t": "Step"}``. Default: none.

    Raises:
        ValueError: if the data are no table, a column is missing, two have one name, or a folder is of no known kind.
        MissingPackageError: for event files without ``tensorboard``.

    >>> table({"Step": [0, 1], "run - dh2": [0.1, 0.2]}, {"dh2": "run - dh2"})["dh2"].tolist()
    [0.1, 0.2]
    """
    columns = dict(checks.mapping("columns", columns))
    frame = _frame(data)
    names = [str(name) for name in frame.columns]
    missing = [theirs for theirs in columns.values() if theirs not in names]
    if missing:
        raise ValueError(f"columns: got {listed(missing)}, needs names among {listed(names)}")
    if len(set(columns.values())) < len(columns):
        raise ValueError(
            f"columns: got {listed(list(columns.values()))}, needs a column for each name"
        )
    if not columns:
        frame = _by_run(frame)
    chosen = {theirs: ours for ours, theirs in columns.items()}
    lower = {name.lower(): name for name in map(str, frame.columns)}
    times = {lower[name]: name for name in TIME_NAMES if name in lower and name not in columns}
    renamed = frame.rename(columns=times | chosen)
    twice = list(map(str, renamed.columns[renamed.columns.duplicated()]))
    if twice:
        raise ValueError(
            f"columns: got {listed(twice)} for several columns, needs different names"
        )
    quantities = [ours for ours in columns if ours not in (*TIME_NAMES, SEED)]
    # steps of other runs
    return renamed.dropna(subset=quantities, how="all") if quantities else renamed


def _frame(data: Any) -> pd.DataFrame:
    """Return what was given as a frame, before any name changes."""
    import pandas as pd

    # The empty text would be the folder of the process.
    is_folder = isinstance(data, (str, os.PathLike)) and str(data) != "" and Path(data).is_dir()
    frame = _of_folder(Path(data)) if is_folder else load(data)
    if isinstance(frame, pd.DataFrame):
        return frame
    if isinstance(data, bytes | bytearray):
        raise ValueError(f"data: got {type(data).__name__}, needs a table; {KINDS}")
    if isinstance(frame, list | tuple | Mapping) and not frame:
        raise ValueError(f"data: got an empty {type(frame).__name__}, needs a table; {KINDS}")
    rows = isinstance(frame, list | tuple) and all(isinstance(row, Mapping) for row in frame)
    try:
        return pd.DataFrame(list(frame) if rows else dict(frame))
    except Exception as error:  # of pandas, and of objects of the user's
        raise ValueError(
            f"data: got {type(data).__name__} ({error}), needs a table; {KINDS}"
        ) from error


def _by_run(frame: pd.DataFrame) -> pd.DataFrame:
    """Return an export of W&B, which has a column ``RUN - METRIC`` for each run, with the runs below one another.

    " - " may stand in anybody's names. An export has ``__MIN`` and ``__MAX`` too, or one metric of several runs.
    """
    import pandas as pd

    matches = {name: _OF_RUN.fullmatch(name) for name in map(str, frame.columns)}
    of_runs = [match for match in matches.values() if match]
    runs = list(dict.fromkeys(match["run"] for match in of_runs))
    has_extremes = any(match["end"] for match in of_runs)
    has_time = any(name.lower() in TIME_NAMES for name in matches)
    metrics = {match["metric"] for match in of_runs}
    if not (
        has_time and (has_extremes or (len(runs) > 1 and len(of_runs) == len(runs) * len(metrics)))
    ):
        return frame
    shared = [name for name, match in matches.items() if match is None]
    parts = []
    for run in runs:
        own = {
            name: m["metric"]
            for name, m in matches.items()
            if m and m["run"] == run and not m["end"]
        }
        part = (
            frame[[*shared, *own]].rename(columns=own).dropna(subset=list(own.values()), how="all")
        )
        parts.append(part.assign(**{SEED: run}) if len(runs) > 1 else part)
    return pd.concat(parts, ignore_index=True)


def _of_folder(folder: Path) -> pd.DataFrame:
    events = sorted({path.parent for path in folder.rglob(EVENTS)})
    if events:
        return _below(folder, {run: _of_events(run) for run in events})
    metrics = sorted(path for path in folder.rglob("metrics") if path.is_dir())
    if metrics:
        return _below(folder, {path.parent: _of_mlflow(path) for path in metrics})
    raise ValueError(
        f"data: got the folder {str(folder)!r}, needs event files ({EVENTS}) or an MLflow run (metrics/)"
    )


def _below(folder: Path, runs: Mapping[Path, Mapping[str, Mapping[int, float]]]) -> pd.DataFrame:
    """Return the histories of several runs, metric -> step -> value, as one table."""
    import pandas as pd

    parts = []
    for path, histories in runs.items():
        part = pd.DataFrame(
            {name: pd.Series(history) for name, history in histories.items()}
        ).sort_index()
        part = part.rename_axis(STEP).reset_index()
        parts.append(
            part.assign(**{SEED: str(path.relative_to(folder))}) if len(runs) > 1 else part
        )
    return pd.concat(parts, ignore_index=True)


def _of_events(folder: Path) -> dict[str, dict[int, float]]:
    """Return the scalars of a folder of event files, with the last value where a step was written twice."""
    imported("event files of TensorBoard", "tensorboard")
    accumulator = import_module("tensorboard.backend.event_processing.event_accumulator")
    with reading(folder, "event files of TensorBoard"):
        events = accumulator.EventAccumulator(
            str(folder), size_guidance={"scalars": 0, "tensors": 0}
        )
        events.Reload()
        tags = events.Tags()
        histories = {}
        for tag in tags["scalars"]:
            histories[tag] = _history((e.step, e.value) for e in events.Scalars(tag))
        for tag in tags["tensors"]:
            values = ((e.step, e.tensor_proto.float_val) for e in events.Tensors(tag))
            histories[tag] = _history(
                (step, value[0]) for step, value in values if len(value) == 1
            )
    return {tag: history for tag, history in histories.items() if history}


def _of_mlflow(folder: Path) -> dict[str, dict[int, float]]:
    """Return the metrics of one run, whose files have lines of time stamp, value and step."""
    histories = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        with reading(path, "lines of time stamp, value and step"):
            lines = [
                line.split()
                for line in content(path, _MOST_BYTES).decode("utf-8").splitlines()
                if line.strip()
            ]
            histories[path.relative_to(folder).as_posix()] = _history(
                (int(line[2]), float(line[1])) for line in lines
            )
    return histories


def _history(points: Iterable[tuple[int, float]]) -> dict[int, float]:
    return {int(step): float(value) for step, value in points}

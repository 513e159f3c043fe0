"""Folders of trackers as tables: event files of TensorBoard, runs of MLflow, and files of one panel or metric each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.arguments import listed
from bridge.tables.runs import SEED, TIME_NAMES, by_run, time_names
from bridge.tables.table_file import NETCDF, OF_TENSORBOARD, TEXT, read_file
from closedform.missing import imported
from closedform.untrusted_files import content, reading

if TYPE_CHECKING:
    import pandas as pd

STEP = "step"
EVENTS = "events.out.tfevents*"
TABLES = (*TEXT, ".jsonl", ".ndjson")  # a .json beside them may be a configuration
_MOST_BYTES = 2**26  # of the history of one metric


def of_folder(folder: Path) -> pd.DataFrame:
    """Return what a tracker left in a folder; a ValueError if it is of no known kind."""
    events = sorted({path.parent for path in folder.rglob(EVENTS)})
    if events:
        return _below(folder, {run: _of_events(run) for run in events})
    metrics = sorted(path for path in folder.rglob("metrics") if path.is_dir())
    if metrics:
        return _below(folder, {path.parent: _of_mlflow(path) for path in metrics})
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in TABLES)
    if files:
        return of_files(files)
    traces = " (for traces of `closedform run` see `closedform report`)"
    raise ValueError(
        f"data: got the folder {str(folder)!r}, needs event files ({EVENTS}), an MLflow run (metrics/), or tables "
        f"({listed(TABLES)}){traces * any(folder.rglob('*' + NETCDF[0]))}"
    )


def of_files(paths: Sequence[Path]) -> pd.DataFrame:
    """Return several files as one table: files of different quantities beside, files of the same ones below each other.

    Files of the same quantities are runs, which are named by the run that TensorBoard puts into the name of a file, by
    the folder, or by the name of the file.

    Args:
        paths: at least one file of text or JSON.

    Raises:
        ValueError: if a file is no table.
    """
    import pandas as pd

    frames = []
    for path in paths:
        frame = read_file(path)
        if not hasattr(frame, "columns"):
            raise ValueError(f"data: got {path.name!r} among several files, needs tables of text")
        split = by_run(frame)
        frames.append(split.rename(columns=time_names(list(map(str, split.columns)))))
    if len(frames) == 1:
        return frames[0]
    quantities = list(
        chain.from_iterable(set(map(str, f.columns)) - {*TIME_NAMES, SEED} for f in frames)
    )
    if len(set(quantities)) < len(quantities):
        frames = [
            _of_run(frame, run) for frame, run in zip(frames, _names_of_runs(paths), strict=True)
        ]
    return pd.concat(frames, ignore_index=True)


def _of_run(frame: pd.DataFrame, run: str) -> pd.DataFrame:
    """Return the table of a run with its name, before those of the runs that it has."""
    name = run if SEED not in frame else [f"{run}/{own}" for own in frame[SEED]]
    return frame.assign(**{SEED: name})


def _names_of_runs(paths: Sequence[Path]) -> list[str]:
    of_tensorboard = [OF_TENSORBOARD.fullmatch(path.stem) for path in paths]
    if all(of_tensorboard):
        return [match["run"] for match in of_tensorboard if match]
    has_folders = len({path.parent for path in paths}) > 1
    return [path.parent.name if has_folders else path.stem for path in paths]


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

"""Tables from what is in memory or in JSON: rows, histories of trainers, and arrays ``[time]`` or ``[seed, time]``."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.tables.runs import SEED
from closedform.untrusted_files import decoded

if TYPE_CHECKING:
    import pandas as pd

HISTORY = "log_history"  # of the state of a Hugging Face trainer
SCALARS = ("Wall time", "Step", "Value")  # one metric, as TensorBoard saves it
JSON_NEEDS = f"needs rows [{{...}}, ...], columns {{name: [...]}}, or the {HISTORY!r} of a trainer"


def is_column(values: Any) -> bool:
    """Return whether these are the values of one column, or of several repetitions of it."""
    is_sequence = isinstance(values, Sequence) and not isinstance(values, str | bytes)
    return is_sequence or getattr(values, "ndim", 0) in (1, 2)


def frame_of_rows(rows: Sequence[Mapping[Any, Any]]) -> pd.DataFrame:
    """Return rows as a table: ``{"probe": {"dh2": 1}}`` has the column ``probe/dh2``, and what a row lacks is NaN."""
    import pandas as pd

    return pd.json_normalize([dict(row) for row in rows], sep="/")


def frame_of_value(value: Any) -> pd.DataFrame | None:
    """Return the table that a value of Python or of JSON is; None for one that is none.

    Args:
        value: rows, each a mapping; columns by name, ``[time]`` or ``[seed, time]``; the state of a trainer with its
            ``log_history``; or rows of time stamp, step and value.

    Raises:
        ValueError: if columns have different lengths.
    """
    import pandas as pd

    if isinstance(value, Mapping) and isinstance(value.get(HISTORY), list):
        value = value[HISTORY]
    if isinstance(value, Mapping):
        return frame_of(value) if any(map(is_column, value.values())) else None
    if not isinstance(value, list | tuple) or not value:
        return None
    if all(isinstance(row, Mapping) and not hasattr(row, "data_vars") for row in value):
        return frame_of_rows(value)  # and not of datasets, which are mappings too
    is_of_events = all(isinstance(row, list) and len(row) == len(SCALARS) for row in value)
    return pd.DataFrame(value, columns=list(SCALARS)) if is_of_events else None


def frame_of_json(name: str, text: str) -> pd.DataFrame:
    """Return the table in a text in JSON, or of one JSON value a line.

    Args:
        name: name of the text in messages.
        text: what :func:`frame_of_value` takes, what ``DataFrame.to_json`` writes, or one row a line.

    Raises:
        ValueError: if it is none of these.
    """
    value = _json_of(name, text)
    frame = _of_pandas(value) if isinstance(value, dict) else None
    frame = frame_of_value(value) if frame is None else frame
    if frame is None:
        raise ValueError(f"{name}: got JSON of another form, {JSON_NEEDS}")
    return frame


def _json_of(name: str, text: str) -> Any:
    """Return the value of a text, or the list of the values of its lines."""
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        value = decoded(name, text, object)
    except ValueError:
        if len(lines) < 2 or not lines[0].rstrip().endswith("}"):
            raise
        return [decoded(f"{name}, row {row}", line) for row, line in enumerate(lines, start=1)]
    is_row = isinstance(value, dict) and not any(
        isinstance(v, dict | list) for v in value.values()
    )
    return [value] if is_row else value


def _of_pandas(value: dict[str, Any]) -> pd.DataFrame | None:
    """Return what pandas wrote, columns by index or split into names and data; None for others."""
    import pandas as pd

    if {"columns", "data"} <= value.keys():
        return pd.DataFrame(value["data"], columns=value["columns"])
    return pd.DataFrame(value) if all(isinstance(v, dict) for v in value.values()) else None


def frame_of(data: Mapping[Hashable, Any]) -> pd.DataFrame:
    """Return columns ``[time]`` or ``[seed, time]`` as a DataFrame with one repetition below another."""
    import pandas as pd

    sizes = {name: _shape(name, column) for name, column in data.items()}
    if any(len(size) == 2 for size in sizes.values()):
        return pd.DataFrame(_below_one_another(data, sizes))
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
    data: Mapping[Hashable, Any], sizes: Mapping[Hashable, tuple[int, ...]]
) -> dict[Hashable, Any]:
    """Return columns of one length from arrays ``[seed, time]``; only the time and the seed may have one dimension."""
    name, (seeds, times) = next((name, size) for name, size in sizes.items() if len(size) == 2)
    columns: dict[Hashable, Any] = {SEED: np.repeat(np.arange(seeds), times)}
    alone = [other for other, size in sizes.items() if len(size) == 1 and other != SEED]
    for other, column in data.items():
        size = sizes[other]
        if other == SEED and size == (seeds,):
            columns[other] = np.repeat(np.asarray(column), times)
        elif size == (seeds, times) or (alone == [other] and size == (times,)):
            columns[other] = np.broadcast_to(np.asarray(column), (seeds, times)).ravel()
        else:
            raise ValueError(
                f"column {other!r}: got shape {size} next to {(seeds, times)} of {name!r}, "
                "needs [time] in all columns, or [seed, time] in all but the time"
            )
    return columns

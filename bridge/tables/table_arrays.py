"""A mapping of arrays as a table: one number for each time, or arrays [seed, time] with all repetitions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd


def frame_of(data: Mapping[Hashable, Any], seed: str) -> pd.DataFrame:
    """Return a mapping of columns as a DataFrame, repetitions below one another.

    Columns are ``[time]`` of equal length; or ``[seed, time]`` of equal shape, next to which the time may be ``[time]``
    and the column named by ``seed`` ``[seed]``. A ValueError says that the shapes do not fit.
    """
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

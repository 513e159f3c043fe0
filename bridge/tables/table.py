"""Reading of measurements from a trace, a Dataset, a DataFrame, a mapping or a file.

A measurement in any of these forms becomes one :class:`Repetition` for each seed, with float64 columns over a
strictly increasing time axis and the attributes of the data. Columns that are missing, of the wrong type, not finite or
out of order raise an error that names the column, the value and the requirement.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.arguments import listed
from bridge.statistics.arrays import Array
from bridge.tables.reader import load
from bridge.tables.runs import ENDS, SEED, TIME_NAMES, measured_rows, time_names
from bridge.tables.table_file import need_numbers
from closedform.checks.arrays import real_array
from closedform.foreign_text import LONGEST, visible

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

HALF = 2048  # from here on, float16 rounds integers


@dataclass(frozen=True)
class Repetition:
    """One repetition of a measurement."""

    label: str  # such as "seed 3"; empty if the data have no seeds
    t: Array  # strictly increasing times, [time], in the unit of the data
    columns: Mapping[str, Array]  # name -> array [time] or [time, component]
    attributes: Mapping[str, Any]  # of the data (dx2, layer, ...)
    end: str = (
        ""  # what the end of the data lacks, a sentence; empty if nothing was left out there
    )


@dataclass(frozen=True)
class Wanted:
    """The request to :func:`read`, whose arguments are described there."""

    required: Sequence[str]
    optional: Sequence[str]
    layer: Any
    time: str | None
    at_least: int

    def columns(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the required columns, and the optional ones that are among ``names``."""
        return (*self.required, *(name for name in self.optional if name in names))


def read(
    data: Any,
    required: Sequence[str],
    optional: Sequence[str] = (),
    *,
    columns: Mapping[str, str] | None = None,
    layer: Any = None,
    time: str | None = None,
    at_least: int = 8,
) -> tuple[Repetition, ...]:
    """Read ``data`` into one table for each value of the column or dimension ``seed``.

    Data are a Dataset (possibly with ``seed`` and ``layer``) or whatever :func:`bridge.table` takes, with ``columns``
    as there; rows without any of the required quantities are left out. The time is by default the first of ``t``,
    ``step``, ``epoch``, ``time``, with ``at_least`` so many points.
    """
    wanted = Wanted(required, optional, layer, time, at_least)
    if columns is None and layer is None and time is None and is_measured(data, wanted):
        return (_from_arrays(data, wanted),)
    data = load(data, columns)
    kind = type(data).__module__.split(".")[0]
    if kind == "xarray" and hasattr(data, "data_vars"):
        return _from_dataset(data, wanted)
    if kind == "pandas" and hasattr(data, "columns"):
        return _from_frame(data, wanted)
    raise TypeError(
        f"data: got {type(data).__name__}, needs an xarray Dataset, a pandas DataFrame, a mapping of columns, or the "
        f"path of a CSV or netCDF file, with {listed((TIME_NAMES[0], *required))}; pandas.DataFrame(data) makes a "
        "table of most others"
    )


def is_measured(data: Any, wanted: Wanted) -> bool:
    """Return whether data are arrays by our names that need no table, whose library takes long to import.

    Args:
        data: anything.
        wanted: what is asked for.

    Returns:
        Whether it is a dictionary of finite float64 arrays ``[time]`` of one length, all of them among the wanted ones,
        over one increasing time.
    """
    if type(data) is not dict or not data.keys() >= {*wanted.required}:
        return False
    times = [name for name in TIME_NAMES if name in data]
    if len(times) != 1 or not {*times, *wanted.required, *wanted.optional} >= data.keys():
        return False
    arrays = list(data.values())
    if not all(type(x) is np.ndarray and x.dtype == np.float64 and x.ndim == 1 for x in arrays):
        return False
    (t,) = (data[name] for name in times)
    return bool(
        len(t) >= max(1, wanted.at_least)
        and all(len(x) == len(t) and np.isfinite(x).all() for x in arrays)
        and (np.diff(t) > 0).all()
    )


def _from_arrays(data: Mapping[str, Array], wanted: Wanted) -> Repetition:
    time = _time_name(list(data), None)
    copies = {name: data[name].copy() for name in (time, *wanted.columns(list(data)))}
    return _table("", time, copies.pop(time), copies, {}, wanted.at_least)


def _from_frame(frame: pd.DataFrame, wanted: Wanted) -> tuple[Repetition, ...]:
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names):
        raise ValueError(
            f"data: got columns with the same name among {listed(names)}, needs different ones"
        )
    time = _time_name(names, wanted.time)
    _need(names, wanted.required)
    frame = measured_rows(frame, wanted.required)
    absent = [name for name in wanted.optional if name in names and frame[name].isna().all()]
    frame = frame.drop(columns=absent)
    names = [name for name in names if name not in absent]
    if frame.empty:
        raise ValueError("data: got a table without rows, needs one row for each point in time")
    attributes: dict[str, Any] = dict(frame.attrs)
    ends = attributes.pop(ENDS, {})
    if "layer" in names:
        frame = frame[frame["layer"] == _choose_layer(wanted.layer, list(frame["layer"].unique()))]
        attributes["layer"] = frame["layer"].iloc[0]
    elif wanted.layer is not None:
        raise ValueError(
            f"layer: got {wanted.layer!r} for data without a column 'layer', needs None"
        )
    parts = [("", frame)]
    if SEED in names:
        unknown = int(frame[SEED].isna().sum())
        if unknown:
            raise ValueError(
                f"column {SEED!r}: got {unknown} of {len(frame)} rows without a seed, needs one in each"
            )
        parts = [
            (visible(f"{SEED} {key}", most=LONGEST), part)
            for key, part in frame.groupby(SEED, sort=True)
        ]
    columns = wanted.columns(names)
    need_numbers(frame, (time, *columns))
    tables = []
    for label, part in parts:
        values = {name: part[name].to_numpy() for name in columns}
        repetition = _table(label, time, part[time], values, attributes, wanted.at_least)
        run = str(part[SEED].iloc[0]) if SEED in names else ""
        tables.append(replace(repetition, end=ends.get(run, "")))
    return tuple(tables)


def _from_dataset(dataset: xr.Dataset, wanted: Wanted) -> tuple[Repetition, ...]:
    names = [str(name) for name in (*dataset.data_vars, *dataset.coords)]
    time = _time_name(
        [*names, *(str(d) for d in dataset.dims if str(d) not in names)], wanted.time
    )
    _need(names, wanted.required)
    attributes: dict[str, Any] = dict(dataset.attrs)
    if "layer" in dataset.dims:
        chosen = _choose_layer(wanted.layer, list(layers(dataset)))
        dataset = dataset.isel(layer=layers(dataset).index(chosen))
        attributes["layer"] = chosen
    elif wanted.layer is not None:
        raise ValueError(
            f"layer: got {wanted.layer!r} for data without a dimension 'layer', needs None"
        )
    columns = wanted.columns(names)
    axis = dataset[time]
    if axis.ndim != 1:
        raise ValueError(f"time {time!r}: got dimensions {axis.dims}, needs exactly one")
    step = axis.dims[0]
    parts: list[tuple[str, dict[str, int]]] = [("", {})]
    if SEED in dataset.dims:
        unknown = int(dataset[SEED].isnull().sum()) if SEED in dataset.coords else 0
        if unknown:
            raise ValueError(
                f"coordinate {SEED!r}: got NaN in {unknown} of {dataset.sizes[SEED]} entries, needs seeds"
            )
        keys = dataset[SEED].values if SEED in dataset.coords else np.arange(dataset.sizes[SEED])
        parts = [(visible(f"{SEED} {key}", most=LONGEST), {SEED: i}) for i, key in enumerate(keys)]
    if not parts:
        raise ValueError(f"data: got no repetition in the dimension {SEED!r}, needs at least one")
    tables = []
    for label, index in parts:
        values = {}
        for name in columns:
            variable = dataset[name].isel(index, missing_dims="ignore")
            extra = [d for d in variable.dims if d != step]
            if step not in variable.dims or len(extra) > (name not in wanted.required):
                raise ValueError(
                    f"column {name!r}: got dimensions {variable.dims}, needs {step!r} (and {SEED!r})"
                )
            values[name] = variable.transpose(step, *extra).values
        tables.append(_table(label, time, axis.values, values, attributes, wanted.at_least))
    return tuple(tables)


def _table(
    label: str,
    time: str,
    t: Any,
    columns: Mapping[str, Any],
    attributes: Mapping[str, Any],
    at_least: int,
) -> Repetition:
    where = f" ({label})" if label else ""
    is_half = getattr(t, "dtype", None) == np.float16
    t = real_array(f"time {time!r}{where}", t)
    if is_half and np.abs(t).max(initial=0.0) >= HALF:
        raise ValueError(
            f"time {time!r}{where}: got float16 up to {np.abs(t).max():g}, which has no odd integers from {HALF} on, "
            "needs integers, float32 or float64"
        )
    if len(t) < at_least:
        raise ValueError(
            f"data{where}: got {len(t)} point{'s' * (len(t) != 1)} in time, needs at least {at_least}"
        )
    late = np.flatnonzero(np.diff(t) <= 0)
    if late.size:
        raise ValueError(
            f"time {time!r}{where}: got {t[late[0] + 1]:g} after {t[late[0]]:g} at row {late[0] + 1}, needs increasing "
            "times; sort the rows, drop repeated ones, and name the repetitions in a column 'seed'"
        )
    return Repetition(
        label,
        t,
        {k: real_array(f"column {k!r}{where}", v) for k, v in columns.items()},
        attributes,
    )


def _time_name(names: Sequence[str], time: str | None) -> str:
    if time is not None:
        ours = time if time in names else time_names([time]).get(time)
        if ours not in names:
            raise ValueError(f"time: got {time!r}, needs one of {listed(names)}")
        return str(ours)
    for candidate in TIME_NAMES:
        if candidate in names:
            return candidate
    raise ValueError(
        f"data: got {listed(names)}, needs a time column, one of {listed(TIME_NAMES)} or time= (--time); a table with "
        "one row for each run has none: take the history of the runs"
    )


def _need(names: Sequence[str], required: Sequence[str]) -> None:
    missing = [name for name in required if name not in names]
    if missing:
        alike = [name for name in names if _last_part(name) == _last_part(missing[0])]
        theirs = alike[0] if alike else "its name in the data"
        raise ValueError(
            f"data: got columns {listed(names)} without {listed(missing)}, needs {listed(required)}; for columns of "
            f"other names say columns={{{missing[0]!r}: {theirs!r}}} (--column {missing[0]}={theirs!r})"
        )


def _last_part(name: str) -> str:
    """Return the last part of the name of a column such as ``probe/dh2``, in small letters."""
    return re.split(r"[/.:]| - ", name)[-1].strip().lower()


def _choose_layer(layer: Any, layers: list[Any]) -> Any:
    shown = ", ".join(visible(candidate, most=LONGEST) for candidate in layers)
    if not layers:
        raise ValueError("data: got no layer, needs at least one")
    if layer is None:
        if len(layers) > 1:
            raise ValueError(f"layer: got none for data with several, needs one of {shown}")
        return layers[0]
    for candidate in layers:
        if candidate == layer:
            return candidate
    raise ValueError(f"layer: got {layer!r}, needs one of {shown}")


def layers(data: Any) -> tuple[Any, ...]:
    """Return the names of the layers in the data of :func:`read`, in their order; a ValueError if there are none."""
    data = load(data)
    names: Any = ()
    if hasattr(data, "data_vars"):
        if "layer" in data.dims:
            names = (
                data["layer"].values.tolist()
                if "layer" in data.coords
                else range(data.sizes["layer"])
            )
    elif "layer" in getattr(data, "columns", data if isinstance(data, Mapping) else ()):
        names = dict.fromkeys(np.asarray(data["layer"]).tolist())
    if not len(names):
        raise ValueError(
            "data: got no dimension or column 'layer', needs one for layers to choose from"
        )
    return tuple(names)

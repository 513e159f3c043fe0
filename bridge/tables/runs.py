"""The forms in which trackers lay out runs and times, brought into one: a column for each quantity, time and seed."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from bridge.arguments import listed

if TYPE_CHECKING:
    import pandas as pd

TIME_NAMES = ("t", "step", "epoch", "time")
SEED = "seed"  # the dimension or column that identifies the repetition
LAYER = "layer"
# attribute of a table: what the end of a run lacks, a sentence by the value of its seed as text, "" without seeds
ENDS = "ends of runs"
SUMMARY = 1  # rows after the last measurement, such as that with the duration which trainers write
# names of trackers for these times, in the order in which one is taken
OTHER_TIMES = {
    "_step": "step",
    "trainer/global_step": "step",
    "global_step": "step",
    "iteration": "step",
    "iter": "step",
    "relative time (process)": "time",
    "relative time (wall)": "time",
}
# a column of an export of W&B
_OF_RUN = re.compile(r"(?P<run>.+) - (?P<metric>.+?)(?P<end>__MIN|__MAX)?")


def time_names(names: list[str]) -> dict[str, str]:
    """Return the columns among ``names`` that are times under another name or in another case -> ours."""
    lower = {name.lower(): name for name in names}
    theirs = {lower[name]: name for name in TIME_NAMES if name in lower}
    for other, ours in OTHER_TIMES.items():
        if other in lower and ours not in theirs.values():
            theirs[lower[other]] = ours
    return theirs


def by_run(frame: pd.DataFrame, asked: Collection[str] = ()) -> pd.DataFrame:
    """Return an export of W&B, which has a column ``RUN - METRIC`` for each run, with the runs below one another.

    " - " may stand in anybody's names. An export has ``__MIN`` and ``__MAX`` too, or one metric of several runs, or the
    one run has metrics of the names that are ``asked`` for.
    """
    import pandas as pd

    matches = {name: _OF_RUN.fullmatch(name) for name in map(str, frame.columns)}
    of_runs = [match for match in matches.values() if match]
    runs = list(dict.fromkeys(match["run"] for match in of_runs))
    if not _has_runs(list(matches), of_runs, len(runs), asked):
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


def _has_runs(
    names: list[str], of_runs: list[re.Match[str]], runs: int, asked: Collection[str]
) -> bool:
    """Return whether a table has columns of runs: those with " - " in their names, and the columns beside them."""
    metrics = {match["metric"] for match in of_runs}
    has_extremes = any(match["end"] for match in of_runs)
    is_crossed = runs > 1 and len(of_runs) == runs * len(metrics)
    is_one_run = runs == 1 and not metrics.isdisjoint({*asked} - {*names})
    return bool(time_names(names)) and (has_extremes or is_crossed or is_one_run)


def measured_rows(frame: pd.DataFrame, quantities: Sequence[str]) -> pd.DataFrame:
    """Return the rows with a value of any of the quantities; others are those at which something else was logged.

    A run that diverges lacks them all, too, from some time on. If the rows after its last value are more than lie
    between any two of its values, and more than a summary, the attribute :data:`ENDS` of the table says so.

    Args:
        frame: a table with names of ours, whose rows are in the order in which they were logged.
        quantities: names of columns, at least one.

    Returns:
        The rows of the table, with its attributes.
    """
    is_measured = frame[list(quantities)].notna().any(axis=1)
    ends = dict(frame.attrs.get(ENDS, {}))
    runs = frame[SEED].map(str) if SEED in frame else [""] * len(frame)
    for run, is_known in is_measured.groupby(runs, sort=False):
        places = np.flatnonzero(is_known)
        if not places.size:
            continue
        after = len(is_known) - 1 - int(places[-1])
        if after > max(SUMMARY, int(np.diff(places, prepend=-1).max()) - 1):
            ends[run] = (
                f"the last {after} of {len(is_known)} rows have no {listed(quantities)} and were left out: if the run "
                "diverged there, its end is missing"
            )
    rows = frame[is_measured]
    rows.attrs = {**frame.attrs, ENDS: ends} if ends else frame.attrs
    return rows


def joined(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose quantities were logged one after another with one row for each time.

    Rows of one time, seed and layer are parts of one row if none of them is complete and no two have different values
    under one name. Where any rows of one time are not, the table stays as it is.

    >>> import pandas as pd
    >>> joined(pd.DataFrame({"step": [0, 0], "dh2": [0.5, None], "w": [None, 0.1]})).to_numpy().tolist()
    [[0.0, 0.5, 0.1]]
    """
    names = [str(name) for name in frame.columns]
    times = [name for name in TIME_NAMES if name in names]
    keys = [*times[:1], *(name for name in (SEED, LAYER) if name in names)]
    if not times or frame.columns.has_duplicates:
        return frame
    repeated = frame[frame.duplicated(keys, keep=False)]
    if repeated.empty or not repeated.isna().any(axis=1).all():
        return frame
    texts = repeated.select_dtypes(exclude="number").columns.difference(keys)
    comparable = repeated.assign(
        **{name: repeated[name].map(str, na_action="ignore") for name in texts}
    )
    if (comparable.groupby(keys, dropna=False).nunique() > 1).any(axis=None):
        return frame
    whole = frame.groupby(keys, sort=False, dropna=False, as_index=False).first()
    whole.index = frame.index[~frame.duplicated(keys)]
    return whole[list(frame.columns)]

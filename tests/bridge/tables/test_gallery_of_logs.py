"""A gallery of logs: each layout is read with every value under its name, or refused with the way out.

The curves are those of one trajectory of the two-point theory, so that a fit of a log that was read knows the answer.
"""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import bridge
from theory.two_point import trajectory

NAMES = ("dh2", "dy2", "w")
TAU_H, TAU_Y, DX2, TARGET2 = 20.0, 10.0, 1.0, 0.5
STEPS = np.arange(0, 120, 10)
CURVES = trajectory(STEPS, 0.1, 0.01, -0.05, TAU_H, TAU_Y, DX2, TARGET2)
PRINTED = 1e-6  # relative; files of text here have seven digits or more
PLAIN = pd.DataFrame({"step": STEPS, **dict(zip(NAMES, CURVES, strict=True))})
ROWS = PLAIN.to_dict("records")
PROBED = {name: f"probe/{name}" for name in NAMES}


def csv(frame: pd.DataFrame, **options) -> str:
    return frame.to_csv(index=False, **options)


def of_runs(*runs: str, ends=("", "__MIN", "__MAX"), names=NAMES, prefix="") -> pd.DataFrame:
    table = {"Step": STEPS}
    for run in runs:
        for name in names:
            for end in ends:
                table[f"{run} - {prefix}{name}{end}"] = PLAIN[name]
    return pd.DataFrame(table)


def alternating() -> pd.DataFrame:
    """Training rows and validation rows of one step, as Lightning's logger writes them."""
    epoch = STEPS // 50
    of_training = PLAIN[["step", "dh2"]].assign(epoch=epoch, train_loss=1.0)
    of_validation = PLAIN[["step", "dy2", "w"]].assign(epoch=epoch, val_loss=2.0)
    return pd.concat([of_training, of_validation]).sort_values("step", kind="stable")


def with_gaps() -> pd.DataFrame:
    """The history of W&B: every step has a loss, every tenth the quantities."""
    every = pd.DataFrame({"_step": np.arange(111), "_timestamp": 1.7e9, "train/lr": 0.1})
    return every.merge(PLAIN.rename(columns={"step": "_step"}), how="left")


HISTORY = [{"loss": 0.5, "epoch": step / 40, "step": int(step)} for step in STEPS]
HISTORY += [{"epoch": row["step"] / 40, **row} for row in ROWS]
HISTORY += [{"train_runtime": 3.5, "epoch": 3.0, "step": 111}]
KEYED = "\n".join(", ".join(f"{name}: {value}" for name, value in row.items()) for row in ROWS)
TENSORBOARD = {
    f"run-a-tag-{name}.csv": csv(
        pd.DataFrame({"Wall time": 1.7e9 + STEPS, "Step": STEPS, "Value": PLAIN[name]})
    )
    for name in NAMES
}

# what is given in memory; the way to read the columns, if there is one
IN_MEMORY = {
    "frame with the index step": (PLAIN.set_index("step"), {}),
    "history of W&B": (with_gaps(), {}),
    "list of rows": (ROWS, {}),
    "rows in groups": ([{"step": row["step"], "probe": row} for row in ROWS], PROBED),
    "log_history": (HISTORY, {}),
    "state of a trainer": (SimpleNamespace(log_history=HISTORY), {}),
    "Keras": (
        SimpleNamespace(epoch=STEPS.tolist(), history=PLAIN[list(NAMES)].to_dict("list")),
        {},
    ),
    "own names": (PLAIN.add_prefix("my "), {"t": "my step"} | {n: f"my {n}" for n in NAMES}),
    "another case": (PLAIN.rename(columns={"step": "Epoch"}), {}),
    "Lightning": (alternating(), {}),
}
# files with their texts
READ = {
    "plain": ({"a.csv": csv(PLAIN)}, {}),
    "spreadsheet": ({"a.csv": csv(PLAIN, sep=";", decimal=",")}, {}),
    "tabs": ({"a.tsv": csv(PLAIN, sep="\t")}, {}),
    "delimiter at the end": ({"a.csv": csv(PLAIN).replace("\n", ",\n")}, {}),
    "byte-order mark": ({"a.csv": "\ufeff" + csv(PLAIN)}, {}),
    "padded names": (
        {"results.csv": csv(PLAIN.rename(columns=lambda name: f"  {name}")).replace(",", ",   ")},
        {},
    ),
    "quoted header": (
        {"a.csv": csv(PLAIN.assign(**{"a, b": 1, "c #1": 2, "d\ne": 3}))},
        {},
    ),
    "W&B, one run": ({"chart.csv": csv(of_runs("run-1"))}, {}),
    "W&B, runs with #": ({"chart.csv": csv(of_runs("#1 - a", "#2"))}, {}),
    "W&B, groups": ({"chart.csv": csv(of_runs("Group: a", "Group: b"))}, {}),
    "W&B, own names": ({"chart.csv": csv(of_runs("x", "y", prefix="probe/"))}, PROBED),
    "W&B, one run of two": (
        {"chart.csv": csv(of_runs("x", "y"))},
        {"t": "Step"} | {name: f"x - {name}" for name in NAMES},
    ),
    "a file for each panel": (
        {f"{name}.csv": csv(of_runs("x", "y", names=(name,))) for name in NAMES},
        {},
    ),
    "a file for each metric": (TENSORBOARD, {}),
    "a file for each run": ({"s0.csv": csv(PLAIN), "s1.csv": csv(PLAIN)}, {}),
    "a folder for each run": (
        {f"{run}/{name}.csv": csv(PLAIN[["step", name]]) for run in "ab" for name in NAMES},
        {},
    ),
    "Lightning's folder": ({"version_0/metrics.csv": csv(alternating())}, {}),
    "trainer_state.json": ({"trainer_state.json": json.dumps({"log_history": HISTORY})}, {}),
    "JSON of rows": ({"a.json": json.dumps(ROWS, indent=1)}, {}),
    "JSON of columns": ({"a.json": json.dumps(PLAIN.to_dict("list"))}, {}),
    "JSON of pandas": ({"a.json": PLAIN.to_json(double_precision=15)}, {}),
    "JSON lines": ({"log.jsonl": "\n".join(map(json.dumps, ROWS))}, {}),
    "JSON lines as text": ({"train.log": "\n".join(map(json.dumps, ROWS))}, {}),
    "keys with values": ({"log.txt": KEYED}, {}),
    "keys = values": ({"log.txt": KEYED.replace(": ", "=").replace(", ", " ")}, {}),
    "MLflow": (
        {
            f"run/metrics/{name}": "\n".join(f"17000 {row[name]!r} {row['step']}" for row in ROWS)
            for name in NAMES
        },
        {},
    ),
}
REFUSED = {
    "a table of runs": ("Name,State,dh2\na,finished,1\nb,finished,2\n", "take the history"),
    "empty": ("", "no line with the names of columns"),
    "a header alone": ("step,dh2,dy2,w\n", "without rows"),
    "a repeated step": (csv(PLAIN.iloc[[0, 1, 1, *range(2, 12)]]), "drop repeated ones"),
    "steps in descending order": (csv(PLAIN[::-1]), "sort the rows"),
    "other names": (csv(PLAIN.rename(columns=PROBED)), r"columns=\{'dh2': 'probe/dh2'\}"),
    "one column": ("loss\n1\n2\n", "needs a time column"),
    "a hole": (csv(PLAIN.astype(object).mask(PLAIN.index.values[:, None] == [-1, 3, -1, -1], "")),
               "nothing in the cell B5"),
    "keys between words": ("Epoch one step: 1 dh2: 0.5\nEpoch one step: 2 dh2: 0.6\n",
                           "write JSON lines"),
    "a broken line": (KEYED.replace("step: 50,", "step 50"), "line 6 .*leave it out"),
    "a dataset of text": ("step,dh2,dy2,w\nfirst,1,1,1\n", "got 'first' in the cell A2"),
}  # fmt: skip


def written(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder / next(iter(files)) if len(files) == 1 and "/" not in name else folder


def check(data, columns):
    table = bridge.table(data, columns)
    runs = [part for _, part in table.groupby("seed")] if "seed" in table else [table]
    for run in runs:
        measured = run.dropna(subset=list(NAMES))
        for name in NAMES:
            np.testing.assert_allclose(measured[name], PLAIN[name], rtol=PRINTED)
    fit = bridge.two_point.fit(data, dx2=DX2, target2=TARGET2, columns=columns)
    assert len(fit.per_seed) == len(runs)
    assert fit.trace.t.tolist() == STEPS.tolist()
    np.testing.assert_allclose([fit.tau_h, fit.tau_y], [TAU_H, TAU_Y], rtol=1e-5)


@pytest.mark.parametrize("layout", IN_MEMORY)
def test_a_log_in_memory_is_read(layout):
    data, columns = IN_MEMORY[layout]
    check(data, columns)
    # Rows of other quantities are no end.
    assert ends_of(bridge.table(data, columns)) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("layout", READ)
def test_a_log_in_files_is_read(layout, tmp_path):
    files, columns = READ[layout]
    check(written(tmp_path, files), columns)
    if len(files) > 1 and all(name.endswith(".csv") for name in files):
        check(sorted(tmp_path.rglob("*.csv")), columns)


@pytest.mark.parametrize("layout", REFUSED)
def test_a_log_that_cannot_be_read_says_what_to_do(layout, tmp_path):
    text, way_out = REFUSED[layout]
    (tmp_path / "log.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=way_out):
        bridge.two_point.fit(tmp_path / "log.csv", dx2=DX2, target2=TARGET2)


def test_rows_of_one_time_with_different_values_are_not_joined():
    rows = [{"step": 0, "dh2": 1.0}, {"step": 0, "dh2": 2.0, "w": 1.0}, {"step": 0, "w": 1.0}]
    assert len(bridge.table(rows)) == 3


def test_names_that_are_given_come_before_those_of_trackers():
    table = bridge.table(PLAIN.assign(T=0.5), {"t": "step"})
    assert table["t"].tolist() == STEPS.tolist()
    assert (table["T"] == 0.5).all()


def test_two_columns_do_not_get_one_name():
    with pytest.raises(ValueError, match="columns: got 'w' for several columns"):
        bridge.table(PLAIN, {"w": "dy2"})


def ends_of(log) -> list[str]:
    fit = bridge.two_point.fit(log, dx2=DX2, target2=TARGET2)
    return [warning for warning in fit.warnings if "were left out" in warning]


def test_an_end_without_numbers_is_said_run_by_run(tmp_path):
    diverged = PLAIN.astype(float).mask(PLAIN.index.values[:, None] > [99, 9, 9, 9])
    (warning,) = ends_of(diverged)
    assert "the last 2 of 12 rows have no 'dh2', 'dy2', 'w'" in warning
    diverged.to_csv(tmp_path / "log.csv", index=False, na_rep="nan")
    assert ends_of(tmp_path / "log.csv") == [warning]
    logged = diverged.assign(lr=0.1).to_dict("records")
    assert ends_of(logged) == [warning]
    twins = pd.concat([PLAIN.assign(seed="a"), diverged.assign(seed="b")])
    assert ends_of(twins) == [f"seed b: {warning}"]

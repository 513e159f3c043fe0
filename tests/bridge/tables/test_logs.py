"""Logs of experiment trackers become tables with our names."""

import sys

import numpy as np
import pandas as pd
import pytest

import bridge
from bridge.cli import main
from theory.two_point import trajectory

STEPS = np.arange(0, 50, 5)


@pytest.fixture
def curves(rng):
    """Two runs of three quantities, [run, time], as the fit takes them."""
    form = {
        "dh2": 0.1 + np.tanh(STEPS / 20),
        "dy2": 0.01 + np.tanh(STEPS / 20) / 2,
        "w": -np.exp(-STEPS / 9.0),
    }
    return {name: np.stack([values, values * 1.01]) for name, values in form.items()}


def as_exported(curves):
    """The chart of W&B: a column for each run and metric with its minimum and maximum; the runs log at other steps."""
    table = {"Step": [*STEPS, *(STEPS + 1)]}
    nothing = np.full(len(STEPS), np.nan)
    for index, run in enumerate(("run-1", "grid - run-2")):
        for name, values in curves.items():
            column = np.concatenate(
                [values[index], nothing] if index == 0 else [nothing, values[index]]
            )
            for end in ("", "__MIN", "__MAX"):
                table[f"{run} - {name}{end}"] = column
    return pd.DataFrame(table)


def test_an_export_of_wandb_becomes_a_table_with_a_seed_for_each_run(curves, tmp_path):
    as_exported(curves).to_csv(tmp_path / "chart.csv", index=False)
    table = bridge.table(tmp_path / "chart.csv")
    assert list(table.columns) == ["step", "dh2", "dy2", "w", "seed"]
    for index, (run, steps) in enumerate((("run-1", STEPS), ("grid - run-2", STEPS + 1))):
        part = table[table["seed"] == run]
        np.testing.assert_allclose(part["step"], steps)
        np.testing.assert_allclose(part["dh2"], curves["dh2"][index])


def test_columns_are_mapped_by_name(curves):
    columns = {"t": "Step", **{name: f"run-1 - {name}" for name in curves}}
    table = bridge.table(as_exported(curves), columns)
    np.testing.assert_allclose(table["t"], STEPS)
    np.testing.assert_allclose(table["w"], curves["w"][0])


def test_a_run_of_mlflow_is_read(curves, tmp_path):
    for run in range(2):
        folder = tmp_path / f"run{run}" / "metrics" / "train"
        folder.mkdir(parents=True)
        for name, values in curves.items():
            lines = [
                f"17000000{step:02} {value!r} {step}"
                for step, value in zip(STEPS, values[run].tolist(), strict=True)
            ]
            (folder / name).write_text("\n".join(lines), encoding="utf-8")
    table = bridge.table(tmp_path, {name: f"train/{name}" for name in curves})
    assert sorted(table["seed"].unique()) == ["run0", "run1"]
    np.testing.assert_allclose(table[table["seed"] == "run1"]["dh2"], curves["dh2"][1])


def test_event_files_of_tensorboard_are_read(curves, tmp_path):
    pytest.importorskip("tensorboard")
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(str(tmp_path)) as writer:
        for name, values in curves.items():
            for step, value in zip(STEPS, values[0], strict=True):
                writer.add_scalar(name, value, step)
    table = bridge.table(tmp_path)
    np.testing.assert_allclose(table["step"], STEPS)
    np.testing.assert_allclose(table["dy2"], curves["dy2"][0], rtol=1e-6)  # events are float32


def test_event_files_without_tensorboard_say_what_to_install(tmp_path, monkeypatch):
    (tmp_path / "events.out.tfevents.1").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "tensorboard", None)
    monkeypatch.setattr("closedform.missing.find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match="tensorboard"):
        bridge.table(tmp_path)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"dh2": "run-3 - dh2"}, "columns: got 'run-3 - dh2', needs names among"),
        (
            {"t": "Step", "step": "Step"},
            "columns: got 'Step', 'Step', needs a column for each name",
        ),
    ],
)
def test_a_wrong_mapping_is_refused(curves, columns, message):
    with pytest.raises(ValueError, match=message):
        bridge.table(as_exported(curves), columns)


def test_a_folder_of_something_else_is_refused(tmp_path):
    with pytest.raises(ValueError, match="needs event files"):
        bridge.table(tmp_path)


def test_the_command_fit_maps_columns(tmp_path, capsys):
    from theory import catalogue

    dynamics = {
        "dh2_0": 0.1,
        "dy2_0": 0.01,
        "w_0": -0.05,
        "tau_h": 20.0,
        "tau_y": 10.0,
        "dx2": 1.0,
        "target2": 0.5,
    }
    times = np.linspace(0, 120, 60)
    named = {"Step": times}
    for name in ("dh2", "dy2", "w"):
        named[f"my run - {name}"] = catalogue()[f"two_point.{name}"](t=times, **dynamics)
    pd.DataFrame(named).to_csv(tmp_path / "chart.csv", index=False)
    given = [f"--column={name}=my run - {name}" for name in ("dh2", "dy2", "w")]
    words = [
        "fit",
        "two-point",
        str(tmp_path / "chart.csv"),
        *given,
        "--time",
        "Step",
        "--dx2",
        "1",
        "--target2",
        "0.5",
    ]
    assert main(words) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("tau_h ")]
    assert abs(float(line.split()[1]) - 20) < 0.1
    assert main([*words[:3], "--column", "dh2"]) == 2
    assert "--column: got 'dh2', needs NAME=COLUMN" in capsys.readouterr().err


def test_the_command_fit_takes_an_export_of_several_runs_as_it_is(tmp_path, capsys):
    times, given = np.linspace(0, 120, 60), (0.1, 0.01, -0.05, 20.0, 10.0, 1.0, 0.5)
    noise = np.random.default_rng(0)
    named = {"Step": times}
    for run in ("quiet-silence-17", "quiet-silence-18"):
        for name, curve in zip(("dh2", "dy2", "w"), trajectory(times, *given), strict=True):
            named[f"{run} - {name}"] = curve * (1 + 0.01 * noise.standard_normal(times.size))
    pd.DataFrame(named).to_csv(tmp_path / "chart.csv", index=False)
    assert (
        main(["fit", "two-point", str(tmp_path / "chart.csv"), "--dx2", "1", "--target2", "0.5"])
        == 0
    )
    printed = capsys.readouterr().out
    assert "2 seeds" in printed
    assert "silence-17" in printed
    assert "silence-18" in printed


def test_a_list_of_rows_is_a_table_and_other_things_are_refused():
    assert bridge.table([{"t": 1, "dh2": 0.5}, {"t": 2, "dh2": 0.7}])["dh2"].tolist() == [0.5, 0.7]
    for data in ([1, 2], {"t": 1}, 3):
        with pytest.raises((TypeError, ValueError), match=r"^data: got .*needs"):
            bridge.table(data)

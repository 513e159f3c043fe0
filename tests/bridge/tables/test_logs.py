"""Logs of experiment trackers become tables with our names."""

import sys

import numpy as np
import pandas as pd
import pytest

import bridge
from bridge.cli import main
from theory.two_point import trajectory

STEPS = np.arange(0, 122, 2)


CURVES = dict(
    zip(
        ("dh2", "dy2", "w"), trajectory(STEPS, 0.1, 0.01, -0.05, 20.0, 10.0, 1.0, 0.5), strict=True
    )
)


def test_event_files_of_tensorboard_are_read(tmp_path):
    pytest.importorskip("tensorboard")
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(str(tmp_path)) as writer:
        for name, values in CURVES.items():
            for step, value in zip(STEPS, values, strict=True):
                writer.add_scalar(name, value, step)
    table = bridge.table(tmp_path)
    np.testing.assert_allclose(table["step"], STEPS)
    np.testing.assert_allclose(table["dy2"], CURVES["dy2"], rtol=1e-6)  # events are float32


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
def test_a_wrong_mapping_is_refused(columns, message):
    with pytest.raises(ValueError, match=message):
        bridge.table(pd.DataFrame({"Step": STEPS, **CURVES}), columns)


def test_a_folder_of_something_else_is_refused(tmp_path):
    with pytest.raises(ValueError, match="needs event files"):
        bridge.table(tmp_path)


def test_the_command_fit_maps_columns(tmp_path, capsys):
    named = {f"my run - {name}": curve for name, curve in CURVES.items()}
    pd.DataFrame({"Step": STEPS, **named}).to_csv(tmp_path / "chart.csv", index=False)
    given = [f"--column={name}=my run - {name}" for name in ("dh2", "dy2", "w")]
    words = f"fit two-point {tmp_path / 'chart.csv'} --time Step --dx2 1 --target2 0.5".split()
    assert main([*words, *given]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("tau_h ")]
    assert abs(float(line.split()[1]) - 20) < 0.1
    assert main([*words[:3], "--column", "dh2"]) == 2
    assert "--column: got 'dh2', needs NAME=COLUMN" in capsys.readouterr().err


def test_a_list_of_rows_is_a_table_and_other_things_are_refused():
    assert bridge.table([{"t": 1, "dh2": 0.5}, {"t": 2, "dh2": 0.7}])["dh2"].tolist() == [0.5, 0.7]
    for data in ([1, 2], {"t": 1}, 3):
        with pytest.raises((TypeError, ValueError), match=r"^data: got .*needs"):
            bridge.table(data)

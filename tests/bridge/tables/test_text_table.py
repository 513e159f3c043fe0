"""Tables of text are read strictly: every value under its own name, or an error with the file and the line."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import bridge
from bridge.tables import table
from closedform.untrusted_files import UnreadableFileError

READ = {  # text -> names and first row
    "step,a\r\n1,2\r\n": (["step", "a"], [1, 2]),
    "step;a;b\n1;0,5;1,25\n2;3;,5\n": (["step", "a", "b"], [1, 0.5, 1.25]),
    "step\ta\n1\t2\n": (["step", "a"], [1, 2]),
    "step|a\n1|2\n": (["step", "a"], [1, 2]),
    " step   a  b \n  1   2   3\n": (["step", "a", "b"], [1, 2, 3]),
    "  epoch,  train/loss , metrics/mAP50(B)\n   1,  0.5,  0.2\n": (
        ["epoch", "train/loss", "metrics/mAP50(B)"],
        [1, 0.5, 0.2],
    ),
    "step,a\n1,2,\n3,4,\n": (["step", "a"], [1, 2]),
    "step;a;\n1;2;\n": (["step", "a"], [1, 2]),
    "step,a,#tokens\n1,2,3\n": (["step", "a", "#tokens"], [1, 2, 3]),
    'step,"a, b","c #1","d\ne"\n1,2,3,4\n': (["step", "a, b", "c #1", "d\ne"], [1, 2, 3, 4]),
    '# of; a | run\nstep,a\n# "half\n1,2\n': (["step", "a"], [1, 2]),
    'step,note\n1,"x\n# no comment"\n': (["step", "note"], [1, "x\n# no comment"]),
    "loss\n1\n": (["loss"], [1]),
    "step;a\n1;hello, you\n": (["step", "a"], [1, "hello, you"]),
    "step\ta\n1\t1,234\n": (["step", "a"], [1, "1,234"]),
}
REFUSED = {
    "step,a\n1,2,\n3,4\n": "got 3 fields in line 2, where the header has 2, separated by commas",
    "step,a\n1,2,3\n": "got 3 fields in line 2",
    "step,a\n\n1,2\n3\n": "got 1 field in line 4",
    'step,a\n1,"x\ny"\n3\n': "got 1 field in line 4",
    "step,a\n1,0,5\n": "got 3 fields in line 2",
    "step;a\n1;1.5\n2;1,5\n": "got decimal commas and decimal points in the column 'a'",
    "1,2\n3,4\n": "got a first line '1', '2', where the names of the columns should stand",
    "step,a,a\n1,2,3\n": "got several columns with the name 'a'",
    'step,a\n"1,2\n': "in the row of line 2",
    "step,a\n1,\0\n": "got a NUL",
    "\n\n": "got no line with the names of columns",
}


@pytest.mark.parametrize("text", READ)
def test_values_stand_under_their_names(tmp_path, text):
    (tmp_path / "log.csv").write_bytes(text.encode())
    table = bridge.table(tmp_path / "log.csv")
    assert (list(table.columns), table.iloc[0].tolist()) == READ[text]


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_table_is_refused_with_file_and_line(tmp_path, text):
    (tmp_path / "log.csv").write_bytes(text.encode())
    with pytest.raises(UnreadableFileError) as refused:
        bridge.table(tmp_path / "log.csv")
    assert "log.csv: got " in str(refused.value)
    assert REFUSED[text] in str(refused.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_byte_order_marks_say_the_encoding(tmp_path, encoding):
    (tmp_path / "log.csv").write_text("step,größe\n1,2\n", encoding=encoding)
    assert list(bridge.table(tmp_path / "log.csv").columns) == ["step", "größe"]


def test_gaps_stay_gaps_and_a_header_alone_has_no_rows(tmp_path):
    (tmp_path / "metrics.csv").write_text("epoch,step,train_loss,val_loss\n0,1,0.5,\n0,2,,0.6\n")
    table = bridge.table(tmp_path / "metrics.csv")
    assert table["train_loss"].isna().tolist() == [False, True]
    (tmp_path / "metrics.csv").write_text("step,a\n")
    assert bridge.table(tmp_path / "metrics.csv").shape == (0, 2)


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        (["step", "acc - top1", "acc - top5"], ["step", "acc - top1", "acc - top5"]),
        (["step", "lr - body", "wd - head"], ["step", "lr - body", "wd - head"]),
        (["Step", "run - a", "run - a__MIN", "run - a__MAX"], ["step", "a"]),
        (["Step", "run 1 - a", "run 2 - a"], ["step", "a", "seed"]),
        (["run 1 - a", "run 2 - a"], ["run 1 - a", "run 2 - a"]),
    ],
)
def test_runs_of_wandb_are_known_by_their_marks(columns, names):
    assert (
        list(bridge.table(pd.DataFrame([range(len(columns))], columns=columns)).columns) == names
    )


@pytest.mark.parametrize("nothing", ["", b"", b"step,a"])
def test_no_name_of_a_file_is_no_table(nothing):
    with pytest.raises(ValueError, match=r"^data: got .*needs"):
        bridge.table(nothing)


@pytest.mark.parametrize("nothing", [[], (), {}])
def test_an_empty_collection_is_no_table(nothing):
    with pytest.raises(
        ValueError, match=rf"^data: got an empty {type(nothing).__name__}, needs a table"
    ):
        bridge.table(nothing)


def test_times_that_float16_has_rounded_are_refused_by_name():
    columns = {"t": np.arange(2000, 2041, 4, dtype=np.float16), "a": np.ones(11, np.float16)}
    for data in (columns, pd.DataFrame(columns)):
        with pytest.raises(ValueError, match=r"^time 't': got float16 up to 2140, "):
            table.read({**columns, "t": columns["t"] + np.float16(100)}, ("a",))
        assert table.read(data, ("a",))[0].t.tolist() == list(range(2000, 2041, 4))

"""Tests of tables from files: byte-order marks, rows without a seed, and texts that spreadsheets would run."""

from __future__ import annotations

import csv

import numpy as np
import pandas as pd
import pytest

from bridge.compression.exponents import curves_of
from bridge.report.write import _table
from bridge.tables import table
from bridge.tables.table_file import _letters

ROWS = pd.DataFrame(
    {"t": [0, 1, 2, 0, 1, 2], "y": [1.0, 0.5, 0.25, 2.0, 1.0, 0.5], "seed": [0, 0, 0, 1, 1, 1]}
)


@pytest.mark.parametrize("unknown", [np.nan, None])
def test_rows_without_a_seed_are_refused(unknown):
    frame = ROWS.astype({"seed": object}).assign(seed=[0, 0, 0, 1, 1, unknown])
    with pytest.raises(ValueError, match="column 'seed': got 1 of 6 rows without a seed"):
        table.read(frame, ["y"], at_least=2)


def test_entries_of_a_dataset_without_a_seed_are_refused():
    dataset = ROWS.set_index(["seed", "t"]).to_xarray().assign_coords(seed=[0.0, np.nan])
    with pytest.raises(ValueError, match="coordinate 'seed': got NaN in 1 of 2 entries"):
        table.read(dataset, ["y"], at_least=3)


def test_texts_that_a_spreadsheet_would_run_are_written_as_texts(tmp_path):
    rows = [
        {"layer": "=HYPERLINK(1)", "@note": "-cmd", "value": -1.5, "text": "-2.5", "name": "a=b"}
    ]
    with _table(tmp_path / "out.csv", rows).open(newline="") as file:
        names, written = csv.reader(file)
    assert names == ["layer", "'@note", "value", "text", "name"]
    assert written == ["'=HYPERLINK(1)", "'-cmd", "-1.5", "-2.5", "a=b"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("2,abc,1,1", "column 'y', row 6: got 'abc' in the cell B6"),
        (
            "2,,1,1",
            "column 'y', row 6: got nothing in the cell B6",
        ),  # not a row without any quantity
        ("2,1,inf,1", "column 'z', row 6: got 'inf' in the cell C6"),
        ("2,1", "2 fields in line 6, where the header has 4"),
        ("soon,1,1,1", "column 't', row 6: got 'soon' in the cell A6"),
    ],
)
@pytest.mark.parametrize("separator", [",", ";"])
def test_a_wrong_cell_is_named_as_a_spreadsheet_shows_it(tmp_path, line, said, separator):
    path = tmp_path / "mine.csv"
    lines = ["# measured", "t,y,z,note", "0,1,1,a", "", "1,1,1,b", line, "3,1,1,d"]
    path.write_text("\n".join(lines).replace(",", separator))
    with pytest.raises(ValueError, match=said):
        table.read(path, ["y", "z"], at_least=2)
    path.write_text(
        path.read_text(encoding="utf-8").replace(
            line.replace(",", separator), separator.join("2112")
        )
    )
    assert table.read(path, ["y"], ["z"], at_least=2)[0].columns["z"].tolist() == [1, 1, 1, 1]


def test_a_wrong_cell_of_learning_curves_is_named(tmp_path):
    path = tmp_path / "curves.csv"
    path.write_text("size,seed,error\n10,0,0.5\n20,0,none of it\n")
    with pytest.raises(ValueError, match="column 'error', row 3: got 'none of it' in the cell C3"):
        curves_of(path)


def test_columns_are_lettered_as_in_spreadsheets():
    assert [_letters(index) for index in (0, 25, 26, 51, 52, 701, 702)] == [
        "A",
        "Z",
        "AA",
        "AZ",
        "BA",
        "ZZ",
        "AAA",
    ]

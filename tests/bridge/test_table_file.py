"""Tests of tables from files: byte-order marks, rows without a seed, and texts that spreadsheets would run."""

from __future__ import annotations

import csv

import numpy as np
import pandas as pd
import pytest

from bridge import table
from bridge.report.write import _table

ROWS = pd.DataFrame({"t": [0, 1, 2, 0, 1, 2], "y": [1.0, 0.5, 0.25, 2.0, 1.0, 0.5], "seed": [0, 0, 0, 1, 1, 1]})


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path, encoding):
    path = tmp_path / "mine.csv"
    ROWS.to_csv(path, index=False, encoding=encoding)
    first, second = table.read(path, ["y"], at_least=3)
    np.testing.assert_array_equal(first.t, [0, 1, 2])
    np.testing.assert_array_equal(second.columns["y"], [2, 1, 0.5])


@pytest.mark.parametrize("unknown", [np.nan, None])
def test_rows_without_a_seed_are_refused(unknown):
    frame = ROWS.astype({"seed": object}).assign(seed=[0, 0, 0, 1, 1, unknown])
    with pytest.raises(ValueError, match="column 'seed': 1 of 6 rows have no seed"):
        table.read(frame, ["y"], at_least=2)


def test_entries_of_a_dataset_without_a_seed_are_refused():
    dataset = ROWS.set_index(["seed", "t"]).to_xarray().assign_coords(seed=[0.0, np.nan])
    with pytest.raises(ValueError, match="coordinate 'seed': 1 of 2 entries are NaN"):
        table.read(dataset, ["y"], at_least=3)


def test_texts_that_a_spreadsheet_would_run_are_written_as_texts(tmp_path):
    rows = [{"layer": "=HYPERLINK(1)", "@note": "-cmd", "value": -1.5, "text": "-2.5", "name": "a=b"}]
    with _table(tmp_path / "out.csv", rows).open(newline="") as file:
        names, written = csv.reader(file)
    assert names == ["layer", "'@note", "value", "text", "name"]
    assert written == ["'=HYPERLINK(1)", "'-cmd", "-1.5", "-2.5", "a=b"]

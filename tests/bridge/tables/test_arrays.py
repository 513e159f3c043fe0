"""Arrays by our names are read without a table, and as the same numbers in a table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from bridge.tables import table

REQUIRED, OPTIONAL = ("dh2", "w"), ("loss",)
ARRAYS = {name: np.linspace(0.0, 1.0, 12) + shift for shift, name in enumerate(("t", "w", "dh2"))}


@pytest.mark.parametrize("more", [{}, {"loss": np.ones(12)}])
def test_arrays_are_read_as_the_same_numbers_in_a_table(more, monkeypatch):
    data = ARRAYS | more
    (expected,) = table.read(pd.DataFrame(data), REQUIRED, OPTIONAL)
    monkeypatch.setattr(table, "load", None)
    (read,) = table.read(data, REQUIRED, OPTIONAL)
    assert (read.label, read.end, read.attributes) == ("", "", {})
    np.testing.assert_array_equal(read.t, expected.t)
    assert list(read.columns) == list(expected.columns)
    for name, column in read.columns.items():
        np.testing.assert_array_equal(column, expected.columns[name])
        assert not np.shares_memory(column, data[name])


@pytest.mark.parametrize(
    "change",
    [
        {"t": ARRAYS["t"][::-1].copy()},
        {"w": ARRAYS["w"][:-1]},
        {"w": np.full(12, np.nan)},
        {"w": np.ones(12, int)},
        {"w": np.ones((12, 2))},
        {"w": list(ARRAYS["w"])},
        {"seed": np.ones(12)},
        {"epoch": np.arange(12.0)},
    ],
)
def test_all_else_is_left_to_tables(change):
    wanted = table.Wanted(REQUIRED, OPTIONAL, None, None, 8)
    assert table.is_measured(ARRAYS, wanted)
    assert not table.is_measured(ARRAYS | change, wanted)
    assert not table.is_measured(pd.DataFrame(ARRAYS), wanted)
    assert not table.is_measured({"t": ARRAYS["t"], "w": ARRAYS["w"]}, wanted)

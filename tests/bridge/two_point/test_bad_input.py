"""Tests that every kind of bad input raises an error that names it, and never gives a number."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st

import bridge

ROWS = 30
GOOD = {"dx2": 1.0, "target2": 0.5}


def columns():
    """A good trace, coarse and short."""
    from theory import two_point as theory

    t = np.linspace(0, 40, ROWS)
    curves = theory.trajectory(t, 0.1, 0.01, 0.01 - 0.1 * np.sqrt(0.5), 4.0, 5.0, 1.0, 0.5)
    return dict(zip(("t", "dh2", "dy2", "w"), (t, *curves), strict=True))


def refused(match, data, *kinds, **arguments):
    with pytest.raises(kinds or ValueError, match=match):
        bridge.two_point.fit(data, **(GOOD | arguments))


rows = st.integers(0, ROWS - 1)


@pytest.mark.parametrize("name", ["dh2", "dy2", "w"])
def test_missing_column(name):
    data = columns()
    del data[name]
    refused(f"without '{name}'", data)


@given(
    name=st.sampled_from(["t", "dh2", "dy2", "w"]),
    row=rows,
    value=st.sampled_from([np.nan, np.inf, -np.inf]),
)
def test_not_finite(name, row, value):
    data = columns()
    data[name][row] = value
    refused(f"'{name}'.*row {row}", data)


@given(row=st.integers(1, ROWS - 1), back=st.floats(0, 100))
def test_time_that_stands_still_or_runs_back(row, back):
    data = columns()
    data["t"][row] = data["t"][row - 1] - back
    refused(f"at row {row}, needs increasing times", data)


@given(rows=st.integers(1, 7))
def test_too_few_points(rows):
    refused(
        f"{rows} points?.*at least 8", {name: column[:rows] for name, column in columns().items()}
    )


@settings(max_examples=8)
@given(
    name=st.sampled_from(["t", "dh2", "dy2", "w"]), row=rows, text=st.text(min_size=1, max_size=5)
)
def test_text(name, row, text):
    data = {key: column.astype(object) for key, column in columns().items()}
    data[name][row] = text
    refused(f"'{name}'.*real numbers", data, TypeError)


@pytest.mark.parametrize("name", ["dh2", "dy2", "w"])
def test_complex(name):
    data = columns()
    data[name] = data[name] * 1j
    refused(f"'{name}'.*complex.*real numbers", data, TypeError)


@given(length=st.integers(0, ROWS - 1))
def test_unequal_lengths(length):
    data = columns()
    data["w"] = data["w"][:length]
    refused("different lengths", data)


@given(extra=st.integers(1, 3))
def test_a_column_with_two_dimensions(extra):
    data = columns()
    data["dy2"] = np.repeat(data["dy2"][:, None], extra, axis=1)
    refused(r"got shape .* of 'dy2', needs \[time\] in all columns, or \[seed, time\]", data)


def test_the_column_with_the_wrong_shape_is_named():
    two = {name: np.stack([column, column]) for name, column in columns().items()}
    refused(
        r"column 'w': got shape \(2, 30, 1\), needs \[time\] or", two | {"w": two["w"][..., None]}
    )
    refused(r"column 'w': got shape \(\), needs \[time\] or", columns() | {"w": 1.0})
    refused("column 'w': got rows of different lengths", two | {"w": [[1.0, 2.0], [3.0]]})


@pytest.mark.parametrize("kind", [dict, pd.DataFrame])
def test_no_repetition(kind):
    names = ("t", "dh2", "dy2", "w")
    empty = (
        {name: np.ones((0, ROWS)) for name in names}
        if kind is dict
        else pd.DataFrame(columns=[*names, "seed"])
    )
    refused("data: got a table without rows", empty)


@given(data=st.one_of(st.integers(), st.none(), st.lists(st.floats()), st.floats(), st.binary()))
def test_another_kind_of_data(data):
    refused("needs an xarray Dataset", data, TypeError)


@given(name=st.text("abcdef", min_size=1, max_size=6), suffix=st.sampled_from([".csv", ".nc", ""]))
def test_no_such_file(name, suffix):
    refused("no file", f"nowhere/{name}{suffix}")


@given(content=st.sampled_from(["", "\n\n", "t,dh2\n", "1,2,3\n4,5,6\n", "t,dh2,dy2,w\n"]))
@settings(max_examples=5)
def test_a_file_without_the_table(content, tmp_path_factory):
    path = tmp_path_factory.mktemp("bad") / "table.csv"
    path.write_text(content)
    refused("data|needs a readable table", path)


@pytest.mark.parametrize("names", [["t"], ["seed", "t"]], ids=["one run", "seeds"])
def test_a_header_without_rows(names, tmp_path):
    names = [*names, "dh2", "dy2", "w"]
    (tmp_path / "empty.csv").write_text(",".join(names) + "\n")
    refused("data: got a table without rows", tmp_path / "empty.csv")
    refused("data: got a table without rows", pd.DataFrame(columns=names))


def test_a_file_of_another_kind(tmp_path):
    (tmp_path / "table.xml").write_text("{}")
    refused("needs a name that ends in one of", tmp_path / "table.xml")


@given(
    name=st.sampled_from(["dx2", "target2"]),
    value=st.one_of(st.floats(max_value=-1e-300), st.sampled_from([np.nan, np.inf])),
)
def test_distances_that_are_none(name, value):
    refused(f"{name}: got", columns(), **{name: value})


def test_inputs_that_coincide():
    refused("dx2: got 0", columns(), dx2=0.0)


@given(
    name=st.sampled_from(["dx2", "target2"]),
    value=st.sampled_from(["1", True, [1.0, 2.0], 1j, b"1"]),
)
def test_distances_of_another_kind(name, value):
    refused(f"{name}: got.*(one real number|needs numbers)", columns(), TypeError, **{name: value})


@pytest.mark.parametrize("name", ["dx2", "target2"])
def test_distances_that_nobody_gives(name):
    refused(f"{name}: not in the data", columns(), **{name: None})


@given(stated=st.floats(0.01, 100).filter(lambda value: abs(value - 1) > 1e-3))
def test_distances_that_contradict_the_data(stated):
    dataset = pd.DataFrame(columns()).set_index("t").to_xarray().assign_attrs(dx2=stated)
    refused("argument says 1, the data's attributes", dataset)


@given(initial=st.text(max_size=6).filter(lambda text: text not in {"auto", "data", "fit"}))
def test_unknown_initial(initial):
    refused("initial: got", columns(), initial=initial)


@given(length=st.integers(0, 5).filter(lambda n: n != 3))
def test_an_initial_state_of_another_size(length):
    refused("three numbers", columns(), TypeError, initial=(0.1,) * length)


@given(dy2=st.floats(0.01, 1), along=st.floats(1.01, 10))
def test_an_initial_state_that_breaks_cauchy_and_schwarz(dy2, along):
    refused(
        "not a possible state", columns(), initial=(0.1, dy2, dy2 - along * np.sqrt(dy2 * 0.5))
    )


@given(dh2=st.floats(max_value=0, allow_nan=False))
def test_representations_that_coincide(dh2):
    refused("initial: got", columns(), initial=(dh2, 0.1, 0.1))
    data = columns()
    data["dh2"][0] = max(dh2, -1e6)
    refused("first point", data, initial="data")


@given(value=st.floats(-10, 10))
def test_nothing_moves(value):
    data = columns()
    for name in ("dh2", "dy2", "w"):
        data[name] = np.full(ROWS, abs(value) + 0.1)
    refused("all curves are constant", data)


@pytest.mark.parametrize("name", ["dh2", "dy2"])
def test_squares_that_are_negative(name):
    data = columns()
    data[name] = -data[name]
    refused(f"'{name}'.*none of its values is positive", data)


@given(row=rows, value=st.floats(-1e6, -1e-6))
def test_a_negative_loss(row, value):
    data = columns()
    data["loss"] = data["dy2"].copy()
    data["loss"][row] = value
    refused("'loss'.*at least 0", data)


@settings(max_examples=25)
@given(layer=st.one_of(st.integers(3, 99), st.text(max_size=3)))
def test_layers(layer):
    data = pd.DataFrame(columns()).set_index("t").to_xarray()
    refused("without a dimension 'layer'", data, layer=layer)
    several = xr.concat([data, data], dim="layer").assign_coords(layer=[1, 2])
    refused("several.*1, 2", several)
    refused("layer: got.*1, 2", several, layer=layer)


@given(
    kind=st.text(max_size=12).filter(
        lambda text: text not in ("effective", *bridge.two_point.ALTERNATIVES)
    )
)
def test_unknown_alternative(kind):
    with pytest.raises(ValueError, match="law: got"):
        bridge.two_point.fit(columns(), law=kind, **GOOD)


@pytest.fixture(scope="module")
def good_fit():
    return bridge.two_point.fit(columns(), **GOOD)


@settings(max_examples=25)
@given(
    time=st.floats(max_value=-1e-6).map(lambda t: [1.0, t])
    | st.sampled_from([[np.nan], [], [[1.0]], np.inf])
)
def test_predictions_at_bad_times(good_fit, time):
    with pytest.raises(ValueError, match="t: "):
        good_fit.predict(time)


def test_the_loss_is_not_predicted_without_one(good_fit):
    assert good_fit.tau_h == pytest.approx(4, rel=1e-6)
    with pytest.raises(ValueError, match="no usable column 'loss'"):
        good_fit.predict_loss([1.0])

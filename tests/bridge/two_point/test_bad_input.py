"""Tests that every kind of bad input raises an error that names it, and never gives a number."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import bridge

ROWS = 30
GOOD = {"dx2": 1.0, "target2": 0.5}
NAMES = ("t", "dh2", "dy2", "w")


def columns(**changed):
    """A good trace, coarse and short, with some columns changed."""
    from theory import two_point as theory

    t = np.linspace(0, 40, ROWS)
    curves = theory.trajectory(t, 0.1, 0.01, 0.01 - 0.1 * np.sqrt(0.5), 4.0, 5.0, 1.0, 0.5)
    return dict(zip(NAMES, (t, *curves), strict=True)) | changed


def without(name):
    return {key: column for key, column in columns().items() if key != name}


def with_entry(name, row, value):
    """A good trace in which one number is another one, or a text."""
    column = columns()[name].astype(object if isinstance(value, str) else float)
    column[row] = value
    return columns(**{name: column})


def with_loss(row, value):
    loss = columns()["dy2"].copy()
    loss[row] = value
    return columns(loss=loss)


def cut(rows):
    return {name: column[:rows] for name, column in columns().items()}


def dataset(**attributes):
    return pd.DataFrame(columns()).set_index("t").to_xarray().assign_attrs(attributes)


def layers():
    return xr.concat([dataset(), dataset()], dim="layer").assign_coords(layer=[1, 2])


TWO_SEEDS = {name: np.stack([column, column]) for name, column in columns().items()}
CONSTANT = columns(**{name: np.full(ROWS, 0.3) for name in NAMES[1:]})

# Words of the message, and the data: a trace of which one thing is wrong.
DATA = [
    *((f"without '{name}'", without(name)) for name in NAMES[1:]),
    *((rf"'{name}'.*row 7", with_entry(name, 7, np.nan)) for name in NAMES),
    ("'w'.*row 29", with_entry("w", 29, np.inf)),
    ("'t'.*row 0", with_entry("t", 0, -np.inf)),
    ("at row 9, needs increasing times", with_entry("t", 9, columns()["t"][8])),
    ("at row 9, needs increasing times", with_entry("t", 9, -100.0)),
    ("1 point.*at least 8", cut(1)),
    ("7 points.*at least 8", cut(7)),
    *((rf"'{name}'.*real numbers", with_entry(name, 3, "one")) for name in NAMES),
    *((rf"'{name}'.*complex.*real numbers", columns(**{name: columns()[name] * 1j})) for name in NAMES[1:]),
    ("different lengths", columns(w=columns()["w"][:-1])),
    ("different lengths", columns(w=[])),
    (r"got shape .* of 'dy2', needs \[time\] in all columns, or \[seed, time\]", columns(dy2=TWO_SEEDS["dy2"].T)),
    (r"column 'w': got shape \(2, 30, 1\), needs \[time\] or", TWO_SEEDS | {"w": TWO_SEEDS["w"][..., None]}),
    (r"column 'w': got shape \(\), needs \[time\] or", columns(w=1.0)),
    ("column 'w': got rows of different lengths", TWO_SEEDS | {"w": [[1.0, 2.0], [3.0]]}),
    ("data: got a table without rows", {name: np.ones((0, ROWS)) for name in NAMES}),
    *(("data: got a table without rows", pd.DataFrame(columns=[*more, *NAMES])) for more in ([], ["seed"])),
    *(("needs an xarray Dataset", kind) for kind in (1, None, [0.5], 0.5, b"t,w")),
    *(("no file", f"nowhere/a{suffix}") for suffix in (".csv", ".nc", "")),
    ("argument says 1, the data's attributes", dataset(dx2=1.01)),
    ("first point", with_entry("dh2", 0, 0.0)),
    ("all curves are constant", CONSTANT),
    *((f"'{name}'.*none of its values is positive", columns(**{name: -columns()[name]})) for name in NAMES[1:3]),
    ("'loss'.*at least 0", with_loss(4, -1e-6)),
    ("several.*1, 2", layers()),
]  # fmt: skip

# Words of the message, and arguments of a fit to good data.
ARGUMENTS = [
    *((f"{name}: got", {name: value}) for name in GOOD for value in (-1e-300, np.nan, np.inf)),
    *((f"{name}: got.*(one real number|needs numbers)", {name: value}) for name in GOOD
      for value in ("1", True, [1.0, 2.0], 1j, b"1")),
    *((f"{name}: not in the data", {name: None}) for name in GOOD),
    ("dx2: got 0", {"dx2": 0.0}),
    ("initial: got", {"initial": "first"}),
    ("initial: got", {"initial": (0.0, 0.1, 0.1)}),
    *(("three numbers", {"initial": (0.1,) * count}) for count in (0, 2, 4)),
    ("not a possible state", {"initial": (0.1, 0.2, 0.2 - 1.01 * np.sqrt(0.2 * 0.5))}),
    ("law: got", {"law": "effectiv"}),
    *(("without a dimension 'layer'", {"layer": layer}) for layer in (3, "h")),
]  # fmt: skip


@pytest.mark.parametrize(("words", "data"), DATA)
def test_bad_data_are_refused_in_these_words(words, data):
    initial = "data" if words == "first point" else "auto"
    with pytest.raises((TypeError, ValueError), match=words):
        bridge.two_point.fit(data, initial=initial, **GOOD)


@pytest.mark.parametrize(("words", "arguments"), ARGUMENTS)
def test_bad_arguments_are_refused_in_these_words(words, arguments):
    data = dataset() if "layer" in arguments else columns()
    with pytest.raises((TypeError, ValueError), match=words):
        bridge.two_point.fit(data, **(GOOD | arguments))


def test_a_layer_that_is_not_there():
    for layer in (3, "h"):
        with pytest.raises(ValueError, match=r"layer: got.*1, 2"):
            bridge.two_point.fit(layers(), layer=layer, **GOOD)


@pytest.mark.parametrize(
    ("words", "content", "ending"),
    [
        *(("data|needs a readable table", text, ".csv") for text in ("", "\n\n", "t,dh2\n", "1,2,3\n4,5,6\n")),
        ("data: got a table without rows", "t,dh2,dy2,w\n", ".csv"),
        ("data: got a table without rows", "seed,t,dh2,dy2,w\n", ".csv"),
        ("needs a name that ends in one of", "{}", ".xml"),
    ],
)  # fmt: skip
def test_a_file_without_the_table(words, content, ending, tmp_path):
    path = tmp_path / f"table{ending}"
    path.write_text(content)
    with pytest.raises(ValueError, match=words):
        bridge.two_point.fit(path, **GOOD)


def test_predictions_that_cannot_be_made():
    good = bridge.two_point.fit(columns(), **GOOD)
    assert good.tau_h == pytest.approx(4, rel=1e-6)
    for times in ([1.0, -1e-6], [np.nan], [], [[1.0]], np.inf):
        with pytest.raises(ValueError, match="t: "):
            good.predict(times)
    with pytest.raises(ValueError, match="no usable column 'loss'"):
        good.predict_loss([1.0])

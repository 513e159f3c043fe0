"""Tests that the checks of traces name what a trace lacks."""

from __future__ import annotations

import pytest
import xarray as xr

from bridge import arguments

TRACE = xr.Dataset({"loss": ("seed", [1.0])}, attrs={"config": "{}"})


def test_a_trace_with_all_parts_comes_back():
    assert arguments.dataset(TRACE, "E", ("loss",), ("seed",), attributes=("config",)) is TRACE


def test_what_a_trace_lacks_is_named():
    message = "trace: got a Dataset without w, the dimension layer, the attribute date, needs a trace of E"
    with pytest.raises(ValueError, match=message):
        arguments.dataset(
            TRACE, "E", ("loss", "w"), ("seed", "layer"), attributes=("config", "date")
        )


@pytest.mark.parametrize("value", [[1], None, TRACE["loss"]])
def test_values_of_another_kind(value):
    with pytest.raises(TypeError, match=r"trace: got .*, needs a Dataset"):
        arguments.dataset(value, "E", ())


def test_an_attribute_of_a_trace_is_read_as_json():
    assert arguments.attribute(TRACE, "config") == {}
    for name, text, message in (
        ("versions", None, "trace: got one without the attribute 'versions'"),
        ("config", "[" * 100_000, "trace: config: got JSON with more than 100 levels"),
        ("config", "[]", "trace: config: got JSON of the kind list, needs an object"),
    ):
        with pytest.raises(ValueError, match=message):
            arguments.attribute(TRACE.assign_attrs({} if text is None else {name: text}), name)

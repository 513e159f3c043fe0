"""A table with a row for each layer gives what the trace gives, and what is wrong with it is named."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from bridge import leaky_resnet
from bridge.leaky_resnet.conservation import BOUNDED as OF_BOUNDS
from bridge.leaky_resnet.conservation import COLUMNS as OF_CONSERVATION

FUNCTIONS = {"conservation": OF_CONSERVATION, "rank_bounds": OF_BOUNDS}


@pytest.fixture
def trace(critical):
    *_, state, depth = critical
    return leaky_resnet.of_state(state, depth)


def rows(trace, columns):
    """Return a frame, in random order, with a row for each layer of a trace of one network."""
    layers = trace.sizes["layer"]
    frame = pd.DataFrame({"depth": float(trace["depth"][0]), "layer": np.arange(1, layers + 1)})
    for name in ("position", *columns):
        values = trace[name].values[0, 0]
        before = name in ("stable_cost_of_identity", "gamma")
        frame[name] = values if values.size == layers else values[:-1] if before else values[1:]
    return frame.assign(residual=float(trace["residual"][0, 0])).sample(frac=1, random_state=0)


def test_a_table_of_singular_values(rng):
    values = -np.sort(-rng.exponential(size=(1, 2, 3, 5)), axis=-1)
    keys = {"depth": [3.0], "seed": [0, 1], "layer": [1, 2, 3], "rank": [1, 2, 3, 4, 5]}
    trace = xr.Dataset({"weight_values": (tuple(keys), values)}, keys, {"dimensions": "[4, 2, 4]"})
    trace["residual"] = (("depth", "seed"), [[0.1, 0.2]])
    frame = trace.to_dataframe().reset_index().sample(frac=1, random_state=0)
    for layer in (None, 3):
        expected = leaky_resnet.spectral_gap(trace, layer=layer)
        xr.testing.assert_identical(
            leaky_resnet.spectral_gap(frame, layer=layer, dimensions=(4, 2, 4)), expected
        )
    one = frame[frame["layer"] == 2].drop(columns=["layer", "residual"])
    found = leaky_resnet.spectral_gap(one, dimensions=(4, 2, 4))
    np.testing.assert_array_equal(found["gap"], leaky_resnet.spectral_gap(trace)["gap"])
    assert np.isnan(found["residual"]).all()
    for wrong, dimensions, message in [
        (frame, None, "dimensions: are not in the data"),
        (
            frame.drop(columns="weight_values"),
            (4, 2, 4),
            "without 'weight_values', needs 'depth', 'rank', 'wei",
        ),
        (
            frame.assign(weight_values=np.nan),
            (4, 2, 4),
            "column 'weight_values': got NaN or infinity in 30 of 30 entries",
        ),
        (
            frame.drop(columns="seed"),
            (4, 2, 4),
            "several rows with the same 'depth', 'seed', 'layer', 'rank'",
        ),
        (frame[frame["layer"] == 2], (4, 2, 4), "column 'layer': needs all numbers from 1"),
        (
            frame.assign(rank=6 - frame["rank"]),
            (4, 2, 4),
            "column 'weight_values': increases with 'rank'",
        ),
    ]:
        with pytest.raises(ValueError, match=message):
            leaky_resnet.spectral_gap(wrong, dimensions=dimensions)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_table_with_a_row_for_each_layer(trace, name, tmp_path):
    function, columns = getattr(leaky_resnet, name), FUNCTIONS[name]
    frame = rows(trace, columns)
    expected = function(trace)
    xr.testing.assert_identical(function(frame), expected)
    frame.to_csv(tmp_path / "mine.csv", index=False)
    xr.testing.assert_allclose(function(tmp_path / "mine.csv"), expected, rtol=1e-12)
    assert np.isnan(function(frame.drop(columns="residual"))["residual"]).all()
    for wrong, message in [
        (
            frame.drop(columns=columns[-1]),
            f"data: got columns 'depth', 'layer'.* without '{columns[-1]}', needs",
        ),
        (
            frame.assign(hamiltonian=np.nan),
            "column 'hamiltonian': got NaN or infinity in 6 of 6 entries",
        ),
        (pd.concat([frame, frame]), "several rows with the same 'depth', 'seed', 'layer'"),
        (frame.assign(position=0.5), "column 'position': needs positive numbers that increase"),
        (
            frame.assign(residual=frame["layer"]),
            "column 'residual': got different values for different 'layer'",
        ),
    ]:
        with pytest.raises(ValueError, match=message):
            function(wrong)

"""A table made from a trace gives what the trace gives, and what is wrong with a table is named."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from bridge import geometry
from tests.bridge.geometry.test_geometry_analysis import plane


def test_expansion():
    trace = plane(lambda x, _: np.exp(-4 * x**2))
    frame = trace.to_dataframe().reset_index().sample(frac=1, random_state=0)
    found, expected = geometry.expansion(frame), geometry.expansion(trace)
    assert (found.after.rho, found.before.rho, found.change.rho) == (
        expected.after.rho, expected.before.rho, expected.change.rho,
    )  # fmt: skip
    np.testing.assert_array_equal(found.ratio, expected.ratio)
    single = geometry.expansion(
        dict(frame[frame["seed"] == 2].drop(columns=["seed", "layer"]).items())
    )
    assert single.after.per_network[0] == expected.after.per_network[2]
    two = pd.concat([frame, frame.assign(layer=2, margin=0.0)])
    for wrong, message in [
        (
            frame.drop(columns="margin"),
            "without 'margin', needs 'epoch', 'y', 'x', 'log_volume', 'margin'",
        ),
        (
            frame.assign(log_volume=-np.inf),
            "column 'log_volume': got NaN or infinity in 2048 of 2048 entries",
        ),
        (
            frame.drop(columns="seed"),
            "several rows with the same 'seed', 'epoch', 'layer', 'y', 'x'",
        ),
        (
            frame.iloc[1:],
            "needs a row for every combination of 'seed', 'epoch', 'layer', 'y', 'x'",
        ),
        (two, "column 'margin': got different values for different 'layer'"),
    ]:
        with pytest.raises(ValueError, match=message):
            geometry.expansion(wrong)


def test_first_order(rng):
    config = {"degree": 2, "dimension": 2, "squared_target": 3.0}
    sizes = {"width": (64, 128, 256), "realisation": range(4), "input": (0.0, 0.7, 1.5)}
    volume = 2 + 1 / np.array(sizes["width"])[:, None, None] + 1e-3 * rng.normal(size=(3, 4, 3))
    metric = np.broadcast_to(np.eye(2), (3, 4, 3, 2, 2))
    variables = {"volume_element": (tuple(sizes), volume), "metric": ((*sizes, "i", "j"), metric)}
    trace = xr.Dataset(
        variables,
        {key: list(values) for key, values in sizes.items()},
        {"config": json.dumps(config)},
    )
    frame = trace["volume_element"].to_dataframe().reset_index().sample(frac=1, random_state=0)
    frame = frame.rename(columns={"realisation": "seed", "input": "angle"})
    found = geometry.first_order(frame, "volume_element", **config)
    expected = geometry.first_order(trace, "volume_element")
    for name in ("measured", "errors", "expected", "overlaps"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    np.testing.assert_allclose(found.overlaps, np.cos([0.0, 0.7, 1.5]), rtol=1e-15)
    trace["metric"] = trace["volume_element"] * xr.DataArray(np.eye(2), dims=("i", "j"))
    # its mean under the prior
    usual = trace.assign_attrs(config=json.dumps(config | {"squared_target": 1.0}))
    np.testing.assert_allclose(geometry.first_order(usual, "metric").expected, 0, atol=1e-12)
    for wrong, quantity, options, message in [
        (frame, "metric", config, "'metric' needs a trace, since it is a matrix"),
        (frame, "volume_element", {}, "degree, dimension, squared_target: are not in the data"),
        (
            frame,
            "volume_element",
            config | {"degree": 0},
            "degree: got 0, needs an integer of at least 1",
        ),
        (
            frame.drop(columns="angle"),
            "volume_element",
            config,
            "without 'angle', needs 'width', 'seed', 'ang",
        ),
        (
            frame.assign(volume_element=np.nan),
            "volume_element",
            config,
            "column 'volume_element': got NaN or infinity in 36 of 36",
        ),
        (
            pd.concat([frame, frame]),
            "volume_element",
            config,
            "several rows with the same 'width', 'seed', 'angle'",
        ),
    ]:
        with pytest.raises(ValueError, match=message):
            geometry.first_order(wrong, quantity, **options)

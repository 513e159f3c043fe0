"""Tests of the contrast of the volume element from layer to layer."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from papers.zavatoneveth2023.studies import maps

AXIS = np.linspace(-1.5, 1.5, 31)


def test_contrast_grows_from_layer_to_layer():
    # quarters of [-1, 1], of which the outer ones have their middles at ±3/4
    ramp = np.broadcast_to(AXIS, (31, 31))
    slopes = np.array([[1.0, 3.0, 2.0], [1.2, 3.0, 2.4], [0.8, 3.0, 2.2]])  # [seed, layer]
    untrained = np.full((3, 1, 3, 31, 31), 7.0)
    volume = np.concatenate([untrained, slopes[:, None, :, None, None] * ramp], axis=1)
    volume = np.where(np.abs(AXIS) > 1.01, 1e9, volume)  # beyond the data, which does not count
    coordinates = {"x": AXIS, "y": AXIS, "layer": [1, 2, 3]}
    trace = xr.Dataset({"log_volume": (("seed", "epoch", "layer", "y", "x"), volume)}, coordinates)
    assert maps.contrast(trace, 2) == pytest.approx([3 * 1.5] * 3, rel=0.1)
    rows = maps.contrast_table({"deep": trace}).rows
    assert [row["layers"] for row in rows] == [
        "layer 1",
        "layer 2",
        "layer 3",
        "layer 1 to 2",
        "layer 2 to 3",
    ]
    first, second, third = (row["contrast (nats)"].value for row in rows[:3])
    up, down = (row["gain"] for row in rows[3:])
    assert (up.value, down.value) == pytest.approx((second - first, third - second), abs=1e-5)
    assert down.value < 0
    assert up.n == 3
    assert up.error == pytest.approx(
        np.std(maps.contrast(trace, 1), ddof=1) / np.sqrt(3), rel=1e-5
    )

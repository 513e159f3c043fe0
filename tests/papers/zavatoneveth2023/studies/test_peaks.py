"""Tests that a line between two images has a peak only where its middle is above both of its ends."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from papers.zavatoneveth2023.studies import image_numbers

LINES = {"monotone": (0.0, 2.0, 3.0), "peak": (0.0, 4.0, 3.0), "dip": (3.0, 0.0, 3.0)}


def trace(*names):
    """Three networks with these lines."""
    values = np.array([[LINES[name] for name in names]] * 3) + np.arange(3)[:, None, None]
    return xr.Dataset(
        {"line_log_volume": (("seed", "line", "position", "epoch"), values[..., None])}
    )


@pytest.mark.parametrize(
    ("name", "over_mean", "over_higher"),
    [("monotone", 0.5, -1.0), ("peak", 2.5, 1.0), ("dip", -3.0, -3.0)],
)
def test_a_monotone_line_rises_over_the_mean_of_its_ends_and_has_no_peak(
    name, over_mean, over_higher
):
    one = trace(name)
    np.testing.assert_allclose(image_numbers.rise(one, -1), over_mean)
    np.testing.assert_allclose(image_numbers.rise(one, -1, higher=True), over_higher)
    assert image_numbers.peaked_share(one).of("a.share", "x").value == (name == "peak")


def test_the_share_is_that_of_the_lines():
    assert (
        image_numbers.peaked_share(trace("monotone", "peak", "peak", "dip"))
        .of("a.share", "x")
        .value
        == 0.5
    )

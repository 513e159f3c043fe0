"""Tests of the share of a map that the norm of the input explains."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from papers.zavatoneveth2023.studies import maps

AXIS = np.linspace(-1.5, 1.5, 40)
X, Y = np.meshgrid(AXIS, AXIS)
NORM = np.hypot(X, Y)


def test_radial_maps_are_explained_and_odd_ones_are_not():
    # less the variation within a ring
    assert maps.radial_share(AXIS, AXIS, np.exp(-(NORM**2))) > 0.98
    assert maps.radial_share(AXIS, AXIS, X) < 1e-3  # zero but for ties that rounding breaks
    mixed = maps.radial_share(AXIS, AXIS, NORM**2 + 2 * X)
    assert 0.1 < mixed < 0.7
    assert maps.radial_share(AXIS, AXIS, np.exp(3 * (NORM**2 + 2 * X))) == pytest.approx(
        mixed, abs=1e-4
    )  # ranks
    assert np.isnan(maps.radial_share(AXIS, AXIS, np.ones_like(X)))
    assert np.isnan(maps.radial_share(AXIS, AXIS, np.where(X > 0, X, np.nan)))


def test_gains_from_width_to_width():
    def trace(radial):
        field = (
            ("seed", "epoch", "layer", "y", "x"),
            np.stack([(radial + s / 50) * NORM + X for s in range(3)])[:, None, None],
        )
        return xr.Dataset(
            {
                "log_volume": field,
                "curvature": (field[0], 0 * field[1]),
                "margin": (("seed", "epoch", "y", "x"), field[1][:, :, 0]),
            },
            {"x": AXIS, "y": AXIS},
        )

    table = maps.table({"narrow": trace(0.5), "wide": trace(5.0)})
    narrow, wide, gain = table.rows
    assert gain["network"] == "narrow to wide"
    shares = (row["share: volume"].value for row in (wide, narrow))
    grown = gain["gain: volume"]
    assert grown.value == pytest.approx(next(shares) - next(shares), abs=1e-5)
    assert grown.value > 0.4 > 10 * grown.error > 0
    assert not {"share: curvature", "gain: curvature"} & set(table.heads)  # nothing to explain

"""Pairs of recorded points: their order, their distances, and Eq. (10) for each of them."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from bridge.two_point import pairs

POINTS = np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 2.0]])
DISTANCE2 = [25.0, 4.0, 13.0]  # of points 0 and 1, 0 and 2, 1 and 2


@pytest.fixture
def trace():
    return xr.Dataset(
        {
            "distance2": (
                ("epoch", "pair", "seed"),
                np.array([[[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]]),
            ),
            "outputs": (
                ("seed", "epoch", "point", "output"),
                np.stack([POINTS, 2 * POINTS])[:, None],
            ),
            "target": (("output", "point"), POINTS.T),
            "input_distance2": ("pair", np.array([1.0, 2.0, 3.0])),
        }
    )


def test_pairs_are_in_the_order_of_their_points(trace):
    np.testing.assert_array_equal(pairs.ends(trace), [[0, 0, 1], [1, 2, 2]])
    np.testing.assert_allclose(pairs.distance2(trace, trace.target), DISTANCE2)
    np.testing.assert_allclose(
        pairs.matrix(np.array(DISTANCE2)), [[0, 25, 4], [25, 0, 13], [4, 13, 0]]
    )


def test_eq_10_holds_for_each_pair_alone(trace):
    """The final distance d solves d^2 + d (r dy2 / dh2 - dh2) = r target2 with r = dx2 tau_y / tau_h."""
    value = pairs.predicted(trace, tau_h=2.0, tau_y=3.0)
    dh2, dy2 = np.array([[0.1, 0.3, 0.5], [0.2, 0.4, 0.6]]), np.outer([1, 4], DISTANCE2)
    ratio = np.array([1.0, 2.0, 3.0]) * 3.0 / 2.0
    linear = ratio * dy2 / dh2 - dh2
    np.testing.assert_allclose(
        value**2 + linear * value, ratio * DISTANCE2 * np.ones((2, 1)), rtol=1e-9
    )

"""Tests that masked arrays are refused by name: torch would use the numbers under the mask."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from empirics import measure
from empirics.measure.kernels.kernel_components import gram_components

POINTS = np.random.default_rng(0).normal(size=(12, 4))
LABELS = np.arange(12) % 3
MODEL = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 2))


def masked(array):
    return np.ma.masked_array(array, mask=np.arange(np.size(array)).reshape(np.shape(array)) == 1)


def state(**changes):
    given = {"x1": POINTS[0], "x2": POINTS[1], "y1": [0.0, 0.0], "y2": [1.0, 0.0]} | changes
    return measure.two_point_state(MODEL, "1", **given)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("features", lambda: measure.neural_collapse(masked(POINTS), LABELS)),
        ("features", lambda: measure.neural_collapse([masked(row) for row in POINTS], LABELS)),
        ("labels", lambda: measure.neural_collapse(POINTS, masked(LABELS))),
        ("weights", lambda: measure.neural_collapse(POINTS, LABELS, weights=masked(POINTS[:3]))),
        ("x1", lambda: state(x1=masked(POINTS[0]))),
        ("y2", lambda: state(y2=masked([1.0, 0.0]))),
        ("x", lambda: measure.log_volume_element(MODEL, masked(POINTS))),
        ("labels", lambda: gram_components(POINTS @ POINTS.T, masked(LABELS > 0))),
        (
            "inputs",
            lambda: measure.layerwise_collapse(MODEL, ["1"], [(masked(POINTS), LABELS)], 3),
        ),
    ],
)
def test_masked_arrays_are_refused(name, call):
    with pytest.raises(
        TypeError, match=f"{name}: got a masked array, needs an array without a mask"
    ):
        call()


def test_the_same_arrays_without_a_mask_are_taken():
    assert measure.neural_collapse(POINTS, LABELS).nc1 > 0
    assert state().dh2 > 0
    assert (
        measure.neural_collapse(POINTS, torch.from_numpy(LABELS)).nc1
        == measure.neural_collapse(POINTS, LABELS).nc1
    )

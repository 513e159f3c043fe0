"""Measures without a unit are the same for numbers of any size, and for numbers of any type."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from empirics import measure

LABELS = np.arange(30) % 3
HALVES = (LABELS > 0).astype(int)
SCALES = [1e-300, 1e-200, 1e-120, 1e-30, 1e30, 1e120, 1e200, 1e300]
ROUNDING = 1e-12
TYPES = [
    torch.float32,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.int32,
    torch.int8,
    torch.uint8,
]
# units; ties depend on the type
LEFT_OUT = ("within", "between", "sizes", "note", "nearest_centre_error")
MEASURES = {
    "neural_collapse": lambda x: [
        np.ravel(getattr(measure.neural_collapse(x, LABELS), field.name)).astype(float)
        for field in dataclasses.fields(measure.NeuralCollapse)
        if field.name not in LEFT_OUT
    ],
    "resampled_nc1": lambda x: [measure.resampled_nc1(x, LABELS, count=4).redrawn],
    "amplification": lambda x: [[measure.amplification(x).item()]],
    "label_information": lambda x: [[measure.label_information(x, HALVES)]],
}


@pytest.fixture
def features(rng):
    """Features of three classes, ``[30, 4]``, around 20, which short types and integers have exactly."""
    x = rng.normal(size=(30, 4)) + LABELS[:, None] * np.array([1.0, -1.0, 0.5, 0.0])
    return np.round(4 * x) + 40


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", MEASURES)
def test_numbers_of_any_size_and_type(name, features):
    expected = np.concatenate(MEASURES[name](features))
    for scale in SCALES:
        np.testing.assert_allclose(
            np.concatenate(MEASURES[name](scale * features)), expected, rtol=ROUNDING
        )
    for dtype in TYPES:
        np.testing.assert_allclose(
            np.concatenate(MEASURES[name](torch.tensor(features).to(dtype))),
            expected,
            rtol=ROUNDING,
        )


@pytest.mark.parametrize("scale", [1e-60, 1e60, 1e-200])
def test_units_and_readouts_of_features_of_any_size(scale, features, rng):
    weights, biases = rng.normal(size=(3, 4)), rng.normal(size=3)
    base = measure.neural_collapse(features, LABELS, weights=weights, biases=biases)
    moved = measure.neural_collapse(
        scale * features, LABELS, weights=weights / scale, biases=biases
    )
    assert (moved.nc3, moved.nc4) == pytest.approx((base.nc3, base.nc4), rel=ROUNDING)
    sizes = [scale * size for size in base.sizes]
    assert moved.sizes == pytest.approx(sizes, rel=ROUNDING, abs=0)
    assert moved.within == pytest.approx(base.within * scale * scale, rel=ROUNDING, abs=0)


def test_batches_whose_squares_leave_the_range_are_refused(features):
    for scale in (1e-150, 1e160, 1e300):
        with pytest.raises(ValueError, match=r"^features: got (numbers up to|values that)"):
            measure.CollapseMeans(3).update(scale * features, LABELS)
    with pytest.raises(ValueError, match=r"^features: got values that are not finite"):
        measure.CollapseMeans(3).update(np.where(features > 40, np.nan, features), LABELS)

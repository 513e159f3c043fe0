"""Tests of arrays as input to measures: non-real input raises an error, and numbers are not rounded to float32."""

from __future__ import annotations

import math
from dataclasses import astuple

import numpy as np
import pytest
import torch as t

from empirics import measure

LABELS = np.arange(40) % 2
BAD = [
    (1j * t.ones(40, 40), TypeError, "got torch.complex64"),
    (np.ones((40, 40)) > 0, TypeError, "got torch.bool"),
    ("numbers", TypeError, "got str"),
    (None, TypeError, "got NoneType"),
    (np.full((40, 40), math.nan), ValueError, "got values that are not finite"),
]
MEASURES = {
    "weights": measure.amplification,
    "biases": lambda value: measure.neuron_vectors(np.ones((3, 2)), value),
    "gram": lambda value: measure.gram_components(value, LABELS),
    "features": lambda value: measure.label_information(value, LABELS),
}


@pytest.mark.parametrize(
    ("value", "error", "complaint"), BAD, ids=[str(i) for i in range(len(BAD))]
)
@pytest.mark.parametrize("name", list(MEASURES))
def test_what_is_not_real_numbers(name, value, error, complaint):
    with pytest.raises(error, match=f"^{name}: {complaint}"):
        MEASURES[name](value)


def test_one_informative_direction_is_given_in_a_sequence():
    with pytest.raises(TypeError, match="informative: got 0, needs a sequence"):
        measure.amplification(np.ones((5, 4)), 0)


def test_parameters_are_welcome():
    weights, z = t.nn.Parameter(t.randn(5, 4)), t.randn(40, requires_grad=True)
    assert not measure.amplification(weights).requires_grad
    assert measure.label_information(z, LABELS) == measure.label_information(z.detach(), LABELS)


def test_plain_numbers_keep_all_their_digits(rng):
    """An offset that float32 would round the differences of."""
    x, y = 1e6 + rng.normal(size=(30, 4)), np.arange(30) % 3
    lists, arrays = (
        astuple(measure.neural_collapse(*given)) for given in ((x.tolist(), y.tolist()), (x, y))
    )
    np.testing.assert_equal(lists, arrays)  # NaN where there is no classifier
    assert measure.amplification(x.tolist()) == measure.amplification(x)


def test_tolerance_is_a_number(rng):
    with pytest.raises(TypeError, match="tolerance: got 'small'"):
        measure.neural_collapse(rng.normal(size=(30, 4)), np.arange(30) % 3, tolerance="small")

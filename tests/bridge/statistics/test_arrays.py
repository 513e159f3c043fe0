"""Tests of means over repetitions and their standard errors: numbers and arrays, any axis, one repetition."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bridge.statistics.arrays import mean_and_error

ROUNDING = 1e-14


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_it_is_scipys(rng, axis):
    values = rng.normal(size=(4, 5, 3))
    mean, error = mean_and_error(values, axis)
    np.testing.assert_allclose(mean, values.mean(axis), rtol=ROUNDING)
    np.testing.assert_allclose(error, stats.sem(values, axis), rtol=ROUNDING)


def test_of_one_axis_it_gives_numbers():
    mean, error = mean_and_error([1, 2, 3])
    assert (type(mean), type(error)) == (float, float)
    assert (mean, error) == pytest.approx((2, 1 / np.sqrt(3)), rel=ROUNDING)


def test_one_repetition_has_no_error():
    assert np.isnan(mean_and_error([7.0])).tolist() == [False, True]
    mean, error = mean_and_error(np.ones((1, 2)))
    assert mean.tolist() == [1, 1]
    assert np.isnan(error).all()

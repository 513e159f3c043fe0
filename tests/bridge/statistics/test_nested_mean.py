"""Tests of the mean over networks with numbers nested in them, against numbers computed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from bridge.statistics.arrays import nested_mean

NAN = np.nan


def test_networks_that_agree_by_chance_get_the_error_of_what_is_nested():
    """All means are 2. Squares within: 2 + 2 + 0 over 9 - 3 degrees; the mean of 1/3, 1/2, 1/4 is 13/36."""
    found = nested_mean(np.array([[1.0, 2, 3, NAN], [1, NAN, 3, NAN], [2, 2, 2, 2], [NAN] * 4]))
    assert (found.mean, found.networks, found.repetitions) == (2.0, 3, 7)
    assert found.error == pytest.approx(np.sqrt(4 / 6 * 13 / 36 / 3))


def test_networks_that_differ_give_the_error():
    found = nested_mean(np.array([[[0.0, 1.0]], [[3.0, 4.0]], [[7.0, 6.0]]]))
    assert found.mean == pytest.approx(3.5)
    assert found.error == pytest.approx(np.std([0.5, 3.5, 6.5], ddof=1) / np.sqrt(3))
    assert (found.networks, found.repetitions) == (3, 3)


@pytest.mark.parametrize("size", [1e-170, 1.0, 1e170])
def test_too_few_networks_have_no_error(size):
    found = nested_mean(size * np.array([[1.0, 2.0], [4.0, NAN]]))
    assert found.mean / size == pytest.approx(2.75)
    assert np.isnan(found.error)
    assert np.isnan(nested_mean(np.full((3, 2), NAN)).mean)

"""The jackknife, against formulas by hand, at numbers of any size."""

import numpy as np
import pytest

from closedform.repetitions import jackknife


@pytest.mark.parametrize("left_out", [[], [1.0], 3.0])
def test_a_single_value_determines_no_error(left_out):
    """It had the error 0."""
    with pytest.raises(ValueError, match=r"left_out: got \d values, needs at least 2"):
        jackknife(2.0, left_out)


def test_errors_of_statistics_of_different_sizes_are_those_of_each(rng):
    """The mean of 20 numbers has the error of their scatter, whatever the unit of a column."""
    values, units = rng.normal(size=(20, 4)), np.array([1e-300, 1e-160, 1.0, 1e300])
    left_out = (values.sum(axis=0) - values) / 19
    found = jackknife(values.mean(axis=0) * units, left_out * units)
    np.testing.assert_allclose(found.error / units, values.std(axis=0, ddof=1) / np.sqrt(20))
    np.testing.assert_allclose(found.value / units, values.mean(axis=0), rtol=1e-10)

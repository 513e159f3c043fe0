"""Tests of free parameters of an initial state, of rounding that is forgiven, and of the noise of a trace."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bridge.two_point import state
from bridge.two_point.trace import read


@pytest.fixture
def trace(clean_case):
    (only,) = read(clean_case.columns, **clean_case.data)
    return only


@pytest.mark.parametrize("cosine", [-1.0, -0.3, 0.6, 1.0])
@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
def test_free_parameters_are_those_of_one_state(trace, cosine, size):
    """dy2 = (along^2 + across) dh2 with the decoder's gain along the target: packed and unpacked it is the same."""
    scaled = replace(trace, state=size * trace.state, target2=size * trace.target2)
    dh2, dy2 = 0.3 * size, 0.2 * size
    begin = np.array([dh2, dy2, dy2 - cosine * np.sqrt(dy2 * scaled.target2)])
    numbers = state.pack(begin, scaled)
    assert (np.abs(numbers) < 100).all()
    np.testing.assert_allclose(state.unpack(numbers[None], scaled)[0], begin, rtol=1e-12)


def test_equal_targets_have_no_part_along(trace):
    equal = replace(trace, target2=0.0)
    begin = np.array([0.3, 0.2, 0.2])
    numbers = state.pack(begin, equal)
    assert numbers.shape == (2,)
    np.testing.assert_allclose(state.unpack(numbers[None], equal)[0], begin, rtol=1e-12)


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
def test_rounding_is_that_of_the_outputs(trace, size):
    assert state.tolerance(size * trace.state, size * trace.target2) == pytest.approx(
        size * state.tolerance(trace.state, trace.target2), abs=0
    )


@pytest.mark.parametrize("deviation", [1e-4, 1e-2])
def test_the_noise_of_a_trace_is_its_standard_deviation(trace, deviation, rng):
    noisy = replace(trace, state=trace.state + deviation * rng.normal(size=trace.state.shape))
    np.testing.assert_allclose(noisy.noise, deviation, rtol=0.1)

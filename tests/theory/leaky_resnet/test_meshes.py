"""Tests of the meshes: positive steps of sum one, the condition on the depth, the adaptive rule as a map."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import theory
from theory import leaky_resnet as lr

SUM = 1e-14


@given(st.integers(1, 500), st.floats(0, 0.999))
def test_steps_are_positive_and_sum_to_one(layers: int, a: float) -> None:
    speeds = np.random.default_rng(layers).lognormal(size=layers)
    for steps in (
        lr.mesh("equidistant", layers),
        lr.mesh("irregular", layers, a=a),
        lr.mesh("adaptive", layers, speeds=speeds),
    ):
        assert steps.shape == (layers,)
        assert (steps > 0).all()
        assert abs(steps.sum() - 1) < SUM * layers


@given(st.integers(1, 200), st.floats(0, 0.999))
def test_irregular_is_the_printed_one_for_even_numbers(layers: int, a: float) -> None:
    share = np.arange(1, layers + 1) / layers
    printed = 1 / layers + a / layers * (0.25 - np.abs(share - 0.5))
    assert printed.sum() == pytest.approx(1 - a * (layers % 2) / (4 * layers**2), abs=1e-13)
    np.testing.assert_allclose(
        lr.mesh("irregular", layers, a=a), printed / printed.sum(), rtol=1e-13
    )


def test_condition_on_the_depth() -> None:
    assert lr.mesh("equidistant", 20, depth=19.9).size == 20
    with pytest.raises(ValueError, match=r"depth: got .*, needs a number below 20 "):
        lr.mesh("equidistant", 20, depth=20.0)
    assert lr.mesh("irregular", 20, a=0.8, depth=20 / 1.2 - 1e-9).size == 20
    with pytest.raises(ValueError, match="depth"):
        lr.mesh("irregular", 20, a=0.8, depth=20 / 1.2 + 1e-9)


def test_a_mesh_of_equal_distances_is_a_fixed_point_of_the_adaptive_rule() -> None:
    """On a path of length x^2 up to x."""
    steps = np.diff(np.sqrt(np.arange(8) / 7))
    np.testing.assert_allclose(lr.mesh("adaptive", 7, speeds=1 / 7 / steps), steps, rtol=1e-12)


@pytest.mark.parametrize(("inner", "swings"), [(1.5, False), (3.0, True)])
def test_multiplier_of_two_layers(inner: float, swings: bool) -> None:
    """A smooth path with speed ``inner`` in the middle, at rest with two equal steps."""

    def travelled(x: np.ndarray) -> np.ndarray:
        width = 0.05
        bump = (inner - 1) * width * np.tanh((x - 0.5) / width)
        return x + bump - 2 * (x - 0.5) * (inner - 1) * width * np.tanh(0.5 / width)

    # The linear term takes a little of the speed away again.
    speed = inner - 2 * (inner - 1) * 0.05 * np.tanh(10)
    start = 0.5 + 1e-6
    distance = travelled(np.array([0.0, start, 1.0]))
    moved = lr.mesh("adaptive", 2, speeds=np.diff(distance) / np.array([start, 1 - start]))[0]
    predicted = theory.catalogue()["leaky_resnet.adaptive_multiplier"](speed, 0.5)
    assert (moved - 0.5) / 1e-6 == pytest.approx(predicted, abs=1e-3)
    assert (abs(predicted) > 1) == swings

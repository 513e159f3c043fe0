"""Tests of the effective dimension: known manifolds, a direct computation, invariances and bad input."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from empirics.measure import effective_dimension, two_neighbour_dimension

BOTH = pytest.mark.parametrize("estimate", [effective_dimension, two_neighbour_dimension])
NEAR = 0.12  # relative error that 2000 points allow: more than three standard deviations of either estimate


def torus(rng, dimension, count):
    """Points of a flat torus, which has no edge: every circle lies in a plane of its own."""
    angles = rng.uniform(0, 2 * np.pi, (count, dimension))
    return np.concatenate([np.cos(angles), np.sin(angles)], axis=1)


@BOTH
@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_the_dimension_of_a_torus(estimate, rng, dimension):
    assert estimate(torus(rng, dimension, 2000)) == pytest.approx(dimension, rel=NEAR)


@BOTH
def test_a_line_of_some_width_has_more_dimensions_the_more_finely_it_is_seen(estimate, rng):
    line = torch.as_tensor(rng.uniform(size=(1600, 1)))
    noise = torch.as_tensor(rng.normal(size=(1600, 3)))
    thin, thick = (torch.cat([line, width * noise], dim=1) for width in (1e-5, 3e-2))
    # 1.11 on average over seeds, with a standard deviation of 0.03, by two neighbours
    assert estimate(thin) < 1.25
    assert estimate(thick) > 3  # 4.04 and 0.13


def test_a_direct_computation(rng):
    points = rng.normal(size=(48, 2))
    between = np.linalg.norm(points[:, None] - points, axis=-1)

    def mean(count):
        blocks = [
            between[s : s + count, s : s + count] + np.diag([np.inf] * count)
            for s in range(0, 48, count)
        ]
        return np.mean([block.min(axis=1) for block in blocks])

    halves = [math.log(mean(count)) for count in (48, 24)]
    assert effective_dimension(points, halvings=1) == pytest.approx(
        math.log(2) / (halves[1] - halves[0]), rel=1e-10
    )
    ordered = np.sort(between, axis=1)
    expected = 48 / np.log(ordered[:, 2] / ordered[:, 1]).sum()
    assert two_neighbour_dimension(points) == pytest.approx(expected, rel=1e-10)


@BOTH
def test_it_depends_neither_on_scale_nor_rotation_nor_on_added_coordinates(estimate, rng):
    points = rng.normal(size=(200, 3))
    rotation, _ = np.linalg.qr(rng.normal(size=(5, 3)))
    for changed in (1e-160 * points, points @ rotation.T + 3):
        assert estimate(changed) == pytest.approx(estimate(points), rel=1e-6)


@BOTH
def test_points_that_coincide_count_as_one(estimate, rng):
    points = rng.normal(size=(100, 2))
    assert estimate(np.concatenate([points, points[:30]])) == estimate(points)


@BOTH
@pytest.mark.parametrize(
    ("points", "error", "complaint"),
    [
        (np.ones((50, 2)), ValueError, "got 1 different ones, needs at least"),
        (np.ones(50), ValueError, r"got shape \(50,\), needs \[N, d\]"),
        (np.arange(8.0).reshape(4, 2), ValueError, "got 4 different ones, needs at least"),
        (np.full((50, 2), np.nan), ValueError, "not finite"),
        (np.ones((50, 2)) * 1j, TypeError, "complex"),
    ],
)
def test_bad_input(estimate, points, error, complaint):
    with pytest.raises(error, match=f"^points: .*{complaint}"):
        estimate(points)


def test_bad_number_of_halvings():
    with pytest.raises(ValueError, match="halvings: got 0"):
        effective_dimension(np.eye(50), halvings=0)


@pytest.mark.parametrize(
    ("step", "offset"), [(1.0, 0.0), (0.1, 0.0), (0.1, 0.3), (1 / 3, 7.7), (0.1, 1e6)]
)
def test_equal_distances_are_equal_up_to_rounding(step, offset):
    """On a lattice both neighbours are equally far away; rounding gave a dimension of 9e15."""
    lattice = np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), axis=-1).reshape(-1, 2)
    assert two_neighbour_dimension(step * lattice + offset) == np.inf


def test_points_that_coincide_up_to_rounding_count_as_one(rng):
    points = rng.normal(size=(300, 3))
    twice = np.concatenate([points, points * (1 + 2e-16)])
    assert two_neighbour_dimension(twice) == pytest.approx(
        two_neighbour_dimension(points), rel=1e-9
    )

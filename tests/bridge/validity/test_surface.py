"""Tests of the surface of a map: sides by drawn deviations, and mean and variance of a point from its networks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bridge.validity.surface import EDGE, ROUGH, SHARED, Surface, modelled, typical_variance

PLACES = np.linspace(0, 1, 9)[:, None]
DRAWS = 200_000


def surface(relation):
    """A process through deviations that rise from far below to far above the claim."""
    return Surface(PLACES, 4 * (PLACES[:, 0] - 0.4), np.full(9, 0.05), relation)


@pytest.mark.parametrize(
    ("relation", "holds"),
    [
        ("=", lambda deviations: np.abs(np.sinh(deviations)) < 1),
        ("<", lambda deviations: deviations < 0),
        (">", lambda deviations: deviations > 0),
    ],
)
def test_the_probability_that_a_claim_holds_is_the_share_of_drawn_deviations(relation, holds, rng):
    mapped = surface(relation)
    between = np.linspace(0.05, 0.95, 7)[:, None]
    mean, deviation = mapped.at(between)
    drawn = mean + deviation * rng.normal(size=(DRAWS, len(between)))
    np.testing.assert_allclose(mapped.inside(between), holds(drawn).mean(axis=0), atol=0.005)
    sides = mapped.sides(np.array([[0.0], [1.0]]))
    assert sides.tolist() == {"=": [0.0, 0.0], "<": [1.0, 0.0], ">": [0.0, 1.0]}[relation]


def test_the_margin_is_the_distance_from_the_boundary():
    mean = np.array([-3.0, -0.5, 0.0, 2.0])
    np.testing.assert_allclose(surface("=").margin(mean), [3 - EDGE, EDGE - 0.5, EDGE, 2 - EDGE])
    np.testing.assert_allclose(surface("<").margin(mean), [3, 0.5, 0, 2])


def test_a_place_is_measured_where_the_nearest_point_is():
    mean = np.where(PLACES[:, 0] > 0.7, np.nan, -1.0)
    mapped = Surface(PLACES, mean, np.full(9, 0.05), "<")
    assert mapped.is_measured(np.array([[0.3], [0.95]])).tolist() == [True, False]
    assert np.isnan(mapped.inside(np.array([[0.95]]))).all()


def test_a_point_has_the_mean_and_variance_of_its_networks():
    ratio = np.array([0.3, 0.5, 0.2]) / 0.2
    deviations = np.append(ratio, np.nan)
    mean, variance = modelled(deviations, math.nan)
    scaled = 1 + (5 / 3) ** 2  # the squared slope of sinh at the mean
    assert mean == pytest.approx(math.asinh(5 / 3))
    assert variance == pytest.approx(ratio.var(ddof=1) / 3 / scaled + ROUGH)
    _, shared = modelled(deviations, 0.7)
    both = (2 * ratio.var(ddof=1) + SHARED * 0.7 * scaled) / (2 + SHARED)
    assert shared == pytest.approx(both / 3 / scaled + ROUGH)
    assert np.isnan(modelled(np.array([1.0, np.nan, np.nan]), 0.7)).all()


def test_the_typical_variance_is_the_median_over_points():
    points = [np.array([1.0, 3.0]), np.array([0.0, 0.1]), np.array([5.0, np.nan])]
    expected = np.median([2 / (1 + 2**2), 0.005 / (1 + 0.05**2)])
    assert typical_variance(points) == pytest.approx(expected)
    assert math.isnan(typical_variance(points[2:]))

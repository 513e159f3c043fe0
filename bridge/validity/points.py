"""The points of a map with their networks, and those that their own networks decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial import distance

from bridge.statistics.arrays import Array

REACH = {1: 0.1, 2: 0.2, 3: 0.3}  # farthest that a decided point speaks for, in units of an axis


@dataclass(frozen=True, eq=False)
class Point:
    """The networks at one place of a panel: values of the parameters, predicted and measured numbers ``[seed]``."""

    values: Mapping[str, float]
    predicted: Array
    measured: Array


@dataclass(frozen=True, eq=False)
class Panel:
    """The points with one combination of the choices."""

    choices: Mapping[str, Any]
    points: tuple[Point, ...]


@dataclass(frozen=True, eq=False)
class Decided:
    """Points that their own networks decide: ``places`` ``[point, axis]``, and ``sides`` ``[point]``, 1 for holds."""

    places: Array
    sides: Array

    def nearest(self, places: Array) -> tuple[Array, Array]:
        """Return ``[place]`` the side of the nearest, NaN beyond its reach, and how near another takes its place."""
        far = REACH[places.shape[1]]
        if not len(self.sides):
            return np.full(len(places), np.nan), np.full(len(places), far)
        apart = distance.cdist(places, self.places)
        near = apart.min(axis=1)
        return np.where(near <= far, self.sides[apart.argmin(axis=1)], np.nan), np.minimum(near, far)

    def with_expected(self, place: Array, side: float) -> Decided:
        """Return them with one more."""
        return Decided(np.vstack([self.places, place]), np.append(self.sides, side))

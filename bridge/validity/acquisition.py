"""Which points of a map get networks next: where the boundary may be, and those on which both of its sides rest.

One half of them are the places of which the process is least certain, as long as there are many: the "straddle" of
Bryan et al., "Active learning for identifying function threshold boundaries" (NIPS 2005). The others are the points
that, once their own networks decide them, make the most places known for each network that this is expected to take.
They are chosen one after the other, with what is expected of each in its place.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.spatial import distance

from bridge.statistics.anytime import radius
from bridge.statistics.arrays import Array
from bridge.validity.decision import AT_ONCE, following
from bridge.validity.region import LEVEL, SHARP, Region
from bridge.validity.surface import ROUGH, Decided, Surface

BATCH = 8  # points that are chosen at a time, however many workers there are, so that the map is the same
STRADDLE = 1.96  # standard deviations, as in the source
CANDIDATES = 600  # places that are weighed, evenly among those that might be
FOUND = 0.6  # share of what may remain undecided that the process may be uncertain of, before points are decided
CLEAR = 0.8  # share of the distance from the boundary that an interval may fill, since the distance is not known


def next_places(region: Region, panel: int, counts: Array) -> list[int]:
    """Return the numbers of the next places of the lattice; none where more networks decide no more."""
    lattice, surface, most = region.space.lattice, region.surface(panel), region.claim.most
    uncertain = np.isnan(surface.sides(lattice)) & surface.is_measured(lattice)
    searching = _straddling(surface, lattice, counts, most)
    deciding = _deciding(surface, region.decided(panel), lattice, counts, most)
    if uncertain.mean() > FOUND * SHARP[len(region.space.axes)]:
        return list(dict.fromkeys([*searching[: BATCH // 2], *deciding[: BATCH // 2]]))
    return deciding or searching


def _straddling(surface: Surface, lattice: Array, counts: Array, most: int) -> list[int]:
    """Return the most uncertain places, each with the expected value of those before it."""
    chosen: list[int] = []
    for _ in range(BATCH):
        mean, deviation = surface.at(lattice)
        possible = np.logical_and(counts < most, surface.is_measured(lattice))
        scores = np.where(possible, STRADDLE * deviation - surface.margin(mean), -np.inf)
        scores[chosen] = -np.inf
        best = int(scores.argmax())
        if not 0 < scores[best] < np.inf:
            break
        chosen.append(best)
        surface = surface.with_expected(lattice[best])
    return chosen


def _deciding(surface: Surface, decided: Decided, lattice: Array, counts: Array, most: int) -> list[int]:
    """Return the places whose decision makes the most places known for each network."""
    sides, needed = surface.sides(lattice), _needed(surface, lattice, most)
    cost = np.where((needed > most) | (counts >= most), np.inf, np.maximum(needed - counts, AT_ONCE))
    chosen: list[int] = []
    for _ in range(BATCH):
        nearest, reach = decided.nearest(lattice)
        possible = np.flatnonzero(~np.isnan(sides) & np.isfinite(cost))
        possible = possible[np.linspace(0, len(possible) - 1, min(CANDIDATES, len(possible))).astype(int)]
        if not len(possible):
            break
        closer = distance.cdist(lattice[possible], lattice) <= reach
        same = sides == sides[possible][:, None]
        gained = (closer & same & (nearest != sides)).sum(axis=1) - (closer & ~same & (nearest == sides)).sum(axis=1)
        worth = gained / cost[possible]
        best = int(possible[worth.argmax()])
        if worth.max() <= 0:
            break
        chosen.append(best)
        cost[best] = np.inf
        decided = decided.with_expected(lattice[best], sides[best])
    return chosen


def _needed(surface: Surface, places: Array, most: int) -> Array:
    """Return how many networks are expected to decide each place, ``[place]``; infinity for more than ``most``."""
    scatter = math.sqrt(surface.typical if math.isfinite(surface.typical) else ROUGH)
    margin = CLEAR * surface.margin(surface.at(places)[0])
    needed, count = np.full(len(places), np.inf), 0
    while seeds := following(count, most):
        count = seeds.stop
        needed[np.isinf(needed) & (scatter * radius(count, LEVEL / 2) <= margin)] = count
    return needed

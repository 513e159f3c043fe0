"""What a map says of a single network: where nine networks of ten agree, which the mean of all of them does not say.

At a place the networks of the nearest points count, up to :data:`MOST` of them and no farther than a decided point
speaks for. Whether more than nine of ten agree, or fewer, is shown by the binomial distribution at the level of a
point; otherwise it is not decided. Networks that measure nothing are left out, and counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import stats

from bridge.validity.surface import REACH

if TYPE_CHECKING:
    from bridge.statistics.arrays import Array
    from bridge.validity.surface import Point

OF_TEN = 0.9  # share of networks that has to agree
MOST = 60  # networks that count at a place; 29 that all agree are the fewest that show it
LEVEL = 0.05  # as of a verdict at a point


class Count(NamedTuple):
    """How many networks agree, how many measure the claim, and how many there are."""

    agreeing: int
    measured: int
    networks: int

    def plus(self, other: Count) -> Count:
        """Return the counts of both together."""
        return Count(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def share(self) -> float:
        """Share of the networks that measure the claim which agree; NaN for none."""
        return self.agreeing / self.measured if self.measured else float("nan")


NONE = Count(0, 0, 0)


def count(region: Any, point: Point) -> Count:
    """Return how many networks of a point agree, each by itself, within the resolution or on the side of a bound."""
    deviations = region.claim.deviations(point.predicted, point.measured, region.resolution)
    known = deviations[np.isfinite(deviations)]
    agree = {"=": np.abs(known) <= 1, "<": known < 0, ">": known > 0}[region.claim.relation]
    return Count(int(agree.sum()), len(known), len(deviations))


def sides(region: Any, panel: int, places: Array) -> Array:
    """Return 1 where nine networks of ten are shown to agree, 0 where fewer are, NaN where neither is, ``[place]``."""
    points = region.panels[panel].points
    counts = np.array([count(region, point)[:2] for point in points])
    at = np.array([region.space.places(point.values) for point in points])
    known = []
    for distances in np.linalg.norm(places[:, None] - at[None], axis=-1):
        order = np.argsort(distances, kind="stable")
        order = order[distances[order] <= REACH[len(region.space.axes)]]
        together = counts[order].cumsum(axis=0)
        last = min(int(np.searchsorted(together[:, 1], MOST)), len(order) - 1)
        known.append(together[last] if len(order) else (0, 0))
    agreeing, measured = np.array(known).T
    more = stats.binom.sf(agreeing - 1, measured, OF_TEN) <= LEVEL
    fewer = stats.binom.cdf(agreeing, measured, OF_TEN) <= LEVEL
    return np.where(more, 1.0, np.where(fewer, 0.0, np.nan))


def by_mean(region: Any) -> dict[bool | None, Count]:
    """Return the counts of the networks where the claim holds on average, where it fails, and elsewhere."""
    counts = dict.fromkeys((True, False, None), NONE)
    for index, panel in enumerate(region.panels):
        places = np.array([region.space.places(point.values) for point in panel.points])
        known = region.known(index, places)
        for point, side in zip(panel.points, known, strict=True):
            key = None if np.isnan(side) else bool(side)
            counts[key] = counts[key].plus(count(region, point))
    return counts


def shares(values: Array) -> dict[bool | None, float]:
    """Return the shares of places where something is so, is not so, and is not decided."""
    return {
        True: float(np.mean(values == 1)),
        False: float(np.mean(values == 0)),
        None: float(np.isnan(values).mean()),
    }


def sentence(region: Any) -> str:
    """Return what a map says of single networks, in a sentence."""
    of_ten = region.shares_of_ten
    counts = by_mean(region)
    total = NONE
    for counted in counts.values():
        total = total.plus(counted)
    within = region.claim.within(region.resolution)
    parts = [
        f"{counted.share:.0%} {where} ({counted.measured:,} networks)"
        for counted, where in (
            (counts[True], "where it holds on average"),
            (counts[False], "where it fails"),
        )
        if counted.measured
    ]
    single = f"Of single networks {' and '.join(parts) or f'{total.share:.0%}'} agree{within}; "
    survivors = (
        f" {total.measured:,} of {total.networks:,} networks measure it, and the others are left out."
        if total.measured < total.networks
        else ""
    )
    return (
        f"{single}nine of ten do in {of_ten[True]:.0%} of the map, fewer in {of_ten[False]:.0%}, and in "
        f"{of_ten[None]:.0%} that is not decided.{survivors}"
    )

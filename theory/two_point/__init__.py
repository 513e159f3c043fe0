"""The two-point theory: how two representations move while a network learns to tell two inputs apart.

Functions without arguments give closed forms (``final_distance()``, ``final_distance_distribution()``) or states
(``fixed_points()``); functions with arguments give numbers (``trajectory``, ``loss``, ``escape_time``,
``crossing_time``). All closed forms are in ``theory.catalogue()`` under ``two_point.``.
"""

from __future__ import annotations

from theory.two_point.crossing_time import crossing_time
from theory.two_point.distribution import FinalDistanceDistribution, final_distance_distribution
from theory.two_point.escape_time import escape_time
from theory.two_point.final_distance import final_distance
from theory.two_point.fixed_points import FixedPoint, fixed_points
from theory.two_point.loss import loss
from theory.two_point.trajectory import trajectory

__all__ = [
    "FinalDistanceDistribution",
    "FixedPoint",
    "crossing_time",
    "escape_time",
    "final_distance",
    "final_distance_distribution",
    "fixed_points",
    "loss",
    "trajectory",
]

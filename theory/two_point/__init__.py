"""The two-point theory: how two representations move while a network learns to tell two inputs apart.

Functions without arguments give closed forms (``final_distance()``) or states (``fixed_points()``); functions with arguments
give numbers (``trajectory``, ``loss``, ``escape_time``). All closed forms are in ``theory.catalogue()`` under ``two_point.``.
"""

from __future__ import annotations

from theory.two_point.final_distance import final_distance
from theory.two_point.fixed_points import FixedPoint, fixed_points
from theory.two_point.trajectory import trajectory

__all__ = ["FixedPoint", "final_distance", "fixed_points", "trajectory"]

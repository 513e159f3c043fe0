"""Geometry of representations: what finite and trained networks do, held against closed forms and a hypothesis.

bridge.geometry.convergence(trace)                    # finite random networks against infinite width, at every input
bridge.geometry.extrapolate(widths, samples)          # a quantity at infinite width, from repetitions at finite ones
bridge.geometry.expansion(trace)                      # is volume larger near the decision boundary? a number for a seed
bridge.geometry.association(log_volume, distance)     # the same for numbers of your own, with an interval over seeds
bridge.geometry.distance_to_boundary(x, y, margin)    # of every point of a grid
"""

from __future__ import annotations

from bridge.geometry.association import Association, association
from bridge.geometry.boundary import boundary_lines, distance_to_boundary
from bridge.geometry.convergence import Convergence, convergence
from bridge.geometry.expansion import Expansion, expansion
from bridge.geometry.extrapolation import WidthLimit, extrapolate

__all__ = [
    "Association",
    "Convergence",
    "Expansion",
    "WidthLimit",
    "association",
    "boundary_lines",
    "convergence",
    "distance_to_boundary",
    "expansion",
    "extrapolate",
]

"""Curvature of unit spheres from the volumes of small geodesic balls."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.explicit_metrics import as_floats

radius = sp.Symbol("epsilon", positive=True)
# Volumes of geodesic balls in unit spheres of two and three dimensions, per flat ball.
CAPS = {
    2: 2 * sp.pi * (1 - sp.cos(radius)) / (sp.pi * radius**2),
    3: sp.pi * (2 * radius - sp.sin(2 * radius)) / (sp.pi * radius**3 * 4 / 3),
}


@cache
def scalar_of_balls(dimension: int) -> float:
    """The fraction by which the volume falls short is R radius^2 / (6 (d + 2))."""
    return float(6 * (dimension + 2) * sp.limit((1 - CAPS[dimension]) / radius**2, radius, 0))


@cache
def _sphere(dimension: int) -> dict[str, Any]:
    found = christoffel.curvature(explicit_metrics.sphere, ("0.3", "-0.7", "0.4")[:dimension])
    inverse = as_floats(christoffel.inverse(found.metric))
    mixed = np.einsum("lm,mnab->lnab", inverse, as_floats(found.riemann))
    return {"d": dimension, "n": 1, "g_up": inverse, "Riemann_up": mixed, "R": scalar_of_balls(dimension)}


def spheres() -> list[dict[str, Any]]:
    """Cases: unit spheres, with the Riemann tensor from its definition and R from balls."""
    return [_sphere(dimension) for dimension in CAPS]

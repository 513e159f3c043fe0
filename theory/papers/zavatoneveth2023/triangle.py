"""Three error functions whose weights are the corners of a triangle: values from definitions, and symmetry."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim
from theory.core.ledger.proving import is_close
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.bump_values import precision
from theory.papers.zavatoneveth2023.christoffel import WORK
from theory.papers.zavatoneveth2023.network import erf_network, scalar_of

HALF = sp.Rational(1, 2)
WEIGHTS = sp.ImmutableMatrix([[1, 0], [-HALF, sp.sqrt(3) / 2], [-HALF, -sp.sqrt(3) / 2]])
PLAIN = np.array(WEIGHTS.tolist(), dtype=float)
PAIRS = {"12": (0, 1), "23": (1, 2), "13": (0, 2)}
POINTS = (("0.3", "-0.7", "0.5"), ("-0.4", "0.2", "0.9"), ("1.1", "0.6", "0.2"))
"""Both inputs and the bias."""


@cache
def _values(first: str, second: str, bias: str) -> dict[str, Any]:
    root = str(WORK.sqrt(3) / 2)
    metric = explicit_metrics.erf_network((("1", "0"), ("-0.5", root), ("-0.5", "-" + root)), (bias,) * 3)
    found = christoffel.curvature(metric, (first, second))
    x_1, x_2, b = map(float, (first, second, bias))
    biases = np.full(2, b)
    tuples = {name: PLAIN[list(rows)] for name, rows in PAIRS.items()}
    return {
        "n": 3,
        "d": 2,
        "x_1": x_1,
        "x_2": x_2,
        "b": b,
        "r": x_1**2 + x_2**2,
        "R": float(found.scalar),
        "M": np.array([[np.linalg.det(PLAIN[[one, two]]) for two in range(3)] for one in range(3)]),
        "detg": float(np.linalg.det(explicit_metrics.as_floats(found.metric))),
        **{f"c_{name}": np.linalg.solve(weights, -biases) for name, weights in tuples.items()},
        **{f"Q_{name}": precision(weights, biases) for name, weights in tuples.items()},
    }


def of_triangles() -> list[dict[str, Any]]:
    """Cases: three points and biases."""
    return [_values(*point) for point in POINTS]


def tripled() -> list[dict[str, Any]]:
    """The same with three times the curvature."""
    return [{**case, "R": 3 * case["R"]} for case in of_triangles()]


def _geometry(angle: float, bias: float) -> list[float]:
    """Determinant and curvature at the three points turned by an angle."""
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    nets = [erf_network(PLAIN, [bias] * 3, turn @ np.array(point[:2], dtype=float)) for point in POINTS]
    return [value for net in nets for value in (net.determinant, scalar_of(net.metric, net.riemann()))]


def _folds(bias: float) -> int:
    """The largest number of parts of a full turn, up to twelve, by which the geometry can be turned."""
    before = _geometry(0.0, bias)
    return max(parts for parts in range(1, 13) if is_close(_geometry(2 * math.pi / parts, bias), before))


def has_the_symmetry(claim: Claim) -> tuple[Check, ...]:
    """How many-fold the symmetry is with and without biases."""
    return (
        Check("with bias", lambda: bool(_folds(0.5) == claim["three"]), "turned points"),
        Check("without bias", lambda: bool(_folds(0.0) == claim["six"]), "turned points"),
    )

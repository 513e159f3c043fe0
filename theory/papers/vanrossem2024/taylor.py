"""Smooth random maps and their linearisation: how the error of Eq. (5) falls with the distance of the two points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from theory.core import Check
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.flows import column

# The exponent of an error from distances that differ by a factor of two; the next order shifts it by the distance.
_DISTANCES = (0.02, 0.01)
_EXPONENT_TOLERANCE = 0.1
_DIFFERENCE = 1e-5  # central differences of smooth functions: truncation 1e-10, rounding 1e-11
_CENTRE, _DIRECTION = np.array([0.3, -0.4]), np.array([0.6, 0.8])


def _maps() -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """A smooth encoder from two inputs to three units and a smooth decoder to two outputs."""
    draw = np.random.default_rng(3)
    first, shift, second, read = (draw.normal(size=shape) for shape in ((4, 2), 4, (3, 4), (2, 3)))
    return (lambda x: second @ np.tanh(first @ x + shift)), (lambda h: read @ np.tanh(h))


def _jacobian(function: Callable[[Any], Any], point: Any) -> Any:
    sides = [
        [function(point + sign * _DIFFERENCE * unit) for unit in np.eye(len(point))] for sign in (1, -1)
    ]  # [sign][direction]
    return (np.array(sides[0]) - np.array(sides[1])).T / (2 * _DIFFERENCE)


def _cases(distance: float) -> list[dict[str, Any]]:
    """Both points at ``distance`` from each other, in the letters of Eq. (5)."""
    encode, decode = _maps()
    middle = encode(_CENTRE)
    shared = {
        "h_phi_middle": column(middle),
        "y_psi_middle": column(decode(middle)),
        "D_h": _jacobian(encode, _CENTRE),
        "D_y": _jacobian(decode, middle),
    }
    found = []
    for sign in (-1, 1):
        u = sign * distance * _DIRECTION
        at = encode(_CENTRE + u / 2)
        found.append({**shared, "u_i": column(u), "h_phi_i": column(at), "y_psi_i": column(decode(at))})
    return found


def error_of(relation: Any, distance: float) -> float:
    """Largest difference of the two sides at either point."""
    return max(float(np.abs(evaluate(relation.lhs - relation.rhs, case)).max()) for case in _cases(distance))


def to_first_order(relation: Any) -> tuple[Check, ...]:
    """Proves that the difference of the two sides is of second order in the distance of the points."""

    def is_second_order() -> bool:
        far, near = (error_of(relation, distance) for distance in _DISTANCES)
        return bool(abs(np.log2(far / near) - 2) < _EXPONENT_TOLERANCE)

    return (Check("error of second order", is_second_order, "smooth random maps"),)

r"""Eq. (7) letter by letter as the paper prints it, for the entries that quote or alter it."""

from __future__ import annotations

import sympy as sp

from theory.core import equal
from theory.two_point.symbols import dh2, dx2, dy2, target2, tau_h, tau_y, w

VARIABLES = (dh2, dy2, w)
VELOCITIES = sp.symbols("dh2_dot dy2_dot w_dot", real=True)
RATES = (
    -1 / tau_h * dx2 * w,
    -w * (1 / tau_y * dh2 + 1 / tau_h * dx2 * dy2 / dh2),
    -1 / tau_y * sp.Rational(1, 2) * (3 * w - dy2 + target2) * dh2
    - 1 / tau_h * sp.Rational(1, 2) * dx2 * (dy2 + w) * w / dh2,
)
LINES = tuple(equal(velocity, rate) for velocity, rate in zip(VELOCITIES, RATES, strict=True))
_NUMERIC = sp.lambdify((*VARIABLES, tau_h, tau_y, dx2, target2), RATES, "math")


def rates_at(
    state: tuple[float, float, float], *, tau_h: float, tau_y: float, dx2: float, target2: float
) -> tuple[float, ...]:
    """The three right-hand sides as numbers."""
    return _NUMERIC(*state, tau_h, tau_y, dx2, target2)

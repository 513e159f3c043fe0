"""A_high, A_low and Eq. (24) as the paper prints them, and symbols for the first two."""

from __future__ import annotations

import sympy as sp

from theory.papers.vanrossem2024.notation import letters
from theory.two_point.symbols import dh2, dh2_0, dx2, dy2_0, target2, tau_h, tau_y

A_high, A_low = letters("A_high A_low")
dx, target = sp.sqrt(dx2), sp.sqrt(target2)

A_HIGH = (dh2_0 / dx2 - tau_y / tau_h * dy2_0 / dh2_0) * dx2
A_LOW = sp.sqrt(tau_y / tau_h) * dx * target
MEMORY = dy2_0 / dh2_0 - tau_h / tau_y * dh2_0 / dx2
ORBIT = tau_h / tau_y / dx2 * dh2**2 + MEMORY * dh2
ROOT = sp.sqrt(sp.Rational(1, 4) * A_high**2 + A_low**2)
FINAL = sp.Rational(1, 2) * A_high + ROOT
"""Right-hand side of Eqs. (10) and (36)."""

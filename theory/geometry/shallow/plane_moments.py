"""The curvature for two inputs and the bound on its error from the seven moments and two sizes, see ``plane``."""

from typing import Any

import numpy as np

UNITS = 64  # units that are summed at once; the sums are then added, so that fewer rounding errors add up
SMALLEST, LARGEST = 1e-140, 1e140  # metric between which no moment leaves the normal numbers


def of_moments(
    e: Any, f: Any, h: Any, t0: Any, t1: Any, t2: Any, t3: Any, u0: Any, u3: Any, g: Any, n: Any
) -> Any:
    """Return the curvature and the bound from sums over ``n`` units at a point, with the relative error ``g``."""
    a, b = 1 / np.sqrt(e), 1 / np.sqrt(h)
    usable = (e > SMALLEST) * (h > SMALLEST) * np.greater(LARGEST, e) * np.greater(LARGEST, h)
    f = f * (a * b)
    t0, t1, t2, t3 = t0 * (a * a * a), t1 * (a * a * b), t2 * (a * b * b), t3 * (b * b * b)
    u0, u3 = u0 * (a * a * a), u3 * (b * b * b)
    tau = (u0 + u3 + abs(u0 - u3)) / 2
    numerator = t1 * t3 - t2 * t2 - f * (t0 * t3 - t1 * t2) + t0 * t2 - t1 * t1
    determinant = 1 - f * f
    terms = (
        abs(t1 * t3) + t2 * t2 + abs(f) * (abs(t0 * t3) + abs(t1 * t2)) + abs(t0 * t2) + t1 * t1
    )
    inner = abs(t3 + f * t2 - 2 * t1) + abs(t0 + f * t1 - 2 * t2)
    change = abs(t2 - f * t3) * u0 + inner * tau + abs(t1 - f * t0) * u3 + 2 * terms
    size = abs(t0) + abs(t1) + abs(t2) + abs(t3)
    error = g * change + 8 * (g * tau) * (g * (tau + size))
    bound = (error / abs(numerator) + 11 * g / determinant) / (usable * (determinant > 0))
    return -2 * n * numerator / (determinant * determinant), bound

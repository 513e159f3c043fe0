"""Random initial states of the two-point theory, with all cases that are difficult for integrators or formulas."""

from __future__ import annotations

import numpy as np

NAMES = ("dh2_0", "dy2_0", "w_0", "tau_h", "tau_y", "dx2", "target2")
KINDS = (
    "generic",
    "scalar",
    "crossing",
    "stiff",
    "lazy",
    "balanced",
    "identical",
    "strong decoder",
)


def draw(kind: str, rng: np.random.Generator) -> dict[str, float]:
    """One initial state with time constants and data, as keywords of ``theory.two_point.trajectory``."""
    dh2, tau_h, tau_y, dx2, target2 = np.exp(rng.normal(0, 1, 5))
    slope2 = np.exp(rng.normal(0, 1))  # dy2/dh2
    cosine = rng.uniform(-1, 1)
    if kind in ("scalar", "stiff", "lazy"):
        cosine = rng.choice([-1.0, 1.0])
    if kind == "stiff":
        dh2, slope2 = 1e-8 * dh2, 1e-8 * slope2
    if kind == "lazy":
        dh2, slope2 = 1e3 * dh2, 1e3 * slope2 * rng.choice([1.0, 1e-3])
    if kind == "balanced":
        slope2 = tau_h * dh2 / (tau_y * dx2)
    if kind == "identical":
        target2, cosine = 0.0, 0.0
    if kind in ("crossing", "strong decoder"):
        slope2 = 4 * tau_h * dh2 / (tau_y * dx2)
    if kind == "crossing":
        target2, cosine = 25 * dh2 * slope2, -1.0
    dy2 = slope2 * dh2
    w = dy2 - cosine * np.sqrt(dy2 * target2)
    return dict(zip(NAMES, map(float, (dh2, dy2, w, tau_h, tau_y, dx2, target2)), strict=True))

"""The final distance from Gaussian initial weights, in numbers: laws of linear combinations and of their roots."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

SAMPLES = 20_000
# tau_y/tau_h and the correlation of the two ratios.
KINDS = ((1.0, 0.0), (0.4, 0.0), (1.0, 0.3))
STEP = 1e-4


def final(high: Any, low: Any) -> Any:
    """The positive root of h^2 - A_high h - A_low^2, without cancellation; numbers or arrays."""
    half = np.asarray(high) / 2
    root = np.hypot(half, low)
    return np.where(half > 0, half + root, np.asarray(low) ** 2 / np.where(half > 0, 1.0, root - half))


@cache
def events() -> dict[str, Any]:
    """Random A_high, A_low and h, the share of final distances below h, and the share of an event."""
    draw = np.random.default_rng(6)
    high, low, h = draw.normal(0, 2, SAMPLES), draw.exponential(1, SAMPLES), draw.exponential(1.5, SAMPLES)
    below = float(np.mean(final(high, low) < h))
    return {"A_high": high, "A_low": low, "h": h, "below": below, "P": lambda event: float(np.mean(event))}


def law(rho: float, correlation: float, gain: float, dx2: float) -> tuple[float, float]:
    """Mean and variance of A_high = dx2 (first - rho second), both N(gain, gain^2)."""
    weights = np.array([dx2, -rho * dx2])
    covariance = gain**2 * np.array([[1, correlation], [correlation, 1]])
    return float(weights.sum() * gain), float(weights @ covariance @ weights)


def below(h: float, low: float, mean: float, variance: float) -> float:
    """Probability that the final distance is below h: it grows with A_high, which is Gaussian."""
    if low == 0:
        return float(norm.cdf((h - mean) / math.sqrt(variance)))
    edge = brentq(lambda high: float(final(high, low)) - h, -1e4, 1e4, xtol=1e-13, rtol=1e-14)
    return float(norm.cdf((edge - mean) / math.sqrt(variance)))


def cases(lows: tuple[float, ...] = (0.7,)) -> Iterator[dict[str, Any]]:
    """Settings with equal and unequal constants, with and without correlation, in the letters of Eqs. (46) to (48)."""
    for rho, correlation in KINDS:
        for gain, dx2, h in ((0.5, 1.3, 0.9), (0.8, 0.6, 1.7)):
            mean, variance = law(rho, correlation, gain, dx2)
            for low in lows:
                sides = [below(h + sign * STEP, low, mean, variance) for sign in (1, -1)]
                yield {
                    "tau_h": 2.0,
                    "tau_y": 2.0 * rho,
                    "correlation": correlation,
                    "G": gain,
                    "dx2": dx2,
                    "h": h,
                    "A_low": low,
                    "law": np.array([mean, variance]),
                    "normal": lambda centre, spread: np.array([centre, spread]),
                    "ratio_h": 1.4,
                    "ratio_y": 0.3,
                    "A_high": dx2 * (1.4 - rho * 0.3),
                    "below": below(h, low, mean, variance),
                    "f": (sides[0] - sides[1]) / (2 * STEP),
                    "Phi": lambda z: float(norm.cdf(z)),
                    "phi": lambda z: float(norm.pdf(z)),
                }

"""Traces with known time constants from the closed form plus noise, and an integrator that shares no code with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from theory import two_point as theory


@dataclass(frozen=True)
class Case:
    """A trace and the true parameters behind it."""

    columns: dict
    data: dict
    tau_h: float
    tau_y: float
    initial: tuple[float, float, float]
    clean: np.ndarray


def draw_case(
    rng: np.random.Generator, *, points: int = 300, noise: float = 0.01, scalar: bool = False
) -> Case:
    """Draw data, time constants, and initial weights over two decades.

    ``noise`` is the standard deviation of the noise as a fraction of each curve's range.
    """
    dx2, target2 = rng.uniform(0.3, 2), rng.uniform(0.2, 2)
    tau_h, tau_y = np.exp(rng.uniform(np.log(2), np.log(500), size=2))
    small = 10 ** rng.uniform(-3, -0.3)
    dh2 = small * np.sqrt(tau_y / tau_h * dx2 * target2)
    along = 0.5 * rng.normal() * np.sqrt(target2 * small)
    across = 0.0 if scalar else 0.3 * rng.normal() * np.sqrt(target2 * small)
    dy2 = along**2 + across**2
    initial = (dh2, dy2, dy2 - along * np.sqrt(target2))
    rate = np.sqrt(dx2 * target2 / (tau_h * tau_y))
    t = np.linspace(0, rng.uniform(4, 10) * (1 - np.log(small) / 4) / rate, points)
    clean = theory.trajectory(t, *initial, tau_h, tau_y, dx2, target2)
    seen = clean + noise * np.ptp(clean, axis=1)[:, None] * rng.normal(size=clean.shape)
    columns = dict(zip(("t", "dh2", "dy2", "w"), (t, *seen), strict=True))
    return Case(columns, {"dx2": dx2, "target2": target2}, tau_h, tau_y, initial, clean)


def rates_as_printed(_, state, tau_h, tau_y, dx2, target2, kind=None):
    """Return the right-hand side of Eq. (7), with one change of Eq. (51) or of the released code, or none."""
    dh2, dy2, w = state
    first = -dx2 / tau_h * {"square": w**2, "factor_two_dh2": 2 * w}.get(kind, w)
    inner = dh2 / tau_y + (0 if kind == "missing_term" else dx2 / tau_h * dy2 / dh2)
    second = -(2 if kind == "factor_two" else 1) * w * inner
    last = dx2 / (2 * tau_h) * (dy2 + w) * w / dh2
    third = -(3 * w - dy2 + target2) * dh2 / (2 * tau_y) + (last if kind == "plus_sign" else -last)
    return first, second, third


def integrate_as_printed(t, initial, tau_h, tau_y, dx2, target2, kind=None, method="Radau"):
    """Integrate the printed equations to ``[3, time]``; they divide by zero for states that pass near dh = 0."""
    arguments = (tau_h, tau_y, dx2, target2, kind)
    result = solve_ivp(
        rates_as_printed, (0, t[-1]), initial, method, t, args=arguments, rtol=1e-9, atol=1e-12
    )
    assert result.success, result.message
    return result.y


@pytest.fixture
def draw():
    return draw_case


@pytest.fixture
def integrate():
    return integrate_as_printed


@pytest.fixture
def clean_case():
    """Return a noiseless trace similar to that of a network: small weights, one output, one row per epoch."""
    data = {"dx2": 1.0, "target2": 0.5}
    tau_h, tau_y = 400.0, 50.0
    along = 0.02
    initial = (0.02, along**2, along**2 - along * np.sqrt(0.5))
    t = np.arange(3001.0)
    clean = theory.trajectory(t, *initial, tau_h, tau_y, **data)
    columns = dict(zip(("t", "dh2", "dy2", "w"), (t, *clean), strict=True))
    return Case(columns, data, tau_h, tau_y, initial, clean)

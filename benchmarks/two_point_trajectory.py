"""A trajectory of the two-point theory at 6001 points: the closed form compared with scipy's LSODA.

Both compute (dh2, dy2, w) of Eq. (7) from small initial weights. LSODA runs with a relative tolerance of 1e-9, and its
error is the difference from a run with 1e-13. The closed form is exact up to rounding.

    python benchmarks/two_point_trajectory.py
"""

from __future__ import annotations

import time

import numpy as np
from scipy.integrate import solve_ivp

from theory import two_point

TAU_H, TAU_Y, DX2, TARGET2 = 1301.0, 23.8, 1.0, 0.5
INITIAL = (5e-3, 4e-4, 4e-4 - 0.02 * np.sqrt(0.5))
EPOCHS = np.arange(6001.0)
REPEATS = 7
EXPECTED = 20


def rates(_, state):
    """Return the rates of Eq. (7) as printed."""
    dh2, dy2, w = state
    encoder = DX2 / TAU_H
    return (
        -encoder * w,
        -w * (dh2 / TAU_Y + encoder * dy2 / dh2),
        -0.5 / TAU_Y * (3 * w - dy2 + TARGET2) * dh2 - 0.5 * encoder * (dy2 + w) * w / dh2,
    )


def integrated(tolerance=1e-9):
    """Return the trajectory ``[3, time]`` by LSODA."""
    span = (0, EPOCHS[-1])
    return solve_ivp(rates, span, INITIAL, "LSODA", EPOCHS, rtol=tolerance, atol=tolerance * 1e-3).y


def closed_form():
    """Return the trajectory ``[3, time]`` by the closed form."""
    return two_point.trajectory(EPOCHS, *INITIAL, TAU_H, TAU_Y, DX2, TARGET2)


def best_time(function):
    """Return the shortest of several runs in seconds."""
    times = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        function()
        times.append(time.perf_counter() - begin)
    return min(times)


def main():
    """Print the table."""
    closed_form()  # compiles the formula
    reference = integrated(1e-13)
    seconds = best_time(closed_form), best_time(integrated)
    print(f"trajectory, {EPOCHS.size} points; largest deviations, in units of the squared outputs")
    print(f"{'':34}{'time [ms]':>12}{'deviation from LSODA at 1e-13':>34}")
    print(f"{'closed form':34}{1e3 * seconds[0]:12.3f}{np.abs(closed_form() - reference).max():34.1e}")
    print(f"{'solve_ivp(LSODA, rtol=1e-9)':34}{1e3 * seconds[1]:12.3f}{np.abs(integrated() - reference).max():34.1e}")
    print(f"ratio {seconds[1] / seconds[0]:.0f} (expected: at least {EXPECTED})")


if __name__ == "__main__":
    main()

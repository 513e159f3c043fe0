"""A whole fit of the two-point theory, compared with least_squares around solve_ivp(LSODA).

Both fit the same trace (6001 epochs, measurement noise of 1 % of each curve's range, initial state known) with the same
two free parameters (logarithms of the time constants) and the same objective (Eq. 49). The alternative starts from
fractions of the trace's duration, which needs no theory, and also from this package's analytic start, so that only the
computation of the curves differs.

    python benchmarks/two_point_fit.py
"""

from __future__ import annotations

import time

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

import bridge
from bridge.two_point import start
from bridge.two_point.trace import read
from theory import two_point

TAU_H, TAU_Y, DX2, TARGET2 = 1301.0, 23.8, 1.0, 0.5
INITIAL = (5e-3, 4e-4, 4e-4 - 0.02 * np.sqrt(0.5))
EPOCHS = np.arange(6001.0)
REPEATS = 5
EXPECTED = 5


def rates(_, state, tau_h, tau_y):
    """Return the rates of Eq. (7) as printed."""
    dh2, dy2, w = state
    encoder = DX2 / tau_h
    return (
        -encoder * w,
        -w * (dh2 / tau_y + encoder * dy2 / dh2),
        -0.5 / tau_y * (3 * w - dy2 + TARGET2) * dh2 - 0.5 * encoder * (dy2 + w) * w / dh2,
    )


def integrated_fit(measured, begin):
    """Return the time constants ``[2]`` and the loss of the fit."""

    def residuals(logs):
        span, taus = (0, EPOCHS[-1]), tuple(np.exp(logs))
        return (
            solve_ivp(rates, span, INITIAL, "LSODA", EPOCHS, args=taus, rtol=1e-8, atol=1e-11).y
            - measured
        ).ravel()

    result = least_squares(residuals, begin, x_scale="jac")
    return np.exp(result.x), 2 * result.cost


def timed(function, *arguments, **options):
    """Return the result, and the shortest of several runs in seconds."""
    times = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        result = function(*arguments, **options)
        times.append(time.perf_counter() - begin)
    return result, min(times)


def main():
    """Print the table."""
    clean = two_point.trajectory(EPOCHS, *INITIAL, TAU_H, TAU_Y, DX2, TARGET2)
    measured = clean + 0.01 * np.ptp(clean, axis=1)[:, None] * np.random.default_rng(0).normal(
        size=clean.shape
    )
    columns = dict(zip(("t", "dh2", "dy2", "w"), (EPOCHS, *measured), strict=True))
    known = {"dx2": DX2, "target2": TARGET2}
    ours, seconds = timed(bridge.two_point.fit, columns, initial=INITIAL, **known)
    (trace,) = read(columns, **known)
    rows = [("bridge.two_point.fit", np.array([ours.tau_h, ours.tau_y]), ours.loss, seconds)]
    for name, begin in (
        ("LSODA, from our start", start.searches([trace], np.array([INITIAL]))[0, 0]),
        ("LSODA, from T/10, T/100", np.log([EPOCHS[-1] / 10, EPOCHS[-1] / 100])),
    ):
        (taus, loss), slow_seconds = timed(integrated_fit, measured, begin)
        rows.append((name, taus, loss, slow_seconds))
    free, free_seconds = timed(bridge.two_point.fit, columns, initial="fit", **known)
    print(f"fit of {EPOCHS.size} points, true tau_h = {TAU_H:g}, tau_y = {TAU_Y:g}")
    print(f"{'':28}{'tau_h':>12}{'tau_y':>12}{'fit loss':>12}{'time [ms]':>12}{'ratio':>8}")
    for name, taus, loss, duration in rows:
        print(
            f"{name:28}{taus[0]:12.5f}{taus[1]:12.6f}{loss:12.7f}{1e3 * duration:12.1f}{duration / seconds:8.1f}"
        )
    deviation = max(np.abs(taus / rows[0][1] - 1).max() for _, taus, _, _ in rows[1:])
    print(
        f"largest relative deviation of a time constant {deviation:.1e}; expected ratio: at least {EXPECTED}"
    )
    print(f"and with the initial state free as well (5 parameters): {1e3 * free_seconds:.1f} ms")
    print(f"errors: tau_h {free.errors['tau_h']:.2g}, tau_y {free.errors['tau_y']:.2g}")


if __name__ == "__main__":
    main()
